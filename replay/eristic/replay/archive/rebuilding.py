"""The stored bytes of many rows at once: what `frames.join` gives, straight from Arrow's buffers.

Making a Python value of every cell takes longer than all the rest of a replay does. Here a whole
column becomes one `bytes`, and what is lifted out of an event is a slice of it.
"""

from __future__ import annotations

from binascii import hexlify
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from eristic.replay.archive.arrays import null_rows
from eristic.replay.archive.arrow import pa

__all__ = ["STORED", "rebuild"]

_AT = ("prev_at", "text_at", "prompt_at", "value_at")
STORED = ("frame", *_AT, "prev", "text", "prompt", "reading_value", "reading_text")
"""The columns from which stored bytes come back."""

_DIGEST_BYTES = 32
_encode = msgspec.json.Encoder().encode


def rebuild(batch: pa.RecordBatch) -> list[bytes]:
    """Stored bytes of each row. The batch has at least the columns `STORED`."""
    frames = batch.column("frame")
    whole, ends = _blob(frames)
    places = (batch.column(name).to_pylist() for name in _AT)
    prevs, prompts = (_hexes(batch.column(name)) for name in ("prev", "prompt"))
    texts, values, long_values = (
        batch.column(name).to_pylist() for name in ("text", "reading_value", "reading_text")
    )
    rows: list[bytes] = []
    for (
        begin,
        end,
    ), prev_at, text_at, prompt_at, value_at, prev, text, prompt, value, other in zip(
        pairwise(ends), *places, prevs, texts, prompts, values, long_values, strict=True
    ):
        parts: list[bytes] = []
        done = begin
        if prev_at is not None and prev is not None:
            at = begin + prev_at
            parts += (whole[done:at], prev)
            done = at
        if text_at is not None and text is not None:
            at = begin + text_at
            parts += (whole[done:at], _encode(text))
            done = at
        if prompt_at is not None and prompt is not None:
            at = begin + prompt_at
            parts += (whole[done:at], prompt)
            done = at
        if value_at is not None:
            said = other if value is None else value
            if said is not None:
                at = begin + value_at
                parts += (whole[done:at], _encode(said))
                done = at
        parts.append(whole[done:end])
        rows.append(b"".join(parts))
    return rows


def _blob(column: pa.Array) -> tuple[bytes, Sequence[int]]:
    """All values behind each other, and where each begins and the last one ends."""
    _, offsets, content = column.buffers()
    if not len(column) or offsets is None or content is None:
        return b"", [0] * (len(column) + 1)
    ends = memoryview(offsets).cast("i")[column.offset : column.offset + len(column) + 1].tolist()
    begin = ends[0]
    return memoryview(content)[begin : ends[-1]].tobytes(), [end - begin for end in ends]


def _hexes(column: pa.Array) -> list[bytes | None]:
    """Digests as hex digits."""
    content = column.buffers()[1]
    if column.null_count == len(column) or content is None:
        return [None] * len(column)
    begin = column.offset * _DIGEST_BYTES
    digits = hexlify(memoryview(content)[begin : begin + len(column) * _DIGEST_BYTES])
    width = 2 * _DIGEST_BYTES
    found: list[bytes | None] = [digits[at : at + width] for at in range(0, len(digits), width)]
    for row in null_rows(column):
        found[row] = None
    return found
