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
from eristic.protocols.scr.wording import plain, unmarked

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
    r"|\bfirst(?:ly)?(?:,| of all| and foremost)|\b(?:first|second)\?"
    r"|\bsecondly\b|\bon second thought\b|\bsecond(?:[ -]best| to none)\b|\ba second\b"
    r"|\b(?:first|second) (?:time|thing|step|chance|hand|priority|person|day)s?\b",
    re.IGNORECASE,
)
_ASKED = r"(?:answer|verdict|choice|decision|conclusion|vote|winner)"
_PICKED = r"(?:prefer|choose|pick|favou?r|go with|better is|best is)"
_NAMES: Final = tuple(
    (re.compile(pattern), sign)
    for sign, digit, letter, ordinals in (
        (_F, "1", "A", "first|1st|former"),
        (_S, "2", "B", "second|2nd|latter"),
    )
    for pattern in (
        # The word before a letter or a number is part of the name: "suggestion 2", "(B)".
        rf"()(?i:\b{_NOUN})\s*[:(]?\s*(?:{letter}|{digit})\b\)?",
        rf"()^[^\w{_F}{_S}]*(?:{letter}|{digit})(?=\s*(?:[.:)\],;>=<-]|$|\n))",
        rf"()\({letter}\)|\b{letter}\b(?! [a-z])",
        rf"()\b(?:{letter}|{digit})\b(?= (?:is|seems|looks|wins|was|over|than|because|since)\b)",
        rf"()\b{letter}\b(?= (?:and|or)\b)",
        # A bare number is a name only behind a word that calls for one.
        rf"(\b(?i:{_ASKED}|{_PICKED}|than|over)(?: is|:)?\s+|[>=<]\s*|boxed\{{){digit}\b",
        rf"()(?i:\b(?:{ordinals})\b(?: (?:{_NOUN}|one)\b)?)",
    )
)
_NEGATION = re.compile(r"n't\b|\b(?:not|no|never|neither|nor|hardly)\b")
_TIES = re.compile(
    r"\b(?:tied?|equal|equally|same|neither|both|no (?:real |clear )?(?:difference|preference))\b"
    r"|(?:n't|\b(?:not|no))\b[^.!?;\n]{0,20}\b(?:better|worse) than\b"
)
_TIED = re.compile(r"(?<!not a )(?<!no )\btied?\b")
_OPEN = re.compile(r"\b(?:could|should|might|if)\b")
"""What could be better is not said to be."""
_SPAN = rf"[^{_F}{_S}.!?;\n]{{0,60}}?"
_NEAR = rf"[^{_F}{_S}.!?;,\n]{{0,30}}?"
_VIRTUE = (
    r"(?:good|ethical|moral|morally \w+|honest|fair|helpful|responsible|respectful|kind|considerate"
    r"|thoughtful|careful|sound|practical|balanced|compassionate|truthful|transparent|appropriate"
    r"|reasonable|sensible|useful|constructive|decent|open|just)"
)
_VICE = (
    r"(?:unethical|immoral|dishonest|unfair|harmful|irresponsible|disrespectful|unkind|selfish"
    r"|dangerous|risky|deceptive|deceitful|manipulative|misleading|problematic|hurtful|cruel|vague"
    r"|evasive|questionable|inappropriate|unhelpful)"
)
_GOOD = (
    r"\b(?:better|best|prefer(?:able|red)|superior|stronger|wiser|safer|kinder|wins?"
    rf"|more {_VIRTUE}|less {_VICE})\b"
)
_BAD = rf"\b(?:worse|worst|inferior|weaker|more {_VICE}|less {_VIRTUE})\b"
_BEATS = r"(?:over|rather than|instead of|beats|outperforms|surpasses|>)"
_RULES: Final = (
    # (pattern with the named suggestion as its only group, whether that one is the better one)
    (re.compile(rf"([{_F}{_S}]){_SPAN}{_GOOD}"), True),
    (re.compile(rf"([{_F}{_S}]){_SPAN}{_BAD}"), False),
    (re.compile(rf"\b{_PICKED}{_NEAR}([{_F}{_S}])"), True),
    (re.compile(rf"\bbetter(?: (?:one|suggestion|advice))?(?: is|:){_NEAR}([{_F}{_S}])"), True),
    (
        re.compile(
            rf"\b(?:worse|worst|weaker)(?: (?:one|suggestion|advice))?(?: is|:){_NEAR}([{_F}{_S}])"
        ),
        False,
    ),
    (re.compile(rf"([{_F}{_S}]) ?{_BEATS} ?(?:the )?[{_F}{_S}]"), True),
    (re.compile(rf"([{_F}{_S}]) ?< ?[{_F}{_S}]"), False),
)
_NOT_AS = re.compile(rf"([{_F}{_S}]){_SPAN}(?:n't|\bnot) (?:as|so) {_VIRTUE} as\b")
_REASON = r"(?:since|because|as|for|but|though|although|by|it|which|the)\b"
_LEAD = re.compile(
    rf"[^\w{_F}{_S}]*(?:the )?([{_F}{_S}])[^\w\s{_F}{_S},]*"
    rf"(?:\s*$|\n|(?<=[.!;)\]*]) |,? {_REASON})"
)
_CONCLUSION = re.compile(
    rf"\b(?:{_ASKED}|better(?: one| suggestion| advice)?)[\"'*]*\s*(?:is|:|=)"
    rf"[^\w{_F}{_S}]*(?:the )?([{_F}{_S}])(?! (?:or|and)\b)|boxed\{{([{_F}{_S}])"
    rf"|(?<=[.!?:\n])[^\w{_F}{_S}]*(?:the )?([{_F}{_S}])[^\w{_F}{_S}]*\Z"
)
_FILLER = re.compile(
    r"\b(?:i'd|i'll|i|it's|it|is|the|my|would|will|say|think|believe|definitely|clearly|certainly"
    r"|probably|overall|by|far|a|answer|choice|verdict|than|one|suggestion|therefore|so|please)\b"
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
    concluded = list(_CONCLUSION.finditer(said))
    if concluded:
        last = concluded[-1]
        value = _SIGNS[next(filter(None, last.groups()))]
        # What is weighed before a conclusion does not contradict it.
        votes = [vote for vote in votes if vote[0] > last.end()] + [(last.start(), value)]
    if votes:
        values = {value for _, value in votes}
        is_one = len(values) == 1 and not _TIED.search(said)
        return (values.pop(), "long") if is_one else (None, "contradicts")
    return _unpreferred(said)


def _unpreferred(said: str) -> tuple[str | None, str]:
    """A text that calls neither suggestion the better one."""
    named = {_SIGNS[sign] for sign in _SIGNS if sign in said}
    is_tie = _TIES.search(said) is not None
    if is_tie or (len(named) == 2 and not _NEGATION.search(said)):
        return TIE, "long"
    if named and _NEGATION.search(said):
        return None, "negated"
    # A new suggestion may well hold the word "first": alone it decides only where little is said.
    if len(named) == 1 and not re.search(r"\w", _FILLER.sub(" ", said)):
        return named.pop(), "long"
    return None, "no_choice"


def _bare(text: str) -> str:
    words = re.sub(r"^\W+|\W+$", "", plain(unmarked(text)))
    words = re.sub(r"^(?:answer|verdict|better)\s*[:=]\s*", "", words)
    words = re.sub(rf"^(?:the |{_NOUN} ?)+", "", words)
    return re.sub(rf" (?:{_NOUN}|one)$", "", words)


def _signed(text: str) -> str:
    """The text in plain form with one sign for each suggestion."""
    said = unicodedata.normalize("NFKC", unmarked(text))
    said = _IDIOMS.sub(" ", said.replace(_F, " ").replace(_S, " "))
    for pattern, sign in _NAMES:
        said = pattern.sub(rf"\g<1>{sign}", said)
    return plain(said)


def _votes(said: str) -> list[tuple[int, str]]:
    """(place, suggestion) of every clause that calls one the better one; a negated clause says
    nothing."""
    votes: list[tuple[int, str]] = []
    for pattern, is_better in _RULES:
        for match in pattern.finditer(said):
            before = re.split(
                rf"[.!?;,:\n{_F}{_S}]", said[max(0, match.start() - 60) : match.start()]
            )[-1]
            clause = before + match.group()
            if not _NEGATION.search(clause) and not _OPEN.search(match.group()):
                named = _SIGNS[match.group(1)]
                votes.append((match.start(), named if is_better else _OTHER[named]))
    votes += [(x.start(), _OTHER[_SIGNS[x.group(1)]]) for x in _NOT_AS.finditer(said)]
    lead = _LEAD.match(said)
    if lead is not None:
        votes.append((lead.start(), _SIGNS[lead.group(1)]))
    return votes
