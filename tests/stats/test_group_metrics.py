"""Metrics over several groups of items, and the strength of a table, block by block."""

from __future__ import annotations

import pytest

from eristic.stats import (
    MEAN_DIFFERENCE,
    RATE_RANGE,
    Interval,
    Undefined,
    bootstrap,
    chi_square,
    cramers_v,
    gather,
)


def test_a_range_of_rates_is_the_largest_minus_the_smallest() -> None:
    blocks = gather(["a", "b"], [0, 0], [5, 5], [4, 0], [5, 5], [5, 4], [5, 5])
    assert bootstrap(blocks, RATE_RANGE, seed=1).value == pytest.approx(0.9)


def test_a_range_with_an_empty_group_is_undefined() -> None:
    found = bootstrap(gather(["a"], [1], [1], [0], [0]), RATE_RANGE, seed=1)
    assert found.value == Undefined("a group without items")


def test_a_mean_difference_weighs_every_stratum_alike() -> None:
    differences = (0.02, 0.0, -0.01, 0.03)
    columns = [[x] for d in differences for x in (50 + 100 * d, 100, 500, 1000)]
    found = bootstrap(gather(["a"], *columns), MEAN_DIFFERENCE, seed=1)
    assert found.value == pytest.approx(0.01)


def test_a_table_without_resampling_has_the_v_of_its_chi_square() -> None:
    table = [[30, 10, 10], [10, 20, 20]]
    cells = [(row, column) for row in range(2) for column in range(3)]
    labels = [f"{row}{column}" for row, column in cells]
    columns = [[table[r][c] if (r, c) == own else 0 for r, c in cells] for own in cells]
    found = bootstrap(gather(labels, *columns), cramers_v(2, 3), seed=1)
    direct = chi_square(table)
    assert not isinstance(direct, Undefined)
    assert found.value == pytest.approx(direct.cramers_v)
    assert isinstance(found.interval, Interval)
    assert found.undefined > 0  # some resample holds one row only


def test_an_empty_column_does_not_weaken_a_table() -> None:
    blocks = gather(["a", "a"], [4, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 4])
    assert bootstrap(blocks, cramers_v(2, 3), seed=1).value == pytest.approx(1)
