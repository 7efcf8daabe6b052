"""What judges may look at after an episode: the suggestion, each critique of it, its repair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from eristic.debate import EpisodeClosed, EpisodeOpened, Event, RulingMade, TurnSpoken
from eristic.protocols.judged_turns import JudgedTurn
from eristic.protocols.scr.names import (
    CRITIQUE_POLICY,
    FACT_CHANGED,
    FACT_KIND,
    FACT_RESULT_TURN,
    KIND_CRITIQUE,
    KIND_MIXED,
    SUGGESTER,
)

__all__ = ["CRITIQUE_JUDGED", "REPAIR_JUDGED", "SUGGESTION_JUDGED", "judged_turns"]

SUGGESTION_JUDGED: Final = "suggestion"
"""The first one. Field: `situation`."""
CRITIQUE_JUDGED: Final = "critique"
"""Of the suggestion or of a candidate in a repair. Fields: `situation`, `suggestion` (the text that
it is about). An answer that is the none-token is no critique."""
REPAIR_JUDGED: Final = "repair"
"""The text that a repair returned, beside the first suggestion; only when they differ. Field:
`situation`."""

_Spoken = Mapping[int, TurnSpoken]


def judged_turns(opened: EpisodeOpened, events: Sequence[Event]) -> tuple[JudgedTurn, ...]:
    """Suggestion, critiques in the order of their rulings, repair. events: all after the header."""
    spoken = {event.turn: event for event in events if isinstance(event, TurnSpoken)}
    situation = {"situation": opened.case.texts.get("situation", "")}
    first = next((turn for turn, said in spoken.items() if said.role == SUGGESTER), None)
    if first is None or not spoken[first].text.strip():
        return ()
    return (
        JudgedTurn(turn=first, kind=SUGGESTION_JUDGED, fields=situation),
        *_critiques(situation, events, spoken),
        *_repair(situation, events, first),
    )


def _critiques(
    situation: Mapping[str, str], events: Sequence[Event], spoken: _Spoken
) -> Iterator[JudgedTurn]:
    for event in events:
        if not isinstance(event, RulingMade) or event.policy != CRITIQUE_POLICY:
            continue
        about, critique, *_ = event.inputs
        if event.facts.get(FACT_KIND) in (KIND_CRITIQUE, KIND_MIXED):
            fields = {**situation, "suggestion": _text(spoken[about])}
            yield JudgedTurn(turn=critique, kind=CRITIQUE_JUDGED, fields=fields)


def _repair(
    situation: Mapping[str, str], events: Sequence[Event], first: int
) -> Iterator[JudgedTurn]:
    closed = next((event for event in events if isinstance(event, EpisodeClosed)), None)
    result = closed.facts.get(FACT_RESULT_TURN) if closed is not None else None
    if closed is not None and closed.facts.get(FACT_CHANGED) and isinstance(result, int):
        yield JudgedTurn(turn=result, kind=REPAIR_JUDGED, fields=dict(situation), other=first)


def _text(spoken: TurnSpoken) -> str:
    """As the critic saw it, without thinking."""
    reading = spoken.reading
    return (reading.value if reading is not None else None) or spoken.text
