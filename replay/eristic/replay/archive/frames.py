"""Stored bytes in two parts: what stands in columns of its own, and the frame around it.

A text is worth a column that any reader of Parquet can use, and too long to be kept twice. So it
is lifted out of the stored bytes, and put back where it was. Bytes for which that does not give
the very same bytes are kept whole: the frame is then all of them.
"""

from __future__ import annotations

import msgspec

__all__ = ["Frame", "Pieces", "cut", "join"]

Pieces = tuple[bytes | None, str | None, bytes | None, str | None]
"""What can be lifted out: prev and prompt as 32 bytes, text and reading_value as they read."""

Frame = tuple[bytes, int | None, int | None, int | None, int | None]
"""What is left of stored bytes, and where in it prev, text, prompt and value go (byte offsets)."""

_encode = msgspec.json.Encoder().encode


def cut(stored: bytes, pieces: Pieces) -> Frame:
    """Lift the pieces out of stored bytes, each where it is found behind the one before it."""
    prev, text, prompt, value = pieces
    lifted = (
        (b'"prev":"', None if prev is None else prev.hex().encode()),
        (b'"text":', None if text is None else _encode(text)),
        (b'"prompt":"', None if prompt is None else prompt.hex().encode()),
        (b'"value":', None if value is None else _encode(value)),
    )
    rest: list[bytes] = []
    places: list[int | None] = []
    end = length = 0
    for key, piece in lifted:
        at = stored.find(key + piece, end) if piece else -1
        if at < 0 or not piece:
            places.append(None)
            continue
        at += len(key)
        rest.append(stored[end:at])
        length += at - end
        places.append(length)
        end = at + len(piece)
    rest.append(stored[end:])
    prev_at, text_at, prompt_at, value_at = places
    frame = (b"".join(rest), prev_at, text_at, prompt_at, value_at)
    if join(frame, pieces) != stored:
        return (stored, None, None, None, None)
    return frame


def join(frame: Frame, pieces: Pieces) -> bytes:
    """The stored bytes again."""
    rest, prev_at, text_at, prompt_at, value_at = frame
    prev, text, prompt, value = pieces
    parts: list[bytes] = []
    end = 0
    if prev_at is not None and prev is not None:
        parts += (rest[:prev_at], prev.hex().encode())
        end = prev_at
    if text_at is not None and text is not None:
        parts += (rest[end:text_at], _encode(text))
        end = text_at
    if prompt_at is not None and prompt is not None:
        parts += (rest[end:prompt_at], prompt.hex().encode())
        end = prompt_at
    if value_at is not None and value is not None:
        parts += (rest[end:value_at], _encode(value))
        end = value_at
    parts.append(rest[end:])
    return b"".join(parts)
