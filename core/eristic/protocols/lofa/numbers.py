"""Numbers that an answer names: digits of all scripts, Chinese numerals, number words."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

import msgspec

from eristic.protocols.lofa.denials import is_denied
from eristic.protocols.lofa.words import (
    BARE_FOLLOWERS,
    BARE_LEADS,
    CARDINALS,
    OPTION_WORDS,
    ORDINALS,
)

__all__ = ["Named", "named_numbers", "plain"]

_MARKS: Final = str.maketrans(dict.fromkeys("*_`", " "))
_STRAIGHT: Final = str.maketrans({"\N{RIGHT SINGLE QUOTATION MARK}": "'"})
_HAN_DIGITS: Final = "零一二三四五六七八九"
_HAN: Final = r"[零〇一二三四五六七八九十]{1,3}"
_DIGITS: Final = r"\d{1,6}(?!\d|[.,]\d)"
_CARDINAL: Final = "|".join(CARDINALS)
_ORDINAL: Final = "|".join(ORDINALS)
# A Han numeral is also an everyday word ("选项一样"), so no other letter may follow it.
_NUMBER: Final = rf"(?:{_DIGITS}|(?:{_CARDINAL})(?![^\W\d])|{_HAN}(?![^\W\d](?<![和或与與是])))"
_JOINT: Final = (
    r"\s*(?:,|;|/|&|\+|、|[和或与與及やと]|(?<=\d)[-\u2013](?=\d)"
    r"|\b(?:and|or|to|und|oder|y|o|e|et|ou|и|или|या|और|أو)\b|\bو\s*)+\s*"
)
_OF_A_LIST: Final = re.compile(_NUMBER)
_IN_BRACKETS: Final = re.compile(rf"\(\s*({_NUMBER})\s*\)")
_BARE: Final = re.compile(rf"(?<![a-z0-9\-])(?<!\d[.,])({_DIGITS})(?![a-z0-9%])")
_LAST_WORD: Final = re.compile(r"[a-z\u00e0-\u024f]+$")
_NEXT_WORD: Final = re.compile(r"\s+([a-z\u00e0-\u024f]+)")
_NEAR_CHARS: Final = 40
_ENDS: Final = " \t\r\n.,;:!?\"'()[]{}<>。，、；：！？「」『』#"


class Named(msgspec.Struct, frozen=True):
    """What an answer names."""

    numbers: tuple[int, ...]
    """Distinct, in the order of the text."""
    flags: tuple[str, ...] = ()
    """number_word: not written in digits. other_numbers: more plain numbers stand beside."""
    is_bare: bool = False
    """Nothing says that it is the number of an option."""
    is_denied: bool = False
    """Every place that names it denies it."""


def plain(text: str) -> str:
    """NFKC, case-folded, digits of all scripts as 0 to 9, no bold marks, single blanks."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    visible = "".join(x for x in folded if unicodedata.category(x) != "Cf")
    digits = "".join(str(unicodedata.decimal(x)) if x.isdecimal() else x for x in visible)
    return " ".join(digits.translate(_STRAIGHT).translate(_MARKS).split())


