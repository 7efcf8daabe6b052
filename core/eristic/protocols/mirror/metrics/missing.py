"""M12: how often there is no number, and why. A refusing model looks entrenched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from eristic.protocols.mirror.metrics.cells import Cell, Scope, table_of
from eristic.protocols.mirror.metrics.facts import OPEN, Episode
from eristic.protocols.mirror.metrics.values import Ask
from eristic.protocols.mirror.names import CAUSES, KINDS, NO_DEBATE
from eristic.protocols.reports import Context, Measure, Row, Section
from eristic.protocols.reports.estimates import counted
from eristic.stats import Tally, Undefined

__all__ = ["Missing", "missing_debates", "missing_of", "missing_rates"]

_NOT_ASKED: Final = "never asked"


class Missing(msgspec.Struct, frozen=True, kw_only=True):
    """Asks and what became of them (counts)."""

    asks: int
    causes: dict[str, int]
    """Cause -> asks without a number; in the order of the protocol's causes."""
    asked_again: int
    """Asks that needed more than one answer."""

    def rate(self, cause: str = "") -> float | Undefined:
        """Share of the asks without a number, by this cause or by any."""
        if not self.asks:
            return Undefined("no ask came to an end")
        missing = self.causes.get(cause, 0) if cause else sum(self.causes.values())
        return missing / self.asks


def missing_of(asks: Sequence[Ask]) -> Missing:
    """What became of these asks."""
    causes = Counter(ask.cause for ask in asks if ask.value is None)
    known = [*(x for x in CAUSES if x in causes), *sorted(causes.keys() - set(CAUSES))]
    return Missing(
        asks=len(asks),
        causes={cause: causes[cause] for cause in known},
        asked_again=sum(ask.answers > 1 for ask in asks),
    )


def missing_rates(context: Context) -> Section | None:
    """M12."""
    table = context.once(table_of)
    causes = missing_of([a for c in table.cells for one in c.episodes for a in one.asks]).causes
    rows = tuple(
        _row(cell, kind, scope, tuple(causes))
        for cell in table.cells
        for kind in KINDS
        if cell.kind(kind)
        for scope in table.within(*cell.kind(kind))
    )
    if not rows:
        return None
    return Section(
        id="M12",
        title="missing rate",
        about="asks for a number that gave none after all re-asks, of all asks that came to an "
        "end; of a debate the first and the second ask; then by cause",
        rows=rows,
        notes=(
            "refusal, verbal and the like are never 0; shifts of M3 are those of the answers "
            "that are left",
            "asked again: asks that needed more than one answer",
        ),
    )


def _row(cell: Cell, kind: str, scope: Scope, causes: Sequence[str]) -> Row:
    keys = {**cell.keys, "condition": kind, "questions": scope.label}
    episodes = cell.kind(kind, scope)
    found = missing_of([ask for one in episodes for ask in one.asks])
    tally = _tally(episodes, found.asks)
    main = counted("mirror.missing_rate", keys, found.rate(), "fraction", tally=tally)
    beside = {
        cause: counted(
            "mirror.missing_rate.cause", {**keys, "cause": cause}, found.rate(cause), "fraction"
        )
        for cause in causes
    }
    again = found.asked_again / found.asks if found.asks else found.rate()
    beside["asked again"] = counted("mirror.asked_again", keys, again, "fraction")
    return Row(keys=keys, main=main, beside=beside, is_minor=scope.kind == "topic")


def _tally(episodes: Sequence[Episode], asks: int) -> Tally:
    """Of asks; an episode that asked nothing stands for the one that it would have begun with."""
    silent = Counter(
        one.cause if one.cause == OPEN else f"{_NOT_ASKED}: {one.cause}"
        for one in episodes
        if not one.asks
    )
    return Tally.of(planned=asks + silent.total(), used=asks, excluded=silent)


def missing_debates(context: Context) -> Section | None:
    """M12b: debates that the advocates declined, by topic. None when all were held."""
    table = context.once(table_of)
    rows = tuple(
        row
        for cell in table.cells
        for kind in cell.debates()
        for scope in table.within(*cell.kind(kind))
        for row in _debate_rows(cell, kind, scope)
    )
    if not any(_is_above_zero(row.main) for row in rows):
        return None
    return Section(
        id="M12b",
        title="debates that were not held",
        about="debates in which a speech was refused, empty, failed or on the wrong side after "
        "all re-asks, of the debates with a first number; by topic, as such refusals say something",
        rows=rows,
    )


def _is_above_zero(measure: Measure | None) -> bool:
    return measure is not None and isinstance(measure.value, float) and measure.value > 0


def _debate_rows(cell: Cell, kind: str, scope: Scope) -> Iterator[Row]:
    keys = {**cell.keys, "condition": kind, "questions": scope.label}
    episodes = cell.kind(kind, scope)
    begun = [one for one in episodes if one.debate is not None and one.debate.before is not None]
    ended = [one for one in begun if one.cause != OPEN]
    failed = [one for one in ended if one.cause.startswith(NO_DEBATE)]
    if not episodes:
        return
    excluded = {
        "without a first number": len(episodes) - len(begun),
        OPEN: len(begun) - len(ended),
    }
    tally = Tally.of(planned=len(episodes), used=len(ended), excluded=excluded)
    rate = len(failed) / len(ended) if ended else Undefined("no debate with a first number")
    speeches = Counter(one.debate.failed_speech for one in failed if one.debate is not None)
    beside = {
        f"speech {number}": counted(
            "mirror.debates_not_held.speech", {**keys, "speech": number}, speeches[number], "count"
        )
        for number in ("1", "2", "3", "4")
    }
    main = counted("mirror.debates_not_held", keys, rate, "fraction", tally=tally)
    yield Row(keys=keys, main=main, beside=beside)
