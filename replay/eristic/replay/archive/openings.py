"""Which episodes an archive has, by number and by cell: from narrow columns, no event decoded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from eristic.replay.archive.arrays import array_of
from eristic.replay.archive.arrow import compute, pa
from eristic.replay.archive.logs import ParquetLog
from eristic.replay.archive.parts import GROUP_ROWS

__all__ = ["episodes_begun", "episodes_of_cell"]

_CELL = ("case_id", "condition", "repetition")


def episodes_begun(log: ParquetLog) -> list[str]:
    """The episodes in the order in which they began: episode number 1 first.

    Raises LogDamaged for a file that cannot be read.
    """
    return [name for _, name in sorted(_first_rows(log, ("sequence", "episode")))]


def episodes_of_cell(log: ParquetLog, cell: str) -> list[str]:
    """The episodes of CASE/CONDITION/REPETITION, an imported run may have several. Raises as
    `episodes_begun`."""
    rows = _first_rows(log, ("episode", *_CELL))
    return [name for name, *own in rows if "/".join(map(str, own)) == cell]


def _first_rows(log: ParquetLog, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """These columns of the first event of every episode."""
    first = array_of([0], pa.int64())[0]  # a plain 0 would import pandas
    for batch in log.parts.batches(("position", "protocol", *columns), rows=GROUP_ROWS):
        begun = batch.filter(compute("equal", batch.column("position"), first))
        protocols, *cells = (begun.column(x).to_pylist() for x in ("protocol", *columns))
        # Without a protocol it is the run's own chain, or a judge's.
        for protocol, row in zip(protocols, zip(*cells, strict=True), strict=True):
            if protocol is not None:
                yield row
