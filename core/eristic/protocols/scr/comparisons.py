"""Reading a comparison: which of two suggestions is better, the first or the second, or neither?

Labels A and B and the numbers 1 and 2 are understood like first and second. A text that names both
and prefers none is a tie; one that contradicts itself is unreadable.
"""

from __future__ import annotations

import re
import unicodedata
from types import MappingProxyType
from typing import Final

from eristic.debate import Reading
from eristic.judging import strip_thinking
from eristic.protocols.scr.wording import plain

__all__ = ["COMPARISON_PARSER", "FIRST", "SECOND", "TIE", "read_comparison"]

COMPARISON_PARSER: Final = "scr-comparison.v1"
FIRST: Final = "first"
SECOND: Final = "second"
TIE: Final = "tie"

_F, _S = "\N{BLACK CIRCLE}", "\N{WHITE CIRCLE}"
"""Stand for the two suggestions once every way of naming them is one sign. A text that holds the
signs itself loses them first."""
_SIGNS: Final = MappingProxyType({_F: FIRST, _S: SECOND})
_OTHER: Final = MappingProxyType({FIRST: SECOND, SECOND: FIRST})

_WHOLE: Final = MappingProxyType(
    {
        **dict.fromkeys(("first", "1st", "a", "1", "one", "former"), FIRST),
        **dict.fromkeys(("second", "2nd", "b", "2", "two", "latter"), SECOND),
        **dict.fromkeys(("tie", "tied", "a tie", "equal", "both", "neither", "same"), TIE),
    }
)
_NOUN = r"(?:suggestion|option|candidate|answer|text|version|advice|response|number|no\.|#)"
# Idioms, and the question that is only repeated.
_IDIOMS = re.compile(
    r"\bfirst(?:, second,?)? or (?:second|tie)\b|\bin the first place\b|\bat first\b"
    r"|\bfirst(?:ly)?(?:,| of all| and foremost)"
    r"|\bsecondly\b|\bon second thought\b",
    re.IGNORECASE,
)
_NAMES: Final = tuple(
    (re.compile(pattern), sign)
    for sign, digit, letter, ordinals in (
        (_F, "1", "A", "first|1st|former"),
        (_S, "2", "B", "second|2nd|latter"),
    )
    for pattern in (
        # The word before a letter or a number is part of the name: "suggestion 2", "(B)".
        rf"(?i:\b{_NOUN})\s*[:(]?\s*(?:{letter}|{digit})\b\)?",
        rf"^\W*(?:{letter}|{digit})(?=\s*(?:[.:)\],;-]|$|\n))",
        rf"\({letter}\)|\b{letter}\b(?! [a-z])",
        rf"\b{letter}\b(?= (?:is|seems|looks|was|over|than|and|or)\b)",
        rf"(?i:\b(?:{ordinals})\b(?: (?:{_NOUN}|one)\b)?)",
    )
)
_TIES = re.compile(
    r"\b(?:tied?|equal|equally|same|neither|both|no (?:real |clear )?(?:difference|preference))\b"
)
_NEGATION = re.compile(r"n't\b|\b(?:not|no|never|neither|nor|hardly)\b")
_SPAN = rf"[^{_F}{_S}.!?;\n]{{0,60}}?"
_GOOD = (
    r"\b(?:better|best|prefer(?:able|red)|superior|stronger|wiser|safer|kinder|wins?|more \w+)\b"
)
_BAD = r"\b(?:worse|worst|inferior|weaker|less \w+)\b"
_RULES: Final = (
    # (pattern with the named suggestion as its only group, whether that one is the better one)
    (re.compile(rf"([{_F}{_S}]){_SPAN}{_GOOD}"), True),
    (re.compile(rf"([{_F}{_S}]){_SPAN}{_BAD}"), False),
    (
        re.compile(
            rf"\b(?:prefer|choose|pick|favou?r|go with|better is|best is){_SPAN}([{_F}{_S}])"
        ),
        True,
    ),
    (re.compile(rf"\bbetter(?: (?:one|suggestion|advice))?(?: is|:){_SPAN}([{_F}{_S}])"), True),
)


def read_comparison(text: str) -> Reading:
    """first, second or tie, whatever the order of what was shown."""
    stripped = strip_thinking(text)
    flags = stripped.flags
    if not stripped.text.strip():
        return Reading(parser=COMPARISON_PARSER, status="empty", flags=flags)
    value, why = _value(stripped.text)
    if value is None:
        return Reading(parser=COMPARISON_PARSER, status="unreadable", flags=(why, *flags))
    remarks = (why, *flags) if why else flags
    return Reading(parser=COMPARISON_PARSER, status="read", value=value, flags=remarks)


def _value(text: str) -> tuple[str | None, str]:
    """(value, remark); without a value the remark says why."""
    whole = _WHOLE.get(_bare(text))
    if whole is not None:
        return whole, ""
    said = _signed(text)
    votes = _votes(said)
    lead = re.match(rf"\W*?([{_F}{_S}])\W*(?:$|\n|[.:)\],;-])", said)
    if lead is not None:
        votes.add(_SIGNS[lead.group(1)])
    if votes:
        return (votes.pop(), "long") if len(votes) == 1 else (None, "contradicts")
    named = {_SIGNS[sign] for sign in _SIGNS if sign in said}
    if len(named) == 2 or _TIES.search(said):
        return TIE, "long"
    if not named:
        return None, "no_choice"
    if _NEGATION.search(said):
        return None, "negated"
    return named.pop(), "long"


def _bare(text: str) -> str:
    words = re.sub(r"^\W+|\W+$", "", plain(text))
    words = re.sub(r"^(?:answer|verdict|better)\s*[:=]\s*", "", words)
    words = re.sub(rf"^(?:the |{_NOUN} ?)+", "", words)
    return re.sub(rf" (?:{_NOUN}|one)$", "", words)


def _signed(text: str) -> str:
    """The text in plain form with one sign for each suggestion."""
    said = unicodedata.normalize("NFKC", text)
    said = _IDIOMS.sub(" ", said.replace(_F, " ").replace(_S, " "))
    for pattern, sign in _NAMES:
        said = pattern.sub(sign, said)
    return plain(said)


def _votes(said: str) -> set[str]:
    """The suggestions that some clause calls the better one; a negated clause says nothing."""
    votes: set[str] = set()
    for pattern, is_better in _RULES:
        for match in pattern.finditer(said):
            if not _NEGATION.search(match.group()):
                named = _SIGNS[match.group(1)]
                votes.add(named if is_better else _OTHER[named])
    return votes
