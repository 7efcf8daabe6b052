"""Records that are needed in another order: in memory as long as they are few, then on disk."""

from __future__ import annotations

from array import array
from tempfile import SpooledTemporaryFile
from types import TracebackType

__all__ = ["Spool"]

_MEMORY_BYTES = 4 << 20


class Spool:
    """Keeps bytes and gives them back by the ticket they were given. 12 bytes a record in memory.

    The file on disk has no name, so that nothing is left behind, whatever happens.
    """

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=_MEMORY_BYTES)
        self._starts = array("Q")
        self._sizes = array("I")
        self._end = 0
        self._at = 0

    def __enter__(self) -> Spool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._starts)

    def put(self, stored: bytes) -> int:
        """Keep bytes; the ticket counts from 0."""
        if self._at != self._end:
            self._file.seek(self._end)
        self._file.write(stored)
        self._starts.append(self._end)
        self._sizes.append(len(stored))
        self._end += len(stored)
        self._at = self._end
        return len(self._starts) - 1

    def get(self, ticket: int) -> bytes:
        """The bytes of a ticket."""
        start, size = self._starts[ticket], self._sizes[ticket]
        if start != self._at:
            self._file.seek(start)
        stored = self._file.read(size)
        self._at = start + size
        return stored
