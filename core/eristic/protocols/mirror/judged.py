"""The speeches of a debate, for judges that look at them afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from eristic.debate import EpisodeClosed, EpisodeOpened, Event, TurnSpoken
from eristic.protocols.judged_turns import JudgedTurn
from eristic.protocols.mirror.names import ADVOCATES, WEAK_SIDE, Side, split_condition
from eristic.protocols.mirror.statements import statement

__all__ = ["SPEECH_KIND", "judged_turns"]

SPEECH_KIND: Final = "speech"
"""Fields: `statement`, `side` (for, against), `number` (1 to 4), `language`, `manner` (`weak` of
the side that was told to argue badly, else `usual`)."""

_SIDES: Final[dict[str, Side]] = {role: side for side, role in ADVOCATES.items()}


def judged_turns(opened: EpisodeOpened, events: Sequence[Event]) -> tuple[JudgedTurn, ...]:
    """Every speech that was given, in order. events: all after the header."""
    _, language = split_condition(opened.condition)
    claim = statement(opened.case, language) or ""
    closed = next((event for event in events if isinstance(event, EpisodeClosed)), None)
    weak = closed.facts.get(WEAK_SIDE) if closed is not None else None
    return tuple(
        JudgedTurn(
            turn=speech.turn,
            kind=SPEECH_KIND,
            fields={
                "statement": claim,
                "side": _SIDES[speech.role],
                "number": str(number),
                "language": language,
                "manner": "weak" if _SIDES[speech.role] == weak else "usual",
            },
        )
        for number, speech in enumerate(filter(_is_given, events), 1)
        if isinstance(speech, TurnSpoken)
    )


def _is_given(event: Event) -> bool:
    """A speech that the debate went on with."""
    if not isinstance(event, TurnSpoken) or event.role not in _SIDES:
        return False
    refused = event.call is not None and event.call.refusal
    return not refused and event.reading is not None and event.reading.status == "read"
