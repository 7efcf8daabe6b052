"""Stores what an importer reads. What is there stays as it is, so an import can be repeated.

Each episode is one append, all or nothing. When the source has been read to its end, an
`import.completed` on the run's chain vouches for what is new; an import that was stopped before
leaves episodes nobody vouches for, and the next one over the same source makes that good.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from eristic.debate import (
    Envelope,
    EpisodeOpened,
    ImportCompleted,
    RunOpened,
)
from eristic.debate.envelopes import decode, digest
from eristic.debate.errors import LogDamaged, MessageTooLarge, RunRefused
from eristic.debate.ids import RUN_CHAIN
from eristic.journal import Chain, extend, read_chain
from eristic.ports import Clock, EpisodeLog
from eristic.replay.importing.importer import ImportedEpisode, Importer, Unreadable
from eristic.replay.importing.reports import Conflict, ImportReport, Tally
from eristic.replay.importing.sources import Source

__all__ = ["import_spec", "write_import"]

_AT_ONCE: Final = 256
"""Episodes whose append is under way: the log stores many of them with one fsync."""
_HEADS_AT_ONCE: Final = 4000
"""Heads in one event; keeps it below every server's limit for a message."""

_spec_encoder = msgspec.json.Encoder(order="sorted")
Items = Iterator[ImportedEpisode | Unreadable]


def import_spec(importer: Importer) -> str:
    """What a run of this importer says that it is: the same for every part of a source."""
    spec = {"importer": importer.name, "kind": "import", "layout": importer.layout}
    return _spec_encoder.encode(spec).decode()


async def write_import(
    log: EpisodeLog,
    run: str,
    *,
    importer: Importer,
    source: Source,
    items: Items,
    opened: RunOpened,
    clock: Clock,
    on_progress: Callable[[int], None] | None = None,
) -> ImportReport:
    """Read the items to their end and store those that are new.

    items: of `importer.read(source)`. opened: written first into a new run. Raises RunRefused
    for a run that is no import of this layout, LogDamaged, StalePosition when another import
    writes the same run, BusError as the log does.
    """
    writing = _Writing(log, run, importer, clock)
    await writing.begin(opened)
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(_AT_ONCE):
                group.create_task(writing.work(items, on_progress))
    except* Exception as failures:
        raise _first(failures) from failures
    return await writing.finish(source)


def _first(failures: BaseExceptionGroup[BaseException]) -> BaseException:
    error: BaseException = failures
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


class _There:
    """An episode that the run holds already."""

    __slots__ = ("first", "head", "stored")

    def __init__(self, stored: bytes) -> None:
        self.first = stored
        self.head = ""
        self.stored: list[bytes] = []
        """All of it, while no import vouches for it."""


