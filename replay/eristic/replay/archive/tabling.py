"""From columns of events to the tables for readers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from eristic.debate.errors import SpecRefused, nearest
from eristic.replay.archive.arrays import array_of
from eristic.replay.archive.arrow import compute, pa, pc
from eristic.replay.archive.columnar import TABLES, schema_of_table
from eristic.replay.archive.events import Source, event_table
from eristic.replay.archive.rollups import roll_up_episodes, roll_up_ledger, roll_up_runs

__all__ = ["make_table"]

_SPOKEN, _FAILED, _RULED = "turn.spoken.v1", "turn.failed.v1", "ruling.made.v1"
_JUDGED = "judgement.made.v1"

_READS: dict[str, dict[str, tuple[str, ...]]] = {
    "turns": {"reading_value": ("reading_value", "reading_text")},
    "calls": {"status": ("type",)},
    "verdicts": {
        "kind": ("type",),
        "rule": ("parser", "policy", "judge"),
        "status": ("type", "reading_status", "status"),
        "value": ("reading_value", "decision", "value"),
        "is_text": ("reading_status", "reading_value"),
        "episode": ("episode", "judged_episode"),
    },
}
"""Table -> column -> columns of the archive that it is made from, when it is not its own."""

_NEEDS: dict[str, tuple[str, ...]] = {
    "turns": (),
    "calls": ("model", "type"),
    "verdicts": ("type", "parser"),
}
"""What says whether a row belongs to the table."""

_TYPES = {
    "turns": (_SPOKEN,),
    "calls": (_SPOKEN, _FAILED, _JUDGED),
    "verdicts": (_SPOKEN, _RULED, _JUDGED),
}


def make_table(
    name: str,
    sources: Sequence[Source],
    *,
    columns: Sequence[str] | None,
    where: Mapping[str, object],
) -> pa.Table:
    """The table of that name over all sources: these columns, of the rows that `where` names."""
    schema = schema_of_table(name)
    wanted = list(schema.names if columns is None else columns)
    needed = list(dict.fromkeys((*wanted, *where)))
    for column in needed:
        if column not in schema.names:
            raise SpecRefused(
                f"table {name} has no column {column!r}.{nearest(column, schema.names)}"
            )
    tables = [_one(name, source, needed, where) for source in sources]
    table = pa.concat_tables(tables) if tables else schema.empty_table().select(needed)
    for column, value in where.items():
        table = table.filter(_condition(column, value, schema.field(column).type))
    return table.select(wanted)


def _condition(column: str, value: object, kind: pa.DataType) -> pc.Expression:
    is_many = isinstance(value, Collection) and not isinstance(value, str | bytes)
    values = list(value) if isinstance(value, Collection) and is_many else [value]
    known = [one for one in values if one is not None]
    try:
        found = pc.field(column).isin(pa.array(known, kind))
    except (pa.ArrowException, TypeError) as error:
        raise SpecRefused(f"where: {column} is of type {kind}: {error}") from error
    return found | pc.field(column).is_null() if None in values else found


def _one(name: str, source: Source, columns: list[str], where: Mapping[str, object]) -> pa.Table:
    schema = pa.schema([schema_of_table(name).field(column) for column in columns])
    whole = _WHOLE.get(name)
    if whole is not None:
        return whole(source).select(columns).cast(schema)
    reads = _READS[name]
    needed = [read for column in columns for read in reads.get(column, (column,))]
    needed = list(dict.fromkeys((*needed, *_NEEDS[name])))
    events = event_table(source, needed, types=_TYPES[name], episodes=_episodes(name, where))
    if name == "calls":
        events = events.filter(pc.field("model").is_valid() | (pc.field("type") == _FAILED))
    elif name == "verdicts":
        events = events.filter(pc.field("parser").is_valid() | (pc.field("type") != _SPOKEN))
    arrays = [_column(name, column, events) for column in columns]
    return pa.table(arrays, columns).cast(schema)


def _episodes(name: str, where: Mapping[str, object]) -> list[str] | None:
    """Chains to look into, when `where` names them: the rest of the files is not read."""
    value = where.get("episode")
    if name == "verdicts":  # judgements of an episode are in their judge's chain
        return None
    if isinstance(value, str):
        return [value]
    if isinstance(value, Collection) and all(isinstance(one, str) for one in value):
        return [str(one) for one in value]
    return None


def _column(name: str, column: str, events: pa.Table) -> pa.ChunkedArray:
    if column in ("digest", "prompt", "target"):
        return _hex(events[column])
    if column not in _READS[name]:
        return events[column]
    if column == "kind":
        return _by_type(events, {_RULED: "ruling", _JUDGED: "judgement"}, "reading")
    if column == "is_text":
        is_read = compute("equal", events["reading_status"], "read")
        return compute(
            "and", compute("coalesce", is_read, False), compute("is_null", events["reading_value"])
        )
    if column == "status" and name == "calls":
        return _by_type(events, {_FAILED: "failed"}, "answered")
    sources = _READS[name][column]
    if column == "status":
        decided = _by_type(events, {_RULED: "decided"}, None)
        return compute("coalesce", events["reading_status"], events["status"], decided)
    if column == "episode":
        sources = ("judged_episode", "episode")
    return compute("coalesce", *(events[source] for source in sources))


def _by_type(events: pa.Table, names: Mapping[str, str], other: str | None) -> pa.ChunkedArray:
    found = pa.scalar(other, pa.string())
    for tag, word in names.items():
        found = compute("if_else", compute("equal", events["type"], tag), word, found)
    if isinstance(found, pa.Scalar):
        return pa.repeat(found, events.num_rows)
    return found


def _hex(column: pa.ChunkedArray) -> pa.Array:
    values = [None if value is None else value.hex() for value in column.to_pylist()]
    return array_of(values, pa.string())


_WHOLE: dict[str, Callable[[Source], pa.Table]] = {
    "episodes": roll_up_episodes,
    "runs": roll_up_runs,
    "ledger": roll_up_ledger,
}
assert _WHOLE.keys() | _READS.keys() == TABLES.keys()
