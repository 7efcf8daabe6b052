"""McNemar, Wilcoxon and TOST against enumeration, direct formulas, scipy and statsmodels."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import ttest_ind
from statsmodels.stats.weightstats import ttost_ind

from eristic.stats import (
    Equivalence,
    SampleRefused,
    SignedRank,
    Undefined,
    block_majorities,
    equivalence,
    equivalence_pooled,
    mcnemar,
    pair_blocks,
    signed_rank,
)

rates = st.lists(st.integers(0, 20).map(lambda x: x / 20), min_size=2, max_size=8)


@given(st.integers(0, 5), st.integers(0, 5))
def test_mcnemar_counts_the_ways_that_are_at_least_as_lopsided(b: int, c: int) -> None:
    lopsided = sum(
        min(sum(signs), b + c - sum(signs)) <= min(b, c) for signs in product((0, 1), repeat=b + c)
    )
    assert mcnemar(b, c).p == pytest.approx(lopsided / 2 ** (b + c))


def test_mcnemar_is_the_same_for_arms_exchanged() -> None:
    assert mcnemar(9, 4).p == mcnemar(4, 9).p


def test_mcnemar_without_a_pair_that_differs_has_no_large_sample_version() -> None:
    found = mcnemar(0, 0)
    assert found.statistic == found.p_large_sample == Undefined("no pair differs")


@pytest.mark.parametrize("count", [-1, 1.5, float("nan")])
def test_mcnemar_refuses_what_is_no_count(count: float) -> None:
    with pytest.raises(SampleRefused, match="first_only must be"):
        mcnemar(count, 2)  # type: ignore[arg-type]


def test_majorities_leave_ties_without_a_value() -> None:
    found = block_majorities(
        ["b", "b", "a", "c", "c", "c"], [True, False, True, False, True, False]
    )
    assert found.values == {"a": True, "c": False}
    assert found.ties == ("b",)
    assert str(found.tally) == "n = 2 of 3; excluded 1 (as many yes as no: 1)"


def test_majorities_of_nothing_are_none() -> None:
    found = block_majorities([], [])
    assert (found.values, found.ties, found.tally.planned) == ({}, (), 0)


def test_majorities_refuse_what_is_no_vote() -> None:
    with pytest.raises(SampleRefused, match="votes are yes or no"):
        block_majorities(["a"], [2])  # type: ignore[list-item]
    with pytest.raises(SampleRefused, match="2 labels and 1 values"):
        block_majorities(["a", "b"], [True])


def test_blocks_of_one_arm_are_excluded_and_counted_by_arm() -> None:
    pairs = pair_blocks({"a": True, "b": False, "c": True}, {"a": False, "b": False, "d": True})
    assert (pairs.both, pairs.first_only, pairs.second_only, pairs.neither) == (0, 1, 0, 1)
    excluded = {x.cause: x.count for x in pairs.tally.exclusions}
    assert excluded == {"no value in the first arm": 1, "no value in the second arm": 1}


@given(st.lists(st.booleans(), min_size=1, max_size=9))
def test_exact_wilcoxon_counts_the_sign_patterns(positive: list[bool]) -> None:
    n = len(positive)
    differences = [place + 1 if up else -place - 1 for place, up in enumerate(positive)]
    total = n * (n + 1) // 2
    sums = [
        sum(rank for rank, up in enumerate(signs, start=1) if up)
        for signs in product((0, 1), repeat=n)
    ]
    plus = sum(x for x in differences if x > 0)
    w = min(plus, total - plus)
    found = signed_rank(differences)
    assert isinstance(found, SignedRank)
    assert (found.w, found.method, found.positive) == (w, "exact", sum(positive))
    assert found.p == pytest.approx(sum(min(x, total - x) <= w for x in sums) / 2**n)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=40))
def test_tied_wilcoxon_follows_the_normal_with_tie_correction(differences: list[int]) -> None:
    shifted = [x for x in differences if x]
    sizes = Counter(abs(x) for x in shifted)
    assume(max(sizes.values(), default=0) > 1)
    rank, below = {}, 0
    for size, times in sorted(sizes.items()):
        rank[size] = below + (times + 1) / 2
        below += times
    n = len(shifted)
    plus = sum(rank[x] for x in shifted if x > 0)
    w = min(plus, n * (n + 1) / 2 - plus)
    variance = n * (n + 1) * (2 * n + 1) / 24 - sum(t**3 - t for t in sizes.values()) / 48
    found = signed_rank(differences)
    assert isinstance(found, SignedRank)
    assert (found.w, found.method) == (w, "normal")
    assert (found.n, found.zeros) == (n, len(differences) - n)
    z = (w - n * (n + 1) / 4) / sqrt(variance)
    assert found.p == pytest.approx(2 * NormalDist().cdf(z))


@pytest.mark.parametrize(("n", "method"), [(25, "exact"), (26, "normal")])
def test_wilcoxon_is_exact_up_to_25_differences(n: int, method: str) -> None:
    found = signed_rank(range(1, n + 1))
    assert isinstance(found, SignedRank)
    assert found.method == method


def test_shifts_that_differ_by_the_noise_of_floats_only_are_ties_and_zeros() -> None:
    noise = [0.3 - 0.2, 0.2 - 0.1, 0.1 + 0.2 - 0.3]
    assert len(set(noise)) == 3
    found = signed_rank(noise)
    assert isinstance(found, SignedRank)
    assert (found.n, found.zeros, found.w, found.method) == (2, 1, 0, "normal")


@given(st.data(), st.lists(st.floats(-9, 9), max_size=12))
def test_the_order_of_differences_changes_no_bit(data: st.DataObject, some: list[float]) -> None:
    assert signed_rank(data.draw(st.permutations(some))) == signed_rank(some)


@pytest.mark.parametrize(
    ("differences", "reason"), [([], "no difference"), ([0.0, 0], "all differences are zero")]
)
def test_wilcoxon_of_no_shift_is_undefined(differences: list[float], reason: str) -> None:
    assert signed_rank(differences) == Undefined(reason)


@given(rates, rates)
def test_block_tost_is_the_one_of_statsmodels(first: list[float], second: list[float]) -> None:
    assume(len(set(first)) > 1 or len(set(second)) > 1)
    found = equivalence(first, second, margin=0.1)
    assert isinstance(found, Equivalence)
    arms = np.array(first), np.array(second)
    p, (t_low, _, df), (t_high, _, _) = ttost_ind(*arms, -0.1, 0.1, usevar="unequal")
    assert found.p == pytest.approx(p)
    assert (found.t_low, found.t_high) == pytest.approx((t_low, t_high))
    assert found.df == pytest.approx(df)


@given(rates, rates)
def test_the_test_of_difference_is_welchs(first: list[float], second: list[float]) -> None:
    assume(len(set(first)) > 1 and len(set(second)) > 1)
    found = equivalence(first, second)
    assert isinstance(found, Equivalence)
    welch = ttest_ind(first, second, equal_var=False)
    assert found.p_different == pytest.approx(float(welch.pvalue))
    interval = welch.confidence_interval(0.9)
    assert found.interval.low == pytest.approx(float(interval.low))
    assert found.interval.high == pytest.approx(float(interval.high))


@given(rates, rates, st.sampled_from((0.05, 0.2, 0.5)))
def test_equivalent_means_that_the_interval_lies_inside_the_margin(
    first: list[float], second: list[float], margin: float
) -> None:
    found = equivalence(first, second, margin=margin)
    assume(isinstance(found, Equivalence) and abs(found.p - 0.05) > 1e-9)
    assert isinstance(found, Equivalence)
    inside = -margin < found.interval.low and found.interval.high < margin
    assert found.equivalent == inside


@given(st.data(), rates, rates)
def test_the_order_of_blocks_changes_no_bit(
    data: st.DataObject, first: list[float], second: list[float]
) -> None:
    turned = data.draw(st.permutations(first)), data.draw(st.permutations(second))
    assert equivalence(*turned) == equivalence(first, second)


def test_pooled_tost_by_hand() -> None:
    found = equivalence_pooled(30, 50, 20, 40, margin=0.3, alpha=0.025)
    assert isinstance(found, Equivalence)
    se = sqrt(0.6 * 0.4 / 50 + 0.5 * 0.5 / 40)
    half = NormalDist().inv_cdf(0.975) * se
    assert found.se == pytest.approx(se)
    assert found.p == pytest.approx(1 - NormalDist().cdf((0.3 - 0.1) / se))
    assert (found.interval.low, found.interval.high) == pytest.approx((0.1 - half, 0.1 + half))
    assert found.interval.level == pytest.approx(0.95)


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ([], [0.1, 0.2], "an arm has fewer than two blocks"),
        ([0.1], [0.1, 0.2], "an arm has fewer than two blocks"),
        ([0.1] * 3, [0.3] * 6, "no rate varies between blocks in either arm"),
    ],
)
def test_block_tost_without_spread_is_undefined(
    first: list[float], second: list[float], reason: str
) -> None:
    assert equivalence(first, second) == Undefined(reason)


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        ((0, 0, 1, 2), "an arm has no item"),
        ((3, 3, 0, 4), "both rates are 0 or 1, so neither arm varies"),
    ],
)
def test_pooled_tost_without_spread_is_undefined(
    counts: tuple[int, int, int, int], reason: str
) -> None:
    assert equivalence_pooled(*counts) == Undefined(reason)


def test_percentages_are_refused_as_rates_and_margins() -> None:
    with pytest.raises(SampleRefused, match="first arm: rates are fractions"):
        equivalence([24, 26], [0.2, 0.3])
    with pytest.raises(SampleRefused, match="margin must lie between 0 and 1, got 5; 5 % is 0.05"):
        equivalence([0.2, 0.3], [0.2, 0.3], margin=5)
    with pytest.raises(SampleRefused, match="alpha must lie between 0 and 0.5"):
        equivalence([0.2, 0.3], [0.2, 0.3], alpha=0.5)
    with pytest.raises(SampleRefused, match="3 hits among 2 items"):
        equivalence_pooled(3, 2, 1, 2)
