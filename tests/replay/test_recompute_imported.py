"""Published debates by other policies: only what follows from the loop having gone on is used."""

from __future__ import annotations

from itertools import product

import pytest
from tests.replay._rounds import again, ends, imported, tale, whole

from eristic.debate.errors import SpecRefused
from eristic.protocols.logicom.moderation import CheckReading, RoundChecks, Rules
from eristic.protocols.logicom.policies import Recomputed, find_policy, recompute
from eristic.protocols.logicom.told_rounds import Tale, decide_tale

CONVINCED = ("convinced", "convinced")
POLITE = ("not_convinced", "pleasantries")
LIMIT = ("not_convinced", "round_limit")
GUARD = ("not_convinced", "hard_limit")
DIVIDED = ("not_convinced", "convinced")
"""The first moderator was convinced, not all were."""
CASES = [
    ("logicom-master", 3, CONVINCED, "convinced, convinced @3"),
    ("logicom-master", 3, DIVIDED, "not_convinced, convinced @3"),
    ("logicom-master", 13, GUARD, "not_convinced, hard_limit @13"),
    ("logicom-master", 3, ("not_convinced", "other"), "not_convinced, other @3"),
    ("panel=unanimous", 11, LIMIT, "not_convinced, round_limit @11"),
    ("topic=off", 3, POLITE, "not_convinced, pleasantries @3"),
    ("convinced-twice", 3, CONVINCED, "goes_on @3"),
    ("convinced-twice", 1, CONVINCED, "goes_on @1"),
    ("convinced-twice", 3, POLITE, "not_convinced, pleasantries @3"),
    ("convinced-twice", 11, LIMIT, "not_convinced, round_limit @11"),
    ("convinced-twice", 13, GUARD, "not_convinced, hard_limit @13"),
    ("convinced-twice", 4, DIVIDED, "goes_on @4"),
    ("round-limit=2", 3, CONVINCED, "not_convinced, round_limit @2"),
    ("round-limit=3", 3, CONVINCED, "convinced, convinced @3"),
    ("round-limit=3", 3, POLITE, "not_convinced, round_limit @3"),
    ("round-limit=9", 3, POLITE, "not_convinced, pleasantries @3"),
    ("round-limit=9", 3, DIVIDED, "not_convinced, convinced @3"),
    ("round-limit=10", 12, LIMIT, "not_convinced, round_limit @10"),
    ("round-limit=20", 11, LIMIT, "goes_on @11"),
    ("round-limit=20", 11, DIVIDED, "goes_on @11"),
    ("round-limit=20", 13, GUARD, "not_convinced, hard_limit @13"),
    ("topic=on", 1, CONVINCED, "convinced, convinced @1"),
    ("topic=on", 2, CONVINCED, "not_recorded @1"),
    ("topic=on", 5, POLITE, "not_recorded @1"),
    ("order=pleasantry", 3, CONVINCED, "not_recorded @3"),
    ("order=pleasantry", 3, DIVIDED, "not_convinced, convinced or pleasantries @3"),
    ("order=round_limit", 3, CONVINCED, "convinced, convinced @3"),
    ("order=round_limit", 11, CONVINCED, "not_recorded @11"),
    ("order=topic", 3, CONVINCED, "convinced, convinced @3"),
    ("first-conviction", 3, CONVINCED, "convinced, convinced @3"),
    ("first-conviction", 3, DIVIDED, "not_convinced, convinced @3"),
    ("final-round", 3, DIVIDED, "not_convinced, convinced @3"),
    ("final-round", 5, POLITE, "not_convinced, pleasantries @5"),
    ("any-conviction", 3, CONVINCED, "convinced, convinced @3"),
    ("any-conviction", 3, DIVIDED, "convinced, convinced @3"),
    ("any-conviction", 3, POLITE, "not_recorded @3"),
    ("panel=single", 1, CONVINCED, "convinced, convinced @1"),
    ("panel=single", 1, DIVIDED, "convinced, convinced @1"),
    ("panel=single", 1, POLITE, "not_convinced, pleasantries @1"),
    ("panel=single", 2, CONVINCED, "not_recorded @1"),
    ("panel=majority", 1, CONVINCED, "convinced, convinced @1"),
    ("panel=majority", 1, DIVIDED, "not_recorded @1"),
    ("panel=majority", 2, POLITE, "not_recorded @1"),
    ("convinced-twice", 3, ("not_convinced", "other"), "goes_on @3"),
    ("round-limit=2", 3, ("not_convinced", "other"), "not_convinced, round_limit @2"),
    ("final-round", 3, ("convinced", "pleasantries"), "goes_on @3"),
]