class _Writing:
    def __init__(self, log: EpisodeLog, run: str, importer: Importer, clock: Clock) -> None:
        self._log = log
        self._run = run
        self._importer = importer
        self._clock = clock
        self._there: dict[str, _There] = {}
        self._chain = Chain.empty(run=run, episode=RUN_CHAIN)
        self._vouched = 0
        self._heads: dict[str, str] = {}
        """To vouch for when the source was read to its end."""
        self._seen: dict[str, tuple[str, str]] = {}
        self._conflicts: list[Conflict] = []
        self._unreadable: list[Unreadable] = []
        self._counts = {"added": 0, "already_there": 0}
        self._files: set[tuple[str, str]] = set()
        self._tally = Tally()

    # -- what is there

    async def begin(self, opened: RunOpened) -> None:
        """Look at the run, or write its first event."""
        chain: list[bytes] = []
        async for episode, stored in self._log.records():
            if episode == RUN_CHAIN:
                chain.append(stored)
                continue
            there = self._there.setdefault(episode, _There(stored))
            there.stored.append(stored)
        past, self._chain = read_chain(chain, run=self._run, episode=RUN_CHAIN)
        if not past:
            await self._append_to_run([opened])
        else:
            self._check_run(past, opened)
        for envelope in past:
            if isinstance(envelope.body, ImportCompleted):
                self._vouched += len(envelope.body.heads)
                self._compare_heads(envelope.body)

    def _check_run(self, past: tuple[Envelope, ...], opened: RunOpened) -> None:
        first = past[0].body
        if not isinstance(first, RunOpened) or first.spec != opened.spec:
            raise RunRefused(
                f"run {self._run!r} exists and is no import of {self._importer.layout}; "
                "choose another name with --run"
            )

    def _compare_heads(self, completed: ImportCompleted) -> None:
        for episode, head in completed.heads.items():
            there = self._there.get(episode)
            if there is None or digest(there.stored[-1]) != head:
                raise LogDamaged(
                    f"run {self._run}, {episode}: does not end as its import said; nothing is "
                    f"added to a damaged run. Run `eristic verify {self._run}`"
                )
            there.head, there.stored = head, []

    # -- what comes

    async def work(self, items: Items, on_progress: Callable[[int], None] | None) -> None:
        """Take items until there are none; one of many that do so."""
        for item in items:
            if isinstance(item, Unreadable):
                self._unreadable.append(item)
            else:
                await self._take(item)
            if on_progress is not None:
                on_progress(len(self._files) + len(self._unreadable))

    async def _take(self, found: ImportedEpisode) -> None:
        origin = found.origin
        if (origin.path, origin.sha256) in self._files:
            return  # the same file twice in one source
        self._files.add((origin.path, origin.sha256))
        self._tally.take(found)
        path, sha256 = self._seen.setdefault(found.episode, (origin.path, origin.sha256))
        if sha256 != origin.sha256:
            self._refuse(found, f"{path} is the same debate out of other bytes")
        elif path != origin.path:
            self._refuse(found, f"{path} is the same debate")
        elif (there := self._there.get(found.episode)) is not None:
            self._compare(found, there)
        else:
            await self._add(found)

    def _compare(self, found: ImportedEpisode, there: _There) -> None:
        opened = decode(there.first).body
        origin = opened.imported if isinstance(opened, EpisodeOpened) else None
        if origin is None or origin.sha256 != found.origin.sha256:
            sha256 = origin.sha256[:12] if origin is not None else "unknown"
            self._refuse(found, f"the run holds this debate out of other bytes (sha256 {sha256})")
            return
        if not there.head and not self._adopt(found, there):
            return
        self._counts["already_there"] += 1

    def _adopt(self, found: ImportedEpisode, there: _There) -> bool:
        """Vouch for an episode of an import that did not come to its end, if it is whole."""
        past, chain = read_chain(there.stored, run=self._run, episode=found.episode)
        if tuple(envelope.body for envelope in past[1:]) != found.events[1:]:
            self._refuse(found, "the run holds another telling of it that no import vouches for")
            return False
        self._heads[found.episode] = chain.head
        return True

    async def _add(self, found: ImportedEpisode) -> None:
        chain = Chain.empty(run=self._run, episode=found.episode)
        stored, after = extend(chain, found.events, time=self._clock.now())
        try:
            await self._log.append(found.episode, stored, expected=0)
        except MessageTooLarge as error:
            self._unreadable.append(Unreadable(path=found.origin.path, reason=str(error)))
            return
        self._heads[found.episode] = after.head
        self._counts["added"] += 1

    def _refuse(self, found: ImportedEpisode, reason: str) -> None:
        path = found.origin.path
        self._conflicts.append(Conflict(path=path, episode=found.episode, reason=reason))

    # -- the end

    async def finish(self, source: Source) -> ImportReport:
        """Vouch for what is new, and say what was found."""
        read = hashlib.sha256()
        for path, sha256 in sorted(self._files):
            read.update(f"{sha256}  {path}\n".encode())
        counts = {
            **self._counts,
            "conflicting": len(self._conflicts),
            "unreadable": len(self._unreadable),
            **source.passed_over,
        }
        await self._vouch(read.hexdigest(), counts)
        return ImportReport(
            run=self._run,
            importer=self._importer.name,
            layout=self._importer.layout,
            source=read.hexdigest(),
            added=self._counts["added"],
            already_there=self._counts["already_there"],
            conflicts=tuple(sorted(self._conflicts, key=lambda conflict: conflict.path)),
            unreadable=tuple(sorted(self._unreadable, key=lambda file: file.path)),
            passed_over=source.passed_over,
            turns=self._tally.turns,
            episodes=self._vouched,
            cells=self._tally.cells(),
            opinion_change=self._tally.opinion_change(),
            helpers=self._tally.helpers(),
            anomalies=self._tally.anomalies(self._importer),
            head=self._chain.head,
        )

    async def _vouch(self, read: str, counts: dict[str, int]) -> None:
        """Nothing is written when nothing is new."""
        names = sorted(self._heads)
        completed: list[ImportCompleted] = []
        for start in range(0, len(names), _HEADS_AT_ONCE):
            heads = {name: self._heads[name] for name in names[start : start + _HEADS_AT_ONCE]}
            self._vouched += len(heads)
            completed.append(
                ImportCompleted(
                    layout=self._importer.layout,
                    source=read,
                    heads=heads,
                    episodes=self._vouched,
                    counts=counts,
                )
            )
        if completed:
            await self._append_to_run(completed)

    async def _append_to_run(self, events: list[RunOpened] | list[ImportCompleted]) -> None:
        stored, after = extend(self._chain, events, time=self._clock.now())
        await self._log.append(RUN_CHAIN, stored, expected=self._chain.length)
        self._chain = after
