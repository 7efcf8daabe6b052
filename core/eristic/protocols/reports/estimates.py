"""The estimators of `eristic.stats`, as measures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from eristic.protocols.reports.measures import Measure, Settings
from eristic.protocols.reports.references import Published
from eristic.stats import (
    Blocks,
    Bootstrap,
    BootstrapContrast,
    Contrast,
    Metric,
    Tally,
    Undefined,
    align,
    bootstrap,
    bootstrap_contrast,
    gather,
)

__all__ = ["Sums", "contrasted", "counted", "estimated", "resampled"]

Sums = Sequence[tuple[str, tuple[float, ...]]]
"""Items: the block of each, and its columns."""


def counted(
    metric: str,
    keys: dict[str, str],
    value: float | Undefined,
    unit: str,
    *,
    tally: Tally | None = None,
    published: Iterable[Published] = (),
    note: str = "",
) -> Measure:
    """A number without an interval."""
    return Measure(
        metric=metric,
        keys=keys,
        value=value,
        unit=unit,
        tally=tally,
        published=tuple(published),
        note=note,
    )


def estimated(
    metric: str,
    keys: dict[str, str],
    items: Sums,
    statistic: Metric,
    settings: Settings,
    *,
    tally: Tally,
    unit: str = "fraction",
    published: Iterable[Published] = (),
    empty: str = "no debate with an outcome",
    blocks: str = "pairs",
) -> Measure:
    """A statistic of column sums with its block-bootstrap interval (S3).

    empty: why it is undefined when there is no item. blocks: what the blocks are called.
    """
    if not items:
        return counted(metric, keys, Undefined(empty), unit, tally=tally, published=published)
    found = bootstrap(
        _gathered(items),
        statistic,
        seed=settings.seed,
        resamples=settings.resamples,
        level=settings.level,
    )
    bare = counted(metric, keys, found.value, unit, tally=tally, published=published)
    return resampled(bare, found, "block bootstrap", blocks)


def contrasted(
    metric: str,
    keys: dict[str, str],
    first: Sums,
    second: Sums,
    statistic: Metric,
    contrast: Contrast,
    settings: Settings,
    *,
    tally: Tally,
    unit: str = "difference",
    published: Iterable[Published] = (),
    empty: str = "no debate with an outcome in both arms",
    blocks: str = "pairs",
) -> Measure:
    """Two arms over the blocks that both have; blocks are drawn once for both (S3, paired)."""
    if not first or not second:
        none = Undefined(empty)
        return counted(metric, keys, none, unit, tally=tally, published=published)
    arms = align(_gathered(first), _gathered(second))
    found = bootstrap_contrast(
        arms.first,
        arms.second,
        statistic,
        contrast,
        seed=settings.seed,
        resamples=settings.resamples,
        level=settings.level,
    )
    note = f"{blocks}: {arms.tally}" if arms.tally.excluded else ""
    bare = counted(metric, keys, found.value, unit, tally=tally, published=published, note=note)
    return resampled(bare, found, "paired block bootstrap", blocks)


def resampled(
    bare: Measure, found: Bootstrap | BootstrapContrast, how: str, blocks: str
) -> Measure:
    """The measure with the interval and how it was drawn. how: of the draw; blocks: their name."""
    return replace(
        bare,
        interval=found.interval,
        seed=found.seed,
        resamples=found.resamples,
        resamples_undefined=found.undefined,
        rule=f"{how} over {found.blocks} {blocks}, {found.rule}",
    )


def _gathered(items: Sums) -> Blocks:
    labels = [block for block, _ in items]
    return gather(labels, *zip(*(columns for _, columns in items), strict=True))
