"""Other policies on recorded rounds: exact where they stop earlier, censored where they go on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eristic.debate.errors import SpecRefused
from eristic.protocols.logicom.moderation import CheckReading, RoundChecks, Rules, master
from eristic.protocols.logicom.policies import POLICIES, Recomputed, find_policy, recompute

PAPER = Rules()
TRIO = Rules(panel_rule="unanimous")

Copy = tuple[str | None, str, str]
CALM: Copy = ("false", "continue", "on")
SURE: Copy = ("true", "continue", "on")
POLITE: Copy = ("false", "stop", "on")
ASTRAY: Copy = ("false", "continue", "off")
SURE_AND_POLITE: Copy = ("true", "stop", "on")


def panel(*rounds: tuple[Copy, ...]) -> tuple[RoundChecks, ...]:
    """Rounds of some copies each; turns are numbered from 0 in order."""
    made: list[RoundChecks] = []
    turn = 0
    for number, copies in enumerate(rounds, start=1):
        checks: list[CheckReading] = []
        for copy, values in enumerate(copies):
            for check, value in zip(("conviction", "pleasantry", "topic"), values, strict=True):
                checks.append(CheckReading(copy=copy, check=check, value=value, turn=turn))
                turn += 1
        made.append(RoundChecks(round=number, checks=tuple(checks)))
    return tuple(made)


def alone(*rounds: Copy) -> tuple[RoundChecks, ...]:
    """Rounds of one copy."""
    return panel(*((x,) for x in rounds))


def ended(outcome: str, reason: str, number: int) -> Recomputed:
    return Recomputed(outcome=outcome, reason=reason, round=number, censored=False)


def censored(number: int) -> Recomputed:
    return Recomputed(outcome=None, reason="", round=number, censored=True)


@pytest.mark.parametrize(
    ("policy", "rounds", "expected"),
    [
        ("logicom-master", (CALM, SURE), ended("convinced", "convinced", 2)),
        ("logicom-master", (CALM, POLITE), ended("not_convinced", "pleasantries", 2)),
        ("logicom-master", (CALM,) * 10, ended("not_convinced", "round_limit", 10)),
        ("logicom-master", (CALM, CALM), censored(2)),
        ("logicom-master", (), censored(0)),
        ("convinced-twice", (CALM, SURE), censored(2)),
        ("convinced-twice", (SURE, SURE), ended("convinced", "convinced", 2)),
        ("convinced-twice", (SURE, CALM, SURE), censored(3)),
        ("convinced-twice", (SURE, SURE_AND_POLITE), ended("convinced", "convinced", 2)),
        ("convinced-twice", (CALM, SURE_AND_POLITE), ended("not_convinced", "pleasantries", 2)),
        (
            "convinced-twice",
            (*(CALM,) * 9, SURE),
            ended("not_convinced", "round_limit", 10),
        ),
        ("round-limit=5", (CALM,) * 10, ended("not_convinced", "round_limit", 5)),
        ("round-limit=2", (CALM, SURE), ended("convinced", "convinced", 2)),
        ("round-limit=1", (CALM, SURE), ended("not_convinced", "round_limit", 1)),
        ("round-limit=12", (CALM,) * 10, censored(10)),
        ("topic=on", (CALM, ASTRAY), ended("not_convinced", "off_topic", 2)),
        ("topic=off", (CALM, ASTRAY), censored(2)),
        ("topic=off", (ASTRAY, SURE), ended("convinced", "convinced", 2)),
        ("order=pleasantry", (SURE_AND_POLITE,), ended("not_convinced", "pleasantries", 1)),
        ("order=conviction", (SURE_AND_POLITE,), ended("convinced", "convinced", 1)),
        (
            "order=topic,pleasantry",
            (("true", "stop", "off"),),
            ended("not_convinced", "off_topic", 1),
        ),
        ("first-conviction", (CALM, SURE), ended("convinced", "convinced", 2)),
        ("first-conviction", (CALM, POLITE), ended("not_convinced", "pleasantries", 2)),
        ("first-conviction", (CALM,), censored(1)),
        ("final-round", (CALM, SURE), ended("convinced", "convinced", 2)),
        ("final-round", (CALM, POLITE), ended("not_convinced", "pleasantries", 2)),
        ("final-round", (CALM,), censored(1)),
        ("any-conviction", (CALM, POLITE), ended("not_convinced", "pleasantries", 2)),
        ("any-conviction", (CALM,), censored(1)),
    ],
)
def test_a_policy_on_the_rounds_of_one_moderator(
    policy: str, rounds: tuple[Copy, ...], expected: Recomputed
) -> None:
    assert recompute(alone(*rounds), find_policy(policy), PAPER) == expected


@pytest.mark.parametrize(
    ("policy", "outcome"),
    [
        ("logicom-master", "not_convinced"),
        ("first-conviction", "not_convinced"),
        ("final-round", "not_convinced"),
        ("any-conviction", "convinced"),
    ],
)
def test_one_convinced_copy_in_one_round_is_enough_for_any_conviction_only(
    policy: str, outcome: str
) -> None:
    rounds = panel((SURE, CALM), (POLITE, POLITE))
    assert recompute(rounds, find_policy(policy), TRIO) == ended(outcome, "pleasantries", 2)


def test_the_final_round_convinces_although_another_reason_came_first() -> None:
    rules = Rules(order=("pleasantry", "conviction", "round_limit", "topic"))
    rounds = alone(CALM, SURE_AND_POLITE)
    policies = ["logicom-master", "final-round", "any-conviction", "first-conviction"]
    assert [recompute(rounds, find_policy(x), rules) for x in policies] == [
        ended("not_convinced", "pleasantries", 2),
        ended("convinced", "pleasantries", 2),
        ended("convinced", "pleasantries", 2),
        ended("convinced", "convinced", 2),
    ]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("panel=single", ended("convinced", "convinced", 1)),
        ("panel=majority", ended("convinced", "convinced", 2)),
        ("panel=unanimous", ended("not_convinced", "convinced", 3)),
    ],
)
def test_another_panel_rule_ends_the_same_rounds_elsewhere(
    policy: str, expected: Recomputed
) -> None:
    rounds = panel((SURE, CALM, CALM), (SURE, SURE, CALM), (SURE, SURE, POLITE))
    assert recompute(rounds, find_policy(policy), TRIO) == expected


def test_twice_in_a_row_means_the_same_copy_both_times() -> None:
    policy = find_policy("convinced-twice")
    rounds = panel((SURE, CALM), (CALM, SURE), (SURE, SURE), (SURE, SURE))
    assert [policy.decide(rounds[:n], TRIO).convinced for n in (1, 2, 3, 4)] == [
        *(False, False, False),
        True,
    ]


def test_twice_in_a_row_names_the_turns_of_both_rounds() -> None:
    ruling = find_policy("convinced-twice").decide(alone(SURE, SURE), PAPER)
    assert ruling.inputs == (0, 3, 4, 5)


def test_any_conviction_names_every_conviction_check_it_looked_at() -> None:
    ruling = find_policy("any-conviction").decide(alone(CALM, CALM, POLITE), PAPER)
    assert ruling.inputs == (0, 3, 6, 7, 8)


def test_an_imported_debate_without_checks_is_refused_rather_than_guessed() -> None:
    with pytest.raises(ValueError, match="no verdict yet"):
        recompute((RoundChecks(round=1, checks=()),), find_policy("logicom-master"), PAPER)


@pytest.mark.parametrize(
    ("text", "policy_id"),
    [
        ("logicom-master", "logicom-master.v1"),
        ("logicom-master.v1", "logicom-master.v1"),
        (" convinced-twice ", "convinced-twice.v1"),
        ("round-limit=5", "round-limit.v1=5"),
        ("round-limit.v1=5", "round-limit.v1=5"),
        ("topic=off", "topic.v1=off"),
        ("order=topic,conviction", "order.v1=topic,conviction"),
    ],
)
def test_a_policy_is_found_by_name_and_its_id_finds_it_again(text: str, policy_id: str) -> None:
    found = find_policy(text)
    assert found.id == policy_id
    assert find_policy(found.id) == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("convinced-twic", "Did you mean 'convinced-twice'"),
        ("xyzzy", "Known: any-conviction"),
        ("", "Known: any-conviction"),
        ("topic.v2=on", "topic is at version 1"),
        ("round-limit", "write round-limit=N"),
        ("round-limit=", "write round-limit=N"),
        ("round-limit=0", "write round-limit=N"),
        ("round-limit=-1", "write round-limit=N"),
        ("round-limit=five", "write round-limit=N"),
        ("round-limit=5=5", "write round-limit=N"),
        ("round-limit=٥", "write round-limit=N"),
        ("topic=maybe", r"write topic=on\|off"),
        ("panel=all", r"write panel=single\|unanimous\|majority"),
        ("order=topic,hope", "write order=DECISION"),
        ("convinced-twice=3", "with nothing after it"),
        ("convinced-twice=", "with nothing after it"),
    ],
)
def test_a_policy_that_does_not_exist_is_refused_with_what_does(text: str, message: str) -> None:
    with pytest.raises(SpecRefused, match=message):
        find_policy(text)


def test_the_registry_cannot_be_changed_and_explains_every_policy() -> None:
    with pytest.raises(TypeError):
        POLICIES["mine"] = POLICIES["topic"]  # type: ignore[index]  # the refusal is the point
    assert all(name == x.name and x.does for name, x in POLICIES.items())


_ARGUMENTS = {"round-limit": "4", "topic": "off", "panel": "majority", "order": "topic"}
_COPIES = st.tuples(
    st.sampled_from(["true", "false", None]),
    st.sampled_from(["stop", "continue"]),
    st.sampled_from(["on", "off"]),
)
_ROUNDS = st.integers(1, 3).flatmap(
    lambda n: st.lists(st.tuples(*[_COPIES] * n), min_size=1, max_size=12)
)


@given(_ROUNDS, st.sampled_from(sorted(POLICIES)))
def test_no_policy_makes_half_a_ruling(copies: list[tuple[Copy, ...]], name: str) -> None:
    policy = find_policy(f"{name}={_ARGUMENTS[name]}" if name in _ARGUMENTS else name)
    ruling = policy.decide(panel(*copies), TRIO)
    assert ruling.stop == bool(ruling.reason)
    assert ruling.stop or not ruling.convinced


@given(_ROUNDS, st.sampled_from(sorted(POLICIES)))
def test_what_was_recorded_after_a_stop_changes_no_result(
    copies: list[tuple[Copy, ...]], name: str
) -> None:
    policy = find_policy(f"{name}={_ARGUMENTS[name]}" if name in _ARGUMENTS else name)
    rounds = panel(*copies)
    result = recompute(rounds, policy, TRIO)
    assert recompute(rounds[: result.round], policy, TRIO) == result
    assert result.censored == (result.outcome is None) == (not result.reason)


@given(_ROUNDS, st.integers(1, 12), st.integers(1, 12))
def test_a_lower_limit_never_lets_a_debate_last_longer(
    copies: list[tuple[Copy, ...]], one: int, other: int
) -> None:
    low, high = sorted((one, other))
    rounds = panel(*copies)
    shorter = recompute(rounds, find_policy(f"round-limit={low}"), PAPER)
    longer = recompute(rounds, find_policy(f"round-limit={high}"), PAPER)
    assert shorter.round <= longer.round
    assert longer.censored or not shorter.censored


@given(_ROUNDS)
def test_the_master_recomputed_is_the_master_of_the_live_debate(
    copies: list[tuple[Copy, ...]],
) -> None:
    rounds = panel(*copies)
    live = next((n for n in range(1, len(rounds) + 1) if master(rounds[:n], TRIO).stop), None)
    result = recompute(rounds, find_policy("logicom-master"), TRIO)
    assert result.round == (live or len(rounds))
    assert result.censored == (live is None)
