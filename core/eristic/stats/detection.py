"""Precision, recall and F1 of a detector, from two samples that were drawn apart.

Somebody labels some of the flagged items and some of the others. Each sample stands for its
stratum: its counts are scaled to it before recall is taken, or a rare stratum would weigh as much
as a common one.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Final

import msgspec
import numpy as np

from eristic.stats._numbers import FloatArray, SampleRefused
from eristic.stats.metrics import Metric
from eristic.stats.outcomes import Undefined

__all__ = ["DETECTION_ESTIMATES", "DetectionSample", "detection", "detection_metric"]

_COLUMNS: Final = ("TP", "FP", "FN", "TN")
"""Labels of the flagged stratum, then of the other one."""


class DetectionSample(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Labelled items (counts), and the strata that they were drawn from."""

    flagged: int
    """Items that the detector flags, labelled or not."""
    total: int
    """All items."""
    tp: int = 0
    """Flagged and positive."""
    fp: int = 0
    """Flagged though negative."""
    tn: int = 0
    """Neither."""
    fn: int = 0
    """Positive, but not flagged."""


def detection(name: str, sample: DetectionSample) -> float | Undefined:
    """One of DETECTION_ESTIMATES. Raises SampleRefused when more are labelled than there are."""
    if sample.tp + sample.fp > sample.flagged or (
        sample.tn + sample.fn > sample.total - sample.flagged
    ):
        raise SampleRefused("more labels than items in a stratum; count each one once")
    metric = detection_metric(name, flagged=sample.flagged, total=sample.total)
    sums = np.array([[sample.tp, sample.fp, sample.fn, sample.tn]], dtype=np.float64)
    found = float(metric.compute(sums)[0])
    return Undefined(metric.undefined_when) if np.isnan(found) else found


def detection_metric(name: str, *, flagged: int, total: int) -> Metric:
    """An estimate as a metric of TP, FP, FN and TN, for `bootstrap_strata`.

    flagged, total: sizes of the strata, which are known and not resampled. Source: poststratified
    estimation of a domain total, Cochran 1977, chapter 5A.
    """
    compute, why = _COMPUTED[name]
    others = total - flagged

    def of_sums(sums: FloatArray) -> FloatArray:
        tp, fp, fn, tn = sums.T
        precision = _ratio(tp, tp + fp)
        # An empty stratum adds nothing, whether or not somebody could be asked about it.
        hits = flagged * precision if flagged else np.zeros_like(tp)
        missed = others * _ratio(fn, tn + fn) if others else np.zeros_like(fn)
        return compute(precision, hits, missed)

    return Metric(name, _COLUMNS, of_sums, why)


def _ratio(top: FloatArray, bottom: FloatArray) -> FloatArray:
    out = np.full(top.shape, np.nan)
    np.divide(top, bottom, out=out, where=bottom != 0)
    return out


def _recall(_: FloatArray, hits: FloatArray, missed: FloatArray) -> FloatArray:
    return _ratio(hits, hits + missed)


def _f1(precision: FloatArray, hits: FloatArray, missed: FloatArray) -> FloatArray:
    recall = _recall(precision, hits, missed)
    return _ratio(2 * precision * recall, precision + recall)


_Computed = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
_NO_FLAGGED: Final = "no label of a flagged item"
_NO_STRATUM: Final = "no label in a stratum, or no positive label"
_COMPUTED: Final = MappingProxyType[str, tuple[_Computed, str]](
    {
        "precision": (lambda precision, _hits, _missed: precision, _NO_FLAGGED),
        "est. TP": (lambda _precision, hits, _missed: hits, _NO_FLAGGED),
        "est. FN": (lambda _precision, _hits, missed: missed, "no label of an unflagged item"),
        "recall": (_recall, _NO_STRATUM),
        "F1": (_f1, _NO_STRATUM),
    }
)
DETECTION_ESTIMATES: Final = tuple(_COMPUTED)
