"""Answers that lead to the shortest and to the longest episode, for counting calls beforehand."""

from __future__ import annotations

from eristic.debate import RulingMade, TurnSpoken
from eristic.protocols.machine import Due
from eristic.protocols.rehearsals import Way
from eristic.protocols.scr.comparisons import FIRST, SECOND
from eristic.protocols.scr.names import DEGENERATE, KEPT, REPAIR_POLICY
from eristic.protocols.scr.options import Options
from eristic.protocols.stories import Tale

__all__ = ["imagine"]


def imagine(options: Options, tale: Tale, due: Due, way: Way) -> str | None:
    """Shortest: nothing to object to, and of a repair the first comparison ends it. Longest: every
    critique is accepted, and every candidate passes, at its last try."""
    match due.parser.partition(".")[0]:
        case "critique":
            return "<None>" if way == "shortest" else None
        case "reflect":
            return "no" if way == "shortest" else "yes"
        case "reflect_reversed":
            return "yes" if way == "shortest" else "no"
        case "comparison":
            is_better = _passes(options, tale, way)
            return SECOND if is_better != _is_swapped(tale, due) else FIRST
        case _:
            # Any prose, in every turn another: equal texts are compared by nobody.
            return None


def _passes(options: Options, tale: Tale, way: Way) -> bool:
    is_retried = options.on_degenerate == "retry_refine"
    if way == "shortest":
        # To be kept and found without fault takes fewer calls than another try.
        return is_retried
    return not is_retried or _tries(tale) >= options.refine_retries


def _tries(tale: Tale) -> int:
    """Candidates of this iteration that were dropped."""
    rulings = [
        event
        for event in tale.events
        if isinstance(event, RulingMade) and event.policy == REPAIR_POLICY
    ]
    iteration = 1 + sum(ruling.decision == KEPT for ruling in rulings)
    return sum(x.decision == DEGENERATE and x.round == iteration for x in rulings)


def _is_swapped(tale: Tale, due: Due) -> bool:
    """The second of two comparisons follows another turn than the candidate's."""
    before = [e for e in tale.events if isinstance(e, TurnSpoken) and e.turn == due.turn - 1]
    reading = before[-1].reading if before else None
    return reading is None or not reading.parser.startswith("scr-suggestion.")
