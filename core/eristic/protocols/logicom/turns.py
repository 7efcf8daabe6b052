"""How a debate moves on: turns that start, are settled, fail, and utterances that stand."""

from __future__ import annotations

from typing import Final, Literal

from msgspec.structs import replace

from eristic.debate import Line
from eristic.protocols.logicom.moderation import CheckReading, RoundChecks
from eristic.protocols.logicom.state import (
    CHECKS,
    DEBATER,
    PERSUADER,
    Call,
    Ending,
    History,
    State,
)

__all__ = ["OVER", "RE_ASKS", "fail", "settle_checks", "start", "start_checks", "update", "utter"]

RE_ASKS: Final = 2
"""Times an unreadable or empty answer is asked for again."""
OVER: Final = "context_overflow"
"""Error, and reason of the close, when a prompt cannot be made short enough."""


def start(state: State, phase: Literal["debater", "draft", "help"], role: str) -> State:
    """A phase in which one role acts."""
    calls = (Call(turn=state.next_turn, role=role),)
    return replace(state, phase=phase, calls=calls, next_turn=state.next_turn + 1)


def start_checks(state: State) -> State:
    """The checks of this round. Turn numbers go copy by copy, in a copy in the order of CHECKS."""
    is_replaced = state.options.fallback_panel == "single" and any(state.ranks)
    copies = 1 if is_replaced else state.options.moderator_panel
    first, ranks = state.next_turn, state.ranks
    calls = tuple(
        Call(turn=first + 3 * copy + place, role=role, copy=copy + 1, rank=ranks[place])
        for copy in range(copies)
        for place, role in enumerate(CHECKS)
    )
    return replace(state, phase="checks", calls=calls, next_turn=first + 3 * copies)


def utter(state: State, line: Line, moderated: str | None = None) -> State:
    """This text now stands in the debate, and the debate moves on.

    moderated: what the moderator sees in its place, when that differs.
    """
    shown = line if moderated is None else Line(line.speaker, moderated, line.turn)
    state = replace(
        state,
        persuader=_grown(state.persuader, line),
        debater=_grown(state.debater, line),
        moderated=(*state.moderated, shown),
        draft=None,
    )
    before_checks = state.options.check_timing == "after_persuader" and line.turn != 0
    if line.speaker == PERSUADER:
        return start_checks(state) if before_checks else start(state, "debater", DEBATER)
    state = replace(state, replies=state.replies + 1)
    return start(state, "draft", PERSUADER) if before_checks else start_checks(state)


def _grown(history: History, line: Line) -> History:
    return History((*history.lines, line), history.summary)


def update(state: State, call: Call) -> State:
    """The call of that turn in its new form."""
    if len(state.calls) == 1:
        return replace(state, calls=(call,))
    calls = tuple(call if known.turn == call.turn else known for known in state.calls)
    return replace(state, calls=calls)


def settle_checks(state: State, call: Call) -> State:
    """One more check is settled. When all are, the round is ruled on, or fails.

    A failed check does not end the round at once: the others run in parallel and are paid for,
    and which failure counts must not depend on which came first.
    """
    state = update(state, call)
    if not all(known.is_settled for known in state.calls):
        return state
    for known in state.calls:
        if known.error:
            return fail(state, known, known.error)
    checks = tuple(
        CheckReading(
            copy=known.copy,
            check=known.role,
            value=known.value,
            turn=known.turn,
            flagged=known.is_flagged,
        )
        for known in state.calls
    )
    rank = max(known.rank for known in state.calls)
    judged = RoundChecks(round=state.round, rank=rank, checks=checks)
    return replace(state, phase="ruling", calls=(), rounds=(*state.rounds, judged))


def fail(state: State, call: Call, error: str) -> State:
    """The episode cannot go on without this call. It closes without an outcome."""
    ending = Ending(
        outcome=None,
        reason=OVER if error == OVER else f"{call.role}_failed",
        role=call.role,
        turn=call.turn,
        error=error,
    )
    return replace(state, phase="closing", calls=(), folding=None, ending=ending)
