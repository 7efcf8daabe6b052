"""Reading a judge's answer: eight fields that are 0 or 1, each valid or not, and a reason."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from eristic.debate import Expected, Reading
from eristic.judging import strip_thinking
from eristic.protocols.deflectbench._objects import DOUBLED, Found, find_object
from eristic.protocols.deflectbench.names import FIELDS, REASON_PART
from eristic.protocols.deflectbench.rubric import (
    Label,
    consistency_flags,
    is_complete,
    label_of,
)
from eristic.protocols.machine import Parser

__all__ = ["EXPECTED", "PARSERS", "eight_fields", "eight_fields_strict"]

EXPECTED: Final = Expected(form="object", keys=(REASON_PART, *FIELDS), tokens=("0", "1"))

_TOLERANT: Final = "eight-fields.v1"
_STRICT: Final = "eight-fields-strict.v1"
_LIMIT_CHARS: Final = 200_000
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_NAMES: Final = frozenset((REASON_PART, *FIELDS))
_ODDITIES: Final = ("text_value", "float_value", "nested", "double_key")


def eight_fields(text: str) -> Reading:
    """The label in a judge's answer. Status read, value `valid`: all eight fields are valid.

    A field is valid when it is 0, 1, true or false; also "0", "1" (flag `text_value`) and 0.0, 1.0
    (`float_value`). Anything else makes it invalid (`fields_invalid`; `nested` for an object,
    `double_key` when given twice), as does its absence (`fields_missing`; `unknown_field` when a
    name stands there that the rubric does not know). Invalid fields are absent from the parts, the
    valid ones stand there all the same, and the status is unreadable. Contradictions among fields
    are flagged and never repaired, see `consistency_flags`. Tolerated and flagged: a code fence
    (`fenced`), prose around the object (`surrounded`), thinking before it, no reason (`no_reason`).

    Unreadable without any part, with the cause as first flag: see `find_object`, and `too_long`
    (over 200,000 characters).
    """
    return _read(text, is_strict=False)


def eight_fields_strict(text: str) -> Reading:
    """As `eight_fields`, but a valid field is 0, 1, true or false, and prose around the object
    makes the answer unreadable."""
    return _read(text, is_strict=True)


PARSERS: Final[Mapping[str, Parser]] = MappingProxyType(
    {"tolerant": eight_fields, "strict": eight_fields_strict}
)
"""Value of the option `judge_parser` -> parser."""


def _read(text: str, *, is_strict: bool) -> Reading:
    parser = _STRICT if is_strict else _TOLERANT
    if len(text) > _LIMIT_CHARS:
        return Reading(parser=parser, status="unreadable", flags=("too_long",))
    # Thinking tags in a reason belong to it, so an answer that begins with its object stays whole.
    is_bare = text.lstrip().startswith(("{", "```"))
    stripped = None if is_bare else strip_thinking(text)
    answer = text if stripped is None else stripped.text
    thinking = () if stripped is None else stripped.flags
    if not answer.strip():
        return Reading(parser=parser, status="empty", flags=thinking)
    found = find_object(answer)
    if isinstance(found, Found) and is_strict and found.is_surrounded:
        found = "surrounded"
    if isinstance(found, str):
        return Reading(parser=parser, status="unreadable", flags=(found, *thinking))
    return _label(found, parser, thinking, is_strict=is_strict)


def _label(found: Found, parser: str, thinking: tuple[str, ...], *, is_strict: bool) -> Reading:
    parts = _valid_parts(found, is_strict=is_strict)
    label = label_of(parts)
    reason = found.fields.get(REASON_PART)
    is_reasoned = isinstance(reason, str) and bool(reason.strip())
    flags = {
        **_field_flags(found, label),
        "no_reason": not is_reasoned,
        "fenced": found.is_fenced,
        "surrounded": found.is_surrounded,
        **dict.fromkeys((*consistency_flags(label), *thinking), True),
    }
    if is_reasoned:
        parts[REASON_PART] = _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", str(reason))
    is_valid = is_complete(label)
    return Reading(
        parser=parser,
        status="read" if is_valid else "unreadable",
        value="valid" if is_valid else None,
        parts=parts,
        flags=tuple(name for name, holds in flags.items() if holds),
    )


def _valid_parts(found: Found, *, is_strict: bool) -> dict[str, str]:
    parts: dict[str, str] = {}
    for field in FIELDS:
        value = found.fields.get(field)
        if _number(value) and not (is_strict and _oddity(value)):
            parts[field] = _number(value)
    return parts


def _field_flags(found: Found, label: Label) -> dict[str, bool]:
    given = [field for field in FIELDS if field in found.fields]
    oddities = {_oddity(found.fields[field]) for field in given}
    return {
        "fields_invalid": len(label) < len(given),
        "fields_missing": len(given) < len(FIELDS),
        **{name: name in oddities for name in _ODDITIES},
        "unknown_field": not _NAMES.issuperset(found.fields),
    }


def _number(value: object) -> str:
    """0 or 1 as a text; empty when the value is neither."""
    if isinstance(value, str):
        return value if value in ("0", "1") else ""
    # True and False are numbers to Python; NaN equals nothing.
    return str(int(value)) if isinstance(value, int | float) and value in (0, 1) else ""


def _oddity(value: object) -> str:
    """What is unusual about the form of a value; empty for 0, 1, true, false and for what is
    plainly none of them."""
    if value is DOUBLED:
        return "double_key"
    if isinstance(value, dict | list):
        return "nested"
    if not _number(value):
        return ""
    return {str: "text_value", float: "float_value"}.get(type(value), "")
