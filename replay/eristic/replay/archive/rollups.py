"""Events added up: an episode, a run, and what was spent."""

from __future__ import annotations

from collections.abc import Sequence

from eristic.debate.ids import RUN_CHAIN
from eristic.replay.archive.arrow import compute, pa, pc
from eristic.replay.archive.columnar import CELL, schema_of_table
from eristic.replay.archive.events import Source, event_table

__all__ = ["roll_up_episodes", "roll_up_ledger", "roll_up_runs"]

_OPENED, _CLOSED = "episode.opened.v1", "episode.closed.v1"
_SPOKEN, _FAILED, _JUDGED = "turn.spoken.v1", "turn.failed.v1", "judgement.made.v1"
_KEY = ["run", "episode"]
_TOKENS = ["tokens_in", "tokens_out"]


def _sum(column: str) -> tuple[str, str, pc.ScalarAggregateOptions]:
    # A sum of nothing is unknown, not 0.
    return column, "sum", pc.ScalarAggregateOptions(min_count=1)


def _flag(table: pa.Table, name: str, values: pa.ChunkedArray) -> pa.Table:
    """The table with a column of 0 and 1, to be added up."""
    return table.append_column(name, values.cast(pa.int64()))


def _is(table: pa.Table, tag: str) -> pa.ChunkedArray:
    return compute("equal", table["type"], tag)


def _of_type(table: pa.Table, tag: str, columns: Sequence[str]) -> pa.Table:
    return table.filter(pc.field("type") == tag).select([*_KEY, *columns])


def _is_uncounted(table: pa.Table) -> pa.ChunkedArray:
    nothing = [compute("is_null", table[name]) for name in _TOKENS]
    return compute("and", compute("is_valid", table["model"]), compute("and", *nothing))


def roll_up_episodes(source: Source) -> pa.Table:
    """See the table `episodes`; in the order in which the episodes began."""
    columns = (*_KEY, *CELL, "type", "position", "sequence", "time", "seed", "outcome", "reason")
    events = event_table(source, (*columns, "rounds", "turn", "model", *_TOKENS))
    events = events.filter(pc.field("protocol").is_valid())  # chains of episodes
    opened = _of_type(events, _OPENED, ["sequence", *CELL, "seed", "time"])
    opened = opened.rename_columns([*opened.column_names[:-1], "opened"])
    closed = _of_type(events, _CLOSED, ["time", "outcome", "reason", "rounds"])
    closed = closed.rename_columns([*_KEY, "closed", "outcome", "reason", "rounds"])
    table = opened.join(closed, _KEY, join_type="left outer")
    table = table.join(_counts(events), _KEY, join_type="left outer").sort_by("sequence")
    state = compute(
        "if_else",
        compute("is_null", table["closed"]),
        "open",
        compute("if_else", compute("is_null", table["outcome"]), "failed", "closed"),
    )
    return table.append_column("state", state)


def _counts(events: pa.Table) -> pa.Table:
    is_spoken = _is(events, _SPOKEN)
    has_model = compute("and", is_spoken, compute("is_valid", events["model"]))
    uncounted = compute("and", is_spoken, _is_uncounted(events))
    events = _flag(events, "turns", is_spoken)
    events = _flag(events, "calls", has_model)
    events = _flag(events, "failed_calls", _is(events, _FAILED))
    events = _flag(events, "calls_uncounted", uncounted)
    # Rulings look at a turn; they are none.
    is_ruling = _is(events, "ruling.made.v1")
    nothing = pa.scalar(None, pa.int32())
    events = events.append_column(
        "last_turn", compute("if_else", is_ruling, nothing, events["turn"])
    )
    sums = ["turns", "calls", "failed_calls", "calls_uncounted", *_TOKENS]
    added = events.group_by(_KEY).aggregate(
        [*(_sum(name) for name in sums), ("last_turn", "max"), ("position", "count")]
    )
    names = [*(f"{name}_sum" for name in sums), "last_turn_max", "position_count"]
    added = added.select([*_KEY, *names])
    return added.rename_columns([*_KEY, *sums, "last_turn", "events"])


def roll_up_runs(source: Source) -> pa.Table:
    """See the table `runs`."""
    columns = ("run", "episode", "type", "time", "position", "software", "episodes", "protocol")
    events = event_table(source, (*columns, "outcome", "digest"))
    names = compute("unique", events["run"]).to_pylist()
    rows = [_run(name, events.filter(pc.field("run") == name)) for name in names]
    return pa.concat_tables(rows) if rows else schema_of_table("runs").empty_table()


def _run(name: str, events: pa.Table) -> pa.Table:
    own = events.filter(pc.field("episode") == RUN_CHAIN).sort_by("position")
    closes = events.filter(pc.field("type") == _CLOSED)
    begun = events.filter(pc.field("type") == _OPENED)
    opening = own.filter(pc.field("type") == "run.opened.v1")
    failed = closes["outcome"].null_count
    first = opening.num_rows > 0
    is_closed = _is(own, "run.closed.v1").to_pylist()
    row = {
        "run": name,
        "protocol": begun["protocol"][0].as_py() if begun.num_rows else None,
        "software": opening["software"][0].as_py() if first else None,
        "opened": opening["time"][0].as_py() if first else None,
        "last": compute("max", events["time"]).as_py() if events.num_rows else None,
        "is_closed": any(is_closed),
        "planned": opening["episodes"][0].as_py() if first else None,
        "closed": closes.num_rows - failed,
        "failed": failed,
        "open": begun.num_rows - closes.num_rows,
        "turns": events.filter(pc.field("type") == _SPOKEN).num_rows,
        "events": events.num_rows,
        "head": own["digest"][-1].as_py().hex() if own.num_rows else None,
    }
    return pa.Table.from_pylist([row], schema=schema_of_table("runs"))


def roll_up_ledger(source: Source) -> pa.Table:
    """See the table `ledger`."""
    keys = ["run", "episode", "condition", "role", "judge", "model"]
    amounts = ["failed_tries", "tokens_in", "tokens_cached", "tokens_out", "latency_s", "cost_usd"]
    events = event_table(source, (*keys, "type", *amounts), types=(_SPOKEN, _FAILED, _JUDGED))
    events = events.filter(pc.field("model").is_valid() | (pc.field("type") == _FAILED))
    events = _flag(events, "calls", compute("is_valid", events["model"]))
    events = _flag(events, "failed_calls", _is(events, _FAILED))
    events = _flag(events, "calls_uncounted", _is_uncounted(events))
    sums = ["calls", "failed_calls", "calls_uncounted", *amounts]
    added = events.group_by(keys).aggregate([_sum(name) for name in sums])
    added = added.select([*keys, *(f"{name}_sum" for name in sums)])
    order = [
        ("run", "ascending"),
        ("episode", "ascending"),
        ("role", "ascending"),
        ("model", "ascending"),
    ]
    return added.rename_columns([*keys, *sums]).sort_by(order)
