"""An archive as an `EpisodeLog`: the same bytes in the same order, read only."""

from __future__ import annotations

import asyncio
import heapq
import os
from array import array
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from eristic.debate.envelopes import digest
from eristic.debate.errors import LogDamaged, LogError
from eristic.replay.archive.arrays import array_of
from eristic.replay.archive.arrow import compute, pa
from eristic.replay.archive.manifest import Manifest, Part, read_manifest
from eristic.replay.archive.parts import PartReader
from eristic.replay.archive.rebuilding import STORED, rebuild
from eristic.replay.archive.spools import Spool
from eristic.replay.archive.stores import Store, open_store

__all__ = ["ParquetLog", "StoredRow", "open_archive"]

_PLACE = ("episode", "position", "sequence")
_BREATH_RECORDS = 1024


class StoredRow(NamedTuple):
    """One event with its place."""

    episode: str
    position: int
    sequence: int
    stored: bytes


def open_archive(place: str | os.PathLike[str]) -> ParquetLog:
    """The archive at a folder or URL. Raises LogMissing, LogDamaged, LogTooNew, SpecRefused."""
    store = open_store(place)
    return ParquetLog(store, read_manifest(store))


class ParquetLog:
    """The events of one run as archived; made by `open_archive`. lean: see `PartReader`."""

    def __init__(self, store: Store, manifest: Manifest, *, lean: bool = False) -> None:
        self.store = store
        self.manifest = manifest
        self.parts = PartReader(store, manifest, lean=lean)

    @property
    def run(self) -> str:
        """Name of the run."""
        return self.manifest.run

    async def read(self, episode: str) -> list[bytes]:
        """Stored bytes of one chain in order; empty when it is not in the archive.

        Raises LogDamaged when it does not end as the manifest says.
        """
        return await asyncio.to_thread(self._read, episode)

    async def read_from(self, episode: str, first: int) -> list[bytes]:
        """Stored bytes of one chain from a position on. Reads no more of the files than needed."""
        return await asyncio.to_thread(self._read, episode, first)

    def _read(self, episode: str, first: int = 0) -> list[bytes]:
        end = self.manifest.heads.get(episode)
        if end is None or first >= end.length:
            return []
        rows = sorted(
            (row.position, row.stored)
            for row in self._rows(episodes=(episode,), first=first)
            if row.episode == episode and row.position >= first
        )
        places = [position for position, _ in rows]
        if places != list(range(first, end.length)) or digest(rows[-1][1]) != end.head:
            raise LogDamaged(
                f"the archive at {self.store.place} does not hold {episode} as its manifest says; "
                f"run `eristic verify {self.store.place}`"
            )
        return [stored for _, stored in rows]

    async def append(self, episode: str, stored: Sequence[bytes], *, expected: int) -> None:
        """Raises LogError: an archive is written by `eristic export` alone."""
        raise LogError(
            f"the archive at {self.store.place} takes no events: it is read only. Append to the "
            f"run {self.run} itself, then run `eristic export` again"
        )

    async def records(self) -> AsyncIterator[tuple[str, bytes]]:
        """(episode, stored bytes) of all that is archived, in the order of the run's log.

        Files are sorted by chain, so they are read once whole before the first record comes.
        """
        with Spool() as spool:
            names, order = await asyncio.to_thread(self._ordered, spool)
            for place in range(0, len(order), _BREATH_RECORDS):
                for ticket in order[place : place + _BREATH_RECORDS].to_pylist():
                    yield names[ticket].as_py(), spool.get(ticket)
                await asyncio.sleep(0)

    def _ordered(self, spool: Spool) -> tuple[pa.Array, pa.Array]:
        """The chain of every ticket in the spool, and the tickets in log order."""
        sequences = array("q")
        names: list[pa.Array] = []
        chunk: list[str] = []
        for row in self._rows():
            spool.put(row.stored)
            sequences.append(row.sequence)
            chunk.append(row.episode)
            if len(chunk) == _BREATH_RECORDS:
                names.append(_words(chunk))
                chunk.clear()
        names.append(_words(chunk))
        order = compute("array_sort_indices", array_of(sequences, pa.int64()))
        return pa.chunked_array(names).combine_chunks(), order

    def chains(self) -> Iterator[tuple[str, list[bytes]]]:
        """Every chain whole, in the order of their names: faster than `records`."""
        layers = _layers(self.manifest.parts)
        if len(layers) == 1:
            return _grouped(self._pieces(layers[0]))
        rows = heapq.merge(*(self._of_parts(parts) for parts in layers))
        return _grouped((row.episode, [row.stored]) for row in rows)

    def _pieces(self, parts: Sequence[Part]) -> Iterator[tuple[str, list[bytes]]]:
        """Pieces of chains: what stands together in a batch."""
        for part in parts:
            for batch in self.parts.batches(("episode", *STORED), part=part):
                stored = iter(rebuild(batch))
                for name, rows in groupby(batch.column("episode").to_pylist()):
                    yield name, [line for _, line in zip(rows, stored, strict=False)]

    def _of_parts(self, parts: Sequence[Part]) -> Iterator[StoredRow]:
        for part in parts:
            yield from self._rows(part=part)

    def rows(self, part: Part | None = None) -> Iterator[StoredRow]:
        """Every event, or those of one part, in the order of the files."""
        return self._rows(part=part)

    def _rows(
        self,
        *,
        episodes: Sequence[str] | None = None,
        first: int | None = None,
        part: Part | None = None,
    ) -> Iterator[StoredRow]:
        columns = (*_PLACE, *STORED)
        for batch in self.parts.batches(columns, episodes=episodes, first=first, part=part):
            if episodes is not None:
                batch = _of_episodes(batch, episodes)
            yield from _rows_of(batch)


def _of_episodes(batch: pa.RecordBatch, episodes: Sequence[str]) -> pa.RecordBatch:
    if len(episodes) == 1:
        # Rows of a file are sorted by episode, so these stand together. Without pa.array, which
        # imports pandas where it is installed, and that takes longer than the reading.
        names = batch.column("episode").to_pylist()
        count = names.count(episodes[0])
        return batch.slice(names.index(episodes[0]) if count else 0, count)
    from eristic.replay.archive.arrow import pc

    wanted = pc.SetLookupOptions(array_of(episodes, pa.string()))
    return batch.filter(compute("is_in", batch.column("episode"), options=wanted))


def _layers(parts: Sequence[Part]) -> list[list[Part]]:
    """Parts in as few rows as can be, so that each row is sorted as a whole: one for each export,
    or fewer."""
    layers: list[list[Part]] = []
    for part in parts:
        # Files of one export may share a chain at their border; those of two are kept apart.
        fitting = (layer for layer in layers if layer[-1].last <= part.first)
        layer = next(fitting, None)
        if layer is None:
            layers.append([part])
        else:
            layer.append(part)
    return layers


def _words(names: list[str]) -> pa.Array:
    return array_of(names, pa.string())


def _rows_of(batch: pa.RecordBatch) -> Iterator[StoredRow]:
    places = (batch.column(name).to_pylist() for name in _PLACE)
    return map(StoredRow._make, zip(*places, rebuild(batch), strict=True))


def _grouped(pieces: Iterable[tuple[str, list[bytes]]]) -> Iterator[tuple[str, list[bytes]]]:
    """Whole chains of their pieces, those of one chain behind each other."""
    name, chain = "", list[bytes]()
    for episode, piece in pieces:
        if episode == name:
            chain += piece
            continue
        if chain:
            yield name, chain
        name, chain = episode, piece
    if chain:
        yield name, chain
