"""S6: whether rows and columns of a table of counts go together."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import msgspec
import numpy as np

from eristic.stats._numbers import IntArray, count_table
from eristic.stats.outcomes import Undefined

__all__ = ["ChiSquare", "chi_square"]

_FEW = 5
"""An expected count below this makes the chi-square distribution a poor guide."""


class ChiSquare(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Pearson's chi-square of a table. Treats items as independent: show an S3 interval beside."""

    statistic: float
    df: int
    p: float
    cramers_v: float
    """Strength in [0, 1]."""
    n: int
    dropped_rows: tuple[int, ...]
    """Rows (from 0) that were all zero and left out."""
    dropped_columns: tuple[int, ...]
    few_expected: int
    """Cells with an expected count below 5; warn when not 0."""


def chi_square(table: Sequence[Sequence[int]] | IntArray) -> ChiSquare | Undefined:
    """Pearson's statistic without continuity correction, and Cramer's V.

    table: rows x columns of counts. Rows and columns that are all zero are dropped and named.
    Undefined when fewer than two rows or two columns hold a count.
    Raises SampleRefused for ragged rows and counts that are negative or not whole.
    Source: Pearson 1900, Cramer 1946 (S6), as in scipy.
    """
    from scipy.stats import chi2_contingency

    counts = count_table(table, what="table")
    rows, columns = counts.any(axis=1), counts.any(axis=0)
    kept = counts[np.ix_(rows, columns)]
    if kept.shape[0] < 2 or kept.shape[1] < 2:
        return Undefined("fewer than two rows or two columns hold a count")
    found = chi2_contingency(kept, correction=False)
    n = int(kept.sum())
    statistic = float(found.statistic)
    return ChiSquare(
        statistic=statistic,
        df=int(found.dof),
        p=float(found.pvalue),
        cramers_v=sqrt(statistic / (n * (min(kept.shape) - 1))),
        n=n,
        dropped_rows=tuple(np.flatnonzero(~rows).tolist()),
        dropped_columns=tuple(np.flatnonzero(~columns).tolist()),
        few_expected=int((found.expected_freq < _FEW).sum()),
    )
