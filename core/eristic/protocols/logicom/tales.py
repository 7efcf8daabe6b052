"""A debate that was recorded elsewhere: its turns stand as they were told.

In the import nothing is due. A branch of it goes on: after each told turn the debate stands as if
that turn had been said here, so after the last one what comes next is due.
"""

from __future__ import annotations

from msgspec.structs import replace

from eristic.debate import Line, TurnSpoken
from eristic.protocols.logicom.moderation import CheckReading, RoundChecks
from eristic.protocols.logicom.state import (
    CONVICTION,
    DEBATER,
    HELPER,
    PERSUADER,
    History,
    State,
)
from eristic.protocols.logicom.turns import utter

__all__ = ["taken_up", "told"]


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


def taken_up(state: State, event: TurnSpoken) -> State:
    """The state of a branch after one more told turn: whoever is next is due.

    Earlier rounds were checked elsewhere and went on; they count as played, with a verdict that
    is unknown. A text that was not sent is no part of the debate.
    """
    if event.role not in (PERSUADER, HELPER, DEBATER) or "unsent" in event.remarks:
        return state
    speaker = DEBATER if event.role == DEBATER else PERSUADER
    sent = event.reading.value if event.reading is not None else None
    line = Line(speaker, event.text if sent is None else sent, event.turn)
    asks_debater = speaker == PERSUADER and (
        state.options.check_timing == "after_debater" or event.turn == 0
    )
    number = state.replies + (speaker == DEBATER or asks_debater)
    state = replace(
        state,
        round=max(1, number),
        rounds=_checked_elsewhere(state, number - 1),
        next_turn=event.turn + 1,
        folding=None,
    )
    return utter(state, line, event.text if state.options.moderator_sees_helper else None)


def _checked_elsewhere(state: State, number: int) -> tuple[RoundChecks, ...]:
    replies = [line.turn for line in state.debater.lines if line.speaker == DEBATER]
    return tuple(
        RoundChecks(
            round=place,
            checks=tuple(
                CheckReading(copy=copy, check=CONVICTION, value=None, turn=turn)
                for copy in range(1, state.options.moderator_panel + 1)
            ),
        )
        for place, turn in enumerate(replies[:number], start=1)
    )


def _grown(history: History, line: Line) -> History:
    return History((*history.lines, line), history.summary)
