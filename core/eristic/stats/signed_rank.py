"""S8: whether paired numbers shift to one side, without trusting their scale."""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np

from eristic.stats._numbers import SampleRefused, Vector, finite_vector
from eristic.stats.outcomes import Undefined

__all__ = ["SignedRank", "signed_rank"]

_EXACT_UP_TO = 25


class SignedRank(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Wilcoxon's signed-rank test, two-sided."""

    w: float
    """The smaller of the two sums of ranks."""
    p: float
    method: Literal["exact", "normal"]
    """Exact up to 25 differences without ties, else the normal approximation."""
    n: int
    """Differences ranked."""
    zeros: int
    """Differences of zero, dropped."""
    positive: int
    """Differences above zero (count); the rest of n are below."""


def signed_rank(differences: Vector, *, grain: float = 1e-9) -> SignedRank | Undefined:
    """Test that differences are symmetric about zero.

    differences: shape (blocks,), one a block, in any unit.
    grain: the unit's resolution; differences are rounded to whole grains before zeros are dropped
    and ties found, since 0.3 - 0.2 and 0.2 - 0.1 are the same shift and not the same float.
    Zeros are dropped and counted; ties share their average rank and are corrected for, without
    continuity correction. Undefined when nothing but zeros is left.
    Raises SampleRefused for NaN, infinities and a grain that is not above 0.
    Source: Wilcoxon 1945 (S8), as in scipy.
    """
    from scipy.stats import wilcoxon

    if not grain > 0:
        raise SampleRefused(f"grain must be above 0, got {grain}")
    grains = np.sort(np.rint(finite_vector(differences, what="differences") / grain))
    shifted = grains[grains != 0]
    if shifted.size == 0:
        return Undefined("no difference" if grains.size == 0 else "all differences are zero")
    tied = np.unique(np.abs(shifted)).size < shifted.size
    exact = shifted.size <= _EXACT_UP_TO and not tied
    found = wilcoxon(shifted, method="exact" if exact else "approx", correction=False)
    return SignedRank(
        w=float(found.statistic),
        p=float(found.pvalue),
        method="exact" if exact else "normal",
        n=shifted.size,
        zeros=grains.size - shifted.size,
        positive=int((shifted > 0).sum()),
    )
