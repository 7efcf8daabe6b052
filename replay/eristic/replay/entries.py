"""One event of an episode as a line for readers. Knows no protocol."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, assert_never

import msgspec

from eristic.debate import (
    AnswerRefused,
    ContextOverflowed,
    Envelope,
    EpisodeClosed,
    EpisodeOpened,
    HistoryFolded,
    ImportCompleted,
    JudgementMade,
    JudgingOpened,
    RoleSwapped,
    RulingMade,
    RunClosed,
    RunOpened,
    Served,
    TurnFailed,
    TurnSpoken,
)

__all__ = ["Entry", "EntryKind", "entry_of"]

EntryKind = Literal[
    "speech",
    "check",
    "helper",
    "memory",
    "ruling",
    "swap",
    "fold",
    "overflow",
    "refused",
    "failure",
    "close",
]
"""speech: a text that stands as it is. check: one that was read for a token. helper: one that
was read for a text and more. overflow: no model was called. refused: an answer that did not
count. failure: no text after all tries."""


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One event of the episode."""

    position: int
    """Place in the episode's chain."""
    time: datetime
    kind: EntryKind
    turn: int | None = None
    """The turn it is about; None for rulings and the close."""
    round: int | None = None
    """As a ruling or the close says; turns do not know their round."""
    role: str = ""
    attempt: int = 0
    source: str = ""
    """model, template, imported or human, for texts."""
    text: str = ""
    """Raw text of a turn; in words what else happened."""
    reading: str | None = None
    """What the text was read as; None when it was not read, or could not be."""
    status: str = ""
    """Status of the reading: read, unreadable, empty or refused."""
    parts: dict[str, str] = {}
    """Further texts that were read out (a helper's label)."""
    flags: tuple[str, ...] = ()
    """Remarks of its reading, its call and its import."""
    repetitions: int = 1
    """Copies of the text that an import found in a row."""
    model: str = ""
    """As served."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    latency_s: float | None = None
    retries: int = 0
    """Tries that failed before this one (count)."""


def entry_of(envelope: Envelope) -> Entry | None:
    """The entry of an event; None for headers and for the run's own events."""
    event, position, time = envelope.body, envelope.position, envelope.time
    match event:
        case TurnSpoken():
            return _spoken(position, time, event)
        case TurnFailed():
            return Entry(
                position=position,
                time=time,
                kind="failure",
                turn=event.turn,
                role=event.role,
                attempt=event.attempt,
                text=f"{event.error}: {event.message}",
                status=event.error,
                retries=len(event.failed),
            )
        case ContextOverflowed():
            return Entry(
                position=position,
                time=time,
                kind="overflow",
                turn=event.turn,
                role=event.role,
                attempt=event.attempt,
                text=f"prompt of {event.tokens} tokens is over {event.threshold} "
                f"({event.tokenizer}); no model was called",
            )
        case HistoryFolded():
            turns = ", ".join(map(str, event.folded))
            return Entry(
                position=position,
                time=time,
                kind="fold",
                role=event.role,
                text=f"turns {turns} of its history are now the summary of turn "
                f"{event.summary_turn} ({event.policy})",
            )
        case RoleSwapped():
            return Entry(
                position=position,
                time=time,
                kind="swap",
                turn=event.turn,
                role=event.role,
                text=f"model {event.rank} of its chain takes over in epoch {event.epoch} "
                f"({event.scope})",
                status=event.cause,
            )
        case RulingMade():
            return Entry(
                position=position,
                time=time,
                kind="ruling",
                round=event.round or None,
                role=event.policy,
                text=event.reason,
                reading=event.decision,
                parts={name: str(value) for name, value in event.facts.items()},
            )
        case AnswerRefused():
            return Entry(
                position=position,
                time=time,
                kind="refused",
                turn=event.turn,
                role=event.role,
                attempt=event.attempt,
                text=event.reason,
            )
        case EpisodeClosed():
            return Entry(
                position=position,
                time=time,
                kind="close",
                round=event.rounds,
                text=event.reason,
                reading=event.outcome,
                parts={name: str(value) for name, value in event.facts.items()},
            )
        case RunOpened() | RunClosed() | ImportCompleted() | EpisodeOpened():
            return None
        case JudgingOpened() | JudgementMade():
            return None
        case _:
            assert_never(event)


def _spoken(position: int, time: datetime, event: TurnSpoken) -> Entry:
    reading, call = event.reading, event.call
    flags = (*event.remarks, *(reading.flags if reading is not None else ()))
    if call is not None:
        remarks = {"refusal": call.refusal, "cleaned": call.cleaned, "cut_off": _is_cut_off(call)}
        flags = (*flags, *(name for name, holds in remarks.items() if holds))
    return Entry(
        position=position,
        time=time,
        kind=_kind(event),
        turn=event.turn,
        role=event.role,
        attempt=event.attempt,
        source=event.source,
        text=event.text,
        reading=reading.value if reading is not None else None,
        status=reading.status if reading is not None else "",
        parts=reading.parts if reading is not None else {},
        flags=flags,
        repetitions=event.repetitions,
        model=call.model if call is not None else "",
        tokens_in=call.tokens_in if call is not None else None,
        tokens_out=call.tokens_out if call is not None else None,
        latency_s=call.latency_s if call is not None else None,
        retries=len(call.failed) if call is not None else 0,
    )


def _is_cut_off(call: Served) -> bool:
    return call.finish == "length"


def _kind(event: TurnSpoken) -> EntryKind:
    """From the roles' names where the vocabulary has one, else from how the text was read."""
    if event.role == "memory":
        return "memory"
    if event.role == "helper":
        return "helper"
    return "speech" if event.reading is None else "check"
