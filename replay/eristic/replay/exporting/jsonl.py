"""Lines of JSON: every stored event as it is, one a line, for any language."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

from eristic.debate import EpisodeClosed, RunClosed
from eristic.debate.envelopes import decode, digest
from eristic.debate.errors import LogDamaged, SpecRefused
from eristic.debate.ids import RUN_CHAIN
from eristic.ports import EpisodeLog
from eristic.replay.exporting.contract import Exported, ExportOptions, refuse_hiding
from eristic.replay.exporting.files import local_file

__all__ = ["export"]

_BREATH_EVENTS = 512


class _Chain:
    __slots__ = ("closed", "held", "head", "length")

    def __init__(self) -> None:
        self.held = 0
        """Events in the file (count)."""
        self.head = ""
        """Digest of the last of them."""
        self.length = 0
        """Events in the log so far (count)."""
        self.closed = False


async def export(log: EpisodeLog, run: str, place: str, options: ExportOptions) -> Exported:
    """One stored event a line, byte for byte, in log order; later ones are added at the end.

    The log is read twice: which episodes are closed is known at its end only.
    """
    refuse_hiding(options, "jsonl")
    path = local_file(place)
    chains = await asyncio.to_thread(_held, path, run)
    events = 0
    async for name, stored in log.records():
        chain = chains.setdefault(name, _Chain())
        chain.length += 1
        if chain.length == chain.held and digest(stored) != chain.head:
            raise _contradiction(place, run, name, chain.length - 1)
        chain.closed = isinstance(decode(stored).body, EpisodeClosed | RunClosed)
        events += 1
        if events % _BREATH_EVENTS == 0 and options.on_progress is not None:
            options.on_progress(events)
    for name, chain in chains.items():
        if chain.length < chain.held:
            raise _contradiction(place, run, name, chain.length)
    added = await _append(log, path, chains, take_all=options.episodes == "all")
    own = chains.get(RUN_CHAIN, _Chain())
    return Exported(
        run=run,
        place=place,
        added=added,
        held=sum(chain.held for chain in chains.values()),
        waiting=sum(chain.held < chain.length for chain in chains.values()),
        bytes=path.stat().st_size if path.exists() else 0,
        is_closed=own.closed and own.held == own.length,
        head=own.head,
    )


def _held(path: Path, run: str) -> dict[str, _Chain]:
    """What is in the file already."""
    chains: dict[str, _Chain] = {}
    if not path.exists():
        return chains
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            stored = line.removesuffix(b"\n")
            envelope = decode(stored)
            if envelope.run != run:
                raise SpecRefused(f"{path} holds events of run {envelope.run!r}, not {run!r}")
            chain = chains.setdefault(envelope.episode, _Chain())
            if envelope.position != chain.held or not line.endswith(b"\n"):
                raise LogDamaged(f"{path}, line {number}: an event is missing or cut off")
            chain.held += 1
            chain.head = digest(stored)
    return chains


async def _append(log: EpisodeLog, path: Path, chains: dict[str, _Chain], *, take_all: bool) -> int:
    """The file with what is new, in one go."""
    added = 0
    ends = {
        name: chain.length
        for name, chain in chains.items()
        if take_all or chain.closed or name == RUN_CHAIN
    }
    if all(chains[name].held == end for name, end in ends.items()):
        return 0
    written = path.with_name(f"{path.name}.part")
    try:
        if path.exists():
            await asyncio.to_thread(shutil.copyfile, path, written)
        with written.open("ab") as file:
            position: dict[str, int] = {}
            async for name, stored in log.records():
                at = position[name] = position.get(name, -1) + 1
                chain = chains.get(name)
                if chain is None or not chain.held <= at < ends.get(name, 0):
                    continue
                if b"\n" in stored:
                    raise LogDamaged(f"{name}@{at} holds a line break: it is no stored event")
                file.write(stored + b"\n")
                chain.held, chain.head = at + 1, digest(stored)
                added += 1
            file.flush()
            os.fsync(file.fileno())
        written.replace(path)
    finally:
        written.unlink(missing_ok=True)
    return added


def _contradiction(place: str, run: str, name: str, position: int) -> LogDamaged:
    return LogDamaged(
        f"{name}@{position}: {place} and the log of run {run} hold different events, or the log "
        "lost its end; run `eristic verify`, and export to another file"
    )
