"""From a log to an archive: what is new in the log is added, and proven before it is published.

The log is read once, in its own order, and its chains are checked on the way. What is to be
archived waits in a backlog until it can be written chain by chain. Every new file is read back from
where it was published, and its events must be those of the log; only then does a new manifest
name it. Whatever ends this early leaves the archive as it was.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Literal

import msgspec
from msgspec.structs import replace

from eristic.debate import EpisodeClosed, Event, RunClosed
from eristic.debate.envelopes import digest
from eristic.debate.errors import LogDamaged, SpecRefused
from eristic.debate.ids import RUN_CHAIN
from eristic.journal import Ledger
from eristic.ports import EpisodeLog
from eristic.replay.archive.arrow import pa
from eristic.replay.archive.backlogs import Backlog
from eristic.replay.archive.columns import header_of
from eristic.replay.archive.manifest import MANIFEST, End, Manifest, read_manifest, write_manifest
from eristic.replay.archive.publishing import Published, Waiting, publish_parts
from eristic.replay.archive.schemas import VERSION
from eristic.replay.archive.stores import Store, open_store

__all__ = ["Archived", "Episodes", "write_archive"]

Episodes = Literal["closed", "all"]

_PART_BYTES = 256 << 20
"""Texts and frames of one file."""
_BREATH_EVENTS = 512


class Archived(msgspec.Struct, frozen=True, kw_only=True):
    """What one export did."""

    run: str
    place: str
    added: int
    """Events that were added."""
    chains: int
    """Chains that were added or went on (count)."""
    waiting: int
    """Episodes with events that were left out because they are open (count)."""
    parts: int
    """Files that were added."""
    bytes: int
    """Size of these files."""
    events: int
    """Events in the archive now."""
    is_closed: bool
    head: str


async def write_archive(
    log: EpisodeLog,
    run: str,
    place: str | os.PathLike[str],
    *,
    episodes: Episodes = "closed",
    software: str = "",
    part_bytes: int = _PART_BYTES,
    on_progress: Callable[[int], None] | None = None,
) -> Archived:
    """Bring the archive at `place` up to date with the log of a run.

    episodes: closed leaves out what is still open, all takes what there is up to now.
    software: what is noted in the manifest. on_progress: hears how many events were read.
    Raises LogDamaged when the log's chains do not hold or contradict what is archived already,
    SpecRefused when the place holds another run or cannot be written.
    """
    store = open_store(place)
    base = _begin(store, run)
    with Backlog() as backlog:
        chains = await _read_log(log, run, base, backlog, on_progress)
        wanted = {
            name: chain
            for name, chain in sorted(chains.items())
            if chain.last >= 0 and (episodes == "all" or name == RUN_CHAIN or chain.closed)
        }
        published = await asyncio.to_thread(
            publish_parts, store, run, backlog, wanted, part_bytes=part_bytes, after=len(base.parts)
        )
    after = _grown(base, published, software)
    if published.parts:
        if _begin(store, run) != base:
            raise SpecRefused(f"another export to {store.place} was faster; run this one again")
        await asyncio.to_thread(write_manifest, store, after)
    return Archived(
        run=run,
        place=store.place,
        added=after.events - base.events,
        chains=len(wanted),
        waiting=sum(chain.last >= 0 for chain in chains.values()) - len(wanted),
        parts=len(published.parts),
        bytes=sum(part.bytes for part in published.parts),
        events=after.events,
        is_closed=after.is_closed,
        head=after.head,
    )


def _begin(store: Store, run: str) -> Manifest:
    if not store.exists(MANIFEST):
        return Manifest(run=run)
    found = read_manifest(store)
    if found.run != run:
        raise SpecRefused(
            f"{store.place} is the archive of run {found.run!r}; "
            f"give run {run!r} a place of its own, such as {store.place}/{run}"
        )
    return found


async def _read_log(
    log: EpisodeLog,
    run: str,
    base: Manifest,
    backlog: Backlog,
    on_progress: Callable[[int], None] | None,
) -> dict[str, Waiting]:
    ledger = Ledger(run)
    chains: dict[str, Waiting] = {}
    sequence = 0
    async for name, stored in log.records():
        sequence += 1
        chain = chains.get(name)
        if chain is None:
            chain = chains[name] = Waiting()
        _take(chain, ledger.take(name, stored), stored, base.heads.get(name), sequence, backlog)
        if sequence % _BREATH_EVENTS == 0:
            await asyncio.sleep(0)
            if on_progress is not None:
                on_progress(sequence)
    if on_progress is not None:
        on_progress(sequence)
    _check(run, ledger, base, chains)
    return chains


def _take(
    chain: Waiting,
    event: Event | None,
    stored: bytes,
    archived: End | None,
    sequence: int,
    backlog: Backlog,
) -> None:
    if chain.length == 0 and archived is not None and event is not None:
        chain.header = header_of(event)
    chain.length += 1
    chain.closed = isinstance(event, EpisodeClosed | RunClosed)
    if archived is not None and chain.length <= archived.length:
        if chain.length == archived.length:
            chain.head = digest(stored)
        return
    chain.last = backlog.put(stored, sequence=sequence, after=chain.last)


def _check(run: str, ledger: Ledger, base: Manifest, chains: dict[str, Waiting]) -> None:
    """The log holds, and goes on from what is archived."""
    audit = ledger.close()
    if audit.findings:
        first = audit.findings[0]
        raise LogDamaged(
            f"run {run}, {first.episode}@{first.position}: {first.what}; nothing was archived. "
            f"Run `eristic verify {run}` for the whole picture"
        )
    for name, end in base.heads.items():
        chain = chains.get(name)
        if chain is None or chain.length < end.length:
            there = 0 if chain is None else chain.length
            raise LogDamaged(
                f"run {run}, {name}: the archive has {end.length} events, the log only {there}; "
                "the log lost its end: read the run from the archive, and do not write to it"
            )
        if chain.head != end.head:
            raise LogDamaged(
                f"run {run}, {name}@{end.length - 1}: the archive holds another event than the "
                "log; they are not of the same run, or one of them was changed: verify both"
            )


def _grown(base: Manifest, published: Published, software: str) -> Manifest:
    heads = {**base.heads, **published.ends}
    run_end = heads.get(RUN_CHAIN)
    return replace(
        base,
        schema=VERSION,
        is_closed=base.is_closed or published.is_closed,
        head=run_end.head if run_end is not None else "",
        events=base.events + sum(part.events for part in published.parts),
        software=f"{software}, pyarrow {pa.__version__}".removeprefix(", "),
        parts=(*base.parts, *published.parts),
        heads=dict(sorted(heads.items())),
    )
