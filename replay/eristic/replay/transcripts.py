"""An episode as a person reads it: who said what, what was decided, up to any turn.

Knows no protocol. Every text stays what it was in the log; whoever shows it cleans it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from eristic.debate import (
    AnswerRefused,
    Binding,
    Case,
    ContextOverflowed,
    Envelope,
    EpisodeOpened,
    Event,
    Import,
    Setting,
    TurnFailed,
    TurnSpoken,
)
from eristic.replay.entries import Entry, entry_of

__all__ = ["Header", "Transcript", "transcribe"]


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What an episode began with."""

    protocol: str
    protocol_version: int
    case: Case
    condition: str
    repetition: int
    options: dict[str, Setting]
    cast: dict[str, Binding]
    seed: int | None
    software: str
    imported: Import | None = None
    parent: str = ""
    """`run/episode@position` that a branch comes from; empty when it is none."""


class Transcript(msgspec.Struct, frozen=True, kw_only=True):
    """An episode up to a turn."""

    run: str
    episode: str
    header: Header | None
    """None when the chain does not begin with a header."""
    entries: tuple[Entry, ...]
    state: Literal["open", "closed", "failed"]
    """As of the last entry. failed: closed without an outcome."""
    outcome: str | None = None
    at: int | None = None
    """The turn it was cut at; None: everything up to now."""
    is_cut: bool = False
    """Something was left out because of `at`."""


def transcribe(
    envelopes: Iterable[Envelope], *, run: str, episode: str, at: int | None = None
) -> Transcript:
    """The transcript of one chain, its events in log order.

    at: number of the last turn to show. A turn is shown if its number is not higher; what is no
    turn stands at the highest turn before it, so nothing is shown that happened after a turn
    which is not.
    """
    header: Header | None = None
    entries: list[Entry] = []
    newest, is_cut = -1, False
    for envelope in envelopes:
        event = envelope.body
        if isinstance(event, EpisodeOpened):
            header = header or _header(event)
            continue
        own = _own_turn(event)
        newest = max(newest, own)
        if at is not None and (own if own >= 0 else newest) > at:
            is_cut = True
            continue
        entry = entry_of(envelope)
        if entry is not None:
            entries.append(entry)
    closed = next((entry for entry in entries if entry.kind == "close"), None)
    outcome = closed.reading if closed is not None else None
    return Transcript(
        run=run,
        episode=episode,
        header=header,
        entries=tuple(entries),
        state="open" if closed is None else "closed" if outcome is not None else "failed",
        outcome=outcome,
        at=at,
        is_cut=is_cut,
    )


def _own_turn(event: Event) -> int:
    """-1 for what is no turn."""
    if isinstance(event, TurnSpoken | TurnFailed | ContextOverflowed | AnswerRefused):
        return event.turn
    return -1


def _header(opened: EpisodeOpened) -> Header:
    parent = opened.parent
    return Header(
        protocol=opened.protocol,
        protocol_version=opened.protocol_version,
        case=opened.case,
        condition=opened.condition,
        repetition=opened.repetition,
        options=opened.options,
        cast=opened.cast,
        seed=opened.seed,
        software=opened.software,
        imported=opened.imported,
        parent=f"{parent.run}/{parent.episode}@{parent.position}" if parent else "",
    )
