"""S2: how far judges agree, and how much of it chance would give."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

import msgspec
import numpy as np

from eristic.stats._numbers import IntArray, SampleRefused, count_table, mean
from eristic.stats.outcomes import Undefined
from eristic.stats.tallies import Tally

__all__ = [
    "Agreement",
    "PanelAgreement",
    "Ratings",
    "count_ratings",
    "cross_ratings",
    "judge_agreement",
    "panel_agreement",
]

C = TypeVar("C", bool, str, int)


class Agreement(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Two judges over the same items."""

    raw: float | Undefined
    """Share of items with the same value."""
    disagreement: float | Undefined
    kappa: float | Undefined
    """Cohen's; undefined when both judges are constant and equal."""
    ac1: float | Undefined
    """Gwet's; steady where one category is rare and kappa is not."""
    tally: Tally
    """Items with a valid value from both judges."""


class PanelAgreement(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Two or more judges, not necessarily the same number on every item."""

    raw: float | Undefined
    """Mean over items of the share of pairs of judges that agree."""
    fleiss_kappa: float | Undefined
    """Undefined when all ratings are of one category."""
    ac1: float | Undefined
    shares: tuple[float, ...]
    """Mean share of each category over items used; empty when no item is used."""
    tally: Tally
    """Items with two ratings or more."""


class Ratings(msgspec.Struct, Generic[C], frozen=True, gc=False, kw_only=True):
    """Judges' values as counts, ready for `judge_agreement` or `panel_agreement`."""

    categories: tuple[C, ...]
    counts: tuple[tuple[int, ...], ...]
    excluded: dict[str, int]
    """Cause -> items left out of the counts."""


def judge_agreement(
    table: Sequence[Sequence[int]] | IntArray, *, excluded: Mapping[str, int] | None = None
) -> Agreement:
    """Agreement of two judges.

    table: categories x categories of counts, rows the first judge, columns the second, with every
    category of the rubric, used or not: its number enters AC1. Yes/no is [[a, b], [c, d]].
    excluded: cause -> items without a valid value from both judges.
    Undefined for an empty table. Raises SampleRefused for a table that is not square or has fewer
    than two categories, and for counts that are negative or not whole.
    Source: Cohen 1960, Gwet 2008 (S2).
    """
    counts = count_table(table, what="agreement table")
    if counts.size and (counts.shape[0] != counts.shape[1] or counts.shape[0] < 2):
        raise SampleRefused(
            f"agreement table: expected the same two or more categories in rows and columns, "
            f"got shape {counts.shape}"
        )
    n, left_out = int(counts.sum()), dict(excluded or {})
    tally = Tally.of(planned=n + sum(left_out.values()), used=n, excluded=left_out)
    if n == 0:
        none = Undefined("no item with a valid value from both judges")
        return Agreement(raw=none, disagreement=none, kappa=none, ac1=none, tally=tally)
    same = int(np.trace(counts))
    first, second = counts.sum(axis=1).tolist(), counts.sum(axis=0).tolist()
    chance = sum(x * y for x, y in zip(first, second, strict=True))
    shares = [(x + y) / (2 * n) for x, y in zip(first, second, strict=True)]
    return Agreement(
        raw=same / n,
        disagreement=(n - same) / n,
        # Whole numbers of any size: whether chance agreement is 1 is decided exactly.
        kappa=(n * same - chance) / (n * n - chance)
        if chance < n * n
        else Undefined("both judges gave one and the same category to all items"),
        ac1=_ac1(same / n, shares),
        tally=tally,
    )


def panel_agreement(
    counts: Sequence[Sequence[int]] | IntArray, *, excluded: Mapping[str, int] | None = None
) -> PanelAgreement:
    """Agreement of two or more judges.

    counts: items x categories, how many judges put the item there; every category of the rubric.
    Items with fewer than two ratings are excluded and counted. excluded: cause -> items that are
    not even in counts. Undefined when no item is left.
    Raises SampleRefused for fewer than two categories, ragged rows, and counts that are negative
    or not whole. Source: Fleiss 1971, Gwet 2008 (S2).
    """
    given = count_table(counts, what="panel counts")
    if given.size and given.shape[1] < 2:
        raise SampleRefused("panel counts: give every category of the rubric a column, used or not")
    used = given[given.sum(axis=1) >= 2] if given.size else given
    left_out = {**(excluded or {}), "fewer than two ratings": len(given) - len(used)}
    planned = len(used) + sum(left_out.values())
    tally = Tally.of(planned=planned, used=len(used), excluded=left_out)
    if not len(used):
        none = Undefined("no item with two ratings or more")
        return PanelAgreement(raw=none, fleiss_kappa=none, ac1=none, shares=(), tally=tally)
    raters = used.sum(axis=1)
    raw = mean((used * (used - 1)).sum(axis=1) / (raters * (raters - 1)))
    shares = [mean(column) for column in (used / raters[:, None]).T]
    return PanelAgreement(
        raw=raw,
        fleiss_kappa=_fleiss(raw, shares, one_category=int(used.any(axis=0).sum()) == 1),
        ac1=_ac1(raw, shares),
        shares=tuple(shares),
        tally=tally,
    )


def cross_ratings(
    first: Sequence[C | None], second: Sequence[C | None], *, categories: Sequence[C]
) -> Ratings[C]:
    """Two judges' values, item by item, as a table for `judge_agreement`.

    None: no valid value. categories: all of the rubric, used or not.
    Raises SampleRefused when lengths differ or a value is in no category.
    """
    if len(first) != len(second):
        raise SampleRefused(f"first judge has {len(first)} items, second {len(second)}")
    place = _places(categories)
    counts = [[0] * len(place) for _ in place]
    excluded = {"no value from the first judge": 0, "no value from the second judge": 0}
    excluded["no value from both judges"] = 0
    for x, y in zip(first, second, strict=True):
        if x is not None and y is not None:
            counts[_place(place, x)][_place(place, y)] += 1
        else:
            who = (
                "both judges" if x is y else "the first judge" if x is None else "the second judge"
            )
            excluded[f"no value from {who}"] += 1
    rows = tuple(tuple(row) for row in counts)
    return Ratings(categories=tuple(categories), counts=rows, excluded=excluded)


def count_ratings(items: Sequence[Sequence[C | None]], *, categories: Sequence[C]) -> Ratings[C]:
    """Judges' values of each item, as counts for `panel_agreement`.

    items: one sequence an item; None: that judge gave no valid value.
    Raises SampleRefused when a value is in no category.
    """
    place = _places(categories)
    rows: list[tuple[int, ...]] = []
    for values in items:
        row = [0] * len(place)
        for value in values:
            if value is not None:
                row[_place(place, value)] += 1
        rows.append(tuple(row))
    return Ratings(categories=tuple(categories), counts=tuple(rows), excluded={})


def _ac1(raw: float, shares: Sequence[float]) -> float:
    # At most 1 / number of categories, so AC1 is always defined.
    chance = math.fsum(x * (1 - x) for x in shares) / (len(shares) - 1)
    return (raw - chance) / (1 - chance)


def _fleiss(raw: float, shares: Sequence[float], *, one_category: bool) -> float | Undefined:
    if one_category:
        return Undefined("all ratings are of one category")
    chance = math.fsum(x * x for x in shares)
    return (raw - chance) / (1 - chance)


def _places(categories: Sequence[C]) -> dict[C, int]:
    place = {category: number for number, category in enumerate(categories)}
    if len(place) < 2 or len(place) < len(categories):
        raise SampleRefused(f"give two or more different categories, got {list(categories)}")
    return place


def _place(place: Mapping[C, int], value: C) -> int:
    if value not in place:
        raise SampleRefused(f"{value!r} is none of the categories {list(place)}; use None for it")
    return place[value]
