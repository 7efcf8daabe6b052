"""A run that is still being archived: the archive and the live log, read as one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from eristic.debate import EpisodeClosed, RunClosed
from eristic.debate.envelopes import decode, digest
from eristic.debate.errors import LogDamaged
from eristic.ports import EpisodeLog
from eristic.replay.archive.logs import ParquetLog

__all__ = ["CombinedLog"]


class CombinedLog:
    """Events that both have are given once; that they are the same is checked where they meet.

    The live log may have everything, or only what came later, or have lost its end.
    """

    def __init__(self, archive: ParquetLog, live: EpisodeLog) -> None:
        self._archive = archive
        self._live = live

    async def read(self, episode: str) -> list[bytes]:
        """Stored bytes of one chain in order. A chain that closed is read from the archive alone.

        Raises LogDamaged when the two contradict each other or leave a gap.
        """
        archived = await self._archive.read(episode)
        if archived and isinstance(decode(archived[-1]).body, EpisodeClosed | RunClosed):
            return archived
        live = await self._live.read(episode)
        if not live:
            return archived
        begin = decode(live[0]).position
        if begin > len(archived):
            raise self._gap(episode, len(archived), begin)
        shared = archived[begin : begin + len(live)]
        if live[: len(shared)] != shared:
            raise self._contradiction(episode, begin)
        return [*archived, *live[len(shared) :]]

    async def append(self, episode: str, stored: Sequence[bytes], *, expected: int) -> None:
        """Append to the live log."""
        await self._live.append(episode, stored, expected=expected)

    async def records(self) -> AsyncIterator[tuple[str, bytes]]:
        """(episode, stored bytes) of the whole run: in the order of the live log as far as that
        goes, then what only the archive has, in its order.
        """
        reached: dict[str, int] = {}
        ends = self._archive.manifest.heads
        async for episode, stored in self._live.records():
            position = reached.get(episode)
            if position is None:
                position = decode(stored).position
                for earlier in await self._earlier(episode, position):
                    yield episode, earlier
            end = ends.get(episode)
            if end is not None and position == end.length - 1 and digest(stored) != end.head:
                raise self._contradiction(episode, position)
            reached[episode] = position + 1
            yield episode, stored
        if all(reached.get(name, 0) >= end.length for name, end in ends.items()):
            return
        passed: dict[str, int] = {}
        async for episode, stored in self._archive.records():
            position = passed[episode] = passed.get(episode, -1) + 1
            if position >= reached.get(episode, 0):
                yield episode, stored

    async def _earlier(self, episode: str, begin: int) -> list[bytes]:
        if begin == 0:
            return []
        archived = (await self._archive.read(episode))[:begin]
        if len(archived) < begin:
            raise self._gap(episode, len(archived), begin)
        return archived

    def _gap(self, episode: str, end: int, begin: int) -> LogDamaged:
        return LogDamaged(
            f"run {self._archive.run}, {episode}: the archive ends at {end}, the log begins at "
            f"{begin}; what was between them is lost to both: look for an older archive"
        )

    def _contradiction(self, episode: str, position: int) -> LogDamaged:
        return LogDamaged(
            f"run {self._archive.run}, {episode}@{position}: the archive at "
            f"{self._archive.store.place} and the log hold different events; "
            "run `eristic verify` on both"
        )
