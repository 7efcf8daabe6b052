"""The columns of the tables for readers, with types and units."""

from __future__ import annotations

from functools import cache

from eristic.debate.errors import NameRefused, nearest
from eristic.replay.archive.arrow import pa
from eristic.replay.archive.schemas import VERSION, schema_of

__all__ = ["CELL", "TABLES", "schema_of_table"]

_TIME = pa.timestamp("us", tz="UTC")

_PLACE = ("run", "episode", "position", "time")
CELL = ("protocol", "protocol_version", "condition", "repetition", "case_id", "block")
_CALL = (
    "model",
    "tokens_in",
    "tokens_out",
    "tokens_cached",
    "finish",
    "refusal",
    "latency_s",
    "failed_tries",
)

Column = str | tuple[str, pa.DataType, str]
"""A column of the archive by its name, or one of its own: name, type, what it holds."""

_DIGEST = ("digest", pa.string(), "SHA-256 of the stored event (64 hex digits)")

TABLES: dict[str, tuple[Column, ...]] = {
    "turns": (
        *_PLACE,
        *CELL,
        "turn",
        "role",
        "attempt",
        "epoch",
        "rank",
        "source",
        "seed",
        "text",
        "parser",
        "reading_status",
        ("reading_value", pa.string(), "what was read, of any length; null unless it was read"),
        "reading_flags",
        *_CALL,
        _DIGEST,
    ),
    "calls": (
        *_PLACE,
        *CELL,
        "turn",
        "role",
        ("judge", pa.string(), "judge that called, with version; null for roles"),
        "attempt",
        "epoch",
        "rank",
        ("status", pa.string(), "answered or failed"),
        "error",
        *_CALL,
        "cost_usd",
        ("prompt", pa.string(), "SHA-256 of the messages as sent (64 hex digits)"),
    ),
    "verdicts": (
        *_PLACE,
        *CELL,
        ("kind", pa.string(), "reading, ruling or judgement"),
        ("rule", pa.string(), "parser, policy or judge, with version"),
        "turn",
        "role",
        "attempt",
        "rank",
        "round",
        ("status", pa.string(), "read, unreadable, empty, refused; decided; scored, unscored"),
        ("value", pa.string(), "what was read, decided or scored; null for none and for a text"),
        ("is_text", pa.bool_(), "a text of over 64 characters was read; it is in `turns`"),
        "reason",
        "model",
        ("target", pa.string(), "digest of the judged event; null but for judgements"),
    ),
    "episodes": (
        "run",
        "episode",
        *CELL,
        "seed",
        ("opened", _TIME, "time of the first event (UTC)"),
        ("closed", _TIME, "time of the closing event; null while open"),
        ("state", pa.string(), "open, closed, or failed: closed without an outcome"),
        "outcome",
        "reason",
        "rounds",
        ("turns", pa.int64(), "texts so far, templates included (count)"),
        ("last_turn", pa.int32(), "highest number of a turn so far; null when there is none"),
        ("calls", pa.int64(), "texts that a model gave (count)"),
        ("failed_calls", pa.int64(), "asks that gave no text after all tries (count)"),
        ("calls_uncounted", pa.int64(), "texts whose provider gave no token counts (count)"),
        ("tokens_in", pa.int64(), "sum of what providers said (count); null when none did"),
        ("tokens_out", pa.int64(), "sum of what providers said (count); null when none did"),
        ("events", pa.int64(), "events (count)"),
    ),
    "runs": (
        "run",
        "protocol",
        "software",
        ("opened", _TIME, "time of the first event (UTC)"),
        ("last", _TIME, "time of the latest event (UTC)"),
        ("is_closed", pa.bool_(), "the run's closing event is there"),
        ("planned", pa.int64(), "episodes planned (count); null when the opening is missing"),
        ("closed", pa.int64(), "episodes with an outcome (count)"),
        ("failed", pa.int64(), "episodes closed without one (count)"),
        ("open", pa.int64(), "episodes begun and not closed (count)"),
        ("turns", pa.int64(), "texts, templates included (count)"),
        ("events", pa.int64(), "events (count)"),
        ("head", pa.string(), "digest of the last event of the run's own chain (64 hex digits)"),
    ),
    "ledger": (
        "run",
        "episode",
        "condition",
        "role",
        ("judge", pa.string(), "judge that called, with version; null for roles"),
        ("model", pa.string(), "model as served; null for calls that gave nothing"),
        ("calls", pa.int64(), "calls that gave a text (count)"),
        ("failed_calls", pa.int64(), "asks that gave no text after all tries (count)"),
        ("failed_tries", pa.int64(), "tries that gave nothing, before or instead (count)"),
        ("calls_uncounted", pa.int64(), "calls whose provider gave no token counts (count)"),
        ("tokens_in", pa.int64(), "prompt tokens as billed, cached ones included (count)"),
        ("tokens_cached", pa.int64(), "part of tokens_in read from a cache (count)"),
        ("tokens_out", pa.int64(), "completion tokens as billed (count)"),
        ("latency_s", pa.float64(), "time of the calls that gave a text, added up (seconds)"),
        ("cost_usd", pa.float64(), "price, where it was recorded (US dollars); else null"),
    ),
}


@cache
def schema_of_table(name: str) -> pa.Schema:
    """The schema of a table. Raises NameRefused."""
    if name not in TABLES:
        raise NameRefused(f"there is no table {name!r}.{nearest(name, TABLES)}")
    return pa.schema([_field(column) for column in TABLES[name]])


def _field(column: Column) -> pa.Field:
    if not isinstance(column, str):
        name, kind, says = column
        return pa.field(name, kind, metadata={"is": says})
    field = schema_of(VERSION).field(column)
    return field.with_type(pa.string()) if pa.types.is_dictionary(field.type) else field
