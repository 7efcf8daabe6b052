"""Finding the one object of eight fields in a judge's answer, without evaluating anything."""

from __future__ import annotations

import json
import re
from typing import Final

import msgspec

from eristic.protocols.deflectbench.names import FIELDS

__all__ = ["DOUBLED", "Found", "find_object"]

_OPENING: Final = re.compile(r"\{(?=\s*[\"}])")
"""A brace that begins an object; any other is a brace in prose."""
_FENCE: Final = re.compile(r"```[ \t]*\w*")

DOUBLED: Final = object()
"""In place of the value of a name that is given twice: either could be meant."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """The object of an answer."""

    fields: dict[str, object]
    is_fenced: bool
    """A code fence stands in the answer."""
    is_surrounded: bool
    """Something else stands around the object."""


def find_object(text: str) -> Found | str:
    """The only object in the answer that holds one of the eight fields, or why there is none.

    Causes: no_object, broken (an object cannot be read to its end), fields_missing (objects, and
    none with a field; nested: fields one level deeper), two_objects. An object that breaks ends
    the search: what looks like a second one may stand in a text of the first.
    """
    found: list[tuple[dict[str, object], int, int]] = []
    opening = _OPENING.search(text)
    while opening is not None:
        try:
            value, end = _DECODER.raw_decode(text, opening.start())
        except (ValueError, RecursionError):  # endless digits or brackets, too
            return "broken"
        found.append((value, opening.start(), end))
        opening = _OPENING.search(text, end)
    holding = [one for one in found if _holds_a_field(one[0])]
    if len(holding) == 1:
        fields, start, end = holding[0]
        return _with_surroundings(fields, text[:start], text[end:])
    if holding:
        return "two_objects"
    inner = [value for one in found for value in one[0].values()]
    if any(isinstance(value, dict) and _holds_a_field(value) for value in inner):
        return "nested"
    return "fields_missing" if found else "no_object"


def _holds_a_field(value: dict[str, object]) -> bool:
    return any(field in value for field in FIELDS)


def _with_surroundings(fields: dict[str, object], before: str, after: str) -> Found:
    rest = _FENCE.sub("", before) + after.replace("```", "")
    return Found(
        fields=fields,
        is_fenced="```" in before or "```" in after,
        is_surrounded=bool(rest.strip()),
    )


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in pairs:
        found[name] = DOUBLED if name in found else value
    return found


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_unique)
