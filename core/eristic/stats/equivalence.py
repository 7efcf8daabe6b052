"""S5: whether two arms are the same within a margin (two one-sided tests, TOST)."""

from __future__ import annotations

from math import sqrt
from typing import Literal

import msgspec

from eristic.stats._numbers import (
    FloatArray,
    SampleRefused,
    Vector,
    check_open_fraction,
    finite_vector,
    mean,
    sample_variance,
    whole,
)
from eristic.stats.outcomes import Interval, Undefined

__all__ = ["Equivalence", "equivalence", "equivalence_pooled"]


class Equivalence(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Both questions about two rates. Not equivalent is not the same as different."""

    method: Literal["block", "pooled"]
    difference: float
    """First minus second, a fraction."""
    se: float
    df: float | Undefined
    """Of Student's t, by Welch and Satterthwaite; undefined when the normal is used."""
    t_low: float
    """Of the test that the difference is above -margin (z when pooled)."""
    t_high: float
    """Of the test that the difference is below margin (z when pooled)."""
    p: float
    """Of equivalence: the larger of the two one-sided p values."""
    equivalent: bool
    """p < alpha, which is: the interval lies inside (-margin, margin)."""
    interval: Interval
    """Of the difference, at level 1 - 2 alpha."""
    p_different: float
    """Of the usual two-sided test that the difference is not zero, with the same se."""
    margin: float
    alpha: float


def equivalence(
    first: Vector, second: Vector, *, margin: float = 0.05, alpha: float = 0.05
) -> Equivalence | Undefined:
    """TOST with Welch's t over block rates: the default, as blocks are the independent units.

    first, second: shape (blocks,), one rate in [0, 1] a block; the two may differ in length.
    margin: a fraction; 0.05 is five points. alpha: of each one-sided test.
    Undefined with fewer than two blocks in an arm, and when no rate varies in either arm.
    Raises SampleRefused for NaN, rates outside [0, 1], and margin or alpha out of range.
    Source: Schuirmann 1987, Welch 1947 (S5).
    """
    arms = _rates(first, what="first"), _rates(second, what="second")
    if min(arm.size for arm in arms) < 2:
        return Undefined("an arm has fewer than two blocks")
    parts = [sample_variance(arm) / arm.size for arm in arms]
    if sum(parts) == 0:
        return Undefined("no rate varies between blocks in either arm")
    bottom = sum(part**2 / (arm.size - 1) for part, arm in zip(parts, arms, strict=True))
    return _two_one_sided(
        method="block",
        difference=mean(arms[0]) - mean(arms[1]),
        se=sqrt(sum(parts)),
        df=sum(parts) ** 2 / bottom,
        margin=margin,
        alpha=alpha,
    )


def equivalence_pooled(
    hits_first: int,
    n_first: int,
    hits_second: int,
    n_second: int,
    *,
    margin: float = 0.05,
    alpha: float = 0.05,
) -> Equivalence | Undefined:
    """TOST with the normal over pooled items; too sure of itself when items share blocks.

    Undefined when an arm has no item, and when both rates are 0 or 1.
    Raises SampleRefused for counts that are negative, not whole or above n. Source: S5, option.
    """
    counts = ((hits_first, n_first), (hits_second, n_second))
    for hits, n in counts:
        if whole(hits, what="hits") > whole(n, what="n"):
            raise SampleRefused(f"{hits} hits among {n} items; hits must be part of them")
    if n_first == 0 or n_second == 0:
        return Undefined("an arm has no item")
    rates = [hits / n for hits, n in counts]
    variance = sum(p * (1 - p) / n for p, (_, n) in zip(rates, counts, strict=True))
    if variance == 0:
        return Undefined("both rates are 0 or 1, so neither arm varies")
    return _two_one_sided(
        method="pooled",
        difference=rates[0] - rates[1],
        se=sqrt(variance),
        df=None,
        margin=margin,
        alpha=alpha,
    )


def _rates(values: Vector, *, what: str) -> FloatArray:
    rates = finite_vector(values, what=f"{what} arm")
    if ((rates < 0) | (rates > 1)).any():
        raise SampleRefused(f"{what} arm: rates are fractions from 0 to 1, not percentages")
    return rates


def _two_one_sided(
    *,
    method: Literal["block", "pooled"],
    difference: float,
    se: float,
    df: float | None,
    margin: float,
    alpha: float,
) -> Equivalence:
    from scipy.stats import norm, t

    check_open_fraction(margin, what="margin")
    check_open_fraction(alpha, what="alpha", below=0.5)
    null = norm() if df is None else t(df)
    t_low, t_high = (difference + margin) / se, (difference - margin) / se
    p = max(float(null.sf(t_low)), float(null.cdf(t_high)))
    half = float(null.isf(alpha)) * se
    return Equivalence(
        method=method,
        difference=difference,
        se=se,
        df=Undefined("the normal distribution has none") if df is None else df,
        t_low=t_low,
        t_high=t_high,
        p=p,
        equivalent=p < alpha,
        interval=Interval(difference - half, difference + half, 1 - 2 * alpha),
        p_different=min(1.0, 2 * float(null.sf(abs(difference) / se))),
        margin=margin,
        alpha=alpha,
    )
