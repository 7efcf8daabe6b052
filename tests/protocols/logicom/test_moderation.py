"""The master's ruling: every branch of it, for one moderator and for three."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eristic.protocols.logicom.moderation import (
    DECISIONS,
    MASTER,
    CheckReading,
    RoundChecks,
    Rules,
    Ruling,
    is_convinced,
    master,
)

PAPER = Rules()
TRIO = Rules(panel_rule="unanimous")
MOST = Rules(panel_rule="majority")

Copy = tuple[str | None, str | None, str | None]
"""Values of conviction, pleasantry and topic of one copy."""

CALM: Copy = ("false", "continue", "on")
SURE: Copy = ("true", "continue", "on")
POLITE: Copy = ("false", "stop", "on")
ASTRAY: Copy = ("false", "continue", "off")
UNREADABLE: Copy = (None, None, None)


def a_round(number: int, *copies: Copy, rank: int = 0) -> RoundChecks:
    """A round whose turns are numbered 100 times the round and up."""
    checks = tuple(
        CheckReading(copy=copy, check=check, value=value, turn=100 * number + 3 * copy + place)
        for copy, values in enumerate(copies)
        for place, (check, value) in enumerate(
            zip(("conviction", "pleasantry", "topic"), values, strict=True)
        )
    )
    return RoundChecks(round=number, rank=rank, checks=checks)


def debate(*rounds: tuple[Copy, ...], ranks: tuple[int, ...] = ()) -> tuple[RoundChecks, ...]:
    return tuple(
        a_round(place + 1, *copies, rank=ranks[place] if ranks else 0)
        for place, copies in enumerate(rounds)
    )


def calm(rounds: int, copies: int = 1) -> list[tuple[Copy, ...]]:
    return [(CALM,) * copies] * rounds


def told(ruling: Ruling) -> tuple[bool, bool, str]:
    return ruling.stop, ruling.convinced, ruling.reason


def test_the_policy_has_a_versioned_id() -> None:
    assert MASTER == "logicom-master.v1"


@pytest.mark.parametrize(
    ("copy", "expected"),
    [
        (CALM, (False, False, "")),
        (SURE, (True, True, "convinced")),
        (POLITE, (True, False, "pleasantries")),
        (ASTRAY, (True, False, "off_topic")),
        (("true", "stop", "off"), (True, True, "convinced")),
        (("false", "stop", "off"), (True, False, "pleasantries")),
        (UNREADABLE, (False, False, "")),
        ((None, "stop", None), (True, False, "pleasantries")),
        ((None, None, "off"), (True, False, "off_topic")),
    ],
)
def test_one_moderator_decides_in_the_order_of_the_code(
    copy: Copy, expected: tuple[bool, bool, str]
) -> None:
    assert told(master(debate((copy,)), PAPER)) == expected


@pytest.mark.parametrize(
    ("copy", "expected"),
    [
        (CALM, (True, False, "round_limit")),
        (SURE, (True, True, "convinced")),
        (POLITE, (True, False, "round_limit")),
        (ASTRAY, (True, False, "round_limit")),
        (UNREADABLE, (True, False, "round_limit")),
    ],
)
def test_in_the_last_round_only_conviction_comes_before_the_limit(
    copy: Copy, expected: tuple[bool, bool, str]
) -> None:
    assert told(master(debate(*calm(9), (copy,)), PAPER)) == expected


def test_round_nine_of_ten_goes_on() -> None:
    assert told(master(debate(*calm(9)), PAPER)) == (False, False, "")


def test_an_ignored_topic_check_ends_nothing_and_may_be_missing() -> None:
    rules = Rules(topic_check="ignored")
    (judged,) = debate((ASTRAY,))
    assert told(master((judged,), rules)) == (False, False, "")
    without = msgspec.structs.replace(judged, checks=judged.checks[:2])
    assert told(master((without,), rules)) == (False, False, "")


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        ("conviction", "convinced"),
        ("pleasantry", "pleasantries"),
        ("topic", "off_topic"),
        ("round_limit", "round_limit"),
    ],
)
def test_the_decision_made_first_gives_reason_and_verdict(first: str, reason: str) -> None:
    rules = Rules(round_limit=1, order=(first, *(x for x in DECISIONS if x != first)))
    expected = (True, reason == "convinced", reason)
    assert told(master(debate((("true", "stop", "off"),)), rules)) == expected


@pytest.mark.parametrize(
    ("copies", "expected"),
    [
        ((SURE, SURE, SURE), (True, True, "convinced")),
        ((SURE, SURE, CALM), (False, False, "")),
        ((SURE, SURE, POLITE), (True, False, "convinced")),
        ((SURE, ASTRAY, POLITE), (True, False, "convinced")),
        ((POLITE, SURE, SURE), (True, False, "pleasantries")),
        ((ASTRAY, POLITE, POLITE), (True, False, "off_topic")),
        ((POLITE, POLITE, CALM), (False, False, "")),
        ((SURE, SURE, UNREADABLE), (False, False, "")),
    ],
)
def test_a_unanimous_panel_stops_for_whatever_reason_and_reports_the_first_copys(
    copies: tuple[Copy, ...], expected: tuple[bool, bool, str]
) -> None:
    assert told(master(debate(copies), TRIO)) == expected


@pytest.mark.parametrize(
    ("copies", "expected"),
    [
        ((CALM, SURE, SURE), (True, True, "convinced")),
        ((SURE, POLITE, POLITE), (True, False, "pleasantries")),
        ((CALM, ASTRAY, POLITE), (True, False, "off_topic")),
        ((SURE, CALM, POLITE), (True, False, "convinced")),
        ((SURE, CALM, CALM), (False, False, "")),
        ((UNREADABLE, UNREADABLE, SURE), (False, False, "")),
    ],
)
def test_a_majority_decides_with_its_commonest_reason(
    copies: tuple[Copy, ...], expected: tuple[bool, bool, str]
) -> None:
    assert told(master(debate(copies), MOST)) == expected


def test_half_of_an_even_panel_is_no_majority() -> None:
    assert told(master(debate((SURE, SURE, CALM, CALM)), MOST)) == (False, False, "")


def test_under_the_single_rule_the_other_copies_are_only_counted() -> None:
    ruling = master(debate((CALM, SURE, SURE)), PAPER)
    assert told(ruling) == (False, False, "")
    assert ruling.facts["copies_convinced"] == 2


@pytest.mark.parametrize("rules", [PAPER, TRIO, MOST])
@pytest.mark.parametrize("copy", [CALM, SURE, POLITE, ASTRAY, UNREADABLE])
def test_a_panel_of_one_is_the_same_under_every_rule(rules: Rules, copy: Copy) -> None:
    assert told(master(debate((copy,)), rules)) == told(master(debate((copy,)), PAPER))


def test_rounds_count_against_the_limit_whoever_judged_them() -> None:
    rounds = debate(*calm(10), ranks=(0,) * 6 + (1,) * 4)
    assert told(master(rounds, PAPER)) == (True, False, "round_limit")


def test_a_fresh_counter_starts_with_the_model_that_takes_over() -> None:
    rules = Rules(round_limit=4, fresh_counter=True)
    ranks = (0, 0, 1, 1, 1, 1)
    stops = [master(debate(*calm(n), ranks=ranks[:n]), rules).stop for n in range(1, 7)]
    assert stops == [False, False, False, False, False, True]


def test_a_fresh_counter_leaves_out_the_rounds_in_which_its_copy_was_convinced() -> None:
    rules = Rules(round_limit=2, fresh_counter=True, panel_rule="unanimous")
    rounds = debate((SURE, CALM, CALM), (CALM, CALM, CALM), (CALM, CALM, CALM))
    assert [master(rounds[:n], rules).stop for n in (1, 2, 3)] == [False, False, True]


def test_copies_that_left_with_the_old_model_do_not_count() -> None:
    rules = Rules(round_limit=2, fresh_counter=True, panel_rule="unanimous")
    rounds = debate((CALM,) * 3, (CALM,), (CALM,), ranks=(0, 1, 1))
    assert [master(rounds[:n], rules).stop for n in (1, 2, 3)] == [False, False, True]


def test_a_copy_that_joins_later_counts_only_its_own_rounds() -> None:
    rules = Rules(round_limit=2, fresh_counter=True, panel_rule="unanimous")
    rounds = debate((CALM,), (CALM,) * 3, (CALM,) * 3)
    assert [master(rounds[:n], rules).stop for n in (1, 2, 3)] == [False, False, True]


def test_the_first_copy_is_the_one_with_the_lowest_number() -> None:
    (judged,) = debate((SURE, POLITE))
    numbers = {0: 8, 1: 1}
    checks = tuple(msgspec.structs.replace(x, copy=numbers[x.copy]) for x in judged.checks)
    ruling = master((msgspec.structs.replace(judged, checks=checks),), TRIO)
    assert told(ruling) == (True, False, "pleasantries")


def test_the_hard_limit_ends_a_panel_that_never_agrees_after_one_round_more() -> None:
    rules = Rules(round_limit=11, hard_limit=12, fresh_counter=True, panel_rule="unanimous")
    rounds = debate(*[(SURE, CALM, CALM), (CALM, SURE, CALM)] * 6, (SURE, CALM, CALM))
    assert told(master(rounds[:12], rules)) == (False, False, "")
    assert told(master(rounds, rules)) == (True, False, "hard_limit")


def test_copies_out_of_patience_stop_with_the_one_that_is_convinced() -> None:
    """How a published debate comes to the reason convinced and the verdict not convinced."""
    rules = Rules(round_limit=11, hard_limit=12, fresh_counter=True, panel_rule="unanimous")
    rounds = debate(*[(SURE, CALM, CALM)] * 11)
    assert told(master(rounds[:10], rules)) == (False, False, "")
    assert told(master(rounds, rules)) == (True, False, "convinced")


def test_the_hard_limit_hides_no_other_reason() -> None:
    rules = Rules(round_limit=99, hard_limit=1)
    assert told(master(debate(*calm(1), (SURE,)), rules)) == (True, True, "convinced")
    assert told(master(debate(*calm(1), (POLITE,)), rules)) == (True, False, "pleasantries")


def test_the_ruling_names_its_turns_and_counts() -> None:
    ruling = master(debate(*calm(1, 3), (SURE, POLITE, (None, "continue", "on"))), TRIO)
    assert ruling.inputs == tuple(range(200, 209))
    assert ruling.facts == {
        "copies": 3,
        "copies_convinced": 1,
        "copies_stopping": 2,
        "defaulted": 1,
        "flagged": 1,
        "reasons": "convinced pleasantries -",
    }


def test_a_flagged_reading_is_counted_and_still_decides() -> None:
    (judged,) = debate((SURE,))
    flagged = msgspec.structs.replace(judged.checks[0], flagged=True)
    ruling = master((msgspec.structs.replace(judged, checks=(flagged, *judged.checks[1:])),), PAPER)
    assert told(ruling) == (True, True, "convinced")
    assert (ruling.facts["flagged"], ruling.facts["defaulted"]) == (1, 0)


def test_an_unreadable_check_is_flagged_and_never_convinces() -> None:
    ruling = master(debate((UNREADABLE,)), PAPER)
    assert told(ruling) == (False, False, "")
    assert (ruling.facts["flagged"], ruling.facts["defaulted"]) == (3, 3)


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_a_round_without_one_of_its_checks_is_not_ruled_on(missing: int) -> None:
    (judged,) = debate((SURE,) * 3)
    checks = tuple(x for place, x in enumerate(judged.checks) if place != 3 + missing)
    with pytest.raises(ValueError, match="no verdict yet"):
        master((msgspec.structs.replace(judged, checks=checks),), TRIO)


def test_a_round_without_any_check_or_with_a_doubled_one_is_not_ruled_on() -> None:
    (judged,) = debate((SURE,))
    with pytest.raises(ValueError, match="missing"):
        master((RoundChecks(round=1, checks=()),), PAPER)
    with pytest.raises(ValueError, match="doubled"):
        master((msgspec.structs.replace(judged, checks=judged.checks * 2),), PAPER)


@pytest.mark.parametrize(("check", "value"), [("conviction", "stop"), ("stance", "true")])
def test_a_value_that_its_check_does_not_have_is_refused(check: str, value: str) -> None:
    (judged,) = debate((SURE,))
    odd = CheckReading(copy=0, check=check, value=value, turn=9)
    checks = (odd, *(x for x in judged.checks if x.check != check))
    with pytest.raises(ValueError, match="turn 9"):
        master((msgspec.structs.replace(judged, checks=checks),), PAPER)


@pytest.mark.parametrize("numbers", [(), (2,), (1, 3), (1, 1), (2, 1)])
def test_rounds_with_a_gap_are_refused(numbers: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="without gaps"):
        master(tuple(a_round(x, CALM) for x in numbers), PAPER)


def test_rules_that_cannot_be_followed_are_refused() -> None:
    with pytest.raises(ValueError, match="once each"):
        Rules(order=("conviction", "topic"))
    with pytest.raises(ValueError, match="at least 1"):
        Rules(round_limit=0)


def test_conviction_of_a_panel_is_told_apart_from_what_was_decided() -> None:
    (judged,) = debate((("true", "stop", "off"), SURE, CALM))
    assert is_convinced(judged, PAPER)
    assert is_convinced(judged, MOST)
    assert not is_convinced(judged, TRIO)


_COPIES = st.tuples(
    st.sampled_from(["true", "false", None]),
    st.sampled_from(["stop", "continue", None]),
    st.sampled_from(["on", "off", None]),
)
_ROUNDS = st.integers(1, 3).flatmap(
    lambda n: st.lists(st.tuples(*[_COPIES] * n), min_size=1, max_size=13)
)
_RULES = st.builds(
    Rules,
    round_limit=st.integers(1, 14),
    hard_limit=st.none() | st.integers(1, 13),
    topic_check=st.sampled_from(["active", "ignored"]),
    panel_rule=st.sampled_from(["single", "unanimous", "majority"]),
    fresh_counter=st.booleans(),
    order=st.permutations(DECISIONS).map(tuple),
)


@given(_ROUNDS, _RULES, st.data())
def test_the_order_in_which_checks_arrive_changes_nothing(
    copies: list[tuple[Copy, ...]], rules: Rules, data: st.DataObject
) -> None:
    rounds = debate(*copies)
    shuffled = tuple(
        msgspec.structs.replace(x, checks=tuple(data.draw(st.permutations(x.checks))))
        for x in rounds
    )
    assert master(shuffled, rules) == master(rounds, rules)


@given(_ROUNDS, _RULES)
def test_a_ruling_is_never_half_made(copies: list[tuple[Copy, ...]], rules: Rules) -> None:
    rounds = debate(*copies)
    ruling = master(rounds, rules)
    assert ruling.stop == bool(ruling.reason)
    assert ruling.stop or not ruling.convinced
    assert is_convinced(rounds[-1], rules) or not ruling.convinced


@given(_ROUNDS, _RULES)
def test_without_a_fresh_counter_no_debate_outlives_its_limit(
    copies: list[tuple[Copy, ...]], rules: Rules
) -> None:
    rules = msgspec.structs.replace(rules, fresh_counter=False)
    assert master(debate(*copies), rules).stop or len(copies) < rules.round_limit
