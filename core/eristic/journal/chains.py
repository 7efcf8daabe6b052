"""The chain of an episode: how events get their place, and how a place is checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec

from eristic.debate import Envelope, Event
from eristic.debate.envelopes import Kept, decode, digest, encode, genesis, place, seal
from eristic.debate.errors import LogDamaged

__all__ = ["Chain", "carry", "extend", "read_chain"]


class Chain(msgspec.Struct, frozen=True):
    """The end of a chain: what the next event must name."""

    run: str
    episode: str
    length: int
    """Position of the next event."""
    head: str
    """Digest of the last event, or the genesis of an empty chain."""

    @classmethod
    def empty(cls, *, run: str, episode: str) -> Chain:
        """A chain with no event yet."""
        return cls(run, episode, 0, genesis(run=run, episode=episode))


def extend(chain: Chain, events: Sequence[Event], *, time: datetime) -> tuple[list[bytes], Chain]:
    """Stored bytes of the next events, and the chain's end after them.

    Nothing is stored here: a refused append leaves the caller's chain as it was.
    """
    stored: list[bytes] = []
    head, position = chain.head, chain.length
    for event in events:
        envelope = Envelope(
            run=chain.run,
            episode=chain.episode,
            position=position,
            time=time,
            prev=head,
            body=event,
        )
        line = encode(seal(envelope))
        stored.append(line)
        head = digest(line)
        position += 1
    return stored, Chain(chain.run, chain.episode, position, head)


def carry(chain: Chain, kept: Iterable[Kept]) -> tuple[list[bytes], Chain]:
    """Stored bytes of events taken over from another chain, and the chain's end after them.

    Their bodies and times stay as they were; run, episode, place and `prev` are this chain's.
    """
    stored: list[bytes] = []
    head, position = chain.head, chain.length
    for event in kept:
        line = place(event, run=chain.run, episode=chain.episode, position=position, prev=head)
        stored.append(line)
        head = digest(line)
        position += 1
    return stored, Chain(chain.run, chain.episode, position, head)


def read_chain(
    stored: Iterable[bytes], *, run: str, episode: str
) -> tuple[tuple[Envelope, ...], Chain]:
    """The envelopes of one chain, every link checked, and the chain's end.

    Raises LogDamaged at the first event that does not fit, LogTooNew for an unknown event.
    """
    envelopes: list[Envelope] = []
    head = genesis(run=run, episode=episode)
    for position, line in enumerate(stored):
        envelope = decode(line)
        fault = misfit(envelope, run=run, episode=episode, position=position, head=head)
        if fault is not None:
            raise LogDamaged(
                f"run {run}, {episode}@{position}: {fault}; nothing is appended to a damaged "
                f"chain. Run `eristic verify {run}` for the whole picture"
            )
        envelopes.append(envelope)
        head = digest(line)
    return tuple(envelopes), Chain(run, episode, len(envelopes), head)


def misfit(envelope: Envelope, *, run: str, episode: str, position: int, head: str) -> str | None:
    """Why this envelope cannot stand at this place of this chain; None when it can."""
    if envelope.run != run:
        return f"belongs to run {envelope.run!r}"
    if envelope.episode != episode:
        return f"belongs to episode {envelope.episode!r}"
    if envelope.position != position:
        return f"says position {envelope.position} where {position} is due"
    if envelope.prev != head:
        return "does not name the digest of the event before it"
    return None
