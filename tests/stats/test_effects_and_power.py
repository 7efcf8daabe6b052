"""Effect sizes, tables, families of tests and sample sizes against their definitions."""

from __future__ import annotations

from math import asin, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import NormalIndPower
from statsmodels.stats.proportion import proportion_effectsize

from eristic.stats import (
    ChiSquare,
    SampleRefused,
    SampleSize,
    Undefined,
    achieved_power,
    block_correlation,
    chi_square,
    cohens_h,
    holm,
    sample_size,
)

fraction = st.floats(0, 1)


@given(fraction, fraction)
def test_cohens_h_is_the_one_of_statsmodels(first: float, second: float) -> None:
    assert cohens_h(first, second).h == pytest.approx(abs(proportion_effectsize(first, second)))


@pytest.mark.parametrize(
    ("h", "label"),
    [(0.199, "negligible"), (0.201, "small"), (0.501, "medium"), (0.801, "large")],
)
def test_the_label_follows_h(h: float, label: str) -> None:
    first = float(np.sin(h / 2 + asin(sqrt(0.1)))) ** 2
    assert cohens_h(first, 0.1).label == label


def test_equal_rates_have_no_direction() -> None:
    found = cohens_h(0.3, 0.3)
    assert (found.h, found.direction, found.label) == (0, "equal", "negligible")


tables = st.integers(2, 4).flatmap(
    lambda columns: st.lists(
        st.lists(st.integers(0, 9), min_size=columns, max_size=columns), min_size=2, max_size=4
    )
)


@given(tables)
def test_chi_square_follows_its_definition(table: list[list[int]]) -> None:
    kept = [row for row in table if any(row)]
    columns = [column for column in zip(*kept, strict=True) if any(column)]
    found = chi_square(table)
    if len(kept) < 2 or len(columns) < 2:
        assert isinstance(found, Undefined)
        return
    assert isinstance(found, ChiSquare)
    n = sum(map(sum, kept))
    rows = list(zip(*columns, strict=True))
    expected = [[sum(row) * sum(column) / n for column in columns] for row in rows]
    statistic = sum(
        (observed - e) ** 2 / e
        for row, es in zip(rows, expected, strict=True)
        for observed, e in zip(row, es, strict=True)
    )
    assert found.statistic == pytest.approx(statistic, abs=1e-9)
    assert found.few_expected == sum(e < 5 for es in expected for e in es)
    assert found.df == (len(rows) - 1) * (len(columns) - 1)
    smaller = min(len(rows), len(columns)) - 1
    assert found.cramers_v == pytest.approx(sqrt(statistic / (n * smaller)), abs=1e-6)


def test_empty_rows_and_columns_are_dropped_and_named() -> None:
    found = chi_square([[5, 0, 9], [0, 0, 0], [7, 0, 3]])
    assert isinstance(found, ChiSquare)
    assert (found.dropped_rows, found.dropped_columns, found.df) == ((1,), (1,), 1)


@pytest.mark.parametrize(("count", "few"), [(4, 4), (5, 0)])
def test_cells_that_expect_fewer_than_five_are_counted(count: int, few: int) -> None:
    found = chi_square([[count, count], [count, count]])
    assert isinstance(found, ChiSquare)
    assert found.few_expected == few


@pytest.mark.parametrize("table", [[], [[0, 0], [0, 0]], [[1, 2]], [[1], [2]]])
def test_a_table_without_two_rows_and_columns_is_undefined(table: list[list[int]]) -> None:
    assert chi_square(table) == Undefined("fewer than two rows or two columns hold a count")


@given(st.lists(fraction, max_size=8))
def test_holm_follows_its_definition(p_values: list[float]) -> None:
    m = len(p_values)
    expected = [0.0] * m
    highest = 0.0
    for rank, place in enumerate(sorted(range(m), key=lambda x: p_values[x])):
        highest = max(highest, (m - rank) * p_values[place])
        expected[place] = min(1, highest)
    found = holm(p_values, family="all")
    assert found.adjusted == pytest.approx(tuple(expected))
    assert found.tested == m


def test_holm_is_the_one_of_statsmodels() -> None:
    p_values = [0.04, 0.011, 0.9, 0.012, 0.012, 0.3, 0.0]
    expected = np.asarray(multipletests(p_values, method="holm")[1])
    assert holm(p_values, family="all").adjusted == pytest.approx(tuple(expected))


@given(st.data(), st.lists(fraction, max_size=8))
def test_holm_gives_each_p_the_same_in_any_order(data: st.DataObject, some: list[float]) -> None:
    order = data.draw(st.permutations(range(len(some))))
    turned = holm([some[x] for x in order], family="all").adjusted
    straight = holm(some, family="all").adjusted
    assert turned == tuple(straight[x] for x in order)


def test_a_comparison_without_a_test_does_not_count_in_the_family() -> None:
    missing = Undefined("all differences are zero")
    found = holm([0.01, missing, 0.04], family="models")
    assert found.adjusted == (0.02, missing, 0.04)
    assert found.tested == 2
    assert holm([], family="models").adjusted == ()


