"""Taking a model's thinking out of its answer before the answer is read."""

from __future__ import annotations

import re

import msgspec

__all__ = ["Stripped", "strip_thinking"]

_TAG = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)


class Stripped(msgspec.Struct, frozen=True, kw_only=True):
    """A text without its thinking."""

    text: str
    flags: tuple[str, ...] = ()
    """`thinking` when something was taken out, `thinking_unclosed` and `thinking_unopened` when
    a tag had no partner."""


def strip_thinking(text: str) -> Stripped:
    """The text outside `<think>` and `<thinking>` blocks.

    A block that is not closed reaches to the end (the reply was cut off in the middle of it). A
    closing tag without an opening one ends thinking that began with the text (the template had
    opened it). A block does not nest: the first closing tag ends it, and should the thinking go
    on, its own closing tag counts as one without an opening.
    """
    kept: list[str] = []
    flags: set[str] = set()
    start, inside = 0, False
    for tag in _TAG.finditer(text):
        closes = bool(tag.group(1))
        flags.add("thinking")
        if closes and not inside:
            flags.add("thinking_unopened")
            kept.clear()
        elif not inside:
            kept.append(text[start : tag.start()])
        start, inside = tag.end(), not closes
    if inside:
        flags.add("thinking_unclosed")
    else:
        kept.append(text[start:])
    return Stripped(text="".join(kept), flags=tuple(sorted(flags)))
