"""Events of any source as columns: an archive's files, or the records of a log."""

from __future__ import annotations

import asyncio
import os
import queue
import threading
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import aclosing

from eristic.debate.envelopes import decode
from eristic.ports import EpisodeLog
from eristic.replay.archive.arrays import array_of
from eristic.replay.archive.arrow import compute, pa, pc
from eristic.replay.archive.columns import Row, Rows, frame_of, header_of, row_of
from eristic.replay.archive.logs import ParquetLog, open_archive
from eristic.replay.archive.schemas import VERSION, schema_of

__all__ = ["Records", "Source", "event_table"]

Records = Iterable[tuple[str, bytes]]
"""(episode, stored bytes), each chain in order."""

Source = str | os.PathLike[str] | EpisodeLog | Records
"""An archive's folder or URL, a log, or records."""

_BATCH_ROWS = 4096
_HANDFUL = 512


def event_table(
    source: Source,
    columns: Sequence[str],
    *,
    types: Sequence[str] | None = None,
    episodes: Sequence[str] | None = None,
) -> pa.Table:
    """The events of a source, or those of some types and chains, with these of an archive's
    columns; words are plain strings. Nothing else is read of an archive.
    """
    needed = list(dict.fromkeys((*columns, "type", "episode")))
    wanted = [_filter(types, "type"), _filter(episodes, "episode")]
    schema = pa.schema([_plain(schema_of(VERSION).field(name)) for name in columns])
    kept = []
    for batch in _batches(source, needed, episodes):
        for name, options in wanted:
            if options is not None:
                words = batch.column(name).cast(pa.string())
                batch = batch.filter(compute("is_in", words, options=options))
        if batch.num_rows:
            kept.append(pa.table([batch.column(n) for n in columns], list(columns)).cast(schema))
    return pa.concat_tables(kept) if kept else schema.empty_table()


def _filter(words: Sequence[str] | None, name: str) -> tuple[str, pc.SetLookupOptions | None]:
    if words is None:
        return name, None
    return name, pc.SetLookupOptions(array_of(list(words), pa.string()))


def _plain(field: pa.Field) -> pa.Field:
    return field.with_type(pa.string()) if pa.types.is_dictionary(field.type) else field


def _batches(
    source: Source, columns: Sequence[str], episodes: Sequence[str] | None
) -> Iterator[pa.RecordBatch]:
    if isinstance(source, str | os.PathLike):
        source = open_archive(source)
    if isinstance(source, ParquetLog):
        return source.parts.batches(columns, episodes=episodes)
    records = source if isinstance(source, Iterable) else _drain(source)
    return _of_records(records, columns)


def _of_records(records: Records, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    rows = Rows(columns)
    headers: dict[str, Row] = {}
    for sequence, (episode, stored) in enumerate(records, start=1):
        envelope = decode(stored)
        if envelope.position == 0:
            headers[episode] = header_of(envelope.body)
        header = headers.get(episode, {})
        row = row_of(envelope, stored, sequence=sequence, header=header)
        rows.add(row | frame_of(row, stored) if "frame" in columns else row)
        if rows.count == _BATCH_ROWS:
            yield rows.flush()
    yield rows.flush()


def _drain(log: EpisodeLog) -> Iterator[tuple[str, bytes]]:
    """The records of a log outside of any event loop: read in a thread that has one of its own.

    A notebook runs a loop already, in which nothing can wait for another one.
    """
    handfuls: queue.Queue[list[tuple[str, bytes]] | BaseException | None] = queue.Queue(4)
    given_up = threading.Event()

    def put(found: list[tuple[str, bytes]] | BaseException | None) -> None:
        while not given_up.is_set():
            try:
                return handfuls.put(found, timeout=0.1)
            except queue.Full:
                continue

    async def read() -> None:
        found: list[tuple[str, bytes]] = []
        records: AsyncIterator[tuple[str, bytes]] = log.records()
        async with aclosing(records) as opened:  # type: ignore[type-var]
            async for record in opened:
                found.append(record)
                if len(found) == _HANDFUL:
                    await asyncio.to_thread(put, found)
                    found = []
                if given_up.is_set():
                    return
        put(found)

    def work() -> None:
        try:
            asyncio.run(read())
            put(None)
        except BaseException as error:  # it belongs to whoever reads
            put(error)

    worker = threading.Thread(target=work, name="eristic-records", daemon=True)
    worker.start()
    try:
        while (found := handfuls.get()) is not None:
            if isinstance(found, BaseException):
                raise found
            yield from found
    finally:
        given_up.set()
        worker.join()
