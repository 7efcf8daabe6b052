"""Two arms over the same questions: the difference, its size, and an exact test."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from eristic.protocols.lofa.metrics.studies import BLOCKS, Keys, Says
from eristic.protocols.lofa.metrics.tries import Try
from eristic.protocols.reports import Context, Measure, Row, Sums, contrasted, counted
from eristic.stats import (
    DIFFERENCE,
    RATE,
    McNemar,
    Tally,
    Undefined,
    block_majorities,
    cohens_h,
    holm,
    mcnemar,
    pair_blocks,
)

__all__ = ["Arm", "Compared", "arm_of", "compare", "compared_rows"]

Arm = Mapping[Hashable, tuple[str, float]]
"""What tries are paired by -> block, and 1 or 0; tries that count in no rate are not in it."""

_NOTHING: Final = "no question counts in both"


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """One comparison of a family."""

    keys: Keys
    difference: Measure
    size: float | Undefined
    label: str
    test: McNemar | Undefined
    tally: Tally
    """Of questions."""
    is_whole: bool = False
    """Over all members of the family, so no member of it."""


def arm_of(tries: Sequence[Try], says: Says, key: Sequence[str]) -> Arm:
    """key: attributes that tries are paired by."""
    return {
        tuple(getattr(one, name) for name in key): (one.block, found)
        for one in tries
        if not one.cause
        for found in (says(one),)
        if isinstance(found, int | float)
    }


def compare(
    context: Context, metric: str, keys: Keys, first: Arm, second: Arm, *, is_whole: bool = False
) -> Compared:
    """First minus second over what counts in both; S3, S4, and S7 on each question's majority."""
    shared = sorted(first.keys() & second.keys(), key=repr)
    here, there = (_sums([arm[cell] for cell in shared]) for arm in (first, second))
    difference = contrasted(
        f"{metric}.difference",
        keys,
        here,
        there,
        RATE,
        DIFFERENCE,
        context.settings,
        tally=_paired(first, second, len(shared)),
        empty=_NOTHING,
        blocks=BLOCKS,
    )
    size: float | Undefined = Undefined(_NOTHING)
    label = ""
    if shared:
        found = cohens_h(_rate(here), _rate(there))
        size, label = found.h, f"{found.label}, {found.direction}"
    test, tally = _tested(here, there)
    return Compared(
        keys=keys,
        difference=difference,
        size=size,
        label=label,
        test=test,
        tally=tally,
        is_whole=is_whole,
    )


def _sums(items: Sequence[tuple[str, float]]) -> Sums:
    return [(block, (hit, 1)) for block, hit in items]


def _rate(items: Sums) -> float:
    return sum(columns[0] for _, columns in items) / len(items)


def _paired(first: Arm, second: Arm, used: int) -> Tally:
    excluded = {
        "does not count in the first arm": len(second) - used,
        "does not count in the second arm": len(first) - used,
    }
    return Tally.of(planned=used + sum(excluded.values()), used=used, excluded=excluded)


def _tested(first: Sums, second: Sums) -> tuple[McNemar | Undefined, Tally]:
    """One pair a question: what most of its tries say, in either arm."""
    arms = [block_majorities([b for b, _ in x], [c[0] > 0 for _, c in x]) for x in (first, second)]
    pairs = pair_blocks(arms[0].values, arms[1].values)
    blocks = {block for block, _ in first}
    tally = Tally.of(
        planned=len(blocks),
        used=pairs.tally.used,
        excluded={"as many held as lost": len(blocks) - pairs.tally.used},
    )
    if not pairs.tally.used:
        return Undefined(_NOTHING if not blocks else "no question with a majority in both"), tally
    return mcnemar(pairs.first_only, pairs.second_only), tally


def compared_rows(
    metric: str, compared: Sequence[Compared], *, family: str, is_minor: bool = False
) -> Iterator[Row]:
    """Rows with Holm's p over the family. is_minor: only those that it leaves below 0.05 are shown.

    Raises SampleRefused for a family without a name.
    """
    tests = [x.test for x in compared if not x.is_whole]
    values = [x if isinstance(x, Undefined) else x.p for x in tests]
    adjusted = iter(holm(values, family=family).adjusted)
    for one in compared:
        p_holm = Undefined("no member of the family") if one.is_whole else next(adjusted)
        hidden = is_minor and not one.is_whole and (isinstance(p_holm, Undefined) or p_holm >= 0.05)
        yield Row(
            keys=one.keys,
            main=one.difference,
            beside=dict(_beside(metric, one, p_holm)),
            is_minor=hidden,
        )


def _beside(metric: str, one: Compared, p_holm: float | Undefined) -> Iterator[tuple[str, Measure]]:
    keys, test = one.keys, one.test
    yield "h", counted(f"{metric}.h", keys, one.size, "number", note=one.label)
    values: dict[str, float | Undefined]
    if isinstance(test, Undefined):
        values = {"b": test, "c": test, "p": test}
    else:
        values = {"b": test.first_only, "c": test.second_only, "p": test.p}
    for name, value in (values | {"p Holm": p_holm}).items():
        unit = "p" if name.startswith("p") else "count"
        metric_id = f"{metric}.mcnemar.{name.lower().replace(' ', '_')}"
        yield name, counted(metric_id, keys, value, unit, tally=one.tally)
