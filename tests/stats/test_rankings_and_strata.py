"""Scores that tell groups apart, sets that overlap, and samples drawn stratum by stratum."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eristic.stats import (
    JACCARD,
    FloatArray,
    Interval,
    Metric,
    SampleRefused,
    Undefined,
    auroc,
    bootstrap,
    bootstrap_strata,
    gather,
)

scores = st.lists(st.integers(-3, 3).map(float), max_size=8)


def test_auroc_counts_a_tie_as_half_a_pair() -> None:
    assert auroc([0.9, 0.4, 0.4], [0.4, 0.1]) == pytest.approx(5 / 6)


@given(scores, scores)
def test_auroc_is_the_share_of_pairs_ranked_right(high: list[float], low: list[float]) -> None:
    pairs = [Fraction(int(x > y) * 2 + int(x == y), 2) for x in high for y in low]
    found = auroc(high, low)
    if not pairs:
        assert isinstance(found, Undefined)
    else:
        assert found == float(sum(pairs, Fraction()) / len(pairs))


@given(scores, scores)
def test_auroc_of_the_groups_exchanged_is_the_rest(high: list[float], low: list[float]) -> None:
    one, other = auroc(high, low), auroc(low, high)
    if not isinstance(one, Undefined) and not isinstance(other, Undefined):
        assert one + other == pytest.approx(1)


@pytest.mark.parametrize(
    ("high", "low", "why"),
    [([], [1.0], "no positive with a score"), ([1.0], [], "no negative with a score")],
)
def test_auroc_of_an_empty_class_is_undefined(
    high: list[float], low: list[float], why: str
) -> None:
    assert auroc(high, low) == Undefined(why)


def test_auroc_refuses_what_is_no_number() -> None:
    with pytest.raises(SampleRefused):
        auroc([float("nan")], [1.0])


@given(st.sets(st.integers(0, 9)), st.sets(st.integers(0, 9)))
def test_jaccard_is_intersection_over_union(first: set[int], second: set[int]) -> None:
    cells = [(x in first, x in second) for x in range(10)]
    columns = [
        [float(cell == own) for cell in cells]
        for own in ((True, True), (True, False), (False, True), (False, False))
    ]
    found = bootstrap(gather([str(x) for x in range(10)], *columns), JACCARD, seed=1, resamples=5)
    union = first | second
    if union:
        assert found.value == pytest.approx(len(first & second) / len(union))
    else:
        assert found.value == Undefined("no item with a yes")


def _product(sums: FloatArray) -> FloatArray:
    out: FloatArray = sums[:, 0] * sums[:, 1]
    return out


PRODUCT = Metric("product", ("one", "other"), _product, "never")


def test_each_stratum_is_drawn_by_itself() -> None:
    strata = [gather(["a", "b"], [0, 1]), gather(["a", "b"], [0, 1])]
    found = bootstrap_strata(strata, PRODUCT, seed=4, resamples=4_000)
    assert found.value == 1
    # Sums are 0, 1, 1, 2 in either stratum: mean 1 each, so 1 of the product when they are drawn
    # apart, and 1.5 if both were drawn alike.
    values = [
        bootstrap_strata(strata, PRODUCT, seed=seed, resamples=1, level=0.5).interval
        for seed in range(800)
    ]
    means = [x.low for x in values if isinstance(x, Interval)]
    assert len(means) == 800
    assert float(np.mean(means)) == pytest.approx(1, abs=0.12)


def test_one_stratum_is_the_usual_bootstrap() -> None:
    stratum = gather(["a", "b", "c"], [1, 0, 1], [1, 1, 1])
    rate = Metric("rate", ("hits", "items"), lambda sums: sums[:, 0] / sums[:, 1], "never")
    found = bootstrap_strata([stratum], rate, seed=3, resamples=200)
    usual = bootstrap(stratum, rate, seed=3, resamples=200)
    assert (found.value, found.interval) == (usual.value, usual.interval)


def test_a_stratum_of_one_block_has_no_interval_and_an_empty_one_is_zero() -> None:
    many, one = gather(["a", "b"], [1, 1]), gather(["a", "a"], [1, 1])
    found = bootstrap_strata([many, one], PRODUCT, seed=1)
    assert found.value == 4
    assert isinstance(found.interval, Undefined)
    empty = bootstrap_strata([many, gather([], [])], PRODUCT, seed=1)
    assert (empty.value, empty.interval) == (0, Interval(0, 0, 0.95))


def test_other_columns_than_the_metrics_are_refused() -> None:
    with pytest.raises(SampleRefused, match="needs 2 columns, got 1"):
        bootstrap_strata([gather(["a"], [1])], PRODUCT, seed=1)
