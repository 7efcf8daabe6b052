"""Turns as CSV, for spreadsheets."""

from __future__ import annotations

import asyncio
import csv
import os
import re
from datetime import datetime
from pathlib import Path

from eristic.debate import EpisodeClosed
from eristic.debate.envelopes import decode
from eristic.debate.ids import RUN_CHAIN
from eristic.ports import EpisodeLog
from eristic.replay.archive.arrow import pa
from eristic.replay.exporting.contract import Exported, ExportOptions
from eristic.replay.exporting.files import local_file
from eristic.replay.tables import turns

__all__ = ["export"]

_TEXTS = ("text", "reading_value")
_VERDICT = re.compile(r"[A-Za-z0-9_.+-]{1,40}")
"""A reading that is one such word is a verdict; any other may be a text, or most of one."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins so is a formula, or hides one, in a spreadsheet."""


async def export(log: EpisodeLog, run: str, place: str, options: ExportOptions) -> Exported:
    """One turn a row. A text that a spreadsheet would take for a formula gets a quote before it:
    texts come from models, and are never to be evaluated. Exact texts are in the other forms.

    The file is written anew as a whole, and appears whole. A missing value is an empty cell.
    """
    path = local_file(place)
    before = await asyncio.to_thread(_rows, path)
    kept: list[tuple[str, bytes]] = []
    ends: dict[str, bool] = {}
    async for episode, stored in log.records():
        if episode != RUN_CHAIN:
            kept.append((episode, stored))
            ends[episode] = isinstance(decode(stored).body, EpisodeClosed)
    waiting = 0
    if options.episodes == "closed":
        kept = [(episode, stored) for episode, stored in kept if ends[episode]]
        waiting = sum(not closed for closed in ends.values())
    table = turns(kept)
    if options.without_texts:
        table = _without_texts(table)
    await asyncio.to_thread(_write, path, table)
    return Exported(
        run=run,
        place=place,
        added=table.num_rows - before,
        held=table.num_rows,
        waiting=waiting,
        bytes=path.stat().st_size,
    )


def _without_texts(table: pa.Table) -> pa.Table:
    """The length of every text in its place; a reading may be a text as well."""
    for name in _TEXTS:
        texts = table.column(name).to_pylist()
        told = [None if text is None else f"[{len(text):,} characters]" for text in texts]
        if name == "reading_value":
            told = [
                text if text is None or _VERDICT.fullmatch(text) else hidden
                for text, hidden in zip(texts, told, strict=True)
            ]
        place = table.column_names.index(name)
        table = table.set_column(place, name, pa.array(told, pa.string()))
    return table


def _rows(path: Path) -> int:
    """Rows that are there already."""
    if not path.exists():
        return 0
    with path.open(newline="", encoding="utf-8") as file:
        return max(0, sum(1 for _ in csv.reader(file)) - 1)


def _write(path: Path, table: pa.Table) -> None:
    written = path.with_name(f"{path.name}.part")
    try:
        with written.open("w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(table.column_names)
            for batch in table.to_batches():
                columns = [column.to_pylist() for column in batch.columns]
                rows.writerows(
                    [_cell(value) for value in row] for row in zip(*columns, strict=True)
                )
            file.flush()
            os.fsync(file.fileno())
        written.replace(path)
    finally:
        written.unlink(missing_ok=True)


def _cell(value: object) -> object:
    if isinstance(value, list):
        value = " ".join(map(str, value))
    if isinstance(value, datetime):
        return value.isoformat()
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
