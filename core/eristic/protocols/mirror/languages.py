"""What differs by language outside the prompt files: digits, the words for a side, scripts."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from types import MappingProxyType
from typing import Final

from eristic.protocols.mirror.names import AGAINST, FOR, Language, Side

__all__ = [
    "OTHER",
    "language_of",
    "quoted_number",
    "side_word",
    "plain_words",
    "to_digits",
    "without_marks",
]

OTHER: Final = "other"
"""Letters of no script that we ask in."""

_SIDES: Final[MappingProxyType[Language, dict[Side, str]]] = MappingProxyType(
    {
        "en": {FOR: "for", AGAINST: "against"},
        "ar": {FOR: "مؤيد", AGAINST: "معارض"},
        "zh": {FOR: "支持", AGAINST: "反对"},
    }
)
_ARABIC_DIGITS: Final = str.maketrans("0123456789.", "٠١٢٣٤٥٦٧٨٩٫")

_SCRIPTS: Final = (
    ("zh", re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")),
    ("ar", re.compile("[\u0620-\u064a\u066e-\u06d3\u06fa-\u06ff\u0750-\u077f]")),
    ("en", re.compile("[A-Za-z\u00c0-\u024f]")),
)
_ARABIC_DIGIT: Final = re.compile("[\u0660-\u0669]")
_FOREIGN_DIGIT: Final = re.compile("[^\x00-\x7f\u0660-\u0669\uff10-\uff19]")

_MARKS: Final = re.compile(
    "[\u00ad\u0640\u064b-\u0652\u0670\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
_ALIKE: Final = str.maketrans(
    {"أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي", "ة": "ه", "’": "'", "‘": "'"}
)


def side_word(side: Side, language: Language) -> str:
    """What a prompt calls a side."""
    return _SIDES[language][side]


def to_digits(text: str, language: Language) -> str:
    """A number in ASCII, in the digits that the prompts of this language use."""
    return text.translate(_ARABIC_DIGITS) if language == "ar" else text


def quoted_number(number: float, language: Language) -> str:
    """A score as a prompt quotes it: with its sign, in the digits of the language; 0 has none."""
    value = Decimal(str(number)).normalize()
    return to_digits(f"{value:+f}" if value else "0", language)


def without_marks(text: str) -> str:
    """Without what is not seen or only decorates: direction marks, vowel signs, stretching."""
    return _MARKS.sub("", text)


def plain_words(text: str) -> str:
    """For looking up words: one spelling of what is often spelt in several ways, lower case.

    Apostrophes are straight, blanks single; of Arabic letters those that are written for one
    another are one (أ إ آ as ا, ى as ي, ة as ه).
    """
    text = unicodedata.normalize("NFKC", without_marks(text)).translate(_ALIKE)
    return " ".join(text.lower().split())


def language_of(text: str) -> str:
    """The language of an answer by the script of most of its letters: en, ar, zh or OTHER.

    Without letters its digits decide; empty when these are ASCII, which all languages use. Two
    languages of one script look the same here: French counts as en, Persian as ar.
    """
    counts = {name: len(pattern.findall(text)) for name, pattern in _SCRIPTS}
    letters = sum(character.isalpha() for character in text)
    counts[OTHER] = letters - sum(counts.values())
    if letters:
        return max(counts, key=lambda name: counts[name])
    digits = "".join(character for character in text if character.isdecimal())
    if _ARABIC_DIGIT.search(digits):
        return "ar"
    return OTHER if _FOREIGN_DIGIT.search(digits) else ""
