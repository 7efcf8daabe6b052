"""The columns of an archive: one explicit Arrow schema a version, and old files in today's shape.

A column is never renamed or given another meaning. A new column makes a new version; a file of an
older version reads as if it had the column, typed and null.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from eristic.debate.errors import LogDamaged, LogTooNew
from eristic.replay.archive.arrow import pa

__all__ = ["SCHEMA_KEY", "VERSION", "schema_of", "version_of", "widen"]

VERSION = 1
"""Version that is written."""

SCHEMA_KEY = b"eristic.schema"
"""Key of the version in a file's metadata."""

_WORD = pa.dictionary(pa.int32(), pa.string())
"""A text that comes from a small set."""

_TIME = pa.timestamp("us", tz="UTC")

_COLUMNS_1: tuple[tuple[str, pa.DataType, str], ...] = (
    ("run", _WORD, "name of the run"),
    ("episode", pa.string(), "name of the chain: an episode's id, or `run` for the run's own"),
    ("position", pa.int64(), "place in the chain, dense from 0"),
    ("sequence", pa.int64(), "place in the log of the whole run, dense from 1"),
    ("time", _TIME, "when the event was decided (UTC)"),
    ("type", _WORD, "tag of the event with its version, as stored"),
    ("digest", pa.binary(32), "SHA-256 of the stored bytes"),
    ("prev", pa.binary(32), "digest of the event before, or the genesis of the chain"),
    ("protocol", _WORD, "protocol of the episode, as are the next six, on each of its rows"),
    ("protocol_version", pa.int32(), "version of the protocol"),
    ("condition", _WORD, "condition of the episode"),
    ("repetition", pa.int32(), "repetition of the episode, from 0"),
    ("case_id", pa.string(), "case of the episode"),
    ("block", pa.string(), "independent unit of statistics"),
    ("turn", pa.int32(), "number of the turn, from 0"),
    ("role", _WORD, "role that acted"),
    ("attempt", pa.int32(), "0, then 1, 2 ... for repeated asks"),
    ("epoch", pa.int32(), "epoch of the role's binding"),
    ("rank", pa.int32(), "0 = the bound model, n = the n-th of its fallback chain"),
    ("round", pa.int32(), "round that a ruling is about"),
    ("source", _WORD, "model, template, imported or human"),
    ("seed", pa.int64(), "seed that was sent; on an opening row the episode's seed"),
    ("text", pa.string(), "raw text of a turn, or of a judge's answer"),
    ("parser", _WORD, "parser that read the text, with version"),
    ("reading_status", _WORD, "read, unreadable, empty or refused"),
    ("reading_value", pa.string(), "what was read, up to 64 characters; null unless it was read"),
    ("reading_text", pa.string(), "what was read, when that is longer: a text for the other side"),
    ("reading_flags", pa.list_(pa.string()), "remarks of the parser that decide nothing"),
    ("model", _WORD, "model as served"),
    ("prompt", pa.binary(32), "SHA-256 of the messages as sent"),
    ("tokens_in", pa.int64(), "prompt tokens as billed (count)"),
    ("tokens_out", pa.int64(), "completion tokens as billed (count)"),
    ("tokens_cached", pa.int64(), "part of tokens_in read from the provider's cache (count)"),
    ("finish", _WORD, "finish reason of the provider"),
    ("refusal", pa.bool_(), "the provider says that the model refused"),
    ("latency_s", pa.float64(), "time of the call that gave the text (seconds)"),
    ("failed_tries", pa.int32(), "tries of the call that gave nothing (count)"),
    ("error", _WORD, "class of the failure, of a turn that gave no text"),
    ("policy", _WORD, "policy of a ruling or a fold, with version"),
    ("decision", pa.string(), "what the policy decided"),
    ("reason", pa.string(), "reason of a ruling, a close or a refused answer; cause of a swap"),
    ("outcome", pa.string(), "outcome of a closed episode; null for a failed one"),
    ("rounds", pa.int32(), "rounds really played, on a closing row"),
    ("episodes", pa.int64(), "episodes planned, on the run's opening row (count)"),
    ("software", _WORD, "software that wrote, on opening rows"),
    ("judge", _WORD, "judge of a judgement, with version"),
    ("target", pa.binary(32), "digest of the judged event"),
    ("judged_episode", pa.string(), "episode of the judged turn"),
    ("status", _WORD, "of a judgement: scored or unscored"),
    ("value", pa.string(), "of a judgement; null unless scored"),
    ("cause", _WORD, "why a judgement is unscored"),
    ("cost_usd", pa.float64(), "price of a judgement (US dollars); null when unknown"),
    ("frame", pa.binary(), "the stored bytes without what was lifted out of them"),
    ("prev_at", pa.int32(), "byte of `frame` where prev goes, as 64 hex digits; null: not lifted"),
    ("text_at", pa.int32(), "byte of `frame` where text goes, as a JSON string"),
    ("prompt_at", pa.int32(), "byte of `frame` where prompt goes, as 64 hex digits"),
    ("value_at", pa.int32(), "byte of `frame` where reading_value or reading_text goes, likewise"),
)

_SCHEMAS: dict[int, pa.Schema] = {
    1: pa.schema([pa.field(n, t, metadata={"is": says}) for n, t, says in _COLUMNS_1]),
}


@cache
def schema_of(version: int = VERSION) -> pa.Schema:
    """The schema of a version, with the version in its metadata. Raises KeyError."""
    return _SCHEMAS[version].with_metadata({SCHEMA_KEY: str(version).encode()})


def version_of(schema: pa.Schema, *, path: str) -> int:
    """The version that a file says it has.

    Raises LogDamaged for a file without one, LogTooNew for a version that is not known.
    """
    said = (schema.metadata or {}).get(SCHEMA_KEY, b"").decode(errors="replace")
    if not said.isdigit():
        raise LogDamaged(f"{path} names no schema of Eristic: it is not part of an archive")
    if int(said) > VERSION:
        raise LogTooNew(
            f"{path} has schema {said}, this version knows up to {VERSION}: "
            "upgrade with `pip install -U eristic`"
        )
    return int(said)


def widen(batch: pa.RecordBatch, columns: Sequence[str], schema: pa.Schema) -> pa.RecordBatch:
    """The batch with exactly these columns of `schema`: what its file did not have is null."""
    fields = [schema.field(name) for name in columns]
    arrays = [_column(batch, field) for field in fields]
    return pa.record_batch(arrays, schema=pa.schema(fields))


def _column(batch: pa.RecordBatch, field: pa.Field) -> pa.Array:
    if field.name not in batch.schema.names:
        return pa.nulls(batch.num_rows, field.type)
    column = batch.column(field.name)
    # A cast to the same type copies nothing, but imports all of pyarrow.compute.
    return column if column.type == field.type else column.cast(field.type)
