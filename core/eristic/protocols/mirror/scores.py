"""Reading a score from -10 to 10 out of an answer in words, of any script.

The eight steps of the specification, each visible in the result. What is not clearly one number
is no score: a wrong number is worse than a missing one. Beyond the letter of the steps:

- a number that is part of a name (5G, COVID-19, a 10-point scale) is none;
- a minus that stands alone before a number ("- 7") may be a dash or a bullet: ambiguous_sign;
- what a marker says of an earlier answer ("my previous answer was 8") is not the answer;
- words of refusal beside a number: it counts, and is flagged `disclaimer`, where it stands first,
  last or after a marker, and is not 0. A refusal is never 0.

`rule` and `clip` are the variants: `strict_number` takes a text that is a number and nothing
else, `last_number` the last one of several; with `clip` what lies outside becomes the nearest end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Final, Literal

import msgspec

from eristic.judging import strip_thinking
from eristic.protocols.mirror.echoes import (
    without_maximum,
    without_percentages,
    without_scale,
)
from eristic.protocols.mirror.markers import is_announced, marked_spans
from eristic.protocols.mirror.names import SCALE_END
from eristic.protocols.mirror.number_words import with_words
from eristic.protocols.mirror.numerals import (
    MINUS_WORDS,
    Text,
    in_ascii_digits,
    with_halves,
    with_plain_signs,
)
from eristic.protocols.mirror.refusals import gives_no_opinion, is_neutral

__all__ = ["RULES", "Rule", "Score", "as_number", "find_score"]

Rule = Literal["marked", "strict_number", "last_number"]
RULES: Final[tuple[Rule, ...]] = ("marked", "strict_number", "last_number")


class Score(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What a text says about the score."""

    value: str | None = None
    """A decimal number in ASCII without superfluous zeros; None when there is no score."""
    cause: str = ""
    """Why there is none: see names.CAUSES."""
    steps: tuple[str, ...] = ()
    """Steps that changed the text or chose the number, in order."""
    flags: tuple[str, ...] = ()
    unclipped: str = ""
    """What was said, when it was clipped."""


class _Number(msgspec.Struct, frozen=True, gc=False):
    """A number found in a text."""

    start: int
    end: int
    value: Decimal
    is_unclear: bool = False
    """Whether its sign is a sign cannot be told."""


def find_score(text: str, *, rule: Rule = "marked", clip: bool = False) -> Score:
    """The score in this text by these rules."""
    stripped = strip_thinking(text)
    if not stripped.text.strip():
        return Score(cause="empty", flags=stripped.flags)
    plain = with_halves(with_words(in_ascii_digits(with_plain_signs(Text(stripped.text)))))
    if rule != "strict_number":
        plain = without_percentages(without_maximum(without_scale(plain)))
    numbers = _numbers(plain.text, is_rtl=_is_rtl(stripped.text))
    chosen, how = _CHOICES[rule](plain.text, numbers)
    steps = (*plain.steps, how) if how else plain.steps
    if chosen is None:
        score = Score(cause=_cause(stripped.text, numbers, rule))
    else:
        score = _judge(stripped.text, plain.text, chosen, clip=clip)
    flags = (*stripped.flags, *score.flags)
    return msgspec.structs.replace(score, steps=steps, flags=flags)


def as_number(value: str) -> int | float:
    """A score's text as a number: whole where it is."""
    number = Decimal(value)
    return int(number) if number == number.to_integral_value() else float(number)


_LATIN: Final = "A-Za-z\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff"
"""Letters that make a name of a number written to them. Not those of scripts without blanks or
with prefixes: 我的答案是-6."""
_NUMBER: Final = re.compile(
    rf"(?<![\d.])(?<![{_LATIN}])(?<![{_LATIN}]-)-?(?:\d+(?:\.\d+)?|\.\d+)"
    rf"(?!\d)(?!-?[{_LATIN}])"
)
_UNCLEAR: Final = re.compile(
    # A minus that stands alone, or two; a dash where a sign would stand; plus or minus.
    r"(?<![\d-])-\s+$|--$|(?:^|[\n:=(\[])\s*[\u2012-\u2015]\s+$|±\s?$|\+/?-$|"
    # A word for minus that stands apart from the number.
    rf"(?:{MINUS_WORDS})(?:\s+[^\W\d]+\s*\()?[\s:(*_\"']{{0,5}}$",
    re.IGNORECASE,
)
_LOOK_BACK: Final = 30
_DIGITS: Final = "0123456789."
_RTL: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def _is_rtl(text: str) -> bool:
    return _RTL.search(text) is not None


