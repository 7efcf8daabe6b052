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
from eristic.judging import NEGATIONS, strip_thinking
from eristic.protocols.lofa.numbers import named_numbers, plain
from eristic.protocols.lofa.words import DONT_KNOW, LEAD_INS, NONE_OF_THESE

__all__ = ["read_code_probe", "read_code_question", "read_strict"]

_STRICT: Final = "lofa-option-strict.v1"
_CODE_QUESTION: Final = "lofa-option-code-question.v1"
_CODE_PROBE: Final = "lofa-option-code-probe.v1"
_ENDS: Final = " .,;:!\"'()[]{}。，、；：！「」"
_WORDS_OF_A_PHRASE: Final = 12
_WRONG: Final = frozenset(
    "wrong false incorrect mistaken claim claims claimed say says said think believe".split()
)
_CODE_OPTION: Final = re.compile(r"Option\s*(\d+)", re.IGNORECASE)
_CODE_CAPITAL: Final = re.compile(r"Option\s*(\d+)")
_CODE_BRACKETS: Final = re.compile(r"\((\d+)\)")
_MOST_DIGITS: Final = 6


def read_strict(text: str, options: Sequence[str]) -> Reading:
    """One distinct number, or without any number one option's full text or one known phrase.

    options: their texts in the order shown. Thinking is taken out first. Unreadable with the flag
    no_option, several_options or out_of_range.
    """
    stripped = strip_thinking(text)
    said = plain(stripped.text)
    if not said:
        return Reading(parser=_STRICT, status="empty", flags=stripped.flags)
    last = len(options) + 2
    named = named_numbers(_without(said, options), highest=last)
    if len(named.numbers) == 1:
        return _number(named.numbers[0], last, (*named.flags, *stripped.flags))
    if named.numbers:
        return _unreadable("several_options", stripped.flags)
    fits = _fitting(said, options)
    if len(fits) == 1:
        return _read(_STRICT, fits.pop(), "", ("by_text", *stripped.flags))
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
    if _says(answer, _phrases(DONT_KNOW)):
        fits.add(len(options) + 1)
    if _says(answer, _phrases(NONE_OF_THESE)):
        fits.add(len(options) + 2)
    return fits


def _after_lead(answer: str) -> Iterable[str]:
    """What follows `the answer is`, or the last `is` of one short sentence that denies nothing."""
    for lead in _phrases(LEAD_INS):
        if answer.startswith(lead):
            yield answer.removeprefix(lead).strip(_ENDS)
    if re.search(r"[.!?;\n]", answer):
        return
    for match in re.finditer(r"\b(?:is|are|was|were)\b", answer):
        words = answer[: match.start()].split()
        denied = any(word.endswith("n't") or word in _WRONG or word in NEGATIONS for word in words)
        if len(words) <= _WORDS_OF_A_PHRASE and not denied:
            yield answer[match.end() :].strip(_ENDS)


def _says(answer: str, phrases: Sequence[str]) -> bool:
    """A short answer that begins with one of these phrases."""
    begin = re.sub(r"^(?:sorry|honestly|i'm sorry)[,. ]+", "", answer)
    return len(begin.split()) <= _WORDS_OF_A_PHRASE and any(
        begin == phrase or re.match(rf"{re.escape(phrase)}(?!\w)", begin) for phrase in phrases
    )


@cache
def _phrases(phrases: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({plain(phrase) for phrase in phrases}, key=len, reverse=True))
