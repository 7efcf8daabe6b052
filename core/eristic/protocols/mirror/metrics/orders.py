"""M11: whether it matters which side speaks first."""

from __future__ import annotations

from eristic.protocols.mirror.metrics.cells import Cell, Scope, table_of, values_of
from eristic.protocols.mirror.metrics.facts import Episode
from eristic.protocols.mirror.metrics.fairness import difference_measure, differences
from eristic.protocols.mirror.metrics.measuring import keyed, sign_test
from eristic.protocols.mirror.metrics.values import Values
from eristic.protocols.mirror.names import AGAINST, FOR
from eristic.protocols.reports import Context, Row, Section
from eristic.protocols.reports.estimates import counted
from eristic.stats import Tally

__all__ = ["order_differences", "order_effect"]


def order_differences(episodes: tuple[Episode, ...]) -> tuple[Values, ...]:
    """Mean shift with the side for first minus with the side against first, by question."""
    return differences(_led_by(episodes, FOR), _led_by(episodes, AGAINST))


def _led_by(episodes: tuple[Episode, ...], side: str) -> tuple[Values, ...]:
    led = (one for one in episodes if one.debate is not None and one.debate.first == side)
    return values_of(led, lambda one: one.shift)


def order_effect(context: Context) -> Section | None:
    """M11. None when no respondent heard debates in both orders."""
    table = context.once(table_of)
    rows = tuple(
        _row(context, cell, scope, kind)
        for cell in table.cells
        for kind in cell.debates()
        if _has_both(cell.kind(kind))
        for scope in table.within(*cell.kind(kind))
    )
    if not rows:
        return None
    return Section(
        id="M11",
        title="order effect",
        about="mean shift of debates that the side for the statement began minus mean shift of "
        "those that the side against began, question by question",
        rows=rows,
        notes=("p: Wilcoxon signed rank on the questions; n counts questions",),
    )


def _has_both(episodes: tuple[Episode, ...]) -> bool:
    return {FOR, AGAINST} <= {one.debate.first for one in episodes if one.debate is not None}


def _row(context: Context, cell: Cell, scope: Scope, kind: str) -> Row:
    keys, episodes = keyed(cell, scope, kind), cell.kind(kind, scope)
    found = order_differences(episodes)
    known = len({one.question.id for one in episodes})
    excluded = {"no shift in one of the orders": known - len(found)}
    main = difference_measure(
        context,
        "mirror.order_effect",
        keys,
        found,
        Tally.of(planned=known, used=len(found), excluded=excluded),
        "no question with shifts in both orders",
    )
    beside = {"p": sign_test("mirror.order_effect.p", keys, found)}
    for side in (FOR, AGAINST):
        led = sum(len(one.numbers) for one in _led_by(episodes, side))
        beside[f"{side} first"] = counted(
            "mirror.order_effect.debates", {**keys, "first": side}, led, "count"
        )
    return Row(keys=keys, main=main, beside=beside, is_minor=scope.kind == "topic")
