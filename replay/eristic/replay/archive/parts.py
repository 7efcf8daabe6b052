"""The files of an archive: written row group by row group, read column by column."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import BinaryIO

from eristic.debate.errors import LogDamaged
from eristic.replay.archive.arrow import pa, pq, trim
from eristic.replay.archive.columns import Rows
from eristic.replay.archive.manifest import Manifest, Part
from eristic.replay.archive.schemas import VERSION, schema_of, version_of, widen
from eristic.replay.archive.stores import Store

__all__ = ["GROUP_BYTES", "GROUP_ROWS", "PartReader", "PartWriter"]

GROUP_ROWS = 50_000
GROUP_BYTES = 4 << 20
"""Texts and frames of a row group: what writing and reading hold in memory at a time."""

_BATCH_ROWS = 1024
_DELTA = ("position", "sequence", "time")
_PLAIN = (
    "digest",
    "prev",
    "prompt",
    "text",
    "reading_text",
    "frame",
    "target",
    "seed",
    "latency_s",
    *_DELTA,
)
_WORDS = [n for n in schema_of(VERSION).names if n not in _PLAIN and not n.endswith("_at")]
_FOUND_BY = [n for n in schema_of(VERSION).names if n not in ("text", "frame", "reading_text")]


class PartWriter:
    """Writes rows that come sorted by episode and position into one file."""

    def __init__(self, sink: BinaryIO) -> None:
        schema = schema_of(VERSION)
        self.count = 0
        self._size = 0
        self._rows = Rows()
        self._writer = pq.ParquetWriter(
            sink,
            schema,
            compression="zstd",
            compression_level=3,
            use_dictionary=_WORDS,  # pyright: ignore[reportArgumentType] # guessed from its default
            column_encoding=dict.fromkeys(_DELTA, "DELTA_BINARY_PACKED"),
            write_statistics=_FOUND_BY,  # pyright: ignore[reportArgumentType] # the same
            sorting_columns=pq.SortingColumn.from_ordering(
                schema, [("episode", "ascending"), ("position", "ascending")]
            ),
        )

    @property
    def size(self) -> int:
        """Texts and frames so far (bytes)."""
        return self._size + self._rows.size

    def add(self, row: dict[str, object]) -> None:
        """The next row."""
        self._rows.add(row)
        self.count += 1
        if self._rows.count >= GROUP_ROWS or self._rows.size >= GROUP_BYTES:
            self._flush()

    def close(self) -> None:
        """Write what is left and the footer."""
        if self._rows.count:
            self._flush()
        self._writer.close()

    def _flush(self) -> None:
        self._size += self._rows.size
        batch = self._rows.flush()
        self._writer.write_table(pa.Table.from_batches([batch]), row_group_size=GROUP_ROWS)
        trim()


class PartReader:
    """Reads columns of the parts that a manifest names. Raises LogDamaged for a broken file.

    lean: give freed memory back before each row group, which is somewhat slower.
    """

    def __init__(self, store: Store, manifest: Manifest, *, lean: bool = False) -> None:
        self._store = store
        self._manifest = manifest
        self._open: dict[str, pq.ParquetFile] = {}
        self._is_lean = lean
        self._reading = Lock()
        """Of the open files: two readings of one archive may be under way at a time."""

    def batches(
        self,
        columns: Sequence[str],
        *,
        episodes: Sequence[str] | None = None,
        first: int | None = None,
        part: Part | None = None,
        rows: int = _BATCH_ROWS,
    ) -> Iterator[pa.RecordBatch]:
        """Batches of at most so many rows, with these columns in today's schema, part by part.

        episodes, first: batches without rows of these chains, or without rows from this position
        on, are left out where the file's statistics tell; the caller still looks at every row.
        """
        for one in self._manifest.parts if part is None else (part,):
            if episodes is not None and not any(one.first <= e <= one.last for e in episodes):
                continue
            try:
                yield from self._of_part(one, columns, episodes, first, rows)
            except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
                reason = (str(error).splitlines() or [type(error).__name__])[0]
                raise LogDamaged(
                    f"{self._store.place}/{one.path} cannot be read: {reason[:200]}; "
                    f"`eristic verify {self._store.place}` tells which files are not the ones "
                    "that were written"
                ) from error

    def _of_part(
        self,
        part: Part,
        columns: Sequence[str],
        episodes: Sequence[str] | None,
        first: int | None,
        rows: int,
    ) -> Iterator[pa.RecordBatch]:
        file = self._file(part)
        names = file.schema_arrow.names
        known = [name for name in columns if name in names]
        schema = schema_of(VERSION)
        groups = [
            group
            for group in range(file.num_row_groups)
            if _may_hold(file.metadata.row_group(group), names, episodes, first)
        ]
        for batches in self._groups(file, groups, known, rows):
            for batch in batches:
                yield widen(batch, columns, schema)

    def _groups(
        self, file: pq.ParquetFile, groups: Sequence[int], columns: Sequence[str], rows: int
    ) -> Iterator[list[pa.RecordBatch]]:
        """The row groups one by one; the next is read while the caller is busy with this one.

        Not all at once: a reader that is told of all fetches far ahead. Not with threads of
        Arrow's own: for the few megabytes of a group they take longer to start than to read.
        """

        def read(group: int) -> list[pa.RecordBatch]:
            # In batches: for a whole group Arrow takes twice the memory of what it gives.
            with self._reading:
                if self._is_lean:
                    trim()
                return list(file.iter_batches(rows, [group], columns=columns, use_threads=False))

        if len(groups) < 2:  # one chain: a thread would take longer than the reading
            yield from map(read, groups)
            return
        with ThreadPoolExecutor(1, "eristic-parts") as ahead:
            coming = ahead.submit(read, groups[0])
            for group in groups[1:]:
                batches = coming.result()
                coming = ahead.submit(read, group)
                yield batches
            yield coming.result()

    def _file(self, part: Part) -> pq.ParquetFile:
        file = self._open.get(part.path)
        if file is None:
            file = pq.ParquetFile(self._store.open(part.path))
            version_of(file.schema_arrow, path=f"{self._store.place}/{part.path}")
            self._open[part.path] = file
        return file


def _may_hold(
    group: pq.RowGroupMetaData,
    names: Sequence[str],
    episodes: Sequence[str] | None,
    first: int | None,
) -> bool:
    if episodes is None:
        return True
    found = group.column(names.index("episode")).statistics
    if found is None or not found.has_min_max:
        return True
    if not any(found.min <= episode <= found.max for episode in episodes):
        return False
    if first is None or found.min != found.max:
        return True
    places = group.column(names.index("position")).statistics
    return places is None or not places.has_min_max or places.max >= first


class RowsDigest:
    """A digest over rows in order: two readings that agree in it hold the same events."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def take(self, episode: str, position: int, sha: bytes) -> None:
        """The next row, with the SHA-256 of its stored bytes."""
        self._hash.update(b"%s %d " % (episode.encode(), position))
        self._hash.update(sha)

    def hex(self) -> str:
        """Of all rows so far."""
        return self._hash.hexdigest()
