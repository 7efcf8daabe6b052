"""Rates cannot be made from items that went missing, and NaN gets past no door."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from eristic.debate.errors import EristicError
from eristic.stats import (
    Interval,
    Rate,
    SampleRefused,
    Tally,
    TallyUnbalanced,
    Undefined,
    block_correlation,
    bootstrap_items,
    cohens_h,
    equivalence,
    gather,
    measure_rate,
    signed_rank,
    wilson,
)


def test_a_tally_with_items_gone_is_refused_with_the_gap() -> None:
    with pytest.raises(TallyUnbalanced, match="12 items planned, 9 used and 2 excluded: 1 vanish"):
        Tally.of(planned=12, used=9, excluded={"failed": 2})


def test_a_tally_with_items_counted_twice_is_refused_with_the_gap() -> None:
    with pytest.raises(TallyUnbalanced, match="1 too many"):
        Tally.of(planned=10, used=9, excluded={"failed": 2})


def test_an_unbalanced_tally_cannot_be_read_back_either() -> None:
    stored = b'{"planned": 3, "used": 1, "exclusions": []}'
    with pytest.raises(TallyUnbalanced):
        msgspec.json.decode(stored, type=Tally)


def test_a_tally_names_its_causes_in_one_order() -> None:
    tally = Tally.of(planned=9, used=5, excluded={"refused": 3, "failed": 1, "unreadable": 0})
    assert str(tally) == "n = 5 of 9; excluded 4 (failed: 1, refused: 3)"
    assert str(Tally.of(planned=5, used=5)) == "n = 5"


def test_a_cause_must_be_named_and_a_count_not_negative() -> None:
    with pytest.raises(SampleRefused, match="a cause of its own"):
        Tally.of(planned=2, used=1, excluded={"": 1})
    with pytest.raises(SampleRefused, match="must be 0 or more, got -1"):
        Tally.of(planned=1, used=2, excluded={"failed": -1})


def test_a_rate_of_no_item_is_undefined_with_a_reason() -> None:
    found = measure_rate(0, Tally.of(planned=2, used=0, excluded={"failed": 2}))
    assert found.value == found.interval == Undefined("no item in the denominator")
    assert found.tally.excluded == 2


def test_a_rate_survives_the_wire_defined_or_not() -> None:
    for rate in (
        measure_rate(1, Tally.of(planned=3, used=3)),
        measure_rate(0, Tally.of(planned=0, used=0)),
    ):
        assert msgspec.json.decode(msgspec.json.encode(rate), type=Rate) == rate


@given(st.integers(0, 60), st.integers(1, 60), st.sampled_from((0.8, 0.95, 0.99)))
def test_wilson_is_the_one_of_statsmodels(hits: int, n: int, level: float) -> None:
    hits = min(hits, n)
    found = wilson(hits, n, level=level)
    assert isinstance(found, Interval)
    low, high = proportion_confint(hits, n, alpha=1 - level, method="wilson")
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-12)


def test_more_hits_than_items_are_refused() -> None:
    with pytest.raises(SampleRefused, match="11 hits among 10 items"):
        wilson(11, 10)


@pytest.mark.parametrize("level", [0, 1, 95, float("nan")])
def test_a_level_that_is_no_fraction_is_refused(level: float) -> None:
    with pytest.raises(SampleRefused, match="level must lie between 0 and 1"):
        wilson(1, 2, level=level)


Numbers = Sequence[float]
TAKERS: dict[str, Callable[[Numbers], object]] = {
    "gather": lambda x: gather(["a", "b"], x),
    "bootstrap_items": lambda x: bootstrap_items(["a", "b"], [x], lambda _: 0.0, name="x", seed=1),
    "block_correlation": lambda x: block_correlation(["a", "b"], x),
    "signed_rank": lambda x: signed_rank(x),
    "equivalence": lambda x: equivalence(x, [0.1, 0.2]),
}


@pytest.mark.parametrize("take", TAKERS.values(), ids=TAKERS)
@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
def test_values_that_are_not_finite_are_refused_where_they_stand(
    take: Callable[[Numbers], object], bad: float
) -> None:
    with pytest.raises(SampleRefused, match=r"value 1 is (nan|-?inf); leave missing values out"):
        take([0.1, bad])


@pytest.mark.parametrize("take", TAKERS.values(), ids=TAKERS)
@pytest.mark.parametrize("bad", [None, "yes"])
def test_values_that_are_no_numbers_are_refused(
    take: Callable[[Numbers], object], bad: object
) -> None:
    with pytest.raises(SampleRefused, match=r"count them in a Tally"):
        take([0.1, bad])  # type: ignore[list-item]


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -0.1, 1.1, 50])
def test_effect_sizes_refuse_what_is_no_rate(bad: float) -> None:
    with pytest.raises(SampleRefused, match="second rate must be a fraction from 0 to 1"):
        cohens_h(0.5, bad)


def test_two_dimensions_are_refused() -> None:
    with pytest.raises(SampleRefused, match=r"expected one dimension, got shape \(1, 2\)"):
        signed_rank(np.array([[1.0, 2.0]]))


def test_the_callers_array_stays_as_it_was() -> None:
    differences = np.array([3.0, -1.0, 2.0])
    signed_rank(differences)
    assert differences.tolist() == [3, -1, 2]


def test_refusals_belong_to_the_one_tree() -> None:
    assert issubclass(TallyUnbalanced, SampleRefused)
    assert issubclass(SampleRefused, EristicError)
