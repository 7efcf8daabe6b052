"""A log that lives as long as its process: for tests and for trials that keep nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from eristic.debate.errors import StalePosition

__all__ = ["MemoryLog"]


class MemoryLog:
    """An `EpisodeLog` in memory. Several writers may share it, as they share a server."""

    def __init__(self) -> None:
        self._records: list[tuple[str, bytes]] = []
        self._chains: dict[str, list[bytes]] = {}

    async def read(self, episode: str) -> list[bytes]:
        """Stored bytes of one chain in order; empty when there is none."""
        return list(self._chains.get(episode, ()))

    async def append(self, episode: str, stored: Sequence[bytes], *, expected: int) -> None:
        """Append to the end of a chain, all or nothing. Raises StalePosition."""
        length = len(self._chains.get(episode, ()))
        if length != expected:
            raise StalePosition(episode=episode, expected=expected, actual=length)
        if stored:
            self._chains.setdefault(episode, []).extend(stored)
            self._records.extend((episode, event) for event in stored)

    async def records(self) -> AsyncIterator[tuple[str, bytes]]:
        """(episode, stored bytes) of the whole log in order, up to now."""
        for record in self._records[: len(self._records)]:
            yield record
