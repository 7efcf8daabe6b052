"""Numbers as people write them, made into ASCII digits: signs, scripts, separators.

The first two steps of reading a score. Each gives the text and says whether it changed it.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

import msgspec

from eristic.protocols.mirror.languages import without_marks

__all__ = [
    "MINUS_WORDS",
    "PLUS_WORDS",
    "Text",
    "in_ascii_digits",
    "with_halves",
    "with_plain_signs",
]


class Text(msgspec.Struct, frozen=True, gc=False):
    """A text on its way to a number, and the steps that changed it."""

    text: str
    steps: tuple[str, ...] = ()

    def after(self, step: str, text: str) -> Text:
        """The same after one more step; one that changed nothing leaves no trace."""
        return self if text == self.text else Text(text, (*self.steps, step))


_FRACTIONS: Final = str.maketrans({"\u00bd": ".5", "\u00bc": ".25", "\u00be": ".75"})
_STRETCH_AS_DASH: Final = re.compile(r"(?<!\w)\u0640+(?=\s?\d)")
"""Arabic has a letter for stretching that looks like a dash."""
_WHOLE: Final = r"(?<!\w)(?:{})(?![^\W\d])"
MINUS_WORDS: Final = (
    _WHOLE.format("minus|negative|moins|menos|meno|минус|(?:ب|ال)?سالبة?|ب?ناقص") + "|[负負]|零下"
)
"""A number behind one of them is below 0. A further language is one more word."""
PLUS_WORDS: Final = _WHOLE.format("plus|positive|موجب|زائد") + "|正"
_MINUS_BEFORE_DIGIT: Final = re.compile(rf"(?:{MINUS_WORDS})\s*-?(?=\.?\d)", re.IGNORECASE)
_PLUS_WORD_BEFORE_DIGIT: Final = re.compile(rf"(?:{PLUS_WORDS})\s*(?=\.?\d)", re.IGNORECASE)
_HALF: Final = re.compile(
    r"(?<![\d.])(\d+)(?:\s+and a half\b|\s*ونصف(?!\w)|[分点點]半)", re.IGNORECASE
)
_DASH_BEFORE_DIGIT: Final = re.compile(r"[\u2012-\u2015](?=\d)")
_PLUS_BEFORE_DIGIT: Final = re.compile(r"(?<!\d)\+(?=\d)")
_THOUSANDS: Final = re.compile(r"(?<![\d.,])(\d{1,3})((?:,\d{3})+)(?![\d,])")
_DECIMAL_COMMA: Final = re.compile(r"(?<![\d.,])(?!10,-?10(?!\d))(\d+),(\d{1,2})(?![\d,])")


def with_plain_signs(text: Text) -> Text:
    """Step 1: NFKC, every minus `-`, also one in words before a digit; no plus.

    A full-width comma stands between clauses and never in a number, so it gets a blank before
    NFKC would make it look like a decimal comma.
    """
    text = text.after("stretch", _STRETCH_AS_DASH.sub("- ", text.text))
    text = text.after("marks", without_marks(text.text))
    whole = text.text.replace("\uff0c", ", ").translate(_FRACTIONS)
    normal = unicodedata.normalize("NFKC", whole)
    text = text.after("nfkc", normal)
    signs = normal.replace("\u2212", "-").replace("\u2010", "-")
    text = text.after("minus", _DASH_BEFORE_DIGIT.sub("-", signs))
    text = text.after("plus", _PLUS_BEFORE_DIGIT.sub("", text.text))
    text = text.after("minus_word", _MINUS_BEFORE_DIGIT.sub("-", text.text))
    return text.after("plus_word", _PLUS_WORD_BEFORE_DIGIT.sub("", text.text))


def in_ascii_digits(text: Text) -> Text:
    """Step 2: digits of any script as ASCII, `.` as the decimal separator.

    A comma before exactly three digits parts thousands: 10,000 is not 10. Three numbers in a row
    with commas between them stay three numbers, and `-10,10` is the scale.
    """
    digits = "".join(_ascii_digit(character) for character in text.text)
    text = text.after("digits", digits)
    bare = re.sub(r"(?<=\d)\u066c(?=\d)", "", text.text)
    bare = _THOUSANDS.sub(lambda found: found[0].replace(",", ""), bare)
    text = text.after("thousands", bare)
    points = re.sub(r"\u066b(?=\d)", ".", text.text)
    return text.after("decimal", _DECIMAL_COMMA.sub(r"\1.\2", points))


def with_halves(text: Text) -> Text:
    """`7 and a half` as 7.5, or it would be read as 7."""
    return text.after("half", _HALF.sub(r"\1.5", text.text))


def _ascii_digit(character: str) -> str:
    value = unicodedata.decimal(character, None)
    return character if value is None else str(value)
