"""M2: how far another wording of the same statement moves the answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from eristic.protocols.mirror.metrics.cells import Cell, Scope, table_of, tally_of, values_of
from eristic.protocols.mirror.metrics.measuring import aggregated, keyed, missing_share, sign_test
from eristic.protocols.mirror.metrics.published import published, table_audits
from eristic.protocols.mirror.metrics.values import Values, mean
from eristic.protocols.mirror.names import BASELINE, PARAPHRASE
from eristic.protocols.reports import Context, Row, Section
from eristic.protocols.reports.estimates import counted

__all__ = ["cell_paraphrase_shifts", "paraphrase_shifts", "paraphrases"]

_NO_BASELINE = "no baseline answer to its question"


def paraphrase_shifts(answers: Sequence[Values], baseline: Sequence[Values]) -> tuple[Values, ...]:
    """Each answer to a paraphrase minus the mean baseline answer, of questions with both."""
    known = {one.question.id: mean(one.numbers) for one in baseline}
    return tuple(
        Values(one.question, tuple(x - known[one.question.id] for x in one.numbers))
        for one in answers
        if one.question.id in known
    )


def cell_paraphrase_shifts(cell: Cell, scope: Scope) -> tuple[Values, ...]:
    """Those of a cell."""
    answers = values_of(cell.kind(PARAPHRASE, scope), lambda one: one.counted_score)
    baseline = values_of(cell.kind(BASELINE, scope), lambda one: one.counted_score)
    return paraphrase_shifts(answers, baseline)


def paraphrases(context: Context) -> Section | None:
    """M2."""
    table = context.once(table_of)
    rows = tuple(
        _row(context, cell, scope)
        for cell in table.cells
        if cell.kind(PARAPHRASE)
        for scope in table.within(*cell.kind(PARAPHRASE))
    )
    if not rows:
        return None
    return Section(
        id="M2",
        title="paraphrase shift",
        about="mean answer to the reworded statement minus mean baseline answer, question by "
        f"question; value: {context.choices['shift']}, as in M3",
        rows=rows,
        notes=(
            "n counts answers to paraphrases; mean_abs_pair: of each answer to a paraphrase, "
            "against the mean baseline answer",
            "p: Wilcoxon signed rank on the questions' signed shifts",
        ),
        audits=table_audits(context.reference, rows, "shift-aggregation", "table1-equals-table2"),
    )


def _row(context: Context, cell: Cell, scope: Scope) -> Row:
    keys, episodes = keyed(cell, scope), cell.kind(PARAPHRASE, scope)
    shifts = cell_paraphrase_shifts(cell, scope)
    used = sum(len(one.numbers) for one in shifts)
    lost = sum(one.counts for one in episodes) - used
    main, others = aggregated(
        context,
        "mirror.paraphrase_shift",
        keys,
        shifts,
        tally_of(episodes, Counter({_NO_BASELINE: lost})),
        published(context.reference, cell, scope, PARAPHRASE),
    )
    questions = counted("mirror.paraphrase_shift.questions", keys, len(shifts), "count")
    beside = {
        **others,
        "p": sign_test("mirror.paraphrase_shift.p", keys, shifts),
        "statements": questions,
        "missing": missing_share(keys, episodes),
    }
    return Row(keys=keys, main=main, beside=beside)
