"""Measures as several sections make them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from eristic.protocols.reports import Context, Measure, Published
from eristic.protocols.reports.estimates import Sums, counted, estimated
from eristic.protocols.scr.metrics.cells import BLOCKS
from eristic.stats import (
    AC1,
    JACCARD,
    KAPPA,
    RATE,
    RAW_AGREEMENT,
    Interval,
    Metric,
    Tally,
    Undefined,
    wilson,
)

__all__ = ["AGREEMENTS", "Hits", "Pairs", "agreement", "mean_of", "share", "wilson_ends"]

Hits = Sequence[tuple[str, bool]]
"""Items of a denominator: block, and whether the item is in the numerator."""
Pairs = Sequence[tuple[str, bool, bool]]
"""Items that two raters gave a value: block, yes of the first, yes of the second."""

AGREEMENTS: Mapping[str, Metric] = {
    "raw": RAW_AGREEMENT,
    "kappa": KAPPA,
    "AC1": AC1,
    "Jaccard": JACCARD,
}


def share(
    context: Context,
    metric: str,
    keys: Mapping[str, str],
    hits: Hits,
    tally: Tally,
    *,
    empty: str,
    published: Iterable[Published] = (),
) -> Measure:
    """A rate with its block-bootstrap interval (S3)."""
    items: Sums = [(block, (float(hit), 1.0)) for block, hit in hits]
    return estimated(
        metric,
        dict(keys),
        items,
        RATE,
        context.settings,
        tally=tally,
        empty=empty,
        published=published,
        blocks=BLOCKS,
    )


def mean_of(
    context: Context,
    metric: str,
    keys: Mapping[str, str],
    numbers: Sequence[tuple[str, float]],
    tally: Tally,
    *,
    unit: str,
    empty: str,
    published: Iterable[Published] = (),
) -> Measure:
    """A mean over items with its block-bootstrap interval. numbers: block and number of each."""
    return estimated(
        metric,
        dict(keys),
        [(block, (number, 1.0)) for block, number in numbers],
        RATE,
        context.settings,
        tally=tally,
        unit=unit,
        empty=empty,
        published=published,
        blocks=BLOCKS,
    )


def wilson_ends(
    context: Context, metric: str, keys: Mapping[str, str], hits: Hits, tally: Tally
) -> dict[str, Measure]:
    """The interval of S1, end by end: right when no two items share a block."""
    found = wilson(sum(hit for _, hit in hits), len(hits), level=context.settings.level)
    blocks = len({block for block, _ in hits})
    note = f"{len(hits)} items in {blocks} {BLOCKS}: too narrow" if blocks < len(hits) else ""
    ends: dict[str, float | Undefined] = {"S1 low": _none, "S1 high": _none}
    if isinstance(found, Interval):
        ends = {"S1 low": found.low, "S1 high": found.high}
    return {
        name: replace(
            counted(
                f"{metric}.wilson", {**keys, "end": name}, end, "fraction", tally=tally, note=note
            ),
            rule="Wilson (S1)",
        )
        for name, end in ends.items()
    }


def agreement(
    context: Context,
    metric: str,
    keys: Mapping[str, str],
    pairs: Pairs,
    tally: Tally,
    names: Sequence[str],
) -> tuple[Measure, dict[str, Measure]]:
    """How far two raters agree: the first of these names as the main measure, and the others."""
    items: Sums = [
        (block, tuple(float(cell) for cell in _cells(first, second)))
        for block, first, second in pairs
    ]
    made = {
        name: estimated(
            f"{metric}.{name.lower()}",
            dict(keys),
            items,
            AGREEMENTS[name],
            context.settings,
            tally=tally,
            unit="fraction" if name in ("raw", "Jaccard") else "number",
            empty=_NO_PAIR,
            blocks=BLOCKS,
        )
        for name in names
    }
    return made.pop(names[0]), made


_NO_PAIR = "no item with a value of both"
_none = Undefined("no item in the denominator")


def _cells(first: bool, second: bool) -> tuple[bool, bool, bool, bool]:
    return first and second, first and not second, second and not first, not (first or second)
