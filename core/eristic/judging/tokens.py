"""Reading one token out of a judge's answer."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

import msgspec

from eristic.debate import Reading
from eristic.judging.thinking import strip_thinking

__all__ = ["NEGATIONS", "contains_true", "strict_token"]

NEGATIONS: tuple[str, ...] = (
    *("not", "no", "never", "neither", "nor", "cannot", "without", "hardly", "far from", "un"),
    *("non", "isnt", "arent", "wasnt", "doesnt", "dont", "didnt", "cant", "wont", "aint"),
    *("nicht", "kein", "keine", "nie", "ne", "pas", "jamais", "nunca", "não", "не", "нет"),
)
"""Words that turn a token after them; every word in n't counts as well."""

_HYPHEN = "[-_\N{HYPHEN}]"
_JOIN = re.compile("[-_\N{HYPHEN} ]+")
_LETTER = r"[^\W_]"
_CLAUSE_END = re.compile(r"[.!?;:\n]+")
_STRUCK = re.compile("(?:!=?|[~\N{NOT SIGN}\N{NOT EQUAL TO}\N{BALLOT X}\N{CROSS MARK}]) ?$")
_TAKEN_BACK = re.compile(r"[^\w,]*(?:(?:is|was|be|would|does|has|it) ?)*(?:\w+n't|not|never)\b")
_NO_LETTER = re.compile(r"[\W_]*")


def strict_token(
    text: str,
    tokens: Mapping[str, tuple[str, ...]],
    *,
    parser: str = "strict-token.v1",
    negations: tuple[str, ...] = NEGATIONS,
) -> Reading:
    """Which one of the allowed tokens a text says.

    tokens: value -> its spellings, for instance {"true": ("true", "verdadero"), "false": ...}; a
    spelling of several words matches with `-`, `_` or a space between them. parser: id written
    into the reading; give a table of another language an id of its own.

    Thinking is taken out first. The text is brought to NFKC, freed of quotes, angle brackets and
    punctuation at its ends, and case-folded. Is all of it one spelling, that is the value. Else
    spellings are searched as whole words: one distinct value is read, flagged `long`; none
    (`no_token`) or several (`two_tokens`) are unreadable.

    Stricter than the published rule in one point: a token that is turned or asked about is
    unreadable (`negated`), since "This is not true" has `true` as its only token and means the
    opposite. A token is turned by a word of `negations` before it in its clause, by "is not"
    right behind it, by a sign such as `!` before it; a question mark behind it asks. "untrue",
    "true-ish" and "INCORRECT" hold no token at all. A text is never guessed to be a refusal; that
    is the provider's word (`Served.refusal`).
    """
    stripped = strip_thinking(text)
    flags = stripped.flags
    plain = _plain(stripped.text)
    if not plain:
        return Reading(parser=parser, status="empty", flags=flags)
    table = _table(tuple(tokens.items()))
    whole = table.values.get(_spaced(plain))
    if whole is not None:
        return Reading(parser=parser, status="read", value=whole, flags=flags)
    values, is_turned = _search(plain, table, negations)
    if is_turned or len(values) != 1:
        cause = "negated" if is_turned else "two_tokens" if values else "no_token"
        return Reading(parser=parser, status="unreadable", flags=(cause, *flags))
    return Reading(parser=parser, status="read", value=values.pop(), flags=("long", *flags))


def contains_true(text: str) -> Reading:
    """As the published code decides: the letters "true" anywhere, in any case, are true.

    So "untrue" and "not true" are convinced; kept to recompute published numbers. Thinking is
    read as well. Any other text is false, a blank one empty.
    """
    if not text.strip():
        return Reading(parser="contains-true.v1", status="empty")
    value = "true" if re.search("true", text, re.IGNORECASE) else "false"
    return Reading(parser="contains-true.v1", status="read", value=value)


class _Table(msgspec.Struct, frozen=True):
    values: dict[str, str]
    """Spelling in plain form -> value."""
    pattern: re.Pattern[str]
    """Finds spellings as whole words, the longest first; the spelling is its only group."""


class _Found(NamedTuple):
    values: set[str]
    is_turned: bool


@lru_cache(maxsize=64)
def _table(tokens: tuple[tuple[str, tuple[str, ...]], ...]) -> _Table:
    """Raises ValueError for a spelling that is blank or stands for two values."""
    values: dict[str, str] = {}
    for value, spellings in tokens:
        for spelling in map(_spaced, map(_plain, spellings)):
            if not spelling or values.setdefault(spelling, value) != value:
                raise ValueError(f"the spelling {spelling!r} of {value!r} is blank or ambiguous")
    longest_first = sorted(values, key=lambda x: (-len(x), x))
    words = "|".join(re.escape(x).replace(r"\ ", _JOIN.pattern) for x in longest_first)
    before = f"(?<!{_LETTER})(?<!{_LETTER}{_HYPHEN})"
    after = f"(?!{_LETTER})(?!{_HYPHEN}{_LETTER})"
    return _Table(values=values, pattern=re.compile(f"{before}({words}){after}"))


@lru_cache(maxsize=64)
def _turning(negations: tuple[str, ...]) -> re.Pattern[str]:
    words = "|".join(re.escape(_plain(x)) for x in negations)
    return re.compile(rf"\b\w+n't\b|\b(?:{words})\b" if words else r"\b\w+n't\b")


def _plain(text: str) -> str:
    """NFKC, case-folded, straight apostrophes, no format characters, single blanks."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    straight = folded.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    visible = "".join(x for x in straight if unicodedata.category(x) != "Cf")
    return re.sub(r"[^\S\n]+", " ", visible).strip()


def _spaced(plain: str) -> str:
    """Without what is at the ends, one blank where words are joined."""
    start, end = 0, len(plain)
    # A leading "!" negates in many notations, so it is the one sign that stays.
    while start < end and plain[start] != "!" and _is_trimmed(plain[start]):
        start += 1
    while start < end and _is_trimmed(plain[end - 1]):
        end -= 1
    return _JOIN.sub(" ", plain[start:end])


def _is_trimmed(char: str) -> bool:
    return char in "<>`" or unicodedata.category(char)[0] in "PZC"


def _search(plain: str, table: _Table, negations: tuple[str, ...]) -> _Found:
    """The distinct values said in a text, and whether any of them is turned or asked about."""
    values: set[str] = set()
    is_turned = False
    for start, end, mark in _clauses(plain):
        clause = plain[start:end]
        found = list(table.pattern.finditer(clause))
        values.update(table.values[_JOIN.sub(" ", x.group(1))] for x in found)
        # A spelling may hold a negation itself ("not convinced"): that one turns nothing.
        others = table.pattern.sub(lambda x: "x" * len(x.group()), clause).replace("_", " ")
        turning = _turning(negations).search(others)
        is_turned = is_turned or any(
            (turning is not None and turning.start() < x.start())
            or _STRUCK.search(plain, max(0, start + x.start() - 3), start + x.start())
            or _TAKEN_BACK.match(others, x.end())
            or ("?" in mark and _NO_LETTER.fullmatch(clause, x.end()))
            for x in found
        )
    return _Found(values, is_turned)


def _clauses(plain: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and closing mark of every clause."""
    start = 0
    for mark in _CLAUSE_END.finditer(plain):
        yield start, mark.start(), mark.group()
        start = mark.end()
    yield start, len(plain), ""
