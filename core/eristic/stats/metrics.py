"""Metrics that need no more than sums of columns, written for many resamples at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from eristic.stats._numbers import FloatArray

__all__ = [
    "AC1",
    "DIFFERENCE",
    "JACCARD",
    "KAPPA",
    "MEAN_DIFFERENCE",
    "MEAN_RATE",
    "RATE",
    "RATE_RANGE",
    "RAW_AGREEMENT",
    "RELATIVE_INCREASE",
    "TOTAL",
    "Contrast",
    "Metric",
    "cramers_v",
]


@dataclass(frozen=True, slots=True)
class Metric:
    """A number computed from column sums."""

    name: str
    columns: tuple[str, ...]
    """What each column of `gather` holds."""
    compute: Callable[[FloatArray], FloatArray]
    """Sums of shape (resamples, columns) -> values of shape (resamples,); NaN = undefined, which
    never leaves this package."""
    undefined_when: str
    repeats: bool = False
    """Whether the columns may come several times, as pairs of repetitions do."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """One number out of the same metric in two arms."""

    name: str
    compute: Callable[[FloatArray, FloatArray], FloatArray]
    """Values of the first and of the second arm, shape (resamples,) each; NaN = undefined."""
    undefined_when: str


def _ratio(top: FloatArray, bottom: FloatArray) -> FloatArray:
    out = np.full(np.broadcast_shapes(top.shape, bottom.shape), np.nan)
    np.divide(top, bottom, out=out, where=bottom != 0)
    return out


def _rate(sums: FloatArray) -> FloatArray:
    return _ratio(sums[:, 0], sums[:, 1])


def _mean_rate(sums: FloatArray) -> FloatArray:
    rates = _ratio(sums[:, 0::2], sums[:, 1::2])
    means: FloatArray = rates.mean(axis=1)
    return means


def _rate_range(sums: FloatArray) -> FloatArray:
    rates = _ratio(sums[:, 0::2], sums[:, 1::2])
    ranges: FloatArray = rates.max(axis=1) - rates.min(axis=1)
    return ranges


def _mean_difference(sums: FloatArray) -> FloatArray:
    first, second = _ratio(sums[:, 0::4], sums[:, 1::4]), _ratio(sums[:, 2::4], sums[:, 3::4])
    means: FloatArray = (first - second).mean(axis=1)
    return means


def _total(sums: FloatArray) -> FloatArray:
    return sums[:, 0].copy()


def _raw_agreement(sums: FloatArray) -> FloatArray:
    return _ratio(sums[:, 0] + sums[:, 3], sums.sum(axis=1))


def _jaccard(sums: FloatArray) -> FloatArray:
    return _ratio(sums[:, 0], sums[:, 0] + sums[:, 1] + sums[:, 2])


def _kappa(sums: FloatArray) -> FloatArray:
    a, b, c, d = sums.T
    n = a + b + c + d
    # Products of counts are exact, so "chance agreement is 1" is a comparison of whole numbers.
    chance = (a + b) * (a + c) + (c + d) * (b + d)
    return _ratio(n * (a + d) - chance, n * n - chance)


def _ac1(sums: FloatArray) -> FloatArray:
    a, b, c, d = sums.T
    n = a + b + c + d
    share = _ratio(2 * a + b + c, 2 * n)
    chance = 2 * share * (1 - share)
    return (_ratio(a + d, n) - chance) / (1 - chance)


def _relative_increase(first: FloatArray, second: FloatArray) -> FloatArray:
    return _ratio(first, second) - 1


_CELLS = ("both yes", "first yes only", "second yes only", "both no")

RATE = Metric("rate", ("hits", "items"), _rate, "no item in the denominator")
"""Sum of the first column over sum of the second: a rate, or the mean of a number."""
MEAN_RATE = Metric(
    "mean rate", ("hits", "items"), _mean_rate, "a repetition without items", repeats=True
)
"""Mean over repetitions of each one's rate: hits and items of the first, of the second, ..."""
RATE_RANGE = Metric(
    "range of rates", ("hits", "items"), _rate_range, "a group without items", repeats=True
)
"""Largest minus smallest of several rates: hits and items of the first, of the second, ..."""
MEAN_DIFFERENCE = Metric(
    "mean difference",
    ("hits", "items", "hits of the second", "items of the second"),
    _mean_difference,
    "a stratum in which an arm has no items",
    repeats=True,
)
"""Mean over strata of the first arm's rate minus the second's: four columns a stratum."""
TOTAL = Metric("total", ("amount",), _total, "never")
"""Sum of the only column."""
RAW_AGREEMENT = Metric("raw agreement", _CELLS, _raw_agreement, "no item with two values")
JACCARD = Metric("Jaccard index", _CELLS, _jaccard, "no item with a yes")
"""Items with two yes over items with at least one: how far two sets are the same."""
KAPPA = Metric("Cohen's kappa", _CELLS, _kappa, "both judges constant and equal, or no item")
AC1 = Metric("Gwet's AC1", _CELLS, _ac1, "no item with two values")

DIFFERENCE = Contrast("difference", np.subtract, "the metric is undefined in an arm")
"""First minus second."""
RELATIVE_INCREASE = Contrast(
    "relative increase", _relative_increase, "the second arm is 0, or a metric is undefined"
)
"""First over second, minus 1."""


def cramers_v(rows: int, columns: int) -> Metric:
    """Cramer's V of a table of counts (S6), to be resampled by block.

    The columns of `gather` are the cells, row by row; an item is 1 in its own cell and 0 in all
    others. Rows and columns that are all zero in a resample do not count in it.
    """
    names = tuple(f"row {row}, column {column}" for row in range(rows) for column in range(columns))

    def compute(sums: FloatArray) -> FloatArray:
        table = sums.reshape(-1, rows, columns)
        down, across = table.sum(axis=2), table.sum(axis=1)
        n = table.sum(axis=(1, 2))
        expected = _ratio(down[:, :, None] * across[:, None, :], n[:, None, None])
        parts = np.zeros(table.shape)
        np.divide((table - expected) ** 2, expected, out=parts, where=expected > 0)
        freedom = np.minimum((down > 0).sum(axis=1), (across > 0).sum(axis=1)) - 1.0
        return np.sqrt(_ratio(parts.sum(axis=(1, 2)), n * freedom))

    return Metric("Cramer's V", names, compute, "fewer than two rows or columns hold a count")
