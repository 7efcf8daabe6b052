"""Stored bytes in two parts: what stands in columns of its own, and the frame around it.

A text is worth a column that any reader of Parquet can use, and too long to be kept twice. So it
is lifted out of the stored bytes, and put back where it was. Bytes for which that does not give
the very same bytes are kept whole: the frame is then all of them.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

__all__ = ["Frame", "cut", "join"]

_encode = msgspec.json.Encoder().encode


class Frame(NamedTuple):
    """What is left of stored bytes, and where the lifted pieces go (byte offsets in `rest`)."""

    rest: bytes
    prev_at: int | None
    text_at: int | None
    prompt_at: int | None
    value_at: int | None


def cut(
    stored: bytes, *, prev: str | None, text: str | None, prompt: str | None, value: str | None
) -> Frame:
    """Lift the pieces out of stored bytes, each where it is found behind the one before it."""
    pieces = (
        (b'"prev":"', None if prev is None else prev.encode()),
        (b'"text":', None if text is None else _encode(text)),
        (b'"prompt":"', None if prompt is None else prompt.encode()),
        (b'"value":', None if value is None else _encode(value)),
    )
    rest: list[bytes] = []
    places: list[int | None] = []
    end = length = 0
    for key, piece in pieces:
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
    frame = Frame(b"".join(rest), *places)
    if join(frame, prev=prev, text=text, prompt=prompt, value=value) != stored:
        return Frame(stored, None, None, None, None)
    return frame


def join(
    frame: Frame, *, prev: str | None, text: str | None, prompt: str | None, value: str | None
) -> bytes:
    """The stored bytes again."""
    rest, prev_at, text_at, prompt_at, value_at = frame
    pieces: list[bytes] = []
    end = 0
    if prev_at is not None and prev is not None:
        pieces += (rest[:prev_at], prev.encode())
        end = prev_at
    if text_at is not None and text is not None:
        pieces += (rest[end:text_at], _encode(text))
        end = text_at
    if prompt_at is not None and prompt is not None:
        pieces += (rest[end:prompt_at], prompt.encode())
        end = prompt_at
    if value_at is not None and value is not None:
        pieces += (rest[end:value_at], _encode(value))
        end = value_at
    pieces.append(rest[end:])
    return b"".join(pieces)
