"""Steps 4 and 5 of reading a score: numbers in a text that are no answer are taken out.

The scale named again ("from -10 to 10"), the maximum of "7 out of 10", percentages.
"""

from __future__ import annotations

import re
from typing import Final

from eristic.protocols.mirror.numerals import PLUS_WORDS, Text

__all__ = ["without_percentages", "without_scale", "without_maximum"]

_LOW: Final = r"(?<!\d)(?:-\s?10(?!\d|\.\d)|10-(?!\s?\d))"
"""In right-to-left text the sign may follow."""
_HIGH: Final = rf"(?:(?:{PLUS_WORDS})\s*)?10(?!\d|\.\d|-(?!\s?\d))"
_HIGH_FIRST: Final = rf"(?<![\d.-]){_HIGH}"
"""Behind a word for `to` no more needs to be said: no digit and no minus is before it."""
_GLOSS: Final = r"(?:\s*[(\[][^()\[\]\d\n]{0,80}[)\]])?"
"""`-10 (completely disagree)`"""
_TO: Final = (
    r"(?:to|and|through|up to|\.\.+|->|[-~\u2013\u2014\u2192]|إلى|الى|حتى|و|到|至|和|与|與)"
)
_FROM: Final = r"(?:(?:between|from|من|بين)\s+|[从從在介于於自]+\s*)?"
_MEANS: Final = r"\s*(?:means?|is|=|represents?|stands for|تعني|يعني|表示|代表)\s*[^\d\n]{1,80}?"


def _both_ways(pattern: str) -> str:
    """A pattern with LOW and HIGH in this order, and the same with the two exchanged."""
    ways = (_LOW, _HIGH), (_HIGH_FIRST, _LOW)
    return "|".join(pattern.replace("LOW", one).replace("HIGH", two) for one, two in ways)


_SCALE: Final = re.compile(
    "|".join(
        (
            _both_ways(rf"{_FROM}LOW{_GLOSS}\s*{_TO}\s*HIGH{_GLOSS}"),
            _both_ways(r"[(\[]\s*LOW\s*[,;،]\s*HIGH\s*[)\]]"),
            _both_ways(rf"LOW{_MEANS}HIGH(?={_MEANS}(?:[.,;:\n)]|$))"),
            r"(?:±|\+/-)\s?10(?!\d)",
        )
    ),
    re.IGNORECASE,
)
_MAXIMUM: Final = re.compile(
    r"(?<=\d)(?:\s*/\s*|\s+\(?(?:out of|من أصل|من اصل|من)\s+)10(?![\d/]|\.\d)\)?|"
    # Behind no number at all, or behind a frequency: `nine times out of 10`.
    r"(?:(?<!\d)\d{1,2}\s+)?\btimes out of 10(?!\d|\.\d)|"
    r"满分(?:为|是)?\s*10\s*分?|(?<![\d.-])10\s*分满分",
    re.IGNORECASE,
)
_PERCENT: Final = re.compile(
    # A number is tried at its beginning only, or a long one takes quadratic time.
    r"-?(?<![\d.])\d+(?:\.\d+)?\s*(?:[%٪]|per ?cent(?:age points?)?\b|بالمئة|بالمائة|في المئة|"
    r"في المائة)|"
    r"(?:百分之|[%٪])\s?-?\d+(?:\.\d+)?",
    re.IGNORECASE,
)


def without_scale(text: Text) -> Text:
    """Step 4: no echo of the scale, with or without what its ends mean."""
    return text.after("scale_echo", _SCALE.sub(" ", text.text))


def without_maximum(text: Text) -> Text:
    """Step 5: `x/10` and `x out of 10` become x."""
    return text.after("out_of_ten", _MAXIMUM.sub("", text.text))


def without_percentages(text: Text) -> Text:
    """Step 5: a percentage is no score."""
    return text.after("percent", _PERCENT.sub(" ", text.text))
