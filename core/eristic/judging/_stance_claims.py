"""Finding the claim in a message: named, quoted, or told again in other words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from eristic.judging._stance_lexicon import (
    AND_CLAIM,
    ARGUMENT_WORDS,
    DOUBT,
    NAMED_CLAIM,
    NEGATION,
    NOT_BEHIND,
    OBJECT,
    REVISED,
    STOP_WORDS,
    TOPIC,
)

__all__ = [
    "CLAIM_ITSELF",
    "NEAR_CHARS",
    "Known",
    "is_unsound",
    "known",
    "object_of",
    "plain_form",
    "told_again",
    "words",
]


class Words(NamedTuple):
    content: frozenset[str]
    negations: int


class Known(NamedTuple):
    """A claim or a reason, ready to be found."""

    plain: str
    words: Words


_STRAIGHT = str.maketrans("\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u00a0", '\'\'\'""""" ')
_CONTENT = re.compile(r"[ ,:]*(?:that |@quote)")
CLAIM_ITSELF = re.compile(r"[ ,:]*(?:that )?@claim")
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
NEAR_CHARS = 40
"""How far behind the claim its limits and ratings are looked for."""
_COVERED, _AKIN = 0.8, 0.4
"""Shares of the claim's content words: to tell the claim again, to be about it at all."""
_NAMES = ("the ", "your ", "this ", "that ")


def plain_form(text: str) -> str:
    """Lower case, straight quotes, and none of the marks that stand for claim and reason."""
    return (text if text.isascii() else text.translate(_STRAIGHT)).lower().replace("@", " ")


@lru_cache(maxsize=1024)
def known(text: str) -> Known:
    """A claim or a reason as messages are searched for it."""
    plain = " ".join(plain_form(text).split()).strip(" .!?\"'")
    # A single word is no statement, and would be found everywhere.
    return Known(plain if " " in plain else "", words(plain))


def words(plain: str) -> Words:
    """Content words cut to six letters, so that endings do not matter; negations counted."""
    content = frozenset(x[:6] for x in _WORD.findall(plain) if x not in STOP_WORDS)
    return Words(content, len(NEGATION.findall(plain)))


def object_of(right: str, claim: Known) -> tuple[str, int]:
    """What is agreed with, `claim`, `opposite`, `argument` or nothing known, and where it ends."""
    found = OBJECT.search(right)
    kind = found.lastgroup if found else None
    if found is None or kind in ("stop", "turn"):
        return "", 0
    end = found.end()
    rest = right[end:]
    if kind == "claim":
        return "claim", end
    if kind == "that":
        return told_again(right, end, claim)
    if kind == "noun":
        return _named(right, found, claim)
    # A view or a reason may be the claim by another name: "your reasoning that @claim".
    is_claim = CLAIM_ITSELF.match(rest) or AND_CLAIM.match(rest)
    if not is_claim and kind == "view":
        return told_again(right, end, claim)
    return ("claim" if is_claim else "argument"), end


def _named(right: str, noun: re.Match[str], claim: Known) -> tuple[str, int]:
    """An object called "claim" or the like is the claim unless it is another one's content."""
    rest = right[noun.end() :]
    if REVISED.search(right, 0, noun.start()) or ARGUMENT_WORDS.search(rest[:20]):
        return "argument", noun.end()
    content = _CONTENT.match(rest)
    if content is None:
        return "claim", noun.end()
    about, end = told_again(right, noun.end() + content.end(), claim)
    said = rest[content.end() :]
    if about == "claim" or said.startswith(("the claim", "@claim")):
        return about, end
    is_other = claim.words.content and not _span(said, claim, _AKIN)
    return ("argument" if is_other else "claim"), noun.end()


def told_again(right: str, start: int, claim: Known) -> tuple[str, int]:
    """Whether the words of a subordinate clause come to the claim or to its opposite."""
    rest = right[start:].lstrip(" ,:").removeprefix("that ")
    named = NAMED_CLAIM.match(rest)
    if named is not None and named.end():
        is_claim = "@claim" in named.group() and not named.group().startswith(_NAMES)
        found = DOUBT.search(rest, 0, named.end() + NEAR_CHARS)
        if found is None:
            return ("claim" if is_claim else "argument"), start + named.end()
        return ("opposite" if is_unsound(rest) else "claim"), start + named.end()
    place = rest.find("@claim", 0, 60)
    if place >= 0 and not ARGUMENT_WORDS.search(rest, 0, place):
        is_turned = NEGATION.search(rest, 0, place) is not None
        is_turned ^= is_unsound(rest[place : place + NEAR_CHARS])
        return ("opposite" if is_turned else "claim"), start + place
    span = _span(rest, claim, _COVERED)
    if not span or TOPIC.search(rest, 0, span):
        return "argument", start
    negations = len(NEGATION.findall(rest, 0, span)) + bool(NOT_BEHIND.match(rest, span))
    is_same = negations % 2 == claim.words.negations % 2
    return ("claim" if is_same else "opposite"), start + span


def _span(rest: str, claim: Known, share: float) -> int:
    """Where enough words of the claim, close together, end; 0 when they do not come."""
    wanted = claim.words.content
    places = [x for x in _WORD.finditer(rest) if x.group()[:6] in wanted]
    width = 2 * len(claim.plain) + NEAR_CHARS
    for at, last in enumerate(places):
        held = {x.group()[:6] for x in places[: at + 1] if last.end() - x.start() <= width}
        if len(held) >= share * len(wanted):
            return last.end()
    return 0


def is_unsound(right: str) -> bool:
    """Whether the first rating in this text speaks against the claim."""
    found = DOUBT.search(right)
    if found is None:
        return False
    is_negated = NEGATION.search(right, 0, found.start()) is not None
    return (found.group("sound") is None) != is_negated
