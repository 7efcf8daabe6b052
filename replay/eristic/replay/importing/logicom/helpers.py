"""What a published helper said: the Python literal of a list with one dict.

The program that ran these debates took the dict's values by position and sent the last one,
whatever its key. So the value of a reading is that text, and the keys only name the rest.
"""

from __future__ import annotations

import ast
import re
import warnings
from typing import Final

from eristic.debate import Reading
from eristic.judging import normalise_label, text_object

__all__ = ["PARSER", "read_helper"]

PARSER: Final = "logicom-published-helper.v1"

_LIMIT_CHARS: Final = 200_000
_MOST_DEPTH: Final = 40
_OBJECT: Final = re.compile(r"(?:\[\s*)?\{\s*['\"]")
_PLACEHOLDER: Final = re.compile(
    r"(?:no|none|n/?a|null|not? applicable|no (?:additional|further|more|other)?\s*"
    r"(?:tips?|arguments?|responses?|changes?|comments?|text|help))"
    r"(?:\s+(?:needed|required|necessary|provided|given|used))?[\s.!]*",
    re.IGNORECASE,
)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")

_SPELLINGS: Final = {
    "fallacy": "fallacy",
    "fallacious argument": "fallacious_argument",
    "tip": "tip",
    "helping_argument": "helping_argument",
    "response": "response",
}
"""Key as nearly all messages spell it -> key with its words joined by underscores."""
_PARTS: Final = {
    "fallacy": "label",
    "fallacious_argument": "passage",
    "tip": "tip",
    "helping_argument": "passage",
    "response": "response",
}
"""Key -> name in a reading's parts. A `response` that is not last was not sent."""
_UNNAMED: Final = ("label", "passage", "other")
_UNNAMED_LOGICAL: Final = ("tip", "passage", "other")


def read_helper(text: str) -> Reading:
    """The text that was sent, and what stood beside it. Nothing is ever evaluated.

    Parts: `label` and `passage` of a fallacious helper, `tip` and `passage` of a logical one.
    A key of another name counts by its position.

    Flags: `two_keys` and `many_keys` (three are usual), `response_not_last` (the debater got
    another text than the one called response), `other_key_spelling`, `unknown_key`, `non_text`
    (a value beside the text is none), `empty_passage`, `label_none` (the label says that there is
    no fallacy), `nested_object` (what was sent is the text of such a dict), `placeholder`,
    `cleaned` (lone surrogates became U+FFFD), `no_list`, `several_objects` (the first counts),
    `repaired` (no literal; read as replies of live models are).

    Unreadable, with the cause as first flag: `too_long`, `too_deep`, `no_object`, `empty_object`,
    `sent_non_text`.
    """
    if not text.strip():
        return Reading(parser=PARSER, status="empty")
    if len(text) > _LIMIT_CHARS:
        return _unreadable("too_long")
    if _depth(text) > _MOST_DEPTH:
        return _unreadable("too_deep")
    value = _literal(text)
    if value is None:
        return _as_live(text)
    flags: list[str] = []
    if isinstance(value, dict):
        flags.append("no_list")
        value = [value]
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        return _unreadable("no_object")
    if len(value) > 1:
        flags.append("several_objects")
    if not value[0]:
        return _unreadable("empty_object")
    return _reading({str(key): part for key, part in value[0].items()}, flags)


def _depth(text: str) -> int:
    """Brackets open at once, at most. Those inside quotes count too, which does no harm."""
    depth = deepest = 0
    for letter in re.findall(r"[\[\](){}]", text):
        depth += 1 if letter in "[({" else -1
        deepest = max(deepest, depth)
    return deepest


def _literal(text: str) -> object:
    """The value of a Python literal; None for what is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of escapes that Python does not know
        try:
            value: object = ast.literal_eval(text.strip())
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return None
    return value


def _as_live(text: str) -> Reading:
    found = text_object(text, labels=("label", "passage"))
    if found.status != "read" or found.value is None:
        return _unreadable("no_object", *found.flags)
    flags = ("repaired", *(flag for flag in found.flags if flag not in ("two_fields", "repaired")))
    return Reading(
        parser=PARSER, status="read", value=found.value, parts=found.parts, flags=tuple(flags)
    )


def _unreadable(*flags: str) -> Reading:
    return Reading(parser=PARSER, status="unreadable", flags=flags)


def _reading(fields: dict[str, object], flags: list[str]) -> Reading:
    *others, last = fields
    sent = fields[last]
    if not isinstance(sent, str):
        return _unreadable("sent_non_text", *flags)
    names = {key: _name(key) for key in fields}
    parts = _parts({key: fields[key] for key in others}, names)
    label = parts.get("label")
    marks = {
        "two_keys": len(fields) == 2,
        "many_keys": len(fields) > 3,
        "response_not_last": names[last] != "response" and "response" in names.values(),
        "other_key_spelling": any(name and key not in _SPELLINGS for key, name in names.items()),
        "unknown_key": not all(names.values()),
        "non_text": any(not isinstance(fields[key], str) for key in others),
        "empty_passage": not parts.get("passage", "-").strip(),
        "label_none": label is not None and normalise_label(label) == "none",
        "nested_object": _OBJECT.match(sent.lstrip()) is not None,
        "placeholder": len(sent) < 80 and _PLACEHOLDER.fullmatch(sent.strip()) is not None,
        "cleaned": any(map(_SURROGATE.search, (sent, *parts.values()))),
    }
    return Reading(
        parser=PARSER,
        status="read",
        value=_clean(sent),
        parts={name: _clean(part) for name, part in parts.items()},
        flags=(*flags, *(name for name, holds in marks.items() if holds)),
    )


def _name(key: str) -> str:
    """The key in its plain spelling; empty for one that nobody knows."""
    plain = "_".join(re.findall(r"[^\W_]+", key.casefold()))
    return plain if plain in _PARTS else ""


def _parts(beside: dict[str, object], names: dict[str, str]) -> dict[str, str]:
    """The texts that were not sent, by name; those of unknown keys take the names left over."""
    known = {key: _PARTS[names[key]] for key in beside if names[key]}
    is_logical = any(name in ("tip", "helping_argument") for name in names.values())
    usual = _UNNAMED_LOGICAL if is_logical else _UNNAMED
    left = [name for name in usual if name not in known.values()]
    parts: dict[str, str] = {}
    for place, (key, value) in enumerate(beside.items()):
        name = known.get(key) or (left.pop(0) if left else f"other_{place + 1}")
        if isinstance(value, str):
            parts[name if name not in parts else f"{name}_{place + 1}"] = value
    return parts


def _clean(text: str) -> str:
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
