"""Agreement against direct formulas, statsmodels, and common sense."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

from eristic.stats import (
    SampleRefused,
    Undefined,
    count_ratings,
    cross_ratings,
    judge_agreement,
    panel_agreement,
)

CATEGORIES = ("better", "tied", "worse")
category = st.sampled_from(CATEGORIES)
pairs = st.lists(st.tuples(category, category), min_size=1, max_size=20)
panels = st.lists(st.lists(category, min_size=2, max_size=5), min_size=1, max_size=12)


@given(pairs)
def test_two_judges_agree_as_counting_pairs_by_hand_says(items: list[tuple[str, str]]) -> None:
    first, second = [x for x, _ in items], [y for _, y in items]
    found = judge_agreement(cross_ratings(first, second, categories=CATEGORIES).counts)
    n = len(items)
    po = sum(x == y for x, y in items) / n
    p1 = [first.count(x) / n for x in CATEGORIES]
    p2 = [second.count(x) / n for x in CATEGORIES]
    shares = [(x + y) / 2 for x, y in zip(p1, p2, strict=True)]
    pg = sum(x * (1 - x) for x in shares) / (len(CATEGORIES) - 1)
    assert found.raw == pytest.approx(po)
    assert found.ac1 == pytest.approx((po - pg) / (1 - pg))
    if len({*first, *second}) == 1:
        assert isinstance(found.kappa, Undefined)
    else:
        pe = sum(x * y for x, y in zip(p1, p2, strict=True))
        assert found.kappa == pytest.approx((po - pe) / (1 - pe))


@given(pairs)
def test_kappa_is_the_one_of_statsmodels(items: list[tuple[str, str]]) -> None:
    assume(len({x for pair in items for x in pair}) > 1)
    table = cross_ratings([x for x, _ in items], [y for _, y in items], categories=CATEGORIES)
    expected = cohens_kappa(table.counts, return_results=False)
    assert judge_agreement(table.counts).kappa == pytest.approx(expected)


@given(panels)
def test_a_panel_agrees_as_counting_pairs_of_judges_says(items: list[list[str]]) -> None:
    found = panel_agreement(count_ratings(items, categories=CATEGORIES).counts)
    agreeing = [
        sum(x == y for x, y in combinations(values, 2)) / (len(values) * (len(values) - 1) / 2)
        for values in items
    ]
    pa = sum(agreeing) / len(items)
    shares = [sum(x.count(c) / len(x) for x in items) / len(items) for c in CATEGORIES]
    pg = sum(x * (1 - x) for x in shares) / (len(CATEGORIES) - 1)
    pe = sum(x * x for x in shares)
    assert found.raw == pytest.approx(pa)
    assert found.shares == pytest.approx(shares)
    assert found.ac1 == pytest.approx((pa - pg) / (1 - pg))
    if len({x for values in items for x in values}) == 1:
        assert isinstance(found.fleiss_kappa, Undefined)
    else:
        assert found.fleiss_kappa == pytest.approx((pa - pe) / (1 - pe))


@given(st.lists(st.lists(category, min_size=3, max_size=3), min_size=1, max_size=12))
def test_fleiss_kappa_is_the_one_of_statsmodels(items: list[list[str]]) -> None:
    assume(len({x for values in items for x in values}) > 1)
    counts = count_ratings(items, categories=CATEGORIES).counts
    assert panel_agreement(counts).fleiss_kappa == pytest.approx(fleiss_kappa(counts))


@given(panels, st.integers(0, 11))
def test_the_order_of_items_and_judges_changes_no_bit(items: list[list[str]], turn: int) -> None:
    turned = [values[::-1] for values in items[turn:] + items[:turn]]
    assert panel_agreement(count_ratings(turned, categories=CATEGORIES).counts) == panel_agreement(
        count_ratings(items, categories=CATEGORIES).counts
    )


@given(pairs, st.integers(0, 19))
def test_the_order_of_pairs_changes_no_bit(items: list[tuple[str, str]], turn: int) -> None:
    turned = items[turn:] + items[:turn]
    tables = [
        cross_ratings([x for x, _ in some], [y for _, y in some], categories=CATEGORIES).counts
        for some in (items, turned)
    ]
    assert judge_agreement(tables[0]) == judge_agreement(tables[1])


def test_items_without_a_value_from_both_judges_are_excluded_by_cause() -> None:
    first = [True, None, False, None, True]
    second = [True, True, None, None, False]
    ratings = cross_ratings(first, second, categories=(True, False))
    found = judge_agreement(ratings.counts, excluded=ratings.excluded)
    assert ratings.counts == ((1, 1), (0, 0))
    assert str(found.tally) == (
        "n = 2 of 5; excluded 3 (no value from both judges: 1, "
        "no value from the first judge: 1, no value from the second judge: 1)"
    )


def test_items_with_one_rating_leave_a_panel_and_are_counted() -> None:
    items: list[list[bool | None]] = [[True, True, None], [True, None, None], [None, None, None]]
    found = panel_agreement(count_ratings(items, categories=(True, False)).counts)
    assert (found.raw, found.tally.used, found.tally.excluded) == (1, 1, 2)
    assert found.tally.exclusions[0].cause == "fewer than two ratings"


@pytest.mark.parametrize("table", [[], [[0, 0], [0, 0]]])
def test_two_judges_over_no_item_are_undefined_with_a_reason(table: list[list[int]]) -> None:
    found = judge_agreement(table, excluded={"refused": 4})
    reason = Undefined("no item with a valid value from both judges")
    assert found.raw == found.disagreement == found.kappa == found.ac1 == reason
    assert (found.tally.planned, found.tally.used) == (4, 0)


@pytest.mark.parametrize("counts", [[], [[1, 0]]])
def test_a_panel_over_no_item_is_undefined_with_a_reason(counts: list[list[int]]) -> None:
    found = panel_agreement(counts)
    reason = Undefined("no item with two ratings or more")
    assert found.raw == found.fleiss_kappa == found.ac1 == reason
    assert found.shares == ()


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ([[1, 2, 3], [4, 5, 6]], "the same two or more categories"),
        ([[5]], "the same two or more categories"),
        ([[1, 2], [3]], "rows differ in length"),
        ([[1, -2], [3, 4]], "whole numbers from 0 on"),
        ([[1, 0.5], [3, 4]], "whole numbers from 0 on"),
        ([[1, float("nan")], [3, 4]], "whole numbers from 0 on"),
    ],
)
def test_a_table_that_is_none_is_refused(table: list[list[int]], says: str) -> None:
    with pytest.raises(SampleRefused, match=says):
        judge_agreement(table)


def test_a_value_in_no_category_is_refused() -> None:
    with pytest.raises(SampleRefused, match="'best' is none of the categories"):
        cross_ratings(["best"], ["tied"], categories=CATEGORIES)
    with pytest.raises(SampleRefused, match="'best' is none of the categories"):
        count_ratings([["best"]], categories=CATEGORIES)


def test_judges_with_different_numbers_of_items_are_refused() -> None:
    with pytest.raises(SampleRefused, match="first judge has 1 items, second 2"):
        cross_ratings([True], [True, False], categories=(True, False))


def test_one_category_is_no_rubric() -> None:
    with pytest.raises(SampleRefused, match="two or more different categories"):
        count_ratings([["tied"]], categories=("tied", "tied"))
    with pytest.raises(SampleRefused, match="give every category"):
        panel_agreement([[3]])