def named_numbers(text: str, *, highest: int) -> Named:
    """The numbers that a plain text names. highest: number of the last option shown.

    What is called an option, and what stands alone in brackets, goes before plain numbers: an
    answer may mention a year or count its reasons. Numbers in brackets that no option has count
    only when nothing is called an option. So "Option 3 (1969)" names 3, "Option 2 and Option 3"
    names two, and a bare "7" names 7 even where there is no such option. A bare number that counts
    something ("2 reasons", "step 1") names nothing.
    """
    whole = _whole(text)
    if whole is not None:
        flags = () if text.strip(_ENDS).isdecimal() else ("number_word",)
        return Named((whole,), flags, is_bare=True)
    called = list(_called().finditer(text))
    bracketed = list(_IN_BRACKETS.finditer(text))
    if called:
        bracketed = [x for x in bracketed if 0 <= _value(x[1]) <= highest]
    bare = [match for match in _BARE.finditer(text) if _stands_alone(text, match)]
    found = [*called, *bracketed] or bare
    numbers = [x for match in called for x in _numbers(match[0])]
    numbers += [_value(match[1]) for match in (found if not called else bracketed)]
    named = tuple(dict.fromkeys(numbers))
    is_denied_ = bool(found) and all(is_denied(text, x.start(), x.end()) for x in found)
    if not called and not bracketed:
        return Named(named, is_bare=True, is_denied=is_denied_)
    flags = ("other_numbers",) if {int(x[1]) for x in _BARE.finditer(text)} - set(named) else ()
    words = () if _has_digits(text, named) else ("number_word",)
    return Named(named, (*words, *flags), is_denied=is_denied_)


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    """No word around it makes it a count of something or a year."""
    near = text[max(0, match.start() - _NEAR_CHARS) : match.start()].rstrip(" \"'([{")
    before = _LAST_WORD.search(near)
    after = _NEXT_WORD.match(text, match.end())
    return (before is None or before[0] in BARE_LEADS) and (
        after is None or after[1] in BARE_FOLLOWERS
    )


@cache
def _called() -> re.Pattern[str]:
    """`option 2`, `option #2 or 3`, `选项二`, `the second one`, `2nd option`, `第二个`."""
    # Only where words are set apart by blanks must nothing stand before one.
    words = [rf"(?<![^\W\d]){re.escape(x)}" if _is_latin(x) else re.escape(x) for x in _words()]
    before = r"(?:-|\s*(?:number|no\.?)?[\s:#.\"'(\[{]*)"
    more = rf"(?:{_DIGITS}|{_HAN}(?![^\W\d]))"
    after = rf"[\s)\]}}\"']*(?:{_JOINT}[#(]?{more}[\s)]*)*"
    place = r"(?:one|option|answer|choice)\b"
    forms = (
        rf"(?:{'|'.join(words)}){before}{_NUMBER}{after}",
        rf"(?<![^\W\d])(?:{_ORDINAL})\s+{place}",
        rf"(?<!\d)\d{{1,3}}(?:st|nd|rd|th)\s+{place}",
        rf"第\s*(?:\d{{1,3}}|{_HAN})\s*(?:个|個|项|項|选项|選項)",
    )
    return re.compile("|".join(forms))


def _words() -> list[str]:
    return sorted(map(plain, OPTION_WORDS), key=len, reverse=True)


def _is_latin(word: str) -> bool:
    return word[0] <= "\u024f"


def _numbers(called: str) -> list[int]:
    ordinal = re.match(rf"({_ORDINAL})\s", called)
    if ordinal is not None:
        return [ORDINALS[ordinal[1]]]
    if called.startswith("第") or re.match(r"\d+(?:st|nd|rd|th)", called):
        found = re.search(rf"\d+|{_HAN}", called)
        return [_value(found[0])] if found is not None else []
    return [_value(match[0]) for match in _OF_A_LIST.finditer(called)]


def _whole(text: str) -> int | None:
    """The number that is all of the text."""
    word = text.strip(_ENDS).removeprefix("the ").removesuffix(" one").strip()
    if re.fullmatch(rf"\d{{1,6}}|{_HAN}", word):
        return _value(word)
    return CARDINALS.get(word, ORDINALS.get(word))


def _value(word: str) -> int:
    if word.isdecimal():
        return int(word)
    if word in CARDINALS:
        return CARDINALS[word]
    tens, ten, ones = word.replace("〇", "零").rpartition("十")
    units = int("".join(str(_HAN_DIGITS.index(x)) for x in ones if x in _HAN_DIGITS) or "0")
    if not ten:
        return units
    return 10 * (_HAN_DIGITS.index(tens[0]) if tens and tens[0] in _HAN_DIGITS else 1) + units


def _has_digits(text: str, named: tuple[int, ...]) -> bool:
    return any(str(number) in text for number in named)