@pytest.mark.parametrize(("policy", "rounds", "end", "expected"), CASES)
def test_a_published_debate_by_another_policy(
    policy: str, rounds: int, end: tuple[str, str], expected: str
) -> None:
    assert ends(again(imported(tale(rounds, *end)), policy)) == [expected]


def test_a_policy_is_exact_only_if_no_hidden_check_could_change_it() -> None:
    """A brute-force twin: all checks of a panel of one that lead to the recorded end.

    Where `decide_tale` is exact, every such record must give the same outcome in the same round;
    where it is censored, not every one of them stops with one outcome.
    """
    policies = ("convinced-twice", "round-limit=2", "round-limit=5", "topic=on", "final-round")
    for policy, end, rounds in product(policies, (CONVINCED, POLITE), (1, 2, 3)):
        found = decide_tale(Tale(rounds, *end), find_policy(policy))
        # The outcome None: that record would have gone on.
        results = {(x.outcome, x.round) for x in _twins(rounds, end, policy)}
        if found.censored:
            assert len(results) > 1 or {outcome for outcome, _ in results} == {None}
        else:
            assert results == {(found.outcome, found.round)}, (policy, end, rounds)


def _twins(rounds: int, end: tuple[str, str], policy: str) -> list[Recomputed]:
    rules = Rules(round_limit=11, topic_check="ignored")
    master, asked = find_policy("logicom-master"), find_policy(policy)
    values = list(product(("true", "false"), ("stop", "continue"), ("off", "on")))
    found = []
    for panel in product(values, repeat=rounds):
        record = tuple(
            RoundChecks(
                round=number,
                checks=tuple(
                    CheckReading(copy=1, check=check, value=value, turn=number)
                    for check, value in zip(
                        ("conviction", "pleasantry", "topic"), checks, strict=True
                    )
                ),
            )
            for number, checks in enumerate(panel, start=1)
        )
        there = recompute(record, master, rules)
        if (there.outcome, there.reason, there.round) == (*end, rounds):
            found.append(recompute(record, asked, rules))
    assert found
    return found


def test_the_turn_behind_a_decision_is_the_debaters_reply_of_its_round() -> None:
    (episode,) = again(imported(tale(8, *CONVINCED)), "round-limit=5").episodes
    assert episode.decided[0].inputs == (9,)


def test_rows_are_told_apart_by_the_debaters_model() -> None:
    tales = [
        tale(2, *CONVINCED, model="GPT-3.5"),
        tale(2, *POLITE, model="GPT-3.5", case="case-1"),
        tale(2, *CONVINCED, model="GPT-4"),
    ]
    found = again(imported(*tales), "convinced-twice")
    rows = [(x.subject, x.condition, x.n, x.successes_before, x.undecided) for x in found.effects]
    assert rows == [
        ("GPT-3.5", "no_helper", 2, 1, 1),
        ("GPT-4", "no_helper", 1, 1, 1),
        ("", "", 3, 2, 2),
    ]


def test_an_imported_run_has_no_texts_for_a_parser() -> None:
    with pytest.raises(SpecRefused, match="without the texts behind them"):
        again(imported(tale(2, *CONVINCED)), parsers={"conviction": "contains_true"})


def test_debates_of_an_unknown_layout_are_not_guessed_at() -> None:
    found = again(imported(tale(3, *CONVINCED, layout="other.v1")), "round-limit=2")
    assert ends(found) == ["not_recorded @1"]


def test_a_debate_without_a_reply_has_no_round_to_decide() -> None:
    assert ends(again(imported(tale(0, *CONVINCED)), "round-limit=1")) == ["not_recorded @0"]


def test_bounds_of_convinced_twice_are_nothing_and_everything_that_was_convinced() -> None:
    tales = [tale(3, *end, case=f"case-{n}") for n, end in enumerate([CONVINCED] * 3 + [POLITE])]
    effect = whole(again(imported(*tales), "convinced-twice"), "convinced-twice")
    assert (effect.rate_before, effect.rate_low, effect.rate_high) == (0.75, 0.0, 0.75)
