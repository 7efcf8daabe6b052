"""M7: shifts in units of the answers' ordinary variation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from eristic.protocols.mirror.metrics.cells import Cell, Scope, table_of, tally_of, values_of
from eristic.protocols.mirror.metrics.debates import cell_shifts
from eristic.protocols.mirror.metrics.deviations import chosen_deviation
from eristic.protocols.mirror.metrics.measuring import BLOCKS, keyed
from eristic.protocols.mirror.metrics.paraphrases import cell_paraphrase_shifts
from eristic.protocols.mirror.metrics.published import published_ratios, table_audits
from eristic.protocols.mirror.metrics.shifts import AGGREGATIONS
from eristic.protocols.mirror.metrics.values import Deviation, Values, deviation
from eristic.protocols.mirror.names import BASELINE, DEBATE_KINDS, PARAPHRASE
from eristic.protocols.reports import Context, Measure, Row, Section
from eristic.protocols.reports.estimates import Sums, counted, estimated
from eristic.stats import RELATIVE_INCREASE, FloatArray, Metric, Undefined

__all__ = ["ratio_sums", "ratios", "shift_to_noise"]

_COLUMNS: Final = ("shift", "questions with a shift", "deviation", "questions with a deviation")
_KINDS: Final = (PARAPHRASE, *DEBATE_KINDS)


def _metric(name: str) -> Metric:
    """The aggregation's mean over the mean deviation."""
    of_shifts = AGGREGATIONS[name].metric

    def compute(sums: FloatArray) -> FloatArray:
        over = of_shifts.compute(sums[:, :2]), of_shifts.compute(sums[:, 2:])
        return RELATIVE_INCREASE.compute(*over) + 1

    return Metric("shift to noise", _COLUMNS, compute, "the deviation is 0 or undefined")


def ratio_sums(
    shifts: Sequence[Values], answers: Sequence[Values], name: str, kind: Deviation
) -> Sums:
    """A shift and a deviation a question, or one of the two where the other is missing."""
    of_question = AGGREGATIONS[name].of_question
    moved = ((one.question.unit, of_question(one)) for one in shifts)
    varied = ((one.question.unit, deviation(one.numbers, kind)) for one in answers)
    return [
        *((unit, (x, 1.0, 0.0, 0.0)) for unit, x in moved if x is not None),
        *((unit, (0.0, 0.0, x, 1.0)) for unit, x in varied if isinstance(x, float)),
    ]


def shift_to_noise(
    shifts: Sequence[Values], answers: Sequence[Values], name: str, kind: Deviation = "population"
) -> Sums | Undefined:
    """Items of the ratio, or why there is none."""
    sums = ratio_sums(shifts, answers, name, kind)
    if not any(columns[1] for _, columns in sums):
        return Undefined("no question with a shift")
    if not any(columns[3] for _, columns in sums):
        return Undefined("no question with two baseline answers")
    if not any(columns[2] for _, columns in sums):
        return Undefined("the deviation M1 is 0: all repetitions gave the same answers")
    return sums


def ratios(context: Context) -> Section | None:
    """M7."""
    table = context.once(table_of)
    rows = tuple(
        _row(context, cell, scope, kind)
        for cell in table.cells
        for kind in _KINDS
        if cell.kind(kind) and cell.kind(BASELINE)
        for scope in table.within(*cell.kind(kind))
    )
    if not rows:
        return None
    return Section(
        id="M7",
        title="shift to noise ratio",
        about=f"shift (M2, M3: {context.choices['shift']}) over response deviation (M1: "
        f"{chosen_deviation(context)}) of the same rows; to be read with M8",
        rows=rows,
        notes=("n counts debates, of paraphrases answers",),
        audits=table_audits(context.reference, rows, "shift-aggregation", "table1-equals-table2"),
    )


def _row(context: Context, cell: Cell, scope: Scope, kind: str) -> Row:
    keys, name = keyed(cell, scope, kind), context.choices["shift"]
    answers = values_of(cell.kind(BASELINE, scope), lambda one: one.counted_score)
    is_reworded = kind == PARAPHRASE
    shifts = cell_paraphrase_shifts(cell, scope) if is_reworded else cell_shifts(cell, scope, kind)
    found = shift_to_noise(shifts, answers, name, chosen_deviation(context))
    main = _measure(context, keys, found, name, cell, scope, kind)
    return Row(keys=keys, main=main, is_minor=scope.kind == "topic")


def _measure(
    context: Context,
    keys: dict[str, str],
    found: Sums | Undefined,
    name: str,
    cell: Cell,
    scope: Scope,
    kind: str,
) -> Measure:
    tally = tally_of(cell.kind(kind, scope))
    numbers = published_ratios(context.reference, cell, scope, kind)
    metric = f"mirror.shift_to_noise.{name}"
    if isinstance(found, Undefined):
        return counted(metric, keys, found, "number", tally=tally, published=numbers)
    return estimated(
        metric,
        keys,
        found,
        _metric(name),
        context.settings,
        tally=tally,
        unit="number",
        published=numbers,
        blocks=BLOCKS,
    )
