"""Arrow arrays of Python values, made of their buffers.

`pyarrow.array` gives the same, but asks pandas whether what it got is a series, and imports it for
that where it is installed: forty megabytes and a third of a second that no archive needs.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate

from eristic.replay.archive.arrow import pa

__all__ = ["array_of", "null_rows"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_TIME = pa.timestamp("us", tz="UTC")
_CODES = {pa.int32(): "i", pa.int64(): "q", _TIME: "q", pa.float64(): "d"}
_MARKS = bytes.maketrans(b"\0\1", b"01")


def array_of(values: Sequence[object], kind: pa.DataType) -> pa.Array:
    """The values as an array of a type that the archive has; None becomes null.

    Raises TypeError for a value of another type, OverflowError for a number that is too large.
    """
    if pa.types.is_dictionary(kind):
        places: dict[object, int] = {}
        found = [None if x is None else places.setdefault(x, len(places)) for x in values]
        words = array_of(list(places), kind.value_type)
        return pa.DictionaryArray.from_arrays(array_of(found, kind.index_type), words)
    if pa.types.is_list(kind):
        lists = [x if isinstance(x, Sequence) else () for x in values]
        items = array_of([item for one in lists for item in one], kind.value_type)
        ends = array("i", accumulate(map(len, lists), initial=0))
        return _made(kind, values, pa.py_buffer(ends), children=[items])
    if pa.types.is_boolean(kind):
        return _made(kind, values, _bits(map(bool, values)))
    if pa.types.is_string(kind) or pa.types.is_binary(kind):
        content, ends = bytearray(), array("i", [0])
        for x in values:
            content += x.encode() if isinstance(x, str) else _bytes(x, b"")
            ends.append(len(content))
        return _made(kind, values, pa.py_buffer(ends), pa.py_buffer(content))
    if pa.types.is_fixed_size_binary(kind):
        nothing = bytes(kind.byte_width)
        return _made(kind, values, pa.py_buffer(b"".join(_bytes(x, nothing) for x in values)))
    if pa.types.is_timestamp(kind):
        values = [_microseconds(x) if isinstance(x, datetime) else x for x in values]
    return _made(kind, values, _numbers(values, _CODES[kind]))


def null_rows(column: pa.Array) -> list[int]:
    """Rows of an array without a value."""
    valid = column.buffers()[0]
    if not column.null_count or valid is None:
        return []
    first, spare = divmod(column.offset, 8)
    last = spare + len(column)
    bits = int.from_bytes(memoryview(valid)[first : first + (last + 7) // 8], "little")
    marks = f"{bits:b}".zfill(last)[::-1]
    return [row for row, mark in enumerate(marks[spare:last]) if mark == "0"]


def _made(
    kind: pa.DataType,
    values: Sequence[object],
    *buffers: pa.Buffer,
    children: list[pa.Array] | None = None,
) -> pa.Array:
    valid = _bits(x is not None for x in values) if None in values else None
    return pa.Array.from_buffers(kind, len(values), [valid, *buffers], children=children)


def _bits(claims: Iterable[bool]) -> pa.Buffer:
    """One bit a claim, the first one lowest."""
    marks = bytes(claims)[::-1].translate(_MARKS)
    return pa.py_buffer(int(marks or b"0", 2).to_bytes((len(marks) + 7) // 8, "little"))


def _numbers(values: Sequence[object], code: str) -> pa.Buffer:
    # The array itself refuses what is no number or does not fit.
    return pa.py_buffer(array(code, [0 if x is None else x for x in values]))  # type: ignore[type-var]


def _bytes(value: object, nothing: bytes) -> bytes:
    if value is None:
        return nothing
    if not isinstance(value, bytes) or (nothing and len(value) != len(nothing)):
        raise TypeError(f"{type(value).__name__} where {len(nothing) or 'any'} bytes are due")
    return value


def _microseconds(time: datetime) -> int:
    return ((time if time.tzinfo else time.replace(tzinfo=UTC)) - _EPOCH) // _MICROSECOND
