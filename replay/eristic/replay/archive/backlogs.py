"""What of a log waits to be archived: on disk, so that memory holds two numbers a chain.

A log has its chains interleaved, and files have one behind the other. Each event is kept with the
place of the one before it in its chain, and is found again from the last one backwards.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from struct import Struct
from tempfile import SpooledTemporaryFile
from types import TracebackType
from typing import NamedTuple

__all__ = ["Backlog", "Kept"]

_MEMORY_BYTES = 4 << 20
_FRONT = Struct("<qqq")
"""Before each event: place of the one before it (-1: none), its number in the log, its size."""


class Kept(NamedTuple):
    """An event that waits."""

    sequence: int
    """Place in the log of the whole run, from 1."""
    stored: bytes


class Backlog:
    """Keeps events by chain. The file on disk has no name: nothing is left behind."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=_MEMORY_BYTES)
        self._end = 0

    def __enter__(self) -> Backlog:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def put(self, stored: bytes, *, sequence: int, after: int) -> int:
        """Keep an event behind the one at the place `after`; -1 begins a chain.

        Gives its place. All events are put before the first one is taken.
        """
        place = self._end
        self._file.write(_FRONT.pack(after, sequence, len(stored)))
        self._file.write(stored)
        self._end += _FRONT.size + len(stored)
        return place

    def take(self, last: int) -> Iterator[Kept]:
        """The events of the chain whose last one is at that place, in order."""
        places = array("q")
        while last >= 0:
            places.append(last)
            last = self._front(last)[0]
        for place in reversed(places):
            _, sequence, size = self._front(place)
            yield Kept(sequence, self._file.read(size))

    def _front(self, place: int) -> tuple[int, int, int]:
        self._file.seek(place)
        after, sequence, size = _FRONT.unpack(self._file.read(_FRONT.size))
        return after, sequence, size
