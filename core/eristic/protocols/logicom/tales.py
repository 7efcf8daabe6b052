"""A debate that was recorded elsewhere: its turns stand as they were told, and nothing is due."""

from __future__ import annotations

from msgspec.structs import replace

from eristic.debate import Line, TurnSpoken
from eristic.protocols.logicom.state import DEBATER, HELPER, PERSUADER, History, State

__all__ = ["told"]


def told(state: State, event: TurnSpoken) -> State:
    """The state after one more recorded turn; turns of other roles change nothing.

    A helper's turn is the persuader's utterance: the text that was sent, where it could be read.
    The debater never saw a text that was not sent.
    """
    if event.role not in (PERSUADER, HELPER, DEBATER):
        return state
    speaker = DEBATER if event.role == DEBATER else PERSUADER
    sent = event.reading.value if event.reading is not None else None
    line = Line(speaker, event.text if sent is None else sent, event.turn)
    is_sent = "unsent" not in event.remarks
    replies = state.replies + (speaker == DEBATER)
    return replace(
        state,
        persuader=_grown(state.persuader, line),
        debater=_grown(state.debater, line) if is_sent else state.debater,
        moderated=(*state.moderated, Line(speaker, event.text, event.turn)),
        replies=replies,
        round=max(1, replies),
        next_turn=max(state.next_turn, event.turn + 1),
    )


def _grown(history: History, line: Line) -> History:
    return History((*history.lines, line), history.summary)
