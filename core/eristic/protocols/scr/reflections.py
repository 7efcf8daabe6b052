"""Reading a reflection: does the suggester accept the critique of its own suggestion?

The first yes or no that is an answer decides, unless the rest answers the other way. Without one,
"I accept" and "I do not accept" decide, whatever the question was.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from eristic.debate import Reading
from eristic.judging import strip_thinking
from eristic.protocols.machine import Parser
from eristic.protocols.scr.names import ACCEPTED, REJECTED
from eristic.protocols.scr.wording import plain

__all__ = ["LANGUAGES", "reflection_parsers"]


class _Language(msgspec.Struct, frozen=True, gc=False):
    """Words of one language, in plain form."""

    yes: tuple[str, ...]
    no: tuple[str, ...]
    accept: str
    """Pattern of a speaker who accepts; what stands before its group `verb` is looked at."""
    reject: str
    """Pattern of a speaker who rejects."""
    negated: str
    """Pattern of a word that turns `accept`, looked for inside the match."""


_CLAUSE = r"[^.!?;,:\n]"
_LANGUAGES: Final[Mapping[str, _Language]] = MappingProxyType(
    {
        "en": _Language(
            ("yes",),
            ("no",),
            rf"\bi\b{_CLAUSE}{{0,50}}?\b(?:accept|agree)\b",
            rf"\bi\b{_CLAUSE}{{0,50}}?\b(?:reject|disagree|decline)\b",
            r"n't\b|\b(?:not|never|cannot|no longer|hardly|unable|refuse|cant|dont|wont)\b",
        ),
        "es": _Language(
            ("sí",), ("no",), r"\b(?:no |nunca )?acepto\b", r"\brechazo\b", r"no|nunca"
        ),
        "fr": _Language(
            ("oui",),
            ("non",),
            r"\b(?:je n'accepte\b|j'accepte\b)",
            r"\bje (?:le |la )?(?:rejette|refuse)\b",
            r"n'",
        ),
        "de": _Language(
            ("ja",),
            ("nein",),
            rf"\bich akzeptiere\b(?:{_CLAUSE}{{0,30}}?\bnicht\b)?",
            r"\bich (?:lehne\b|weise\b)",
            r"\bnicht\b",
        ),
        "zh": _Language(
            ("是的", "是"),
            ("不是", "不", "否"),
            r"[^。.!?;,:\n]{0,12}?(?:接受|同意)",
            r"我\s*(?:拒绝|反对)",
            r"不|无法|没法",
        ),
        "ar": _Language(
            ("نعم",),
            ("لا",),
            r"(?:\bلا )?\b(?:أقبل|أوافق)\b",
            r"\bأرفض\b",
            r"\bلا\b",
        ),
    }
)
LANGUAGES: Final = ("all", *_LANGUAGES)
"""Values of the option `reflect_languages`."""

_FOLLOWERS: Final = (
    *("i", "we", "it", "this", "that", "the", "my", "your", "you", "there", "and", "but", "or"),
    *("because", "since", "as", "not", "thank", "thanks", "absolutely", "definitely", "although"),
    *("yo", "pero", "porque", "je", "mais", "ich", "aber"),
)
"""Words that may follow an answer without a mark between; of "no harm" and "no to" no is none."""
_BOTH = re.compile(r"\byes\s*(?:/|or)\s*no\b")
"""Quotes the question and answers nothing."""
_HEDGED = re.compile(
    r"\b(?:partly|partially|in part|to some extent|to a degree|somewhat|half)\b|\bparts? of\b"
    r"|部分|\ben parte\b|\ben partie\b|\bteilweise\b"
)
_SINGLE: Final = MappingProxyType(
    {
        **dict.fromkeys(("accept", "accepted", "accepting", "i accept"), ACCEPTED),
        **dict.fromkeys(("reject", "rejected", "not accepted"), REJECTED),
    }
)
"""All of a text, when it is no more than a verdict."""
_OPPOSITE: Final = MappingProxyType({ACCEPTED: REJECTED, REJECTED: ACCEPTED})


def reflection_parsers() -> dict[str, Parser]:
    """`reflect.LANG` and, for the question that asks it the other way, `reflect_reversed.LANG`."""
    return {
        f"{name}.{language}": functools.partial(
            _read, language=language, is_reversed=name == "reflect_reversed"
        )
        for name in ("reflect", "reflect_reversed")
        for language in LANGUAGES
    }


def _read(text: str, *, language: str, is_reversed: bool) -> Reading:
    parser = f"scr-{'reversed-' if is_reversed else ''}reflection-{language}.v1"
    stripped = strip_thinking(text)
    flags = stripped.flags
    if not stripped.text.strip():
        return Reading(parser=parser, status="empty", flags=flags)
    said = _BOTH.sub(" ", plain(stripped.text))
    verdict, why = _verdict(said, _spoken(language), is_reversed)
    if verdict is None:
        return Reading(parser=parser, status="unreadable", flags=(why, *flags))
    remarks = (why, *flags) if why else flags
    return Reading(parser=parser, status="read", value=verdict, flags=remarks)


def _spoken(language: str) -> tuple[str, ...]:
    if language == "all":
        return tuple(_LANGUAGES)
    return tuple(dict.fromkeys(("en", language)))


def _verdict(said: str, languages: tuple[str, ...], is_reversed: bool) -> tuple[str | None, str]:
    """(verdict, remark); without a verdict the remark says why."""
    single = _SINGLE.get(re.sub(r"^\W+|\W+$", "", said))
    if single is not None:
        return single, "in_words"
    answers = [is_yes for _, is_yes in _answers(said, languages)]
    stands = set(_stands(said, languages))
    is_hedged = _HEDGED.search(said) is not None
    if answers:
        if len(set(answers)) > 1:
            return None, "two_answers"
        verdict = ACCEPTED if answers[0] != is_reversed else REJECTED
        if _OPPOSITE[verdict] in stands:
            return None, "conflict"
        return verdict, "hedged" if is_hedged else ""
    if is_hedged:
        return None, "hedged"
    if len(stands) == 1:
        return stands.pop(), "in_words"
    return None, "conflict" if stands else "no_answer"


def _answers(said: str, languages: tuple[str, ...]) -> list[tuple[int, bool]]:
    """(place, whether it is yes) of every word that stands as an answer, in order."""
    found: list[tuple[int, bool]] = []
    for name in languages:
        for is_yes, words in ((True, _LANGUAGES[name].yes), (False, _LANGUAGES[name].no)):
            found += [(place, is_yes) for place in _places(said, name, words, is_yes)]
    return sorted(set(found))


def _places(said: str, language: str, words: tuple[str, ...], is_yes: bool) -> Iterator[int]:
    for match in _pattern(words, language).finditer(said):
        starts = _starts_clause(said, match.start())
        rest = said[match.end() :]
        ends = re.match(r"\s*(?:$|[^\w\s'-]|-\s|\n|'(?!\w))", rest) is not None
        if language == "zh":
            # Written without blanks: only a clause of its own is an answer.
            is_answer = starts and ends
        else:
            follower = re.match(r" ([\w]+)", rest)
            is_answer = ends or (follower is not None and follower.group(1) in _FOLLOWERS)
            is_answer = is_answer or (is_yes and starts)
        if is_answer:
            yield match.start()


@functools.cache
def _pattern(words: tuple[str, ...], language: str) -> re.Pattern[str]:
    either = "|".join(map(re.escape, words))
    return re.compile(either if language == "zh" else rf"(?<![\w'-])(?:{either})(?![\w'])(?!-\w)")


def _starts_clause(said: str, place: int) -> bool:
    return re.search(r"(?:^|[^\w\s])\s*$|\n\s*$", said[:place]) is not None


def _stands(said: str, languages: tuple[str, ...]) -> Iterator[str]:
    """Verdicts that a speaker states in words; a negation turns what it stands before."""
    for name in languages:
        words = _LANGUAGES[name]
        for match in re.finditer(words.accept, said):
            yield REJECTED if re.search(words.negated, match.group()) else ACCEPTED
        for match in re.finditer(words.reject, said):
            # "I do not reject it" is no acceptance in plain words: left out.
            if not re.search(words.negated, match.group()):
                yield REJECTED
