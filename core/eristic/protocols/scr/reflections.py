"""Reading a reflection: does the suggester accept the critique of its own suggestion?

The first yes or no that is an answer decides, unless the rest answers the other way. Without one,
"I accept" and "I do not accept" decide, whatever the question was. A word that is said to others
("tell him no"), turned ("I cannot say yes") or asked back is no answer, and what else than the
critique is accepted ("I would accept the gift") decides nothing.
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
from eristic.protocols.scr.wording import plain, unmarked

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
            ("sí",),
            ("no",),
            r"(?:\b(?:no|nunca|tampoco) (?:\w+ ){0,2}?)?\bacepto\b",
            r"\brechazo\b",
            r"\b(?:no|nunca|tampoco)\b",
        ),
        "fr": _Language(
            ("oui",),
            ("non",),
            r"\b(?:je |j')(?:ne |n'|l'|la |le |y )*accepte\b",
            r"\bje (?:le |la )?(?:rejette|refuse)\b",
            r"\bne\b|n'",
        ),
        "de": _Language(
            ("ja",),
            ("nein",),
            rf"\bich akzeptiere\b(?:{_CLAUSE}{{0,30}}?\b(?:nicht|kein\w*)\b)?",
            r"\bich (?:lehne\b|weise\b)",
            r"\b(?:nicht|kein\w*)\b",
        ),
        "zh": _Language(
            ("是的", "是"),
            ("不是的", "不是", "不", "否"),
            # Of nobody else, and nothing that somebody should.
            r"(?:^|[。.!?;,:\n])[^。.!?;,:\n你您他她它们应如]{0,12}?(?:接受|同意)",
            r"我\s*(?:拒绝|反对)",
            r"不|无法|没法",
        ),
        "ar": _Language(
            ("نعم",),
            ("لا",),
            r"(?:\b(?:لا|لن|لم|لست) )?\b(?:أقبل|أوافق)\b",
            r"\bأرفض\b",
            r"\b(?:لا|لن|لم|لست)\b",
        ),
    }
)
LANGUAGES: Final = ("all", *_LANGUAGES)
"""Values of the option `reflect_languages`."""

_FOLLOWERS: Final = (
    *("i", "we", "it", "this", "that", "the", "my", "your", "you", "there", "and", "but", "or"),
    *("because", "since", "as", "not", "thank", "thanks", "absolutely", "definitely", "although"),
    *("yes", "no"),
    *("yo", "pero", "porque", "je", "mais", "ich", "aber"),
)
"""Words that may follow an answer without a mark between; of "no harm" and "no to" no is none."""
_ENDS = re.compile(r"\s*(?:$|[^\w\s'-]|-\s|\n|'(?!\w))")
_FOLLOWER = re.compile(r" (\w+)")
_LOOKED_BACK = 200
"""Of a sentence before an answer (characters)."""
_BOTH = re.compile(
    r"\byes\s*(?:/|or)\s*no\b"
    r"|\b(?:accept|agree)(?: it| this)? (?:or|nor|and) (?:reject|disagree|decline|deny)\b"
)
"""Quotes the question and answers nothing."""
_TURNED = re.compile(r"n't\b|\b(?:not|cannot|never|hardly|neither|nor)\b")
_SAYS = re.compile(r"\b(?:say|tell|told|said|reply)\b")
_I_SAY = re.compile(r"\bi(?:'d| would| will| do|'ll| must| have to)? (?:say|reply)\b")
_HEDGED = re.compile(
    r"\b(?:partly|partially|in part|to some extent|to a degree|somewhat|half)\b|\bparts? of\b"
    r"|部分|不完全|\bnot (?:all|everything|entirely|fully|completely|wholly|totally)\b"
    r"|\ben parte\b|\ben partie\b|\bteilweise\b"
)
_SINGLE: Final = MappingProxyType(
    {
        **dict.fromkeys(("accept", "accepted", "accepting", "i accept"), ACCEPTED),
        **dict.fromkeys(("reject", "rejected", "not accepted"), REJECTED),
    }
)
"""All of a text, when it is no more than a verdict."""
_OPPOSITE: Final = MappingProxyType({ACCEPTED: REJECTED, REJECTED: ACCEPTED})


# What must surround "accept" where it decides alone: the speaker, and the critique or no object.
_BETWEEN = (
    r"(?:'d|'ll|'m|'ve)?(?: (?:do|did|am|can|will|would|must|shall|have|to|be|able|unable|willing"
    r"|ready|happy|glad|cannot|can't|don't|didn't|won't|wouldn't|cant|dont|wont|not|never|no longer"
    r"|hardly|refuse|also|now|therefore|thus|still|indeed|however|\w+ly))* "
)
_SPEAKER: Final = MappingProxyType(
    {
        ACCEPTED: re.compile(rf"\bi{_BETWEEN}(?:accept|agree)\b(?P<rest>{_CLAUSE}*)(?P<end>.?)"),
        REJECTED: re.compile(rf"\bi{_BETWEEN}(?:reject|disagree)\b(?P<rest>{_CLAUSE}*)(?P<end>.?)"),
    }
)
_CRITIQUE = re.compile(
    r"\b(?:critiques?|critics?|criticisms?|feedback|points?|objections?|assessment|comments?"
    r"|remarks?|arguments?|concerns?|correction|judge?ment|review)\b"
)
_NOTHING_ELSE = re.compile(
    r"(?:\W|\b(?:it|this|that|these|them|with|to|all|of|as|valid|and|now|here|you|\w+ly)\b)*"
)
_LIMITED = re.compile(r"n't\b|\b(?:not|no|none|nothing|neither|if|unless|only|but|except)\b")


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
    said = _BOTH.sub(" ", plain(unmarked(stripped.text)))
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
    answers = _answers(said, languages)
    stands = set(_stands(said, languages))
    is_hedged = _HEDGED.search(said) is not None
    if len({is_yes for _, is_yes, _ in answers}) > 1:
        return None, "two_answers"
    if any(is_own for *_, is_own in answers):
        verdict = ACCEPTED if answers[0][1] != is_reversed else REJECTED
        if _OPPOSITE[verdict] in stands:
            return None, "conflict"
        return verdict, "hedged" if is_hedged else ""
    if is_hedged:
        return None, "hedged"
    sure = set(_sure(said, languages))
    if len(stands) == len(sure) == 1:
        return sure.pop(), "in_words"
    return None, "conflict" if len(stands) > 1 else "no_answer"


def _answers(said: str, languages: tuple[str, ...]) -> list[tuple[int, bool, bool]]:
    """(place, whether it is yes, whether it is the speaker's own) of every word that stands as an
    answer, in order."""
    found: set[tuple[int, bool, bool]] = set()
    for name in languages:
        for is_yes, words in ((True, _LANGUAGES[name].yes), (False, _LANGUAGES[name].no)):
            for match in _pattern(words, name).finditer(said):
                if _is_answer(said, match, name, is_yes):
                    found.add((match.start(), is_yes, not _is_elsewhere(said, match)))
    return sorted(found)


def _is_answer(said: str, match: re.Match[str], language: str, is_yes: bool) -> bool:
    starts = _starts_clause(said, match.start())
    ends = _ENDS.match(said, match.end()) is not None
    if language == "zh":
        # Written without blanks: only a clause of its own is an answer.
        return starts and ends
    follower = _FOLLOWER.match(said, match.end())
    is_followed = follower is not None and follower.group(1) in _FOLLOWERS
    return ends or is_followed or (is_yes and starts)


@functools.cache
def _pattern(words: tuple[str, ...], language: str) -> re.Pattern[str]:
    either = "|".join(map(re.escape, words))
    return re.compile(either if language == "zh" else rf"(?<![\w'-])(?:{either})(?![\w'])(?!-\w)")


def _is_elsewhere(said: str, match: re.Match[str]) -> bool:
    """Said to others, turned by a negation, or asked."""
    before = said[max(0, match.start() - _LOOKED_BACK) : match.start()]
    sentence, clause = re.split(r"[.!?\n]", before)[-1], re.split(r"[.!?;:,\n]", before)[-1]
    is_said = _SAYS.search(sentence) is not None and _I_SAY.search(sentence) is None
    is_asked = said[match.end() : match.end() + 1] == "?"
    return is_said or is_asked or _TURNED.search(clause) is not None


def _starts_clause(said: str, place: int) -> bool:
    while place and said[place - 1] == " ":
        place -= 1
    before = said[place - 1 : place]
    return not (before.isalnum() or before == "_")


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


def _sure(said: str, languages: tuple[str, ...]) -> Iterator[str]:
    """As `_stands`, but in English only of the critique; for where the words alone decide."""
    yield from _stands(said, tuple(name for name in languages if name != "en"))
    for verdict, pattern in _SPEAKER.items():
        for match in pattern.finditer(said):
            rest = match["rest"]
            is_it = _NOTHING_ELSE.fullmatch(rest) or _CRITIQUE.search(rest)
            if match["end"] == "?" or not is_it or _LIMITED.search(rest):
                continue
            is_turned = re.search(_LANGUAGES["en"].negated, match.group()) is not None
            if not is_turned:
                yield verdict
            elif verdict == ACCEPTED:
                yield REJECTED
