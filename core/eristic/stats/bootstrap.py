"""S3: intervals that know that items of one block are not independent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec
import numpy as np

from eristic.stats._draws import draw_blocks
from eristic.stats._numbers import (
    FloatArray,
    SampleRefused,
    Vector,
    check_open_fraction,
    check_seed,
    finite_vector,
    whole,
)
from eristic.stats.blocks import Blocks, group_by_block
from eristic.stats.metrics import DIFFERENCE, Contrast, Metric
from eristic.stats.outcomes import Interval, Undefined

__all__ = [
    "PERCENTILE_RULE",
    "Bootstrap",
    "BootstrapContrast",
    "bootstrap",
    "bootstrap_contrast",
    "bootstrap_items",
    "resampled_values",
]

PERCENTILE_RULE = "percentile, linear interpolation between order statistics"


class Bootstrap(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A metric with its block-bootstrap interval."""

    metric: str
    value: float | Undefined
    """Of the items as they are, without resampling."""
    interval: Interval | Undefined
    """From the resamples in which the metric is defined."""
    blocks: int
    items: int
    seed: int
    resamples: int
    undefined: int
    """Resamples in which the metric is undefined (count)."""
    rule: str = PERCENTILE_RULE


class BootstrapContrast(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Two arms over the same blocks, contrasted; both arms of a resample use the same blocks."""

    metric: str
    contrast: str
    first: float | Undefined
    second: float | Undefined
    value: float | Undefined
    interval: Interval | Undefined
    blocks: int
    seed: int
    resamples: int
    undefined: int
    rule: str = PERCENTILE_RULE


def bootstrap(
    blocks: Blocks, metric: Metric, *, seed: int, resamples: int = 1000, level: float = 0.95
) -> Bootstrap:
    """A metric of column sums, recomputed on blocks drawn with replacement.

    blocks: from `gather`, with the metric's columns. The interval is undefined with fewer than
    two blocks (one block says nothing about others), and when value or all resamples are.
    Raises SampleRefused for other columns than the metric's, and seed, resamples or level out of
    range. Source: Efron & Tibshirani 1993, chapters 8 and 13 (S3).
    """
    value = _value(blocks, metric)
    values = resampled_values(blocks, metric, seed=seed, resamples=resamples)
    return Bootstrap(
        metric=metric.name,
        value=value,
        interval=_interval(value, values, blocks=len(blocks.names), level=level),
        blocks=len(blocks.names),
        items=blocks.items,
        seed=seed,
        resamples=resamples,
        undefined=int(np.isnan(values).sum()),
    )


def bootstrap_contrast(
    first: Blocks,
    second: Blocks,
    metric: Metric,
    contrast: Contrast = DIFFERENCE,
    *,
    seed: int,
    resamples: int = 1000,
    level: float = 0.95,
) -> BootstrapContrast:
    """Two arms compared; each resample draws blocks once and computes both arms on them.

    first, second: over the same blocks (`align` sees to it). Undefined as in `bootstrap`.
    Raises SampleRefused when the arms have different blocks, and as `bootstrap` does.
    Source: S3, paired.
    """
    if first.names != second.names:
        raise SampleRefused(
            f"the arms have {len(first.names)} and {len(second.names)} blocks that are not the "
            "same; use align(first, second) and report its tally"
        )
    arms = [metric.compute(_whole(arm, metric)) for arm in (first, second)]
    compared = _at(contrast.compute(*arms), contrast.undefined_when)
    value = compared if first.names else Undefined("no item")
    chunks = [
        contrast.compute(metric.compute(drawn @ first.sums), metric.compute(drawn @ second.sums))
        for drawn in _drawn(len(first.names), resamples=resamples, seed=seed)
    ]
    values = _joined(chunks, resamples)
    return BootstrapContrast(
        metric=metric.name,
        contrast=contrast.name,
        first=_value(first, metric),
        second=_value(second, metric),
        value=value,
        interval=_interval(value, values, blocks=len(first.names), level=level),
        blocks=len(first.names),
        seed=seed,
        resamples=resamples,
        undefined=int(np.isnan(values).sum()),
    )


def bootstrap_items(
    labels: Sequence[str],
    columns: Sequence[Vector],
    statistic: Callable[[FloatArray], float | Undefined],
    *,
    name: str,
    seed: int,
    resamples: int = 1000,
    level: float = 0.95,
) -> Bootstrap:
    """As `bootstrap`, for a statistic that sums cannot give, such as a median.

    labels: shape (items,), the block of each item. columns: shape (items,) each.
    statistic: pooled items of shape (n, columns), grouped by block -> a finite number or Undefined.
    It is called once a resample, so it decides the speed. Raises SampleRefused for a statistic
    that gives NaN or an infinity, and as `bootstrap` does.
    """
    checked = [finite_vector(x, what=f"column {place}") for place, x in enumerate(columns)]
    grouped = group_by_block(labels, checked)
    blocks = len(grouped.names)
    value = statistic(grouped.items) if blocks else Undefined("no item")
    _number(value, name)
    block_of = np.repeat(np.arange(blocks), grouped.sizes)
    found = [
        _number(statistic(np.repeat(grouped.items, row[block_of], axis=0)), name)
        for drawn in _drawn(blocks, resamples=resamples, seed=seed)
        for row in drawn.astype(np.int64)
    ]
    values = _joined([np.array(found)] if found else [], resamples)
    return Bootstrap(
        metric=name,
        value=value,
        interval=_interval(value, values, blocks=blocks, level=level),
        blocks=blocks,
        items=len(labels),
        seed=seed,
        resamples=resamples,
        undefined=int(np.isnan(values).sum()),
    )


def resampled_values(
    blocks: Blocks, metric: Metric, *, seed: int, resamples: int = 1000
) -> FloatArray:
    """The metric in each resample, in order of drawing, shape (resamples,).

    For a figure or a test. NaN marks a resample in which it is undefined: the one place where
    this package hands out NaN. Raises SampleRefused as `bootstrap` does.
    """
    _check_columns(blocks, metric)
    chunks = [
        metric.compute(drawn @ blocks.sums)
        for drawn in _drawn(len(blocks.names), resamples=resamples, seed=seed)
    ]
    return _joined(chunks, resamples)


def _drawn(blocks: int, *, resamples: int, seed: int) -> Iterator[FloatArray]:
    """Weights of blocks, chunk by chunk; floats, since only they are multiplied fast."""
    check_seed(seed)
    if whole(resamples, what="resamples") < 1:
        raise SampleRefused("resamples must be 1 or more")
    if blocks:
        for drawn in draw_blocks(blocks, resamples=resamples, seed=seed):
            yield drawn.astype(np.float64)


def _joined(chunks: Sequence[FloatArray], resamples: int) -> FloatArray:
    return np.concatenate(chunks) if chunks else np.full(resamples, np.nan)


def _check_columns(blocks: Blocks, metric: Metric) -> None:
    given, wanted = blocks.sums.shape[1], len(metric.columns)
    fits = given % wanted == 0 and given > 0 if metric.repeats else given == wanted
    if not fits:
        raise SampleRefused(
            f"{metric.name} needs the columns {', '.join(metric.columns)}"
            f"{' of each repetition' if metric.repeats else ''}; gather was given {given}"
        )


def _whole(blocks: Blocks, metric: Metric) -> FloatArray:
    """Sums over all blocks, shape (1, columns), added as in a resample with every block once."""
    _check_columns(blocks, metric)
    return np.ones((1, len(blocks.names))) @ blocks.sums


def _value(blocks: Blocks, metric: Metric) -> float | Undefined:
    if not blocks.names:
        return Undefined("no item")
    return _at(metric.compute(_whole(blocks, metric)), metric.undefined_when)


def _at(values: FloatArray, undefined_when: str) -> float | Undefined:
    return Undefined(undefined_when) if np.isnan(values[0]) else float(values[0])


def _number(value: float | Undefined, name: str) -> float:
    if isinstance(value, Undefined):
        return np.nan
    if not np.isfinite(value):
        raise SampleRefused(f"{name} gave {value}; return Undefined(reason) instead")
    return float(value)


def _interval(
    value: float | Undefined, values: FloatArray, *, blocks: int, level: float
) -> Interval | Undefined:
    check_open_fraction(level, what="level")
    if isinstance(value, Undefined):
        return value
    if blocks == 1:
        return Undefined("one block only, which says nothing about how blocks differ")
    defined = values[~np.isnan(values)]
    if defined.size == 0:
        return Undefined("the metric is undefined in every resample")
    tail = (1 - level) / 2
    low, high = np.quantile(defined, (tail, 1 - tail), method="linear")
    return Interval(float(low), float(high), level)
