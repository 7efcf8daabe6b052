"""Reading a critic's answer: a critique, the none-token, or both in one text."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from eristic.debate import Reading
from eristic.judging import strip_thinking
from eristic.protocols.scr.names import KIND_CRITIQUE, KIND_MIXED, KIND_NONE
from eristic.protocols.scr.wording import is_refusal, unmarked

__all__ = ["CRITIQUE_PARSER", "read_critique"]

CRITIQUE_PARSER: Final = "scr-critique-kind.v1"

_WRAPPING = (
    " \t\r\n\f\v\N{NO-BREAK SPACE}.,:;!#\\-\N{EN DASH}\N{EM DASH}\N{IDEOGRAPHIC FULL STOP}\"'`*_"
)
_WRAPPING += "\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}"
_WRAPPING += "\N{DOUBLE LOW-9 QUOTATION MARK}\N{LEFT SINGLE QUOTATION MARK}"
_WRAPPING += "\N{RIGHT SINGLE QUOTATION MARK}\N{SINGLE LOW-9 QUOTATION MARK}"
_WRAPPING += "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}"
_WRAPPING += "\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}\N{LEFT CORNER BRACKET}"
_WRAPPING += "\N{RIGHT CORNER BRACKET}"
"""Blanks, quotes, marks that end a sentence or begin a list, and those of emphasis."""

_LABEL = re.compile(r"(?:(?:my|your|the) )?(?:critique|answer)\W*:", re.IGNORECASE)
"""What the prompt ends with, repeated before the answer."""
_TOKEN = re.compile(r"\W*(?:\bnone\b\W*)+", re.IGNORECASE)
_BRACKETED = re.compile(r"<\s*none\s*\.?\s*>", re.IGNORECASE)
_OPENING = re.compile(r"none\s*[(.,:;!\n\N{EM DASH}\N{EN DASH}-]", re.IGNORECASE)
_CLOSING = re.compile(r"[.!?:\n]\s*none\W*\Z", re.IGNORECASE)


def read_critique(text: str) -> Reading:
    """none, mixed or critique; `parts["text"]` is the critique without thinking.

    none: all of the text is the token, `<None>` in any case, with or without brackets; marks around
    it, its repetition and the label "Critique:" are no text. mixed: the token stands in a longer
    text, in angle brackets, or as a sentence of its own at either end. A refusal in plain words is
    a refusal and no critique; a text without a letter is unreadable.
    """
    stripped = strip_thinking(text)
    flags = stripped.flags
    plain = _unescaped(stripped.text)
    if not plain.strip():
        return Reading(parser=CRITIQUE_PARSER, status="empty", flags=flags)
    bare = plain.strip(_WRAPPING)
    label = _LABEL.match(bare)
    bare = bare[label.end() :].strip(_WRAPPING) if label else bare
    if _TOKEN.fullmatch(bare):
        return Reading(parser=CRITIQUE_PARSER, status="read", value=KIND_NONE, flags=flags)
    if not any(char.isalpha() for char in bare):
        return Reading(parser=CRITIQUE_PARSER, status="unreadable", flags=("no_words", *flags))
    if is_refusal(stripped.text):
        return Reading(parser=CRITIQUE_PARSER, status="refused", flags=("in_words", *flags))
    kind = KIND_MIXED if _holds_token(bare) else KIND_CRITIQUE
    parts = {"text": stripped.text.strip()}
    return Reading(parser=CRITIQUE_PARSER, status="read", value=kind, parts=parts, flags=flags)


def _unescaped(text: str) -> str:
    """NFKC, with the brackets that HTML escapes and without what cannot be seen."""
    escaped = re.sub("&lt;", "<", re.sub("&gt;", ">", unmarked(text), flags=re.I), flags=re.I)
    return "".join(
        x for x in unicodedata.normalize("NFKC", escaped) if unicodedata.category(x) != "Cf"
    )


def _holds_token(bare: str) -> bool:
    found = _BRACKETED.search(bare) or _OPENING.match(bare) or _CLOSING.search(bare)
    return found is not None
