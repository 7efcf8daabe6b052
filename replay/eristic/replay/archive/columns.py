"""One event as a row of the archive. What an event does not say is null, never 0 or empty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from eristic.debate import (
    AnswerRefused,
    ContextOverflowed,
    Envelope,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    HistoryFolded,
    ImportCompleted,
    JudgementMade,
    JudgingOpened,
    RoleSwapped,
    RulingMade,
    RunClosed,
    RunOpened,
    Served,
    TurnFailed,
    TurnSpoken,
)
from eristic.debate.envelopes import digest
from eristic.replay.archive.arrays import array_of
from eristic.replay.archive.arrow import pa
from eristic.replay.archive.frames import cut
from eristic.replay.archive.schemas import VERSION, schema_of

__all__ = ["Row", "Rows", "frame_of", "header_of", "row_of"]

Row = dict[str, object]

LONGEST_VALUE = 64
"""Characters of what counts as a value that was read; more is a text, and has its own column, so
that whoever reads verdicts loads no texts."""


def header_of(opening: Event) -> Row:
    """What every row of a chain repeats of its opening event, so that no reader needs a join."""
    if isinstance(opening, JudgingOpened):
        return {"judge": opening.judge}
    if not isinstance(opening, EpisodeOpened):
        return {}
    return {
        "protocol": opening.protocol,
        "protocol_version": opening.protocol_version,
        "condition": opening.condition,
        "repetition": opening.repetition,
        "case_id": opening.case.case_id,
        "block": opening.case.block,
    }


def row_of(envelope: Envelope, stored: bytes, *, sequence: int | None, header: Row) -> Row:
    """The row of one event, without its frame. header: see `header_of`."""
    event = envelope.body
    return {
        "run": envelope.run,
        "episode": envelope.episode,
        "position": envelope.position,
        "sequence": sequence,
        "time": envelope.time,
        "type": str(event.__struct_config__.tag),
        "digest": bytes.fromhex(digest(stored)),
        "prev": _digest(envelope.prev),
        **header,
        **_facts(event),
        "prompt": _digest(_prompt(event)),
    }


def frame_of(row: Row, stored: bytes) -> Row:
    """The columns from which, with those of `row`, the stored bytes come back."""
    prev, prompt = row.get("prev"), row.get("prompt")
    pieces = (
        prev if isinstance(prev, bytes) else None,
        _text(row, "text"),
        prompt if isinstance(prompt, bytes) else None,
        _text(row, "reading_value") or _text(row, "reading_text"),
    )
    names = ("frame", "prev_at", "text_at", "prompt_at", "value_at")
    return dict(zip(names, cut(stored, pieces), strict=True))


class Rows:
    """Rows on their way into one batch. columns: those that are kept; all when None."""

    def __init__(self, columns: Sequence[str] | None = None) -> None:
        schema = schema_of(VERSION)
        names = schema.names if columns is None else columns
        self._schema = pa.schema([schema.field(name) for name in names], schema.metadata)
        self._columns: dict[str, list[object]] = {name: [] for name in names}
        self.count = 0
        self.size = 0
        """About the bytes that the rows take (texts and frames)."""

    def add(self, row: Row) -> None:
        """One more row; columns it does not name are null."""
        take = row.get
        for name, values in self._columns.items():
            values.append(take(name))
        self.count += 1
        for name in ("frame", "text", "reading_text"):
            piece = take(name)
            if isinstance(piece, bytes | str):
                self.size += len(piece)

    def flush(self) -> pa.RecordBatch:
        """The rows as a batch in today's schema; none are left here."""
        arrays = []
        for field in self._schema:
            values = self._columns[field.name]
            arrays.append(array_of(values, field.type))
            values.clear()  # at once: texts are there twice in between
        self.count = self.size = 0
        return pa.record_batch(arrays, schema=self._schema)


def _text(facts: Row, name: str) -> str | None:
    found = facts.get(name)
    return found if isinstance(found, str) else None


def _prompt(event: Event) -> str | None:
    call = event.call if isinstance(event, TurnSpoken | JudgementMade) else None
    return call.prompt or None if call is not None else None


def _digest(said: str | None) -> bytes | None:
    """32 bytes; null for what is no digest (a log that is not ours may say anything)."""
    if said is None or len(said) != 64:
        return None
    try:
        found = bytes.fromhex(said)
    except ValueError:
        return None
    return found if found.hex() == said else None


def _facts(event: Event) -> Row:
    match event:
        case TurnSpoken():
            return _spoken(event)
        case TurnFailed():
            return {
                **_turn(event),
                "rank": event.rank,
                "epoch": event.epoch,
                "error": event.error,
                "failed_tries": len(event.failed),
            }
        case ContextOverflowed():
            return _turn(event)
        case AnswerRefused():
            return {**_turn(event), "epoch": event.epoch, "reason": event.reason}
        case HistoryFolded():
            return {"role": event.role, "turn": event.summary_turn, "policy": event.policy}
        case RoleSwapped():
            return {
                "role": event.role,
                "turn": event.turn,
                "epoch": event.epoch,
                "rank": event.rank,
                "reason": event.cause,
            }
        case RulingMade():
            return {
                "policy": event.policy,
                "decision": event.decision,
                "reason": event.reason,
                "round": event.round,
                "turn": max(event.inputs, default=None),
            }
        case EpisodeOpened():
            return {"software": event.software, "seed": event.seed}
        case EpisodeClosed():
            return {"outcome": event.outcome, "reason": event.reason, "rounds": event.rounds}
        case RunOpened():
            return {"software": event.software, "episodes": event.episodes}
        case RunClosed() | ImportCompleted():
            return {}
        case JudgingOpened():
            return {
                "judge": event.judge,
                "software": event.software,
                "model": event.binding.model if event.binding is not None else None,
            }
        case JudgementMade():
            return _judged(event)
        case _:
            assert_never(event)


def _turn(event: TurnSpoken | TurnFailed | ContextOverflowed | AnswerRefused) -> Row:
    return {"turn": event.turn, "role": event.role, "attempt": event.attempt}


def _spoken(event: TurnSpoken) -> Row:
    row = {
        **_turn(event),
        "epoch": event.epoch,
        "rank": event.rank,
        "source": event.source,
        "seed": event.seed,
        "text": event.text,
        **_called(event.call),
    }
    reading = event.reading
    if reading is not None:
        row["parser"] = reading.parser
        row["reading_status"] = reading.status
        is_long = reading.value is not None and len(reading.value) > LONGEST_VALUE
        row["reading_text" if is_long else "reading_value"] = reading.value
        row["reading_flags"] = reading.flags or None
    return row


def _called(call: Served | None) -> Row:
    if call is None:
        return {}
    return {
        "model": call.model,
        "tokens_in": call.tokens_in,
        "tokens_out": call.tokens_out,
        "tokens_cached": call.tokens_cached,
        "finish": call.finish,
        "refusal": call.refusal,
        "latency_s": call.latency_s,
        "failed_tries": len(call.failed),
    }


def _judged(event: JudgementMade) -> Row:
    return {
        "turn": event.turn,
        "attempt": event.attempt,
        "text": event.text,
        "target": _digest(event.target),
        "judged_episode": event.episode,
        "status": event.status,
        "value": event.value,
        "cause": event.cause or None,
        "cost_usd": event.cost_usd,
        **_called(event.call),
    }
