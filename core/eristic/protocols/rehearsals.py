"""Episodes told with imagined answers: how many calls there can be, and what they would hold.

Nothing is asked. A rehearsal takes one way through an episode, the shortest or the longest, with
answers that can be used at once.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Literal, Protocol, runtime_checkable

from eristic.debate import Event, Served, TurnSpoken
from eristic.protocols.machine import Due, Machine, advance

__all__ = ["Imagining", "Way", "count_calls", "formed", "imagined", "rehearse"]

Way = Literal["shortest", "longest"]

_MOST_CALLS = 10_000
"""Of one episode; beyond it a protocol is taken to have no end."""


@runtime_checkable
class Imagining(Protocol):
    """A machine that knows which answers make an episode short or long."""

    def imagine(self, tale: Any, due: Due, way: Way) -> str | None:
        """An answer; None: any text of the expected form."""
        ...


def imagined(due: Due, way: Way) -> str | None:
    """An answer of the expected form: of tokens the first ends soonest, the last goes on longest.

    None: any text of the form will do.
    """
    expected = due.expected
    if expected.form == "token" and expected.tokens:
        return expected.tokens[0 if way == "shortest" else -1]
    return None


def formed(due: Due, words: Callable[[int], str]) -> str:
    """A text of the expected form, made of words. words: of a number of texts -> one of them."""
    keys = due.expected.keys if due.expected.form == "object" else ()
    if not keys:
        return words(1)
    return json.dumps({key: words(len(keys)) for key in keys}, ensure_ascii=False)


def _usual(due: Due) -> str:
    # A protocol may end where somebody says the same again.
    return formed(due, lambda _: f"Some words of turn {due.turn} that stand for a text.")


def rehearse(
    machine: Machine[Any],
    state: Any,
    way: Way,
    *,
    prose: Callable[[Due], str] = _usual,
    known: Callable[[Due], str | None] = lambda _: None,
    unsent: Callable[[Due], Event | None] = lambda _: None,
) -> Iterator[tuple[Due, str]]:
    """The calls from this state to the close in turn, each with the answer that is imagined.

    prose: gives the text of a call that may be answered by any of its form. known: gives the
    answer where it is certain, whatever the way; None: it is not. unsent: gives what is
    recorded of a call for which no model is asked, which is then none of these; None: it is asked.
    Raises RuntimeError for an episode that does not end.
    """
    for _ in range(_MOST_CALLS):
        step = advance(machine, state)
        state = step.state
        if step.closed:
            return
        due = step.due[0]
        event = unsent(due)
        if event is None:
            text = known(due)
            text = _answer(machine, state, due, way) if text is None else text
            text = prose(due) if text is None else text
            yield due, text
            event = _spoken(machine, due, text)
        state = machine.evolve(state, event)
    raise RuntimeError(f"{machine.name}: the {way} way goes on beyond {_MOST_CALLS} calls")


def _spoken(machine: Machine[Any], due: Due, text: str) -> TurnSpoken:
    return TurnSpoken(
        turn=due.turn,
        role=due.role,
        attempt=due.attempt,
        rank=due.rank,
        text=text,
        call=Served(model=""),
        reading=machine.parsers[due.parser](text) if due.parser else None,
    )


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
