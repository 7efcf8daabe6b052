"""The block bootstrap against full enumeration and against plain pooling of items."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eristic.stats import (
    AC1,
    DIFFERENCE,
    KAPPA,
    RATE,
    RAW_AGREEMENT,
    Agreement,
    Bootstrap,
    FloatArray,
    Interval,
    Metric,
    SampleRefused,
    Undefined,
    align,
    bootstrap,
    bootstrap_contrast,
    bootstrap_items,
    gather,
    judge_agreement,
    resampled_values,
)
from eristic.stats._draws import draw_blocks

Items = list[tuple[str, int]]
"""Block and hit of each item."""

small_samples = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 1)), min_size=1)


def rate_of(items: Items) -> Bootstrap:
    labels, hits = [x for x, _ in items], [x for _, x in items]
    return bootstrap(gather(labels, hits, [1] * len(hits)), RATE, seed=5, resamples=200)


def enumerated(items: Items) -> Counter[float]:
    """Rate of each of the equally likely resamples -> how many resamples give it."""
    names = sorted({name for name, _ in items})
    found: Counter[float] = Counter()
    for drawn in product(names, repeat=len(names)):
        pooled = [hit for name in drawn for block, hit in items if block == name]
        found[sum(pooled) / len(pooled)] += 1
    return found


@given(small_samples)
def test_no_resample_gives_a_rate_that_enumeration_does_not(items: Items) -> None:
    blocks = gather([x for x, _ in items], [x for _, x in items], [1] * len(items))
    values = resampled_values(blocks, RATE, seed=2, resamples=100)
    assert set(values.tolist()) <= set(enumerated(items))


@pytest.mark.parametrize(
    "items",
    [
        [("a", 1), ("a", 0), ("b", 1)],
        [("a", 1), ("a", 0), ("b", 1), ("c", 0), ("c", 0), ("c", 0)],
        [("a", 1), ("b", 0), ("b", 1), ("b", 1), ("c", 1), ("c", 0), ("c", 0)],
    ],
)
def test_resamples_come_as_often_as_enumeration_says(items: Items) -> None:
    blocks = gather([x for x, _ in items], [x for _, x in items], [1] * len(items))
    resamples = 40_000
    counts = Counter(resampled_values(blocks, RATE, seed=8, resamples=resamples).tolist())
    expected = enumerated(items)
    for value, ways in expected.items():
        share = ways / expected.total()
        sigma = (share * (1 - share) / resamples) ** 0.5
        assert counts[value] / resamples == pytest.approx(share, abs=4 * sigma)


@given(small_samples, st.integers(0, 2**64))
def test_sums_give_what_pooling_the_drawn_items_gives(items: Items, seed: int) -> None:
    names = sorted({name for name, _ in items})
    expected = []
    for drawn in draw_blocks(len(names), resamples=20, seed=seed):
        for times in drawn.tolist():
            weight = dict(zip(names, times, strict=True))
            hits = sum(weight[name] * hit for name, hit in items)
            expected.append(hits / sum(weight[name] for name, _ in items))
    blocks = gather([x for x, _ in items], [x for _, x in items], [1] * len(items))
    assert resampled_values(blocks, RATE, seed=seed, resamples=20).tolist() == expected


@given(small_samples)
def test_a_statistic_of_items_gives_the_same_interval_as_sums(items: Items) -> None:
    found = bootstrap_items(
        [x for x, _ in items],
        [[x for _, x in items]],
        lambda pooled: float(pooled[:, 0].mean()),
        name="rate",
        seed=5,
        resamples=200,
    )
    assert found == rate_of(items)


def test_the_interval_interpolates_between_order_statistics() -> None:
    labels = [f"b{place}" for place in range(7)]
    blocks = gather(labels, [3, 1, 4, 1, 5, 9, 2], [1] * 7)
    ordered: list[float] = sorted(resampled_values(blocks, RATE, seed=4, resamples=50).tolist())

    def percentile(share: float) -> float:
        place = share * (len(ordered) - 1)
        below = int(place)
        return ordered[below] + (place - below) * (ordered[below + 1] - ordered[below])

    found = bootstrap(blocks, RATE, seed=4, resamples=50, level=0.9).interval
    assert isinstance(found, Interval)
    assert found.low == pytest.approx(percentile(0.05))
    assert found.high == pytest.approx(percentile(0.95))
    assert found.level == 0.9


@given(st.data(), small_samples)
def test_the_order_of_reading_changes_no_number(data: st.DataObject, items: Items) -> None:
    assert rate_of(data.draw(st.permutations(items))) == rate_of(items)


@given(
    st.lists(
        st.tuples(st.sampled_from("abcd"), st.floats(-1e6, 1e6)),
        min_size=1,
        max_size=30,
    ),
    st.integers(0, 29),
)
def test_the_order_of_reading_changes_no_bit_of_fractions(
    items: list[tuple[str, float]], turn: int
) -> None:
    def estimate(some: list[tuple[str, float]]) -> tuple[Bootstrap, Bootstrap]:
        labels, values = [x for x, _ in some], [x for _, x in some]
        blocks = gather(labels, values, [1] * len(some))
        median = bootstrap_items(
            labels, [values], lambda x: float(np.median(x)), name="median", seed=9, resamples=20
        )
        return bootstrap(blocks, RATE, seed=9, resamples=50), median

    turned = items[turn % len(items) :] + items[: turn % len(items)]
    assert estimate(turned[::-1]) == estimate(items)


def test_a_paired_difference_draws_blocks_once_for_both_arms() -> None:
    labels = ["a", "b", "c", "d"]
    arm = gather(labels, [9, 1, 5, 2], [10] * 4)
    better = gather(labels, [10, 2, 6, 3], [10] * 4)
    found = bootstrap_contrast(better, arm, RATE, DIFFERENCE, seed=6)
    assert isinstance(found.interval, Interval)
    assert found.interval.low == pytest.approx(0.1), "blocks differ much, the arms always by 0.1"
    assert found.interval.high == pytest.approx(0.1)
    assert found.value == pytest.approx(0.1)
    assert (found.first, found.second) == (0.525, 0.425)


def test_a_paired_difference_is_the_difference_of_the_two_arms_resamples() -> None:
    rng = np.random.default_rng(3)
    labels = [f"c{place % 12}" for place in range(60)]
    arms = [gather(labels, rng.integers(0, 2, 60), [1] * 60) for _ in range(2)]
    first, second = (resampled_values(arm, RATE, seed=21, resamples=300) for arm in arms)
    low, high = np.quantile(first - second, (0.025, 0.975))
    found = bootstrap_contrast(arms[0], arms[1], RATE, seed=21, resamples=300)
    assert found.interval == Interval(float(low), float(high), 0.95)


def test_undefined_resamples_are_counted_and_left_out() -> None:
    blocks = gather(["a", "b"], [1, 0], [2, 0])
    found = bootstrap(blocks, RATE, seed=1, resamples=4000)
    values = resampled_values(blocks, RATE, seed=1, resamples=4000)
    assert found.undefined == int(np.isnan(values).sum())
    assert found.undefined == pytest.approx(1000, abs=120), "b drawn twice: 1 in 4"
    assert found.interval == Interval(0.5, 0.5, 0.95)


def test_one_block_has_a_value_and_no_interval() -> None:
    found = bootstrap(gather(["a", "a"], [1, 0], [1, 1]), RATE, seed=1)
    assert found.value == 0.5
    assert isinstance(found.interval, Undefined)
    assert "one block only" in found.interval.reason


def test_no_item_gives_no_value_and_no_interval() -> None:
    empty = gather([], [], [])
    found = bootstrap(empty, RATE, seed=1, resamples=10)
    assert found.value == found.interval == Undefined("no item")
    assert (found.blocks, found.items, found.undefined) == (0, 0, 10)
    compared = bootstrap_contrast(empty, empty, RATE, seed=1)
    assert compared.value == compared.first == compared.interval == Undefined("no item")
    items = bootstrap_items([], [[]], lambda x: float(x.mean()), name="mean", seed=1)
    assert items.value == items.interval == Undefined("no item")


def test_a_statistic_undefined_on_some_resamples_is_counted() -> None:
    def spread(pooled: FloatArray) -> float | Undefined:
        return float(np.ptp(pooled)) or Undefined("no value varies")

    found = bootstrap_items(["a", "b"], [[1, 2]], spread, name="spread", seed=1, resamples=1000)
    assert found.value == 1
    assert found.undefined == pytest.approx(500, abs=80)
    assert found.interval == Interval(1, 1, 0.95)


def test_the_result_carries_seed_resamples_and_rule() -> None:
    found = bootstrap(gather(["a", "b"], [1, 0], [1, 1]), RATE, seed=77, resamples=123)
    assert (found.seed, found.resamples, found.metric) == (77, 123, "rate")
    assert "linear interpolation" in found.rule


def test_another_seed_draws_other_blocks() -> None:
    blocks = gather([f"b{x}" for x in range(30)], list(range(30)), [1] * 30)
    assert not np.array_equal(
        resampled_values(blocks, RATE, seed=1), resampled_values(blocks, RATE, seed=2)
    )


def test_draws_stay_what_they_were_when_numbers_were_first_published() -> None:
    (drawn,) = draw_blocks(5, resamples=4, seed=2026)
    assert drawn.tolist() == [[1, 2, 1, 1, 0], [1, 1, 0, 2, 1], [0, 0, 1, 2, 2], [0, 3, 1, 0, 1]]


def test_draws_do_not_depend_on_the_size_of_a_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    (at_once,) = draw_blocks(7, resamples=50, seed=3)
    monkeypatch.setattr("eristic.stats._draws._CHUNK_DRAWS", 40)
    chunks = list(draw_blocks(7, resamples=50, seed=3))
    assert len(chunks) == 10
    assert np.concatenate(chunks).tolist() == at_once.tolist()


@given(st.tuples(*[st.integers(0, 6)] * 4))
def test_metrics_of_cells_agree_with_the_agreement_of_two_judges(
    cells: tuple[int, int, int, int],
) -> None:
    a, b, c, d = cells
    blocks = gather(["x"], [a], [b], [c], [d])
    direct: Agreement = judge_agreement([[a, b], [c, d]])
    metrics: dict[Metric, float | Undefined] = {
        RAW_AGREEMENT: direct.raw,
        KAPPA: direct.kappa,
        AC1: direct.ac1,
    }
    for metric, expected in metrics.items():
        value = bootstrap(blocks, metric, seed=1, resamples=1).value
        if isinstance(expected, Undefined):
            assert isinstance(value, Undefined)
        else:
            assert value == pytest.approx(expected)


def test_align_keeps_shared_blocks_and_counts_the_rest() -> None:
    first = gather(["a", "b", "b"], [1, 1, 0], [1, 1, 1])
    second = gather(["b", "c", "d"], [1, 1, 1], [1, 1, 1])
    both = align(first, second)
    assert both.first.names == both.second.names == ("b",)
    assert (both.first.items, both.second.items) == (2, 1)
    assert both.first.sums.tolist() == [[1, 2]]
    excluded = {x.cause: x.count for x in both.tally.exclusions}
    assert excluded == {"not in the first arm": 2, "not in the second arm": 1}
    assert (both.tally.planned, both.tally.used) == (4, 1)


def test_arms_over_other_blocks_are_refused_with_the_way_out() -> None:
    first, second = gather(["a"], [1], [1]), gather(["b"], [1], [1])
    with pytest.raises(SampleRefused, match=r"use align\(first, second\)"):
        bootstrap_contrast(first, second, RATE, seed=1)


def test_columns_that_are_not_the_metrics_are_refused() -> None:
    with pytest.raises(SampleRefused, match="rate needs the columns hits, items; gather was given"):
        bootstrap(gather(["a"], [1]), RATE, seed=1)


@pytest.mark.parametrize("seed", [-1, 1.5])
def test_a_seed_that_is_no_whole_number_is_refused(seed: float) -> None:
    with pytest.raises(SampleRefused, match="seed must be"):
        bootstrap(gather(["a"], [1], [1]), RATE, seed=seed)  # type: ignore[arg-type]


def test_a_statistic_that_gives_nan_is_refused() -> None:
    with pytest.raises(SampleRefused, match=r"return Undefined\(reason\) instead"):
        bootstrap_items(["a"], [[1]], lambda _: float("nan"), name="odd", seed=1)


def test_block_sums_are_exactly_rounded() -> None:
    assert sum([0.1] * 10) != 1
    assert gather(["a"] * 10, [0.1] * 10).sums.tolist() == [[1.0]]


def test_block_sums_cannot_be_written_to() -> None:
    blocks = gather(["a"], [1], [1])
    with pytest.raises(ValueError, match="read-only"):
        blocks.sums[0, 0] = 5
