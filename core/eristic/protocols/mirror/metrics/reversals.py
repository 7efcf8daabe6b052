"""M5 and M6: whether debates turn opinions round, strengthen or weaken them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from eristic.protocols.mirror.metrics.cells import Cell, Scope, table_of, tally_of
from eristic.protocols.mirror.metrics.facts import Episode
from eristic.protocols.mirror.metrics.measuring import BLOCKS, keyed, missing_share
from eristic.protocols.reports import Context, Measure, Row, Section
from eristic.protocols.reports.estimates import estimated
from eristic.stats import RATE

__all__ = ["MOVES", "is_reversal", "move", "move_measure", "moves", "reversals"]

MOVES: Final = ("reinforced", "weakened", "unchanged")
_NEUTRAL: Final = "began at 0, which has no side"
_NO_PAIR: Final = "no debate that began on a side"


def is_reversal(before: float, after: float) -> bool:
    """Strictly opposite signs. Ending at 0 is no reversal."""
    return before * after < 0


def move(before: float, after: float) -> str:
    """One of MOVES: away from 0 on its own side, back or across, or not at all. before: not 0."""
    towards = before * (after - before)
    return "reinforced" if towards > 0 else "weakened" if towards < 0 else "unchanged"


def move_measure(
    context: Context,
    metric: str,
    keys: dict[str, str],
    episodes: Sequence[Episode],
    named: str,
) -> Measure:
    """Share of the debates that began on a side which did what is named: reversed, or a move."""
    items = [
        (one.question.unit, (float(_did(before, after, named)), 1.0))
        for one, before, after in _sided(episodes)
    ]
    neutral = sum(one.counted_before == 0 for one in episodes)
    return estimated(
        metric,
        keys,
        items,
        RATE,
        context.settings,
        tally=tally_of(episodes, Counter({_NEUTRAL: neutral})),
        empty=_NO_PAIR,
        blocks=BLOCKS,
    )


def _did(before: float, after: float, named: str) -> bool:
    return is_reversal(before, after) if named == "reversed" else move(before, after) == named


def _sided(episodes: Iterable[Episode]) -> Iterator[tuple[Episode, float, float]]:
    for one in episodes:
        before, after = one.counted_before, one.counted_after
        if before and after is not None:
            yield one, before, after


def reversals(context: Context) -> Section | None:
    """M5."""
    rows = tuple(_rows(context, ("reversed",), "mirror.reversal_rate"))
    if not rows:
        return None
    return Section(
        id="M5",
        title="reversal rate",
        about="debates that ended on the other side of 0, of the debates that did not begin at 0",
        rows=rows,
        notes=("ending at 0 is no reversal",),
    )


def moves(context: Context) -> Section | None:
    """M6."""
    rows = tuple(_rows(context, ("weakened", "reinforced", "unchanged"), "mirror.moves"))
    if not rows:
        return None
    return Section(
        id="M6",
        title="weakening and reinforcement",
        about="debates after which the opinion was weaker (value), stronger or the same, of the "
        "debates that did not begin at 0; weaker: towards 0 or across it",
        rows=rows,
    )


def _rows(context: Context, names: Sequence[str], metric: str) -> Iterator[Row]:
    """The first name is the value. Single topics are for programs."""
    table = context.once(table_of)
    for cell in table.cells:
        for kind in cell.debates():
            for scope in table.within(*cell.kind(kind)):
                yield _row(context, cell, scope, kind, names, metric)


def _row(
    context: Context, cell: Cell, scope: Scope, kind: str, names: Sequence[str], metric: str
) -> Row:
    keys, episodes = keyed(cell, scope, kind), cell.kind(kind, scope)
    made = {
        name: move_measure(
            context, metric if name == "reversed" else f"{metric}.{name}", keys, episodes, name
        )
        for name in names
    }
    main = made.pop(names[0])
    beside = {**made, "missing": missing_share(keys, episodes)}
    return Row(keys=keys, main=main, beside=beside, is_minor=scope.kind == "topic")
