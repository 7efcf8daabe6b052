"""What an answer to a yes/no question says: yes, no or dont_know."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from eristic.debate import Reading
from eristic.judging import strip_thinking
from eristic.protocols.lofa.numbers import plain
from eristic.protocols.lofa.words import DONT_KNOW, NO_BY_LANGUAGE, YES_BY_LANGUAGE

__all__ = ["DONT_KNOW_VALUE", "NO", "YES", "read_code_yes_no", "read_strict_yes_no"]

YES: Final = "yes"
NO: Final = "no"
DONT_KNOW_VALUE: Final = "dont_know"

_STRICT: Final = "lofa-yes-no-strict.v1"
_CODE: Final = "lofa-yes-no-code.v1"
_BEGIN: Final = re.compile(r"^\W*", re.ASCII)


def read_strict_yes_no(text: str) -> Reading:
    """The one of yes, no and don't know that stands there as whole words.

    `no` inside a phrase that says don't know does not count. Words of other languages count where
    the answer begins with them. Unreadable with the flag no_answer or two_answers.
    """
    stripped = strip_thinking(text)
    said = plain(stripped.text)
    if not said:
        return Reading(parser=_STRICT, status="empty", flags=stripped.flags)
    rest, phrases = _dont_know().subn(" . ", said)
    values = [DONT_KNOW_VALUE] if phrases else []
    for value, table in ((YES, YES_BY_LANGUAGE), (NO, NO_BY_LANGUAGE)):
        if _english(table["en"]).search(rest):
            values.append(value)
    foreign = None if values else _foreign(said)
    if foreign is not None:
        return _read(foreign, ("other_language", *stripped.flags))
    if len(values) != 1:
        cause = "two_answers" if values else "no_answer"
        return Reading(parser=_STRICT, status="unreadable", flags=(cause, *stripped.flags))
    return _read(values[0], (*(("long",) if " " in said else ()), *stripped.flags))


def read_code_yes_no(text: str) -> Reading:
    """As the published code reads it.

    Well-formed are texts with the letters yes, no or don't know anywhere, in any case ("unknown",
    "nothing"). Then the word yes anywhere is yes, else the word no is no, else don't know.
    """
    if not text.strip():
        return Reading(parser=_CODE, status="empty")
    lowered = text.lower()
    if not any(letters in lowered for letters in ("yes", "no", "don't know")):
        return Reading(parser=_CODE, status="unreadable", flags=("malformed",))
    words = re.split(r"\W+", lowered)
    value = YES if "yes" in words else NO if "no" in words else DONT_KNOW_VALUE
    return Reading(parser=_CODE, status="read", value=value)


def _read(value: str, flags: tuple[str, ...]) -> Reading:
    return Reading(parser=_STRICT, status="read", value=value, flags=flags)


def _foreign(said: str) -> str | None:
    """The value that an answer in another language begins with."""
    answer = _BEGIN.sub("", said) if said.isascii() else said.lstrip(" \"'([{¡¿「")
    for words, value in _table():
        if words.match(answer):
            return value
    return None


@cache
def _dont_know() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{_either(DONT_KNOW)})(?!\w)")


@cache
def _english(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w\-])(?:{_either(words)})(?![\w\-])")


@cache
def _table() -> tuple[tuple[re.Pattern[str], str], ...]:
    tables = ((NO, NO_BY_LANGUAGE), (YES, YES_BY_LANGUAGE))
    return tuple(
        (re.compile(rf"(?:{_either(word for words in table.values() for word in words)})(?!\w)"), x)
        for x, table in tables
    )


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(x) for x in sorted({plain(x) for x in words}, key=len, reverse=True))
