"""Forks beside their originals: shifts, one pair a block, and the exact test."""

from __future__ import annotations

from math import comb

from eristic.replay.fork_pairs import ForkPair, Shift, compare_forks

YES, NO = "convinced", "not_convinced"


def pair(number: int, before: str | None, after: str | None, *, block: str = "") -> ForkPair:
    return ForkPair(
        fork=f"f{number}",
        source=f"s{number}@3",
        block=block or f"b{number}",
        before=before,
        after=after,
    )


def test_every_pair_is_counted_and_the_discordant_ones_are_tested() -> None:
    outcomes = [(NO, YES)] * 6 + [(YES, NO)] + [(YES, YES)] * 2 + [(NO, NO)] * 3
    found = compare_forks((pair(n, *x) for n, x in enumerate(outcomes)), yes=YES)
    assert (found.both, found.first_only, found.second_only, found.neither) == (2, 1, 6, 3)
    # The binomial tail by hand: 7 discordant pairs, 1 or fewer on the rarer side, doubled.
    assert found.p is not None
    assert abs(found.p - 2 * (comb(7, 0) + comb(7, 1)) / 2**7) < 1e-12
    assert Shift(before=NO, after=YES, count=6) in found.shifts


def test_copies_of_one_turn_are_one_pair_by_majority() -> None:
    copies = [
        ForkPair(fork=f"f{n}", source="s@3", block="b", before=NO, after=after)
        for n, after in enumerate([YES, YES, NO])
    ]
    found = compare_forks(copies, yes=YES)
    assert (found.second_only, found.left_out, found.p) == (1, 0, 1.0)
    assert sum(shift.count for shift in found.shifts) == 3


def test_an_original_counts_once_however_often_it_was_forked() -> None:
    mine = [pair(1, YES, NO, block="b")] + [
        ForkPair(fork=f"g{n}", source="s2@3", block="b", before=NO, after=NO) for n in range(5)
    ]
    found = compare_forks(mine, yes=YES)
    assert (found.left_out, found.neither) == (1, 0)  # one yes and one no: no majority


def test_an_outcome_that_is_missing_is_shown_and_in_no_pair() -> None:
    found = compare_forks([pair(1, None, YES), pair(2, YES, None)], yes=YES)
    assert found.shifts == (
        Shift(before=None, after=YES, count=1),
        Shift(before=YES, after=None, count=1),
    )
    assert (found.left_out, found.p) == (2, None)


def test_without_a_word_for_yes_only_shifts_are_counted() -> None:
    found = compare_forks([pair(1, "a", "b")])
    assert (found.shifts, found.p, found.left_out) == (
        (Shift(before="a", after="b", count=1),),
        None,
        0,
    )


def test_the_order_of_the_pairs_changes_nothing() -> None:
    pairs = [pair(n, *x) for n, x in enumerate([(NO, YES), (YES, NO), (None, NO), (NO, YES)])]
    forth, back = compare_forks(pairs, yes=YES), compare_forks(pairs[::-1], yes=YES)
    assert (forth.shifts, forth.p, forth.second_only) == (back.shifts, back.p, back.second_only)
