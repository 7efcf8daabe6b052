"""What can be said about texts without understanding them: words, likeness, refusals, apologies.

Nothing here decides an episode, except that a critic's refusal is not taken for a critique. What is
found goes on record as a remark, for whoever counts later.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import Final

from eristic.judging import strip_thinking

__all__ = [
    "hints_of",
    "is_refusal",
    "key_of",
    "likeness",
    "overlap",
    "plain",
    "shown",
    "unmarked",
]

_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_IDEOGRAPHS}]|[^\W_{_IDEOGRAPHS}]+")
_END_MARK = re.compile(r"<\|\w{1,30}\|>|</s>")
_COPY = 0.9
_REWRITE = 0.6
"""Words in common, of either text (fraction), from which on one is a copy or rewrite."""
_SHORTER = 1 / 3
"""Words of a candidate over those of the text it replaces (fraction)."""
_REFUSAL_WORDS = 40
_LONG_WORD = 4
_KEPT: Final = 512
"""A story is told anew for every decision; its texts are measured once (count of results)."""

_APOLOGY = re.compile(r"\b(?:sorry|apologi[sz]e|apologies|my mistake)\b")
_COMMENT = re.compile(
    r"\b(?:critiques?|criticisms?|feedback|critics?|reviewers?)\b|\byou(?:'re| are) right\b"
    r"|\b(?:valid|good|fair) point\b|\bthank you for\b"
)
_CANNOT = re.compile(
    r"^(?:(?:i'm |i am )?(?:very |so |really )?(?:sorry|i apologi[sz]e)[,.;:!]? (?:but )?"
    r"|unfortunately,? |as an ai[^,.]{0,40}, )*"
    r"(?:i (?:can't|cannot|can not|won't|will not|am unable to|am not able to|must decline|"
    r"have to decline|decline)|i'm (?:unable|not able) to)\b"
    r"(?: (?:to|and|or|not|with|in|directly|really|ethically))*"
    r" ?(?:help(?! but\b)|assist|advise|answer(?! for\b)|provide|give|offer|respond|comment|"
    r"discuss|engage|fulfil|fulfill|comply|continue|do (?:that|this)(?! to\b)|your|request|"
    r"(?:support|critique|critici[sz]e|judge|evaluate|assess|review)"
    r"(?: (?:it|this|that|(?:this|that|the|your) (?:suggestion|advice|request)))? ?(?:[.!]|$)|"
    r"(?:this|that)\b ?(?:[.!]|$)|$|[.,!])"
)
_INSTEAD = re.compile(r"\b(?:but|instead|however)\b|;")


def plain(text: str) -> str:
    """NFKC, case-folded, straight apostrophes, nothing invisible, single blanks; trimmed."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    straight = folded.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    visible = "".join(x for x in straight if unicodedata.category(x) != "Cf")
    return re.sub(r"[^\S\n]+", " ", visible).strip()


def unmarked(text: str) -> str:
    """Without the marks by which models end a turn, such as <|im_end|>, when they are left in."""
    return _END_MARK.sub(" ", text)


def shown(text: str) -> str:
    """What others see of a text: without thinking, trimmed."""
    return strip_thinking(text).text.strip()


def key_of(text: str) -> str:
    """Two texts of the same key are the same text: letters as they are, blanks do not count."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def is_refusal(text: str) -> bool:
    """Whether a short text says that its author will not answer, and nothing else in its place.

    Deliberately narrow: an apology that is followed by advice is advice, and so is a refusal that
    goes on with "but" or "instead".
    """
    words = plain(text).replace("\n", " ").lstrip("\"'*")
    found = _CANNOT.match(words) if len(_words(words)) <= _REFUSAL_WORDS else None
    return found is not None and _INSTEAD.search(words, found.end()) is None


@lru_cache(maxsize=_KEPT)
def overlap(one: str, other: str) -> float:
    """Share of the words of `one` that `other` has as often (fraction); 0 without words."""
    mine, theirs = Counter(_words(plain(one))), Counter(_words(plain(other)))
    total = mine.total()
    return (mine & theirs).total() / total if total else 0.0


@lru_cache(maxsize=_KEPT)
def likeness(critique: str, text: str) -> tuple[str, ...]:
    """Remarks on a critique beside the text it is about: copy, rewrite, other_script."""
    least = min(overlap(critique, text), overlap(text, critique))
    found = ["copy"] if least >= _COPY else ["rewrite"] if least >= _REWRITE else []
    if _script(critique) != _script(text):
        found.append("other_script")
    return tuple(found)


@lru_cache(maxsize=_KEPT)
def hints_of(candidate: str, current: str, situation: str) -> tuple[str, ...]:
    """Remarks on a candidate that may be no advice any more; the comparison decides.

    empty, shorter (less than a third of what it replaces), refusal, apology and comments (in its
    first sentence), off_topic (no longer word in common with the situation).
    """
    if not candidate.strip():
        return ("empty",)
    words, before = _words(plain(candidate)), _words(plain(current))
    first = re.split(r"[.!?\n]", plain(candidate), maxsplit=1)[0]
    found = {
        "shorter": len(words) < _SHORTER * len(before),
        "refusal": is_refusal(candidate),
        "apology": _APOLOGY.search(first) is not None,
        "comments": _COMMENT.search(first) is not None,
        "off_topic": not _long_words(candidate) & _long_words(situation),
    }
    return tuple(name for name, is_so in found.items() if is_so)


def _words(text: str) -> list[str]:
    """An ideograph is a word of its own."""
    return _WORD.findall(text)


def _long_words(text: str) -> set[str]:
    return {x for x in _words(plain(text)) if len(x) >= _LONG_WORD or not x.isascii()}


def _script(text: str) -> str:
    """LATIN, CJK, ARABIC, ...: that of most letters; empty without any."""
    names = Counter(
        unicodedata.name(char, "OTHER").partition(" ")[0] for char in text if char.isalpha()
    )
    return names.most_common(1)[0][0] if names else ""
