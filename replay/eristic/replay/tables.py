"""Runs as tables: six functions, each from an archive, a log or records to a `pyarrow.Table`.

    turns("archive/demo", columns=["role", "text"], where={"condition": "no_helper"}).to_pandas()

Columns, units and types are fixed and listed by `table_schema(name)`; each field's metadata says
under `is` what it holds. What is not known is null, never 0 and never an empty text. Only the
columns that are asked for are read of an archive. Every function raises ExtraMissing without
pyarrow, LogError for a log that cannot be read, SpecRefused for a column that there is not.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

    from eristic.replay.archive.events import Source

__all__ = ["calls", "episodes", "ledger", "runs", "table_schema", "turns", "verdicts"]

Where = Mapping[str, object | Collection[object]]
"""Column -> the value, or the values, that rows must have there; None stands for null."""


def runs(
    *sources: Source, columns: Sequence[str] | None = None, where: Where | None = None
) -> pa.Table:
    """One row a run: what was planned, how far it is, how much is in it."""
    return _table("runs", sources, columns, where)


def episodes(
    *sources: Source, columns: Sequence[str] | None = None, where: Where | None = None
) -> pa.Table:
    """One row an episode: its cell, how it ended, its turns and tokens."""
    return _table("episodes", sources, columns, where)


def turns(
    *sources: Source, columns: Sequence[str] | None = None, where: Where | None = None
) -> pa.Table:
    """One row a text: who said it, the text, what was read in it, what the call took."""
    return _table("turns", sources, columns, where)


def calls(
    *sources: Source, columns: Sequence[str] | None = None, where: Where | None = None
) -> pa.Table:
    """One row a model call, of roles and judges, answered or failed."""
    return _table("calls", sources, columns, where)


def verdicts(
    *sources: Source, columns: Sequence[str] | None = None, where: Where | None = None
) -> pa.Table:
    """One row a verdict: what a parser read, a policy ruled, or a judge scored. Loads no text."""
    return _table("verdicts", sources, columns, where)


def ledger(
    *sources: Source, columns: Sequence[str] | None = None, where: Where | None = None
) -> pa.Table:
    """What was spent: one row for each episode, role (or judge) and model."""
    return _table("ledger", sources, columns, where)


def table_schema(name: str) -> pa.Schema:
    """The columns of a table with their types; metadata `is` of a field says what it holds."""
    from eristic.replay.archive.columnar import schema_of_table

    return schema_of_table(name)


def _table(
    name: str,
    sources: Sequence[Source],
    columns: Sequence[str] | None,
    where: Where | None,
) -> pa.Table:
    from eristic.replay.archive.tabling import make_table

    return make_table(name, sources, columns=columns, where=dict(where or {}))
