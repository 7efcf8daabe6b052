"""Scenarios against each other within a debater, and debaters against each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import msgspec

from eristic.protocols.logicom.metrics.arms import Arm, Cell, claim_sums, shared_cells
from eristic.protocols.logicom.metrics.context import CONTRASTS, Context
from eristic.protocols.logicom.metrics.majorities import Majorities, compare_majorities
from eristic.protocols.reports import Measure, Row, Section
from eristic.protocols.reports.estimates import contrasted, counted
from eristic.stats import DIFFERENCE, MEAN_RATE, Undefined, cohens_h, holm

__all__ = ["model_comparisons", "scenario_comparisons"]


class _Compared(msgspec.Struct, frozen=True, kw_only=True):
    keys: dict[str, str]
    difference: Measure
    size: float | Undefined
    label: str
    tested: Majorities


def scenario_comparisons(context: Context) -> Section:
    """Fallacious against no and logical helper, logical against none; Holm over all of them."""
    compared = [
        _compare(context, first, second, {"debater": model, "contrast": f"{one} - {other}"})
        for model in context.models
        for one, other in CONTRASTS
        for first in (context.arm(model, one),)
        for second in (context.arm(model, other),)
        if first is not None and second is not None
    ]
    family = f"{len(compared)} contrasts of scenarios, all debaters"
    adjusted = holm([x.tested.p for x in compared], family=family).adjusted if compared else ()
    rows = [_row(x, p) for x, p in zip(compared, adjusted, strict=True)]
    return Section(
        id="C1",
        title="scenarios compared",
        about="difference of success (M1) on debates with an outcome in both arms; h: Cohen's "
        "effect size; p: exact McNemar test on each claim's majority over repetitions",
        rows=tuple(rows),
        notes=(f"Holm's adjustment over the family: {family}", "n counts claims in repetitions"),
    )


def model_comparisons(context: Context) -> Section:
    """Every two debaters in every scenario."""
    rows = [
        _model_row(_compare(context, first, second, keys))
        for one, other in combinations(context.models, 2)
        for condition in dict.fromkeys(arm.condition for arm in context.arms)
        for first in (context.arm(one, condition),)
        for second in (context.arm(other, condition),)
        for keys in ({"debaters": f"{one} - {other}", "scenario": condition},)
        if first is not None and second is not None
    ]
    return Section(
        id="C2",
        title="debaters compared",
        about="difference of success on the same claims and repetitions, and Cohen's h",
        rows=tuple(rows),
        notes=() if rows else ("one debater only: nothing to compare",),
    )


def _compare(context: Context, first: Arm, second: Arm, keys: dict[str, str]) -> _Compared:
    cells, tally = shared_cells(first, second)
    here, there = _sums(first, first, cells), _sums(second, first, cells)
    difference = contrasted(
        "logicom.success_rate.difference",
        keys,
        here,
        there,
        MEAN_RATE,
        DIFFERENCE,
        context.settings,
        tally=tally,
    )
    size: float | Undefined = Undefined("no debate with an outcome in both arms")
    label = ""
    if cells:
        found = cohens_h(_mean(here), _mean(there))
        size, label = found.h, f"{found.label}, {found.direction}"
    tested = compare_majorities(first, second)
    return _Compared(keys=keys, difference=difference, size=size, label=label, tested=tested)


def _sums(arm: Arm, named: Arm, cells: Sequence[Cell]) -> list[tuple[str, tuple[int, ...]]]:
    outcomes, repetitions = arm.outcomes(), sorted({number for _, number in cells})
    return claim_sums({cell: outcomes[cell] for cell in cells}, named.pairs(), repetitions)


def _mean(rows: Sequence[tuple[str, tuple[int, ...]]]) -> float:
    """Mean over repetitions of each one's rate; every repetition has an item."""
    columns = zip(*(sums for _, sums in rows), strict=True)
    totals: list[int] = [sum(column) for column in columns]
    rates = [hits / items for hits, items in zip(totals[0::2], totals[1::2], strict=True)]
    mean: float = sum(rates) / len(rates)
    return min(1.0, mean)


def _row(compared: _Compared, adjusted: float | Undefined) -> Row:
    return Row(
        keys=compared.keys,
        main=compared.difference,
        beside={**dict(_beside(compared)), "p Holm": _p("p_holm", compared, adjusted)},
    )


def _model_row(compared: _Compared) -> Row:
    return Row(keys=compared.keys, main=compared.difference, beside={"h": _h(compared)})


def _beside(compared: _Compared) -> Iterator[tuple[str, Measure]]:
    tested, keys = compared.tested, compared.keys
    yield "h", _h(compared)
    for name, value in (("b", tested.first_only), ("c", tested.second_only)):
        yield name, counted(f"logicom.mcnemar.{name}", keys, value, "count", tally=tested.tally)
    yield "p", _p("p", compared, tested.p)


def _h(compared: _Compared) -> Measure:
    keys, size = compared.keys, compared.size
    return counted("logicom.success_rate.h", keys, size, "number", note=compared.label)


def _p(name: str, compared: _Compared, value: float | Undefined) -> Measure:
    keys, tally = compared.keys, compared.tested.tally
    return counted(f"logicom.mcnemar.{name}", keys, value, "p", tally=tally)
