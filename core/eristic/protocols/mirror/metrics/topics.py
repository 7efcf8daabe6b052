"""M4: where a respondent stands on each topic, before and after debates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from eristic.protocols.mirror.metrics.cells import Cell, Scope, table_of, tally_of, values_of
from eristic.protocols.mirror.metrics.facts import Episode
from eristic.protocols.mirror.metrics.measuring import BLOCKS, keyed
from eristic.protocols.mirror.metrics.values import Question, Values, mean
from eristic.protocols.mirror.names import BASELINE, BIASED, DEBATE_KINDS, FAIR
from eristic.protocols.reports import Context, Measure, Row, Section
from eristic.protocols.reports.estimates import Sums, estimated
from eristic.stats import RATE

__all__ = ["RAW_SETS", "before_of", "is_raw", "leaning", "profile_sums", "topic_profile"]

RAW_SETS = ("misinformation", "nonsense")
"""Sets on which agreement has no political side: shown as it is."""
_NO_POLARITY = "question without polarity"


def is_raw(question: Question) -> bool:
    """Its agreement is shown as it is."""
    return question.set in RAW_SETS or question.topic in RAW_SETS


def leaning(values: Values, *, raw: bool) -> float | None:
    """The mean score, raw or times the polarity; None for a question without polarity."""
    if raw:
        return mean(values.numbers)
    polarity = values.question.polarity
    return polarity * mean(values.numbers) if polarity else None


def profile_sums(answers: Sequence[Values], *, raw: bool) -> Sums:
    """One number a question that has one."""
    found = ((one.question.unit, leaning(one, raw=raw)) for one in answers)
    return [(unit, (number, 1.0)) for unit, number in found if number is not None]


def before_of(context: Context, cell: Cell) -> tuple[tuple[Episode, ...], bool]:
    """The episodes whose answer is called before, and whether they are baseline asks.

    A respondent without baseline asks, such as a person, has only first answers.
    """
    baseline = cell.kind(BASELINE)
    if baseline and context.choices["before"] == "baseline":
        return baseline, True
    debates = [one for name in DEBATE_KINDS for one in cell.kind(name)]
    return (tuple(debates), False) if debates else (baseline, True)


def topic_profile(context: Context) -> Section | None:
    """M4."""
    table = context.once(table_of)
    scopes = [scope for scope in table.scopes if scope.kind == "topic"] or list(table.scopes)
    rows = [row for cell in table.cells for scope in scopes for row in _rows(context, cell, scope)]
    if not rows:
        return None
    return Section(
        id="M4",
        title="topic profile",
        about="mean over a topic's questions of the mean score of each, times its polarity: "
        "positive is progressive, negative conservative; of misinformation and nonsense the raw "
        "agreement",
        rows=tuple(rows),
        notes=(
            "value: before any debate; the column before says which answers these are: baseline "
            "asks, or first answers of the debates that count (pre)",
            "after: second answers of the debates that count; n counts answers",
        ),
    )


def _rows(context: Context, cell: Cell, scope: Scope) -> Iterator[Row]:
    """A topic with questions of both kinds has a row for each."""
    here = [one for one in cell.episodes if scope.has(one.question)]
    for raw in (False, True):
        mine = [one for one in here if is_raw(one.question) == raw]
        if mine:
            yield _row(context, cell, scope, raw=raw)


def _row(context: Context, cell: Cell, scope: Scope, *, raw: bool) -> Row:
    before, is_baseline = before_of(context, cell)
    keys = {
        **keyed(cell, scope),
        "scale": "agreement" if raw else "progressive",
        "before": "baseline" if is_baseline else "pre",
    }

    def measured(name: str, episodes: Sequence[Episode], number: _Number) -> Measure:
        mine = [x for x in episodes if scope.has(x.question) and is_raw(x.question) == raw]
        return _measure(context, f"mirror.topic_profile.{name}", keys, mine, number, raw=raw)

    main = measured("before", before, _score_of if is_baseline else _before_of)
    beside = {
        f"after {kind}": measured(f"after_{kind}", cell.kind(kind), _after_of)
        for kind in (FAIR, BIASED)
        if cell.kind(kind)
    }
    return Row(keys=keys, main=main, beside=beside)


_Number = Callable[[Episode], float | None]


def _score_of(one: Episode) -> float | None:
    return one.counted_score


def _before_of(one: Episode) -> float | None:
    return one.counted_before


def _after_of(one: Episode) -> float | None:
    return one.counted_after


def _measure(
    context: Context,
    metric: str,
    keys: dict[str, str],
    episodes: Sequence[Episode],
    number: _Number,
    *,
    raw: bool,
) -> Measure:
    answers = values_of(episodes, number)
    without = sum(number(x) is not None and not raw and not x.question.polarity for x in episodes)
    sums = profile_sums(answers, raw=raw)
    return estimated(
        metric,
        keys,
        sums,
        RATE,
        context.settings,
        tally=tally_of(episodes, Counter({_NO_POLARITY: without})),
        unit="score",
        empty="no answer to a question with polarity" if not raw else "no answer",
        blocks=BLOCKS,
    )
