"""M9: the same respondent on the same questions in two languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Final

import msgspec

from eristic.protocols.mirror.metrics.cells import Cell, Scope, Table, table_of, values_of
from eristic.protocols.mirror.metrics.debates import cell_shifts
from eristic.protocols.mirror.metrics.fairness import differences
from eristic.protocols.mirror.metrics.measuring import BLOCKS, sign_test
from eristic.protocols.mirror.metrics.shifts import AGGREGATIONS
from eristic.protocols.mirror.metrics.topics import before_of, is_raw, leaning
from eristic.protocols.mirror.metrics.values import Values
from eristic.protocols.mirror.names import BASELINE, DEBATE_KINDS
from eristic.protocols.reports import Context, Row, Section
from eristic.protocols.reports.estimates import Sums, contrasted
from eristic.stats import DIFFERENCE, RATE, Metric, Tally

__all__ = ["language_contrast"]


class _Compared(msgspec.Struct, frozen=True, kw_only=True):
    """One number a question, to be compared between languages."""

    label: str
    first: Sequence[Values]
    second: Sequence[Values]
    of_question: Callable[[Values], float | None]
    metric: Metric = RATE


def language_contrast(context: Context) -> Section | None:
    """M9. None when every respondent spoke one language only."""
    table = context.once(table_of)
    rows = tuple(
        row
        for first, second in combinations(table.cells, 2)
        if first.respondent == second.respondent
        for scope in table.scopes
        for row in _rows(context, first, second, scope, table)
    )
    if not rows:
        return None
    return Section(
        id="M9",
        title="language contrast",
        about="the first language minus the second, over questions with an answer in both, paired "
        f"by question; leaning as in M4, shift as in M3 ({context.choices['shift']})",
        rows=rows,
        notes=(
            "before: baseline asks; before (pre): first answers of debates, where one of the "
            "languages has no baseline asks, or before = pre is chosen",
            "leaning: score times polarity; agreement: the score itself, of misinformation and "
            "nonsense",
            "p: Wilcoxon signed rank on the questions; n counts questions",
        ),
    )


def _rows(context: Context, first: Cell, second: Cell, scope: Scope, table: Table) -> Iterator[Row]:
    for compared in _compared(context, first, second, scope):
        row = _row(context, first, second, scope, compared)
        if row.main is not None and row.main.tally is not None and row.main.tally.planned:
            yield row


def _compared(context: Context, first: Cell, second: Cell, scope: Scope) -> Iterator[_Compared]:
    is_baseline = all(before_of(context, cell)[1] for cell in (first, second))
    for raw, name in ((False, "leaning"), (True, "agreement")):
        for when in ("before", *DEBATE_KINDS):
            if when != "before" and not _both(first, second, when):
                continue
            yield _Compared(
                label=f"{name} {_BEFORE[is_baseline] if when == 'before' else f'after {when}'}",
                first=_scores(first, scope, when, is_baseline=is_baseline, raw=raw),
                second=_scores(second, scope, when, is_baseline=is_baseline, raw=raw),
                of_question=_raw if raw else _progressive,
            )
    chosen = AGGREGATIONS[context.choices["shift"]]
    for kind in (x for x in DEBATE_KINDS if _both(first, second, x)):
        yield _Compared(
            label=f"shift {kind}",
            first=cell_shifts(first, scope, kind),
            second=cell_shifts(second, scope, kind),
            of_question=chosen.of_question,
            metric=chosen.metric,
        )


_BEFORE: Final = {True: "before", False: "before (pre)"}


def _both(first: Cell, second: Cell, kind: str) -> bool:
    return bool(first.kind(kind) and second.kind(kind))


def _raw(one: Values) -> float | None:
    return leaning(one, raw=True)


def _progressive(one: Values) -> float | None:
    return leaning(one, raw=False)


def _scores(
    cell: Cell, scope: Scope, when: str, *, is_baseline: bool, raw: bool
) -> tuple[Values, ...]:
    """is_baseline: answers before are those of baseline asks, of both languages; otherwise first
    answers of debates, of both."""
    if when != "before":
        found = values_of(cell.kind(when, scope), lambda one: one.counted_after)
    elif is_baseline:
        found = values_of(cell.kind(BASELINE, scope), lambda one: one.counted_score)
    else:
        debates = [one for kind in DEBATE_KINDS for one in cell.kind(kind, scope)]
        found = values_of(debates, lambda one: one.counted_before)
    return tuple(one for one in found if is_raw(one.question) == raw)


def _row(context: Context, first: Cell, second: Cell, scope: Scope, compared: _Compared) -> Row:
    keys = {
        "respondent": first.respondent,
        "languages": f"{first.language} - {second.language}",
        "what": compared.label,
        "questions": scope.label,
    }
    arms = [_sums(x, compared.of_question) for x in (compared.first, compared.second)]
    shared = sorted(arms[0].keys() & arms[1].keys())
    known = len(arms[0].keys() | arms[1].keys())
    metric = f"mirror.language_contrast.{compared.label.replace(' ', '_')}"
    main = contrasted(
        metric,
        keys,
        _items(arms[0], shared),
        _items(arms[1], shared),
        compared.metric,
        DIFFERENCE,
        context.settings,
        tally=Tally.of(
            planned=known,
            used=len(shared),
            excluded={"no answer in one of the languages": known - len(shared)},
        ),
        unit="score",
        empty="no question with an answer in both languages",
        blocks=BLOCKS,
    )
    tested = differences(compared.first, compared.second, compared.of_question)
    beside = {"p": sign_test(f"{metric}.p", keys, tested)}
    return Row(keys=keys, main=main, beside=beside, is_minor=scope.kind == "topic")


def _sums(
    values: Sequence[Values], of_question: Callable[[Values], float | None]
) -> dict[str, tuple[str, float]]:
    """Question -> its block and number."""
    found = ((one.question, of_question(one)) for one in values)
    return {asked.id: (asked.unit, number) for asked, number in found if number is not None}


def _items(arm: dict[str, tuple[str, float]], shared: Sequence[str]) -> Sums:
    return [(unit, (number, 1.0)) for unit, number in (arm[x] for x in shared)]
