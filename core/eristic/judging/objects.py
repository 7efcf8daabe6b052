"""Reading the object that a helper answers with: a label, a passage or tip, the text."""

from __future__ import annotations

import re

import msgspec

from eristic.debate import Reading
from eristic.judging._literals import Fields, Unreadable, objects_in
from eristic.judging.thinking import strip_thinking

__all__ = ["text_object"]

_PARSER = "text-object.v1"
_LIMIT_CHARS = 200_000
_FENCE = re.compile(r"```[ \t]*\w*")
_SURROGATE = re.compile("[\ud800-\udfff]")
_TEXT_KEYS = ("response", "text")


def text_object(text: str, *, labels: tuple[str, ...] = ("label", "passage")) -> Reading:
    """The text meant for the other side, and what stood beside it.

    labels: names that the fields before the last get in `parts`, by position; the reply's own
    names do not count, as in the published code. The value is the last text by position, also
    where a field named `response` stands elsewhere (flag `response_not_last`).

    Reads JSON and Python literals, alone or as the only element of a list. Tolerated and flagged:
    prose around it (`surrounded`), code fences (`fenced`), a missing or needless comma and raw
    newlines (`repaired`), one field less than asked for (`two_fields` for three), a text that is
    such an object itself (`nested`). Lone surrogates become U+FFFD (`cleaned`), so that the
    reading can be stored. Nothing is ever evaluated.

    Unreadable, with the cause as first flag: `no_object`, `two_objects`, `truncated`, `broken`,
    `double_key`, `non_text` (a field that is no text), `empty_text`, `wrong_fields` (their
    number), `too_long` (over 200,000 characters).
    """
    if not text.strip():
        return Reading(parser=_PARSER, status="empty")
    if len(text) > _LIMIT_CHARS:
        return _unreadable("too_long")
    reading = _read(text, labels)
    # Thinking tags in the texts of an object belong to them, so the reply is first read as it is.
    if _is_bare(text) and reading.status == "read":
        return reading
    stripped = strip_thinking(text)
    if not stripped.text.strip():
        return Reading(parser=_PARSER, status="empty", flags=stripped.flags)
    reading = _read(stripped.text, labels)
    return msgspec.structs.replace(reading, flags=(*reading.flags, *stripped.flags))


def _read(text: str, labels: tuple[str, ...]) -> Reading:
    found = list(objects_in(text))
    bad = next((x.cause for x in found if isinstance(x, Unreadable)), None)
    fields = [x for x in found if isinstance(x, Fields)]
    if bad or len(fields) != 1:
        return _unreadable(bad or ("two_objects" if fields else "no_object"))
    return _accepted(fields[0], text, labels)


def _accepted(fields: Fields, text: str, labels: tuple[str, ...]) -> Reading:
    texts = [_paired(value) for _, value in fields.pairs]
    missing = len(labels) + 1 - len(texts)
    if missing not in (0, 1):
        return _unreadable("wrong_fields")
    if not texts[-1].strip():
        return _unreadable("empty_text")
    clean = [_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", x) for x in texts]
    flags = {
        **_around(text[: fields.start], text[fields.end :]),
        "repaired": fields.is_repaired,
        "two_fields": missing == 1,
        "response_not_last": _has_text_elsewhere(fields),
        "nested": any(isinstance(x, Fields) for x in objects_in(clean[-1])),
        "cleaned": clean != texts,
    }
    return Reading(
        parser=_PARSER,
        status="read",
        value=clean[-1],
        parts=dict(zip(labels, clean[:-1], strict=False)),
        flags=tuple(name for name, holds in flags.items() if holds),
    )


def _unreadable(cause: str) -> Reading:
    return Reading(parser=_PARSER, status="unreadable", flags=(cause,))


def _is_bare(text: str) -> bool:
    """Nothing but a fence and the bracket of a list stands before the object."""
    start = text.lstrip()
    fence = _FENCE.match(start)
    return start[fence.end() if fence else 0 :].lstrip(" \t\r\n[(").startswith("{")


def _around(before: str, after: str) -> dict[str, bool]:
    """Whether a fence or prose stands around the object; the brackets of a list are neither."""
    rest = _FENCE.sub("", before) + after.replace("```", "")
    return {
        "fenced": "```" in before or "```" in after,
        "surrounded": bool(rest.strip(" \t\r\n[]();,")),
    }


def _has_text_elsewhere(fields: Fields) -> bool:
    names = [name.casefold() for name, _ in fields.pairs]
    return names[-1] not in _TEXT_KEYS and any(x in _TEXT_KEYS for x in names)


def _paired(text: str) -> str:
    """Halves of surrogate pairs that were escaped one by one, joined."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
