"""S3 for samples that were drawn stratum by stratum."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eristic.stats._draws import draw_blocks
from eristic.stats._numbers import FloatArray, SampleRefused, check_open_fraction, whole
from eristic.stats.blocks import Blocks
from eristic.stats.bootstrap import Bootstrap
from eristic.stats.metrics import Metric
from eristic.stats.outcomes import Interval, Undefined

__all__ = ["bootstrap_strata"]


def bootstrap_strata(
    strata: Sequence[Blocks],
    metric: Metric,
    *,
    seed: int,
    resamples: int = 1000,
    level: float = 0.95,
) -> Bootstrap:
    """A metric of the column sums of several strata, the blocks of each drawn by themselves.

    strata: at least one, each from `gather`; the metric gets the columns of the first, then of the
    second, ... A stratum without blocks stays at sums of 0. The interval is undefined when a
    stratum has one block only, and as in `bootstrap`. Raises SampleRefused for other columns than
    the metric's, and for seed, resamples or level out of range.
    Source: Efron & Tibshirani 1993, section 8.3 (several samples); S3.
    """
    check_open_fraction(level, what="level")
    if whole(resamples, what="resamples") < 1:
        raise SampleRefused("resamples must be 1 or more")
    given = sum(stratum.sums.shape[1] for stratum in strata)
    if given != len(metric.columns):
        raise SampleRefused(f"{metric.name} needs {len(metric.columns)} columns, got {given}")
    found = float(metric.compute(np.concatenate([_whole(x) for x in strata], axis=1))[0])
    value = Undefined(metric.undefined_when) if np.isnan(found) else found
    drawn = [
        # A stream of its own for each, or strata of one size would be drawn alike.
        _drawn(stratum, resamples=resamples, seed=seed * len(strata) + place)
        for place, stratum in enumerate(strata)
    ]
    values = metric.compute(np.concatenate(drawn, axis=1))
    return Bootstrap(
        metric=metric.name,
        value=value,
        interval=_interval(value, values, [len(x.names) for x in strata], level),
        blocks=sum(len(x.names) for x in strata),
        items=sum(x.items for x in strata),
        seed=seed,
        resamples=resamples,
        undefined=int(np.isnan(values).sum()),
    )


def _whole(stratum: Blocks) -> FloatArray:
    return np.ones((1, len(stratum.names))) @ stratum.sums


def _drawn(stratum: Blocks, *, resamples: int, seed: int) -> FloatArray:
    """Sums of each resample, shape (resamples, columns)."""
    if not stratum.names:
        return np.zeros((resamples, stratum.sums.shape[1]))
    chunks = draw_blocks(len(stratum.names), resamples=resamples, seed=seed)
    return np.concatenate([chunk.astype(np.float64) @ stratum.sums for chunk in chunks])


def _interval(
    value: float | Undefined, values: FloatArray, blocks: Sequence[int], level: float
) -> Interval | Undefined:
    if isinstance(value, Undefined):
        return value
    if 1 in blocks:
        return Undefined("a stratum of one block, which says nothing about how blocks differ")
    defined = values[~np.isnan(values)]
    if defined.size == 0:
        return Undefined("the metric is undefined in every resample")
    tail = (1 - level) / 2
    low, high = np.quantile(defined, (tail, 1 - tail), method="linear")
    return Interval(float(low), float(high), level)
