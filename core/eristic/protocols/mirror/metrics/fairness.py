"""M8: whether a debate moves more when the side of the respondent's own opinion argues badly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from eristic.protocols.mirror.metrics.cells import Cell, Scope, table_of, values_of
from eristic.protocols.mirror.metrics.debates import cell_shifts
from eristic.protocols.mirror.metrics.facts import Episode
from eristic.protocols.mirror.metrics.measuring import BLOCKS, keyed, sign_test
from eristic.protocols.mirror.metrics.values import Values, mean
from eristic.protocols.mirror.names import BIASED, FAIR
from eristic.protocols.reports import Context, Measure, Row, Section
from eristic.protocols.reports.estimates import estimated
from eristic.stats import RATE, Tally

__all__ = ["at_equal_start", "difference_measure", "differences", "fair_against_biased"]


def differences(
    first: Sequence[Values],
    second: Sequence[Values],
    of_question: Callable[[Values], float | None] = lambda one: mean(one.numbers),
) -> tuple[Values, ...]:
    """First minus second, one number a question that has both."""
    there = {one.question.id: of_question(one) for one in second}
    found = []
    for one in first:
        here, other = of_question(one), there.get(one.question.id)
        if here is not None and other is not None:
            found.append(Values(one.question, (here - other,)))
    return tuple(found)


def at_equal_start(first: Iterable[Episode], second: Iterable[Episode]) -> tuple[Values, ...]:
    """First minus second shift among debates on one question that began with the same number.

    Which side is weak hangs on the first number, and extreme numbers tend back by themselves;
    among equal first numbers that is the same in both. One number a question: the mean over the
    first numbers that both have.
    """
    here, there = _by_start(first), _by_start(second)
    found: dict[str, list[float]] = {}
    questions = {}
    for start in sorted(here.keys() & there.keys()):
        question = here[start].question
        questions[question.id] = question
        difference = mean(here[start].numbers) - mean(there[start].numbers)
        found.setdefault(question.id, []).append(difference)
    return tuple(Values(questions[x], (mean(found[x]),)) for x in sorted(found))


def _by_start(episodes: Iterable[Episode]) -> dict[tuple[str, float], Values]:
    found: dict[tuple[str, float], list[Episode]] = {}
    for one in episodes:
        before = one.counted_before
        if before is not None:
            found.setdefault((one.question.id, before), []).append(one)
    gathered = {start: values_of(same, lambda one: one.shift) for start, same in found.items()}
    return {start: values[0] for start, values in gathered.items() if values}


def difference_measure(
    context: Context,
    metric: str,
    keys: dict[str, str],
    found: Sequence[Values],
    tally: Tally,
    empty: str,
) -> Measure:
    """Mean over questions of one difference each (points), with its interval."""
    items = [(one.question.unit, (mean(one.numbers), 1.0)) for one in found]
    return estimated(
        metric,
        keys,
        items,
        RATE,
        context.settings,
        tally=tally,
        unit="score",
        empty=empty,
        blocks=BLOCKS,
    )


def fair_against_biased(context: Context) -> Section | None:
    """M8."""
    table = context.once(table_of)
    rows = tuple(
        _row(context, cell, scope)
        for cell in table.cells
        if cell.kind(FAIR) and cell.kind(BIASED)
        for scope in table.within(*cell.kind(FAIR), *cell.kind(BIASED))
    )
    if not rows:
        return None
    return Section(
        id="M8",
        title="fair against biased debates",
        about="mean shift after biased debates minus mean shift after fair ones, question by "
        "question; value: signed, so positive is towards agreeing",
        rows=rows,
        notes=(
            "size: difference of the absolute mean shifts; positive: biased debates move more",
            "same start: signed, among debates that began with the same number, since the weak "
            "side hangs on it",
            "end: difference of the mean second answers, whatever the first ones were",
            "p: Wilcoxon signed rank on the questions; n counts questions",
        ),
    )


def _ends(episodes: Iterable[Episode]) -> tuple[Values, ...]:
    return values_of(episodes, lambda one: one.counted_after)


def _row(context: Context, cell: Cell, scope: Scope) -> Row:
    keys = keyed(cell, scope)
    fair, biased = cell.kind(FAIR, scope), cell.kind(BIASED, scope)
    moved = cell_shifts(cell, scope, BIASED), cell_shifts(cell, scope, FAIR)
    signed = differences(moved[0], moved[1])
    sizes = differences(moved[0], moved[1], lambda one: abs(mean(one.numbers)))
    same = at_equal_start(biased, fair)
    known = {one.question.id for one in (*fair, *biased)}
    ends = differences(_ends(biased), _ends(fair))
    metric, made = "mirror.biased_minus_fair", {}
    for name, found in (("", signed), ("size", sizes), ("same start", same), ("end", ends)):
        lacking = {"no shift in one of the two": len(known) - len(found)}
        if name == "same start":
            lacking = {"no two debates with the same start": len(known) - len(found)}
        tally = Tally.of(planned=len(known), used=len(found), excluded=lacking)
        full = f"{metric}.{name.replace(' ', '_')}" if name else metric
        empty = "no question with shifts of both kinds"
        made[name] = difference_measure(context, full, keys, found, tally, empty)
        made[f"p {name}".strip()] = sign_test(f"{full}.p", keys, found)
    main = made.pop("")
    return Row(keys=keys, main=main, beside=made, is_minor=scope.kind == "topic")
