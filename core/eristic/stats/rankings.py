"""How well a score tells two groups apart."""

from __future__ import annotations

import numpy as np

from eristic.stats._numbers import Vector, finite_vector
from eristic.stats.outcomes import Undefined

__all__ = ["auroc"]


def auroc(positives: Vector, negatives: Vector) -> float | Undefined:
    """Share of the pairs of a positive and a negative in which the positive has the higher score.

    positives, negatives: shape (n,) each, scores. Equal scores count one half; 0.5 is no better
    than chance. Undefined when a group is empty. Raises SampleRefused for NaN.
    Source: Mann & Whitney 1947, Hanley & McNeil 1982: the area under the ROC curve.
    """
    high = finite_vector(positives, what="positives")
    low = np.sort(finite_vector(negatives, what="negatives"))
    if not high.size or not low.size:
        return Undefined(f"no {'positive' if not high.size else 'negative'} with a score")
    below = np.searchsorted(low, high, side="left")
    not_above = np.searchsorted(low, high, side="right")
    # Whole numbers until the last step, so that the order of the scores changes no bit.
    return int((below + not_above).sum()) / (2 * high.size * low.size)
