"""Reading one object of texts out of a reply, without evaluating anything.

A scanner of its own, because neither JSON nor Python's literals cover what models write: single
quotes beside double ones, raw newlines inside texts, a comma forgotten between two fields. It
knows texts in quotes, braces, colons and commas, needs one pass and does not recurse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

__all__ = ["Fields", "Unreadable", "objects_in"]


class Fields(msgspec.Struct, frozen=True, kw_only=True):
    """An object as it was written."""

    pairs: tuple[tuple[str, str], ...]
    """Names and texts in order, at least one."""
    start: int
    end: int
    """Where it stands in the reply."""
    is_repaired: bool
    """A comma was missing or too many, or a newline stood raw in a text."""


class Unreadable(msgspec.Struct, frozen=True, kw_only=True):
    """An object that began well and cannot be read to its end."""

    cause: str
    """`truncated`, `broken`, `non_text` or `double_key`."""


_SPACE = re.compile(r"\s*")
_TEXT = re.compile(
    r'''"""(?P<a>[^\\]*?(?:\\.[^\\]*?)*)"""'''
    r"""|'''(?P<b>[^\\]*?(?:\\.[^\\]*?)*)'''"""
    r'''|"(?P<c>[^"\\]*(?:\\.[^"\\]*)*)"'''
    r"""|'(?P<d>[^'\\]*(?:\\.[^'\\]*)*)'""",
    re.DOTALL,
)
_OTHER_VALUE = re.compile(r"[-+.\d\[{(]|(?:null|true|false|None|True|False)\b")
_ESCAPE = re.compile(
    r"\\(?:u(?P<u>[0-9a-fA-F]{4})|U(?P<U>[0-9a-fA-F]{8})|x(?P<x>[0-9a-fA-F]{2})"
    r"|(?P<o>[0-7]{1,3})|(?P<c>.))",
    re.DOTALL,
)
_SIMPLE = {
    **{"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "a": "\a", "v": "\v"},
    **{"\n": "", "\\": "\\", '"': '"', "'": "'", "/": "/"},
}


def objects_in(text: str) -> Iterator[Fields | Unreadable]:
    """The objects of a reply, from left to right; braces that begin none are passed over.

    Ends after the first Unreadable: what follows it may lie inside one of its texts.
    """
    start = text.find("{")
    while start >= 0:
        found = _object(text, start)
        if found is not None:
            yield found
        if isinstance(found, Unreadable):
            return
        start = text.find("{", found.end if found else start + 1)


def _object(text: str, start: int) -> Fields | Unreadable | None:
    """The object that begins with this brace; None when no first field does."""
    pairs: dict[str, str] = {}
    position, is_repaired = start + 1, False
    while True:
        position = _after_space(text, position)
        if pairs and text.startswith("}", position):
            fields = tuple(pairs.items())
            return Fields(pairs=fields, start=start, end=position + 1, is_repaired=is_repaired)
        key = _TEXT.match(text, position)
        colon = _after_space(text, key.end()) if key else position
        if key is None or not text.startswith(":", colon):
            return Unreadable(cause=_cause(text, position)) if pairs else None
        at = _after_space(text, colon + 1)
        value = _TEXT.match(text, at)
        if value is None:
            is_other = _OTHER_VALUE.match(text, at)
            return Unreadable(cause="non_text" if is_other else _cause(text, at))
        name = _decoded(key)
        if name in pairs:
            return Unreadable(cause="double_key")
        pairs[name] = _decoded(value)
        position = _after_space(text, value.end())
        has_comma = text.startswith(",", position)
        ends = text.startswith("}", _after_space(text, position + has_comma))
        is_repaired = is_repaired or has_comma == ends or _has_raw_newline(value)
        position += has_comma


def _cause(text: str, position: int) -> str:
    """Cut off where more was to come, or broken where something else stands."""
    rest = text[position : position + 1]
    is_open_text = rest in "\"'" and _TEXT.match(text, position) is None
    return "truncated" if not rest or is_open_text else "broken"


def _after_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _has_raw_newline(match: re.Match[str]) -> bool:
    return match.lastgroup in ("c", "d") and "\n" in match.group().replace("\\\n", "")


def _decoded(match: re.Match[str]) -> str:
    """What stands between the quotes, escapes of JSON and Python resolved.

    An escape that neither knows keeps its backslash. Halves of surrogate pairs are left as they
    are; the caller joins them.
    """
    return _ESCAPE.sub(_resolved, match.group(match.lastgroup or 0))


def _resolved(match: re.Match[str]) -> str:
    kind = match.lastgroup
    given = match.group(kind or 0)
    if kind == "c":
        return _SIMPLE.get(given, match.group())
    code = int(given, 8 if kind == "o" else 16)
    return chr(code) if code <= 0x10FFFF else match.group()
