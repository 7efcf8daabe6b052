"""Episodes told with imagined answers: how many calls there can be, and what they would hold.

Nothing is asked. A rehearsal takes one way through an episode, the shortest or the longest, with
answers that can be used at once.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Literal, Protocol, runtime_checkable

from eristic.debate import Served, TurnSpoken
from eristic.protocols.machine import Due, Machine, advance

__all__ = ["Imagining", "Way", "count_calls", "imagined", "rehearse"]

Way = Literal["shortest", "longest"]

_MOST_CALLS = 10_000
"""Of one episode; beyond it a protocol is taken to have no end."""
_PROSE = "Some words that stand for a text."


@runtime_checkable
class Imagining(Protocol):
    """A machine that knows which answers make an episode short or long."""

    def imagine(self, tale: Any, due: Due, way: Way) -> str | None:
        """An answer; None: any prose."""
        ...


def imagined(due: Due, way: Way) -> str | None:
    """An answer of the expected form: of tokens the first ends soonest, the last goes on longest.

    None: any prose will do.
    """
    expected = due.expected
    if expected.form == "token" and expected.tokens:
        return expected.tokens[0 if way == "shortest" else -1]
    if expected.form == "object":
        return json.dumps(dict.fromkeys(expected.keys, _PROSE))
    return None


def rehearse(
    machine: Machine[Any], state: Any, way: Way, prose: Callable[[Due], str] = lambda _: _PROSE
) -> Iterator[tuple[Due, str]]:
    """The calls from this state to the close in turn, each with the answer that is imagined.

    prose: gives the text of a call that may be answered by any. Raises RuntimeError for an
    episode that does not end.
    """
    for _ in range(_MOST_CALLS):
        step = advance(machine, state)
        state = step.state
        if step.closed:
            return
        due = step.due[0]
        text = _answer(machine, state, due, way)
        text = prose(due) if text is None else text
        yield due, text
        state = machine.evolve(
            state,
            TurnSpoken(
                turn=due.turn,
                role=due.role,
                attempt=due.attempt,
                rank=due.rank,
                text=text,
                call=Served(model=""),
                reading=machine.parsers[due.parser](text) if due.parser else None,
            ),
        )
    raise RuntimeError(f"{machine.name}: the {way} way goes on beyond {_MOST_CALLS} calls")


def _answer(machine: Machine[Any], state: Any, due: Due, way: Way) -> str | None:
    if isinstance(machine, Imagining):
        return machine.imagine(state, due, way)
    return imagined(due, way)


def count_calls(machine: Machine[Any], state: Any, way: Way) -> tuple[Counter[str], Counter[str]]:
    """(calls by role, the same when every answer that may be asked for again is)."""
    once: Counter[str] = Counter()
    most: Counter[str] = Counter()
    for due, _ in rehearse(machine, state, way):
        once[due.role] += 1
        most[due.role] += max(1, due.tries)
    return once, most
