"""S1: a rate and its Wilson interval, for one item per block."""

from __future__ import annotations

import msgspec

from eristic.stats._numbers import SampleRefused, check_open_fraction, whole
from eristic.stats.outcomes import Interval, Undefined
from eristic.stats.tallies import Tally

__all__ = ["Rate", "measure_rate", "wilson"]


class Rate(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A share of items, a fraction in [0, 1]."""

    value: float | Undefined
    interval: Interval | Undefined
    """Wilson; too narrow when several items share a block (use `bootstrap` then)."""
    hits: int
    """Size of the numerator set (count)."""
    tally: Tally
    """The denominator set, and what was left out of it."""


def measure_rate(hits: int, tally: Tally, *, level: float = 0.95) -> Rate:
    """hits of tally.used items, with a Wilson interval. Undefined when no item is used.

    Raises SampleRefused when hits is negative or more than tally.used. Source: S1.
    """
    interval = wilson(hits, tally.used, level=level)
    value = interval if isinstance(interval, Undefined) else hits / tally.used
    return Rate(value=value, interval=interval, hits=hits, tally=tally)


def wilson(hits: int, n: int, *, level: float = 0.95) -> Interval | Undefined:
    """Wilson's score interval of hits / n, without continuity correction.

    Use only when items are independent: one a block. Undefined for n = 0.
    Raises SampleRefused when hits is negative or more than n.
    Source: Wilson 1927 (S1), as in scipy.
    """
    from scipy.stats import binomtest

    hits, n = whole(hits, what="hits"), whole(n, what="n")
    check_open_fraction(level, what="level")
    if hits > n:
        raise SampleRefused(f"{hits} hits among {n} items; the numerator must be part of them")
    if n == 0:
        return Undefined("no item in the denominator")
    found = binomtest(hits, n).proportion_ci(confidence_level=level, method="wilson")
    return Interval(float(found.low), float(found.high), level)
