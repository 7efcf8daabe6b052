"""M1: how much answers to the same question differ by themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from eristic.protocols.mirror.metrics.cells import Cell, Scope, table_of, tally_of, values_of
from eristic.protocols.mirror.metrics.measuring import BLOCKS, keyed, missing_share, sampling
from eristic.protocols.mirror.metrics.published import published, table_audits
from eristic.protocols.mirror.metrics.values import Deviation, Values, deviation
from eristic.protocols.mirror.names import BASELINE
from eristic.protocols.reports import Context, Measure, Published, Row, Section
from eristic.protocols.reports.estimates import Sums, counted, estimated
from eristic.stats import RATE, Tally

__all__ = ["chosen_deviation", "deviation_measure", "deviation_sums", "deviations", "identical"]

_ONLY = "only answer to its question"


def chosen_deviation(context: Context) -> Deviation:
    """The definition that the reader chose."""
    return "sample" if context.choices["deviation"] == "sample" else "population"


def deviation_sums(answers: Sequence[Values], kind: Deviation) -> Sums:
    """One deviation a question, of those with at least two answers."""
    found = ((one.question.unit, deviation(one.numbers, kind)) for one in answers)
    return [(unit, (number, 1.0)) for unit, number in found if isinstance(number, float)]


def identical(answers: Sequence[Values]) -> tuple[int, int]:
    """Questions all of whose answers are the same, and questions with two or more answers."""
    several = [one.numbers for one in answers if len(one.numbers) > 1]
    return sum(min(numbers) == max(numbers) for numbers in several), len(several)


def deviation_measure(
    context: Context,
    keys: dict[str, str],
    answers: Sequence[Values],
    tally: Tally,
    kind: Deviation | None = None,
    numbers: Iterable[Published] = (),
) -> Measure:
    """The mean deviation with its interval. kind: None for the chosen one."""
    name = kind or chosen_deviation(context)
    return estimated(
        f"mirror.deviation.{name}",
        keys,
        deviation_sums(answers, name),
        RATE,
        context.settings,
        tally=tally,
        unit="score",
        published=numbers,
        empty="no question with two answers",
        blocks=BLOCKS,
    )


def deviations(context: Context) -> Section | None:
    """M1."""
    table = context.once(table_of)
    cells = [cell for cell in table.cells if cell.kind(BASELINE)]
    if not cells:
        return None
    kind = chosen_deviation(context)
    rows = tuple(
        _row(context, cell, scope) for cell in cells for scope in table.within(*cell.kind(BASELINE))
    )
    below = "n" if kind == "population" else "n - 1"
    return Section(
        id="M1",
        title="response deviation",
        about="standard deviation of the answers to the same question, asked again from the "
        f"beginning ({kind}: divided by {below}); mean over questions with at least two answers",
        rows=rows,
        notes=(
            "n counts answers; same: questions all of whose answers are the same",
            *(note for cell in cells for note in _warnings(cell)),
        ),
        audits=table_audits(context.reference, rows, "table1-equals-table2"),
    )


def _row(context: Context, cell: Cell, scope: Scope) -> Row:
    keys, episodes = keyed(cell, scope), cell.kind(BASELINE, scope)
    answers = values_of(episodes, lambda one: one.counted_score)
    alone = sum(len(one.numbers) == 1 for one in answers)
    tally = tally_of(episodes, Counter({_ONLY: alone}))
    kind = chosen_deviation(context)
    other: Deviation = "population" if kind == "sample" else "sample"
    numbers = published(context.reference, cell, scope, BASELINE)
    main = deviation_measure(context, keys, answers, tally, numbers=numbers)
    same, several = identical(answers)
    beside = {
        other: deviation_measure(context, keys, answers, tally, other),
        "statements": counted("mirror.deviation.questions", keys, several, "count"),
        "same": counted("mirror.deviation.identical_questions", keys, same, "count"),
        "missing": missing_share(keys, episodes),
    }
    return Row(keys=keys, main=main, beside=beside)


def _warnings(cell: Cell) -> Iterator[str]:
    """A deviation of 0 everywhere says more about the sampling than about opinions."""
    answers = values_of(cell.kind(BASELINE), lambda one: one.counted_score)
    same, several = identical(answers)
    if several and same == several:
        yield (
            f"warning: {cell.respondent} ({cell.language}) gave the same answer in all "
            f"repetitions of each of {several:,} questions; sampling as sent: {sampling(cell)}. "
            "This may be greedy decoding or a cache; M7 is undefined"
        )
