"""Numbers as people write them, made into ASCII digits: signs, scripts, separators.

The first two steps of reading a score. Each gives the text and says whether it changed it.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

import msgspec

from eristic.protocols.mirror.languages import without_marks

__all__ = ["Text", "in_ascii_digits", "with_plain_signs"]


class Text(msgspec.Struct, frozen=True, gc=False):
    """A text on its way to a number, and the steps that changed it."""

    text: str
    steps: tuple[str, ...] = ()

    def after(self, step: str, text: str) -> Text:
        """The same after one more step; one that changed nothing leaves no trace."""
        return self if text == self.text else Text(text, (*self.steps, step))


_DASH_BEFORE_DIGIT: Final = re.compile(r"[\u2012-\u2015](?=\d)")
_PLUS_BEFORE_DIGIT: Final = re.compile(r"(?<!\d)\+(?=\d)")
_THOUSANDS: Final = re.compile(r"(?<![\d.,])(\d{1,3})((?:,\d{3})+)(?![\d,])")
_DECIMAL_COMMA: Final = re.compile(r"(?<![\d.,])(\d+),(\d{1,2})(?![\d,])")


def with_plain_signs(text: Text) -> Text:
    """Step 1: NFKC, every minus `-`, no plus.

    A full-width comma stands between clauses and never in a number, so it gets a blank before
    NFKC would make it look like a decimal comma.
    """
    text = text.after("marks", without_marks(text.text))
    normal = unicodedata.normalize("NFKC", text.text.replace("\uff0c", ", "))
    text = text.after("nfkc", normal)
    signs = normal.replace("\u2212", "-").replace("\u2010", "-")
    text = text.after("minus", _DASH_BEFORE_DIGIT.sub("-", signs))
    return text.after("plus", _PLUS_BEFORE_DIGIT.sub("", text.text))


def in_ascii_digits(text: Text) -> Text:
    """Step 2: digits of any script as ASCII, `.` as the decimal separator.

    A comma before exactly three digits parts thousands: 10,000 is not 10. Three numbers in a row
    with commas between them stay three numbers.
    """
    digits = "".join(_ascii_digit(character) for character in text.text)
    text = text.after("digits", digits)
    bare = re.sub(r"(?<=\d)\u066c(?=\d)", "", text.text)
    bare = _THOUSANDS.sub(lambda found: found[0].replace(",", ""), bare)
    text = text.after("thousands", bare)
    points = re.sub(r"(?<=\d)\u066b(?=\d)", ".", text.text)
    return text.after("decimal", _DECIMAL_COMMA.sub(r"\1.\2", points))


def _ascii_digit(character: str) -> str:
    value = unicodedata.decimal(character, None)
    return character if value is None else str(value)
