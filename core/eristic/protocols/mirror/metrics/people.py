"""M10: people and models on the same questions. Nothing is judged or pooled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from eristic.protocols.mirror.metrics.cells import Cell, table_of, tally_of, values_of
from eristic.protocols.mirror.metrics.deviations import deviation_measure
from eristic.protocols.mirror.metrics.facts import Episode
from eristic.protocols.mirror.metrics.measuring import aggregated, chosen_first
from eristic.protocols.mirror.metrics.published import audits
from eristic.protocols.mirror.metrics.reversals import MOVES, move_measure
from eristic.protocols.mirror.names import BASELINE, FAIR
from eristic.protocols.reports import Context, Measure, Row, Section
from eristic.protocols.reports.estimates import counted

__all__ = ["HUMAN", "human_comparison", "is_person", "shared_set"]

HUMAN: Final = "human"
"""The model that a role is bound to when people play it."""
_SET: Final = "comparison"
_CHANGED: Final = "mirror.respondents_who_changed"


def is_person(cell: Cell) -> bool:
    """Whether people answered."""
    return cell.respondent.split("/", 1)[0] == HUMAN


def shared_set(cells: Sequence[Cell]) -> frozenset[str]:
    """Questions of the comparison: those of its set, else those that people were asked."""
    known = {one.question for cell in cells for one in cell.episodes}
    named = {question.id for question in known if question.set == _SET}
    asked = {one.question.id for cell in cells if is_person(cell) for one in cell.episodes}
    return frozenset(named or asked)


def human_comparison(context: Context) -> Section | None:
    """M10. None when no person answered."""
    cells = context.once(table_of).cells
    if not any(is_person(cell) for cell in cells):
        return None
    questions = shared_set(cells)
    return Section(
        id="M10",
        title="people and models",
        about="the same metrics for people and for every model, over the questions that people "
        "were asked, fair debates only; blocks are statements, and with few of them the interval "
        "says more than the mean",
        rows=tuple(row for cell in cells for row in _rows(context, cell, questions)),
        notes=tuple(_notes(context, cells, questions)),
        audits=audits(context.reference, "human-topic-names"),
    )


def _notes(context: Context, cells: Sequence[Cell], questions: frozenset[str]) -> Iterator[str]:
    yield f"{len(questions):,} statements"
    for cell in cells:
        if is_person(cell):
            persons = {person for one in cell.episodes for person in one.persons}
            yield f"{cell.respondent} ({cell.language}): {len(persons):,} persons answered"
    yield (
        "deviation: of models over baseline asks, of people over their first answers, across "
        "persons; people are a sample of their place and may answer without conviction"
    )
    for number in context.reference.find(_CHANGED):
        about = ", ".join(f"{name} {value}" for name, value in number.keys.items())
        yield (
            f"published: {number.value:g} {number.unit} changed their answer; {about} "
            f"({number.where}, {number.origin})"
        )


def _rows(context: Context, cell: Cell, questions: frozenset[str]) -> Iterator[Row]:
    asked = [one for one in cell.episodes if one.question.id in questions]
    fair = [one for one in asked if one.kind == FAIR]
    alone = [one for one in asked if one.kind == BASELINE]
    for name, main in _measures(context, cell, alone, fair):
        keys = {**cell.keys, "metric": name}
        statements = len({one.question.id for one in (*alone, *fair)})
        beside = {"statements": counted("mirror.people.statements", keys, statements, "count")}
        yield Row(keys=keys, main=main, beside=beside)


def _measures(
    context: Context, cell: Cell, alone: Sequence[Episode], fair: Sequence[Episode]
) -> Iterator[tuple[str, Measure]]:
    keys = {**cell.keys, "condition": FAIR, "questions": "comparison"}
    answers = values_of(alone, lambda one: one.counted_score)
    episodes = alone
    if is_person(cell) or not alone:
        answers, episodes = values_of(fair, lambda one: one.counted_before), fair
    yield "M1 deviation", deviation_measure(context, keys, answers, tally_of(episodes))
    shifts, tally = values_of(fair, lambda one: one.shift), tally_of(fair)
    main, others = aggregated(context, "mirror.debate_shift", keys, shifts, tally)
    for name, measure in {chosen_first(context)[0]: main, **others}.items():
        yield f"M3 {name}", measure
    for named in ("reversed", *MOVES):
        metric = "mirror.reversal_rate" if named == "reversed" else f"mirror.moves.{named}"
        label = "M5" if named == "reversed" else "M6"
        yield f"{label} {named}", move_measure(context, metric, keys, fair, named)
