"""What is folded when a history grows too long, and what never is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eristic.debate.errors import NameRefused
from eristic.protocols.logicom.memory import FoldPlan, fold_plan


def oldest(line_tokens: tuple[int, ...], excess: int) -> FoldPlan:
    return fold_plan("earliest_first", line_tokens=line_tokens, excess=excess, speaker="debater")


def tiers(lines: int, speaker: str) -> FoldPlan:
    return fold_plan("tiers", line_tokens=(10,) * lines, excess=1, speaker=speaker)


@pytest.mark.parametrize(
    ("line_tokens", "excess", "folded"),
    [
        ((50, 10, 10, 10, 90), 1, (1,)),
        ((50, 10, 10, 10, 90), 10, (1,)),
        ((50, 10, 10, 10, 90), 11, (1, 2)),
        ((50, 10, 10, 10, 90), 30, (1, 2, 3)),
        ((50, 10, 10, 10, 90), 999, (1, 2, 3)),
        ((50, 0, 0, 10, 90), 5, (1, 2, 3)),
        ((50, 10, 90), 5, (1,)),
        ((50, 90), 5, ()),
        ((50,), 5, ()),
        ((), 5, ()),
    ],
)
def test_the_oldest_between_first_and_last_go_until_the_excess_is_covered(
    line_tokens: tuple[int, ...], excess: int, folded: tuple[int, ...]
) -> None:
    assert oldest(line_tokens, excess).folded == folded


def test_a_role_that_overflowed_by_nothing_still_gets_a_shorter_history() -> None:
    assert oldest((5, 5, 5, 5), 0).folded == (1,)
    assert oldest((5, 5, 5, 5), -3).folded == (1,)


@pytest.mark.parametrize(
    ("speaker", "kept_at_end"),
    [
        (
            "persuader",
            {20: 9, 13: 9, 12: 9, 11: 6, 10: 6, 9: 5, 8: 5, 7: 3, 6: 3, 5: 0, 3: 0, 2: 0},
        ),
        ("debater", {20: 8, 13: 8, 12: 8, 11: 6, 10: 6, 9: 4, 8: 4, 7: 2, 6: 2, 5: 0, 3: 0, 2: 0}),
    ],
)
def test_the_published_tiers_keep_the_first_and_a_tail_by_number_of_lines(
    speaker: str, kept_at_end: dict[int, int]
) -> None:
    for lines, tail in kept_at_end.items():
        assert tiers(lines, speaker).kept == (0, *range(lines - tail, lines))


def test_the_lowest_tier_folds_the_second_line_that_the_code_loses_and_says_so() -> None:
    plan = tiers(5, "persuader")
    assert plan.folded == (1, 2, 3, 4)
    assert plan.flags == ("second_folded", "incoming_folded")


@pytest.mark.parametrize("speaker", ["persuader", "debater"])
@pytest.mark.parametrize("lines", [0, 1])
def test_a_lone_line_is_never_folded(speaker: str, lines: int) -> None:
    plan = tiers(lines, speaker)
    assert (plan.kept, plan.folded, plan.flags) == (tuple(range(lines)), (), ())


def test_higher_tiers_carry_no_flag() -> None:
    assert tiers(6, "debater").flags == ()


_LINES = st.lists(st.integers(0, 500), max_size=30).map(tuple)
_SPEAKERS = st.sampled_from(["persuader", "debater"])


@given(st.sampled_from(["earliest_first", "tiers"]), _LINES, st.integers(-5, 4000), _SPEAKERS)
def test_kept_and_folded_are_all_lines_in_order_and_the_first_is_kept(
    policy: str, line_tokens: tuple[int, ...], excess: int, speaker: str
) -> None:
    plan = fold_plan(policy, line_tokens=line_tokens, excess=excess, speaker=speaker)
    assert sorted(plan.kept + plan.folded) == list(range(len(line_tokens)))
    assert list(plan.kept) == sorted(plan.kept)
    assert list(plan.folded) == sorted(plan.folded)
    assert plan.kept[:1] == ((0,) if line_tokens else ())


@given(_LINES, st.integers(1, 4000))
def test_earliest_first_never_folds_the_incoming_line_nor_more_than_needed(
    line_tokens: tuple[int, ...], excess: int
) -> None:
    plan = oldest(line_tokens, excess)
    assert len(line_tokens) - 1 not in plan.folded
    assert sum(line_tokens[x] for x in plan.folded[:-1]) < excess
    is_covered = sum(line_tokens[x] for x in plan.folded) >= excess
    assert is_covered or plan.folded == tuple(range(1, len(line_tokens) - 1))


@given(st.sampled_from(["earliest_first", "tiers"]), _LINES, st.integers(-5, 4000), _SPEAKERS)
def test_asking_again_comes_to_an_end(
    policy: str, line_tokens: tuple[int, ...], excess: int, speaker: str
) -> None:
    """However often the role overflows: every plan that folds makes the history shorter."""
    asks = 0
    while True:
        plan = fold_plan(policy, line_tokens=line_tokens, excess=excess, speaker=speaker)
        if not plan.folded:
            break
        line_tokens = tuple(line_tokens[x] for x in plan.kept)
        asks += 1
        assert asks <= 30
    assert len(line_tokens) <= 2


def test_an_unknown_policy_or_speaker_is_refused_with_what_is_known() -> None:
    with pytest.raises(NameRefused, match="Did you mean 'tiers'"):
        fold_plan("tier", line_tokens=(1,), excess=1, speaker="debater")
    with pytest.raises(NameRefused, match="keeps no history"):
        fold_plan("tiers", line_tokens=(1,), excess=1, speaker="moderator")