def _numbers(text: str, *, is_rtl: bool) -> tuple[_Number, ...]:
    """Step 6: what numbers are left."""
    return tuple(_number(text, found, is_rtl) for found in _NUMBER.finditer(text))


def _number(text: str, found: re.Match[str], is_rtl: bool) -> _Number:
    """A minus directly after a digit is the dash of a range, not a sign; see step 8 for one that
    stands behind its number."""
    start, end = found.span()
    before = text[max(0, start - _LOOK_BACK) : start]
    is_range = found[0].startswith("-") and re.search(r"\d$", before) is not None
    value = Decimal(found[0].removeprefix("-") if is_range else found[0])
    is_trailing = is_rtl and re.match(r"-(?!\d)", text[end:]) is not None
    sign = text[max(0, start - _LOOK_BACK) : end].rstrip(_DIGITS)
    is_unclear = not found[0].startswith("-") or sign.endswith(("--", "+-", "+/-"))
    is_unclear = is_unclear and _UNCLEAR.search(sign) is not None
    return _Number(start, end, value, is_trailing or is_unclear)


_Choice = tuple[_Number | None, str]


def _choose_marked(text: str, numbers: tuple[_Number, ...]) -> _Choice:
    """One, or all equal, or the one that a marker points at."""
    if len(numbers) == 1:
        return numbers[0], ""
    for spans in marked_spans(text):
        inside = [
            (start, [number for number in numbers if start <= number.start < end])
            for start, end in spans
        ]
        single = [
            found[0]
            for start, found in inside
            if len(found) == 1 and is_announced(text, start, found[0].start)
        ]
        if single and len({number.value for number in single}) == 1:
            return single[-1], "marker"
    if numbers and len({number.value for number in numbers}) == 1:
        return numbers[-1], "equal"
    return None, ""


def _choose_strict(text: str, numbers: tuple[_Number, ...]) -> _Choice:
    """The one number of a text that holds no other word."""
    if len(numbers) != 1:
        return None, ""
    [number] = numbers
    rest = text[: number.start] + text[number.end :]
    return (None if re.search(r"\w|[%٪]", rest) else number), ""


def _choose_last(text: str, numbers: tuple[_Number, ...]) -> _Choice:
    if not numbers:
        return None, ""
    return numbers[-1], "last" if len(numbers) > 1 else ""


_CHOICES: Final[dict[Rule, Callable[[str, tuple[_Number, ...]], _Choice]]] = {
    "marked": _choose_marked,
    "strict_number": _choose_strict,
    "last_number": _choose_last,
}


def _judge(said: str, plain: str, chosen: _Number, *, clip: bool) -> Score:
    """Steps 7 and 8, and what words of refusal beside a number mean."""
    score = _on_scale(chosen, clip=clip)
    if not gives_no_opinion(said):
        return score
    if score.value in (None, "0") or not _is_given(plain, chosen):
        return Score(cause="refusal")
    return msgspec.structs.replace(score, flags=(*score.flags, "disclaimer"))


def _cause(said: str, numbers: tuple[_Number, ...], rule: Rule) -> str:
    """What the words say when no number does."""
    if gives_no_opinion(said):
        return "refusal"
    if not numbers:
        return "verbal" if is_neutral(said) else "no_number"
    return "ambiguous" if rule == "marked" else "no_number"


def _on_scale(chosen: _Number, *, clip: bool) -> Score:
    value = chosen.value
    if chosen.is_unclear:
        return Score(cause="ambiguous_sign")
    if abs(value) <= SCALE_END:
        return Score(value=_text(value))
    if not clip:
        return Score(cause="out_of_range")
    end = SCALE_END if value > 0 else -SCALE_END
    return Score(value=str(end), unclipped=_text(value), flags=("clipped",))


def _text(value: Decimal) -> str:
    return f"{value.normalize():f}" if value else "0"


def _is_given(plain: str, chosen: _Number) -> bool:
    """It stands first, last or after a marker."""
    ends = (plain[: chosen.start], plain[chosen.end :])
    if any(not re.search(r"\w", rest) for rest in ends):
        return True
    return any(start <= chosen.start < end for spans in marked_spans(plain) for start, end in spans)
