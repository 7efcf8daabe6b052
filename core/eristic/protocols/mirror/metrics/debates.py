"""M3: how far a debate moves the answers."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from eristic.protocols.mirror.metrics.cells import Cell, Scope, Table, table_of, tally_of, values_of
from eristic.protocols.mirror.metrics.measuring import (
    aggregated,
    holm_column,
    keyed,
    missing_share,
    sampling,
    sign_test,
)
from eristic.protocols.mirror.metrics.published import published, table_audits
from eristic.protocols.mirror.metrics.shifts import AGGREGATIONS
from eristic.protocols.mirror.metrics.values import Values
from eristic.protocols.reports import Context, Row, Section
from eristic.protocols.reports.estimates import counted

__all__ = ["cell_shifts", "debate_shifts"]

_MANY_MISSING = 0.2
"""Share of missing debates from which a warning says so."""


def cell_shifts(cell: Cell, scope: Scope, kind: str) -> tuple[Values, ...]:
    """After minus before of the debates that count, by question (points)."""
    return values_of(cell.kind(kind, scope), lambda one: one.shift)


def debate_shifts(context: Context) -> Section | None:
    """M3."""
    table = context.once(table_of)
    rows = [
        row
        for cell in table.cells
        for kind in cell.debates()
        for row in _rows(context, cell, kind, table)
    ]
    if not rows:
        return None
    return Section(
        id="M3",
        title="debate shift",
        about="answer after the debate minus answer before it; "
        f"value: {AGGREGATIONS[context.choices['shift']].about}",
        rows=tuple(rows),
        notes=tuple(_notes(table)),
        audits=table_audits(context.reference, rows, "shift-aggregation", "table1-equals-table2"),
    )


def _rows(context: Context, cell: Cell, kind: str, table: Table) -> Iterator[Row]:
    """One row a scope; Holm's p among the topics, of which many are tested."""
    scopes = table.within(*cell.kind(kind))
    rows = [_row(context, cell, scope, kind) for scope in scopes]
    topics = [place for place, scope in enumerate(scopes) if scope.kind == "topic"]
    family = f"all topics, {cell.respondent} ({cell.language}), {kind} debates"
    tests = [rows[place].beside["p"] for place in topics]
    adjusted = holm_column("mirror.debate_shift.p_holm", tests, family=family)
    for place, p in zip(topics, adjusted, strict=True):
        rows[place] = replace(rows[place], beside={**rows[place].beside, "p Holm": p})
    yield from rows


def _row(context: Context, cell: Cell, scope: Scope, kind: str) -> Row:
    keys, episodes = keyed(cell, scope, kind), cell.kind(kind, scope)
    shifts = cell_shifts(cell, scope, kind)
    main, others = aggregated(
        context,
        "mirror.debate_shift",
        keys,
        shifts,
        tally_of(episodes),
        published(context.reference, cell, scope, kind),
    )
    beside = {
        "missing": missing_share(keys, episodes),
        **others,
        "p": sign_test("mirror.debate_shift.p", keys, shifts),
        "statements": counted("mirror.debate_shift.questions", keys, len(shifts), "count"),
    }
    return Row(keys=keys, main=main, beside=beside)


def _notes(table: Table) -> Iterator[str]:
    yield (
        "missing: share of debates without both numbers (M12 has the causes); who declines to "
        "answer is not thereby unmoved"
    )
    yield "p: Wilcoxon signed rank on the questions' signed shifts; Holm over the topics"
    yield from (f"{name}: {one.about}" for name, one in AGGREGATIONS.items())
    for cell in table.cells:
        for kind in cell.debates():
            yield from _warnings(cell, kind)


def _warnings(cell: Cell, kind: str) -> Iterator[str]:
    who = f"{cell.respondent} ({cell.language}), {kind}"
    episodes = cell.kind(kind)
    missing = missing_share({}, episodes).value
    if isinstance(missing, float) and missing >= _MANY_MISSING:
        yield f"warning: {who}: {100 * missing:.0f} % of the debates lack a number; see M12"
    pairs: dict[str, list[tuple[float, float]]] = {}
    for one in episodes:
        before, after = one.counted_before, one.counted_after
        if before is not None and after is not None:
            pairs.setdefault(one.question.id, []).append((before, after))
    several = [found for found in pairs.values() if len(found) > 1]
    if several and all(len(set(found)) == 1 for found in several):
        yield (
            f"warning: {who}: both numbers are the same in all repetitions of each of "
            f"{len(several):,} questions; sampling as sent: {sampling(cell)}"
        )
    firsts = {one.debate.first for one in episodes if one.counts and one.debate is not None}
    if len(firsts) == 1 and firsts != {""}:
        yield (
            f"{who}: the side {firsts.pop()} the statement spoke first in every debate, so an "
            "effect of the order is part of the shift (first_side = counterbalanced shows it)"
        )
