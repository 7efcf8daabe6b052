"""Which option an answer to a multiple choice names.

Every reading has the number shown as its value; the numbers after the listed options are don't
know and all incorrect. What was written is in `parts["number"]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from eristic.debate import Reading
from eristic.judging import strip_thinking
from eristic.protocols.lofa.denials import denies
from eristic.protocols.lofa.numbers import Named, named_numbers, plain
from eristic.protocols.lofa.words import DONT_KNOW, LEAD_INS, NONE_OF_THESE

__all__ = ["read_code_probe", "read_code_question", "read_strict"]

_STRICT: Final = "lofa-option-strict.v1"
_CODE_QUESTION: Final = "lofa-option-code-question.v1"
_CODE_PROBE: Final = "lofa-option-code-probe.v1"
_ENDS: Final = " .,;:!\"'()[]{}。，、；：！「」"
_OPEN: Final = r"(?<!\w)"
_WORDS_OF_A_PHRASE: Final = 12
_REPORTS: Final = frozenset(
    "claim claims claimed say says said think believe believed thought often many people some if "
    "suppose suggest suggests suggested argue argues argued myth misconception "
    "wrong false incorrect mistaken".split()
)
"""Words before `is` that leave open whose word it is."""
_NOT_UNKNOWN: Final = re.compile(
    r"\s+(?:why|how (?:else|to|you|can)|what (?:you|else|to|that)|wh(?:ere|en) (?:you|that)"
    r"|you|a lie|i (?:understand|follow|agree|can))\b"
)
"""What makes `I don't know` a remark about something else."""
_ADVERBS: Final = re.compile(r"\b(?:honestly|really|truly|simply|just|still|actually)\s+")
_CODE_OPTION: Final = re.compile(r"Option\s*(\d+)", re.IGNORECASE)
_CODE_CAPITAL: Final = re.compile(r"Option\s*(\d+)")
_CODE_BRACKETS: Final = re.compile(r"\((\d+)\)")
_MOST_DIGITS: Final = 6


def read_strict(text: str, options: Sequence[str]) -> Reading:
    """One distinct number, or without any number one option's full text or one known phrase.

    options: their texts in the order shown. Thinking is taken out first. Unreadable with the flag
    no_option, several_options, out_of_range, or denied ("not Option 2"). Several are named too by
    a number with the text of another option behind it ("Option 3: Sydney"), and by a bare number
    in a text that speaks of another option ("1. Canberra").
    """
    stripped = strip_thinking(text)
    said = plain(stripped.text)
    if not said:
        return Reading(parser=_STRICT, status="empty", flags=stripped.flags)
    last = len(options) + 2
    named = named_numbers(_without(said, options), highest=last)
    if len(named.numbers) > 1:
        return _unreadable("several_options", stripped.flags)
    if named.numbers and not (named.is_bare and not 1 <= named.numbers[0] <= last):
        return _one(said, named, options, stripped.flags)
    fits = _fitting(said, options)
    if len(fits) == 1:
        return _read(_STRICT, fits.pop(), "", ("by_text", *stripped.flags))
    if named.numbers:
        # A number that no option has, unless it is the text of one ("1969").
        return _one(said, named, options, stripped.flags)
    return _unreadable("several_options" if fits else "no_option", stripped.flags)


def read_code_question(text: str, options: Sequence[str]) -> Reading:
    """As the published code reads the first question.

    `Option` with a capital and a number must stand there exactly once, repetitions of the same
    option not allowed; which option that is, is then the first one in any case.
    """
    if not text.strip():
        return Reading(parser=_CODE_QUESTION, status="empty")
    if len(_CODE_CAPITAL.findall(text)) != 1:
        return Reading(parser=_CODE_QUESTION, status="unreadable", flags=("malformed",))
    return _code(_CODE_QUESTION, _CODE_OPTION.search(text), options)


def read_code_probe(text: str, options: Sequence[str]) -> Reading:
    """As the published code reads a probe: the first `option` with a number, in any case, else
    the first number in brackets."""
    if not text.strip():
        return Reading(parser=_CODE_PROBE, status="empty")
    return _code(_CODE_PROBE, _CODE_OPTION.search(text) or _CODE_BRACKETS.search(text), options)


def _code(parser: str, found: re.Match[str] | None, options: Sequence[str]) -> Reading:
    """0 is the last listed option, as -1 is in Python; what is beyond n + 1 is all incorrect."""
    if found is None:
        return Reading(parser=parser, status="unreadable", flags=("malformed",))
    last = len(options) + 2
    written = found[1]
    # Python itself refuses to read thousands of digits.
    number = int(written) if len(written.lstrip("0")) <= _MOST_DIGITS else last + 1
    if number == 0:
        return _read(parser, len(options), written, ("zero_as_last",))
    flags = ("above_as_none",) if number > last else ()
    return _read(parser, min(number, last), written, flags)


def _one(said: str, named: Named, options: Sequence[str], flags: tuple[str, ...]) -> Reading:
    """The one number that is named, unless the answer contradicts it."""
    number = named.numbers[0]
    # "I don't know (Option 5)" denies nothing.
    if named.is_denied and number <= len(options):
        return _unreadable("denied", flags)
    if _is_contradicted(said, number, options, is_bare=named.is_bare):
        return _unreadable("several_options", flags)
    return _number(number, len(options) + 2, (*named.flags, *flags))


def _is_contradicted(said: str, number: int, options: Sequence[str], *, is_bare: bool) -> bool:
    behind = rf"(?<!\d)0*{number}[\s:.)(\-\"'\u2013\u2014]*"
    spoken_of = _mentioned(said if is_bare else "", options)
    labelled = _mentioned(said, options, before=behind)
    return any(found and number not in found for found in (spoken_of, labelled))


def _mentioned(said: str, options: Sequence[str], *, before: str = "") -> set[int]:
    """Numbers of the options whose full text stands there as whole words."""
    texts = [plain(option) for option in options]
    return {
        number
        for number, text in enumerate(texts, 1)
        if text and re.search(rf"{before or _OPEN}{re.escape(text)}(?!\w)", said)
    }


def _number(number: int, last: int, flags: tuple[str, ...]) -> Reading:
    if not 1 <= number <= last:
        return Reading(
            parser=_STRICT,
            status="unreadable",
            parts={"number": str(number)},
            flags=("out_of_range", *flags),
        )
    return _read(_STRICT, number, str(number), flags)


def _read(parser: str, number: int, written: str, flags: tuple[str, ...]) -> Reading:
    parts = {"number": written} if written else {}
    return Reading(parser=parser, status="read", value=str(number), parts=parts, flags=flags)


def _unreadable(cause: str, flags: tuple[str, ...]) -> Reading:
    return Reading(parser=_STRICT, status="unreadable", flags=(cause, *flags))


def _without(said: str, options: Sequence[str]) -> str:
    """The text less the options that it quotes: they may hold numbers of their own."""
    if said.strip(_ENDS).isdecimal():
        return said
    rest = said
    for option in sorted(filter(None, map(plain, options)), key=len, reverse=True):
        if not option.isdecimal():
            rest = re.sub(rf"(?<!\w){re.escape(option)}(?!\w)", " ", rest)
    for number, option in enumerate(map(plain, options), 1):
        if option.isdecimal():
            rest = re.sub(rf"(?<!\d)({number})[\s(:.]+{option}(?!\w)", r"\1 ", rest)
    return rest


def _fitting(said: str, options: Sequence[str]) -> set[int]:
    """Numbers of the options whose text, or whose known phrase, the answer is."""
    answer = said.strip(_ENDS)
    bodies = {answer, *_after_lead(answer)}
    fits = {
        number for number, option in enumerate(options, 1) if plain(option).strip(_ENDS) in bodies
    }
    phrases = {
        len(options) + place
        for place, known in ((1, DONT_KNOW), (2, NONE_OF_THESE))
        if _says(answer, _phrases(known))
    }
    # "All options are incorrect except Canberra" is not all incorrect.
    return fits | phrases | (_mentioned(answer, options) if phrases else set())


def _after_lead(answer: str) -> Iterable[str]:
    """What follows `the answer is`, or the last `is` of one short sentence that denies nothing."""
    for lead in _phrases(LEAD_INS):
        if answer.startswith(lead):
            yield answer.removeprefix(lead).strip(_ENDS)
    if re.search(r"[.!?;\n]", answer):
        return
    for match in re.finditer(r"\b(?:is|are|was|were)\b", answer):
        words = answer[: match.start()].split()
        if len(words) > _WORDS_OF_A_PHRASE:
            return
        denied = any(denies(word) or word.strip(",") in _REPORTS for word in words)
        if not denied:
            yield answer[match.end() :].strip(_ENDS)


def _says(answer: str, phrases: Sequence[str]) -> bool:
    """A short answer that begins with one of these phrases."""
    begin = _ADVERBS.sub("", re.sub(r"^(?:sorry|honestly|i'm sorry)[,. ]+", "", answer))
    if len(begin.split()) > _WORDS_OF_A_PHRASE:
        return False
    found = next((x for x in phrases if re.match(rf"{re.escape(x)}(?!\w)", begin)), None)
    return found is not None and not _NOT_UNKNOWN.match(begin[len(found) :])


@cache
def _phrases(phrases: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({plain(phrase) for phrase in phrases}, key=len, reverse=True))
