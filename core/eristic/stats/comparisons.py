"""S10: many comparisons of one family, each with the p it deserves."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from eristic.stats._numbers import FloatArray, SampleRefused, check_fraction
from eristic.stats.outcomes import Undefined

__all__ = ["Family", "holm"]


class Family(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Adjusted p values of all comparisons made for one question."""

    name: str
    """What the family is: `all model pairs of the success rate`."""
    adjusted: tuple[float | Undefined, ...]
    """Holm's p values, in the order given; an undefined one stays undefined."""
    tested: int
    """Comparisons with a p value: the m of the adjustment."""


def holm(p_values: Sequence[float | Undefined], *, family: str) -> Family:
    """Holm's step-down adjustment.

    p_values: of every comparison of the family, in [0, 1]; a comparison whose test was undefined
    is no test and does not count in m. Raises SampleRefused for NaN, values outside [0, 1] and a
    family without a name. Source: Holm 1979 (S10).
    """
    if not family:
        raise SampleRefused("name the family: 'all model pairs of the success rate', for example")
    tested = [
        check_fraction(p, what=f"p value {place}")
        for place, p in enumerate(p_values)
        if not isinstance(p, Undefined)
    ]
    found = iter(_step_down(np.array(tested, dtype=np.float64)).tolist())
    adjusted = tuple(p if isinstance(p, Undefined) else float(next(found)) for p in p_values)
    return Family(name=family, adjusted=adjusted, tested=len(tested))


def _step_down(p_values: FloatArray) -> FloatArray:
    # statsmodels has this, but each call of its multipletests runs a full garbage collection:
    # 20 ms in an empty process, and a pause that grows with the log that is in memory.
    order = np.argsort(p_values, kind="stable")
    times = np.arange(p_values.size, 0, -1)
    adjusted = np.empty_like(p_values)
    adjusted[order] = np.minimum(np.maximum.accumulate(p_values[order] * times), 1)
    return adjusted
