"""New files of an archive: written beside it, published, read back, and only then believed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from tempfile import TemporaryFile
from typing import BinaryIO, NamedTuple

from eristic.debate import RunClosed
from eristic.debate.envelopes import decode
from eristic.debate.errors import LogDamaged
from eristic.replay.archive.backlogs import Backlog
from eristic.replay.archive.columns import Row, frame_of, header_of, row_of
from eristic.replay.archive.logs import ParquetLog
from eristic.replay.archive.manifest import End, Manifest, Part
from eristic.replay.archive.parts import PartWriter, RowsDigest
from eristic.replay.archive.schemas import VERSION
from eristic.replay.archive.stores import Store

__all__ = ["Published", "Waiting", "publish_parts"]


_CHUNK_BYTES = 1 << 20


class Waiting:
    """A chain of the log, and what of it waits to be archived."""

    __slots__ = ("closed", "head", "header", "last", "length")

    def __init__(self) -> None:
        self.length = 0
        """Events in the log, archived ones included (count)."""
        self.head = ""
        """Digest of the event at which the archive ends, as the log has it."""
        self.header: Row | None = None
        """Of a chain that is archived in part; of others the opening event waits as well."""
        self.closed = False
        self.last = -1
        """Place in the backlog of its last event; -1 when nothing waits."""


class Published(NamedTuple):
    """Files that are in place and proven, and where the chains in them end."""

    parts: list[Part]
    ends: dict[str, End]
    is_closed: bool
    """The run's closing event is in them."""


class _Line(NamedTuple):
    episode: str
    position: int
    sha: bytes
    row: Row
    closes: bool


def publish_parts(
    store: Store,
    run: str,
    backlog: Backlog,
    chains: Mapping[str, Waiting],
    *,
    part_bytes: int,
    after: int,
) -> Published:
    """Write what waits, chains in the order given, into files of about `part_bytes`.

    after: files that the archive has already (count). Raises LogDamaged when a file that was read
    back does not hold what was written, SpecRefused when the store cannot be written.
    """
    published = Published([], {}, False)
    lines = _lines(backlog, chains)
    line = next(lines, None)
    while line is not None:
        with TemporaryFile() as staged:
            writer = PartWriter(staged)
            proof = RowsDigest()
            first = last = line.episode
            while line is not None and writer.size < part_bytes:
                writer.add(line.row)
                proof.take(line.episode, line.position, line.sha)
                published.ends[line.episode] = End(line.position + 1, line.sha.hex())
                published = published._replace(is_closed=published.is_closed or line.closes)
                last = line.episode
                line = next(lines, None)
            writer.close()
            number = after + len(published.parts)
            part = _describe(staged, run, number, writer.count, first, last)
            staged.seek(0)
            store.publish(part.path, staged)
        _prove(store, run, part, proof)
        published.parts.append(part)
    return published


def _lines(backlog: Backlog, chains: Mapping[str, Waiting]) -> Iterator[_Line]:
    for chain in chains.values():
        header = chain.header
        for sequence, stored in backlog.take(chain.last):
            envelope = decode(stored)
            if header is None:
                header = header_of(envelope.body)
            row = row_of(envelope, stored, sequence=sequence, header=header)
            row |= frame_of(row, stored)
            sha = row["digest"]
            assert isinstance(sha, bytes)
            closes = isinstance(envelope.body, RunClosed)
            yield _Line(envelope.episode, envelope.position, sha, row, closes)


def _describe(file: BinaryIO, run: str, number: int, events: int, first: str, last: str) -> Part:
    file.seek(0)
    found = hashlib.sha256()
    while chunk := file.read(_CHUNK_BYTES):
        found.update(chunk)
    sha = found.hexdigest()
    return Part(
        # Named by content: an export that was killed and begun again writes the same file.
        path=f"run={run}/part-{number:05d}-{sha[:12]}.parquet",
        sha256=sha,
        bytes=file.seek(0, 2),
        events=events,
        schema=VERSION,
        first=first,
        last=last,
    )


def _prove(store: Store, run: str, part: Part, proof: RowsDigest) -> None:
    """The published file is the one written, and its events are, byte for byte, the log's."""
    found = RowsDigest()
    if store.digest(part.path) == part.sha256:
        log = ParquetLog(store, Manifest(run=run, parts=(part,)), lean=True)
        for row in log.rows(part):
            found.take(row.episode, row.position, hashlib.sha256(row.stored).digest())
    if found.hex() != proof.hex():
        raise LogDamaged(
            f"{store.place}/{part.path} does not hold what was written: the storage changes "
            "files, or another program writes there. The archive is as it was before"
        )
