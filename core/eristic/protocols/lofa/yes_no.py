"""What an answer to a yes/no question says: yes, no or dont_know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final

from eristic.debate import Reading
from eristic.judging import strip_thinking
from eristic.protocols.lofa.denials import is_denied
from eristic.protocols.lofa.numbers import plain
from eristic.protocols.lofa.words import (
    BARE_FOLLOWERS,
    DONT_KNOW,
    NO_BY_LANGUAGE,
    NOUNS_AFTER_NO,
    YES_BY_LANGUAGE,
)

__all__ = ["DONT_KNOW_VALUE", "NO", "YES", "read_code_yes_no", "read_strict_yes_no"]

YES: Final = "yes"
NO: Final = "no"
DONT_KNOW_VALUE: Final = "dont_know"

_STRICT: Final = "lofa-yes-no-strict.v1"
_CODE: Final = "lofa-yes-no-code.v1"
_NEXT_WORD: Final = re.compile(r"\s+([^\W\d]+)")
_BEGINS: Final = re.compile(r"(?:^|[.!?:;,\"'(\[{>])\s?$")
_BEGIN: Final = re.compile(r"^\W*", re.ASCII)


def read_strict_yes_no(text: str) -> Reading:
    """The one of yes, no and don't know that stands there as whole words.

    `no` inside a phrase that says don't know does not count, nor before a noun ("no doubt"), nor
    does a word that is denied or somebody else's ("not yes", "you said yes"). Words of other
    languages count where the answer begins with them and a sign or nothing follows. Unreadable
    with the flag no_answer, two_answers or denied.
    """
    stripped = strip_thinking(text)
    said = plain(stripped.text)
    if not said:
        return Reading(parser=_STRICT, status="empty", flags=stripped.flags)
    rest, phrases = _dont_know().subn(" . ", said)
    values = [DONT_KNOW_VALUE] if phrases else []
    found = list(_words(rest))
    values += dict.fromkeys(value for value, is_meant in found if is_meant)
    foreign = None if values or found else _foreign(said)
    if foreign is not None:
        return _read(foreign, ("other_language", *stripped.flags))
    if len(values) != 1:
        cause = "two_answers" if values else "denied" if found else "no_answer"
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


def _words(text: str) -> Iterator[tuple[str, bool]]:
    """Yes and no as answers, each with whether it is meant."""
    words = _english()
    # A no before a yes is another answer and turns nothing.
    masked = words.sub(lambda match: "_" * len(match[0]), text)
    for match in words.finditer(text):
        value = YES if match[0] in YES_BY_LANGUAGE["en"] else NO
        if value == YES or not _stands_before_a_noun(text, match):
            yield value, not is_denied(masked, match.start(), match.end())


def _stands_before_a_noun(text: str, match: re.Match[str]) -> bool:
    after = _NEXT_WORD.match(text, match.end())
    if after is None:
        return False
    is_first = _BEGINS.search(text[max(0, match.start() - 3) : match.start()]) is not None
    return after[1] in NOUNS_AFTER_NO if is_first else after[1] not in BARE_FOLLOWERS


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
def _english() -> re.Pattern[str]:
    words = (*YES_BY_LANGUAGE["en"], *NO_BY_LANGUAGE["en"])
    return re.compile(rf"(?<![\w\-])(?:{_either(words)})(?![\w\-])")


@cache
def _table() -> tuple[tuple[re.Pattern[str], str], ...]:
    tables = ((NO, NO_BY_LANGUAGE), (YES, YES_BY_LANGUAGE))
    return tuple(
        (re.compile(rf"(?:{_either(_other_languages(table))})(?=\s*(?:[^\w\s]|$))"), value)
        for value, table in tables
    )


def _other_languages(table: Mapping[str, tuple[str, ...]]) -> list[str]:
    return [word for language, words in table.items() if language != "en" for word in words]


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(x) for x in sorted({plain(x) for x in words}, key=len, reverse=True))