def test_holm_refuses_what_is_no_p_value_and_a_family_without_a_name() -> None:
    with pytest.raises(SampleRefused, match="p value 1 must be a fraction from 0 to 1, got nan"):
        holm([0.1, float("nan")], family="models")
    with pytest.raises(SampleRefused, match="name the family"):
        holm([0.1], family="")


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99), st.integers(1, 5000))
def test_power_is_the_one_of_statsmodels(first: float, second: float, n: int) -> None:
    expected = NormalIndPower().power(cohens_h(first, second).h, n, 0.05, ratio=1)
    assert achieved_power(first, second, per_arm=n) == pytest.approx(expected)


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_the_sample_size_reaches_its_power_and_one_less_does_not(a: float, b: float) -> None:
    assume(0.02 < abs(a - b) < 0.5)  # beyond, the far tail that the formula leaves out counts
    found = sample_size(a, b, power=0.9)
    assert isinstance(found, SampleSize)
    assert achieved_power(a, b, per_arm=found.per_arm) >= 0.9
    if found.per_arm > 10:
        assert achieved_power(a, b, per_arm=found.per_arm - 1) < 0.9 + 1e-6


def test_items_of_one_block_cost_a_design_effect_within_bounds() -> None:
    found = sample_size(0.29, 0.37, items_per_block=5, rho=0.25)
    assert isinstance(found, SampleSize)
    assert found.design_effect == 2
    assert (found.per_arm_rho_0, found.per_arm, found.per_arm_rho_1) == (541, 1082, 2705)
    assert found.blocks_per_arm == 217
    assert achieved_power(0.29, 0.37, per_arm=1082, items_per_block=5, rho=0.25) == achieved_power(
        0.29, 0.37, per_arm=541
    )


def test_a_design_effect_does_not_add_an_item_by_the_noise_of_floats() -> None:
    found = sample_size(0.3, 0.55, items_per_block=10, rho=0.35)
    assert isinstance(found, SampleSize)
    assert found.per_arm_rho_0 * found.design_effect > 249, "else this example shows nothing"
    assert found.per_arm == 249


def test_a_negative_correlation_counts_as_none() -> None:
    assert sample_size(0.3, 0.4, items_per_block=4, rho=-0.1) == sample_size(
        0.3, 0.4, items_per_block=4
    )


def test_equal_rates_need_no_finite_sample() -> None:
    found = sample_size(0.3, 0.3)
    assert isinstance(found, Undefined)
    assert "equal" in found.reason
    assert achieved_power(0.3, 0.3, per_arm=100) == pytest.approx(0.05)


def test_numbers_out_of_range_are_refused() -> None:
    with pytest.raises(SampleRefused, match="first rate must be a fraction"):
        sample_size(29, 37)
    with pytest.raises(SampleRefused, match="rho must lie between -1 and 1"):
        sample_size(0.2, 0.3, rho=float("nan"))
    with pytest.raises(SampleRefused, match="items_per_block must be 1 or more"):
        sample_size(0.2, 0.3, items_per_block=0)
    with pytest.raises(SampleRefused, match="per_arm must be 1 or more"):
        achieved_power(0.2, 0.3, per_arm=0)


@given(st.integers(2, 5), st.lists(st.lists(st.integers(0, 1), min_size=5), min_size=2, max_size=5))
def test_block_correlation_is_the_ratio_of_mean_squares(m: int, blocks: list[list[int]]) -> None:
    values = [block[:m] for block in blocks]
    everything = [x for block in values for x in block]
    assume(len(set(everything)) > 1)
    k, mean = len(values), sum(everything) / len(everything)
    means = [sum(block) / m for block in values]
    msb = m * sum((x - mean) ** 2 for x in means) / (k - 1)
    squares = [(x - means[i]) ** 2 for i, block in enumerate(values) for x in block]
    msw = sum(squares) / (k * (m - 1))
    labels = [str(i) for i, block in enumerate(values) for _ in block]
    expected = (msb - msw) / (msb + (m - 1) * msw)
    assert block_correlation(labels, everything) == pytest.approx(expected)
    assert block_correlation(labels[::-1], everything[::-1]) == block_correlation(
        labels, everything
    )


def test_block_correlation_by_hand_with_blocks_of_two_sizes() -> None:
    # Means 1/3 and 1, overall 1/2: between 1/3, inside 1/3, usual size 2.
    found = block_correlation(["a", "a", "a", "b"], [1, 0, 0, 1])
    assert found == pytest.approx((1 / 3 - 1 / 3) / (1 / 3 + (1.5 - 1) * 1 / 3))


def test_copies_correlate_fully() -> None:
    assert block_correlation(["a", "a", "b", "b"], [1, 1, 0, 0]) == 1


@pytest.mark.parametrize(
    ("labels", "values", "reason"),
    [
        ([], [], "fewer than two blocks"),
        (["a", "a"], [0, 1], "fewer than two blocks"),
        (["a", "b"], [0, 1], "no block has two items"),
        (["a", "a", "b"], [1, 1, 1], "no value varies"),
    ],
)
def test_a_correlation_that_nothing_shows_is_undefined(
    labels: list[str], values: list[float], reason: str
) -> None:
    assert block_correlation(labels, values) == Undefined(reason)
