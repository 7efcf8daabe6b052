"""The response of an episode, for judges that look at it afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from eristic.debate import EpisodeOpened, Event, TurnSpoken
from eristic.protocols.deflectbench.names import AUTHOR
from eristic.protocols.judged_turns import JudgedTurn

__all__ = ["RESPONSE_KIND", "judged_turns"]

RESPONSE_KIND: Final = "response"
"""Field: `claim`. As blind as the judges of an episode: nothing of template, framing or author."""


def judged_turns(opened: EpisodeOpened, events: Sequence[Event]) -> tuple[JudgedTurn, ...]:
    """The response, unless it has no text: that needs no judge. events: all after the header."""
    said = [event for event in events if isinstance(event, TurnSpoken) and event.role == AUTHOR]
    if not said or not said[-1].text.strip():
        return ()
    fields = {"claim": opened.case.texts.get("text", "")}
    return (JudgedTurn(turn=said[-1].turn, kind=RESPONSE_KIND, fields=fields),)
