"""S4: how far two rates lie apart, on a scale where equal distances are equally hard to see."""

from __future__ import annotations

from math import asin, sqrt
from typing import Literal

import msgspec

from eristic.stats._numbers import check_fraction

__all__ = ["EffectSize", "cohens_h"]

Direction = Literal["first higher", "second higher", "equal"]
Size = Literal["negligible", "small", "medium", "large"]


class EffectSize(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Cohen's h of two rates."""

    h: float
    """|h|, from 0 to pi."""
    direction: Direction
    label: Size
    """From 0.2 small, from 0.5 medium, from 0.8 large."""


def cohens_h(first: float, second: float) -> EffectSize:
    """|2 asin(sqrt(first)) - 2 asin(sqrt(second))|, with direction and label.

    first, second: rates in [0, 1]. Raises SampleRefused for anything else, NaN included.
    Source: Cohen 1988, chapter 6 (S4).
    """
    first = check_fraction(first, what="first rate")
    second = check_fraction(second, what="second rate")
    h = abs(2 * asin(sqrt(first)) - 2 * asin(sqrt(second)))
    return EffectSize(h=h, direction=_direction(first, second), label=_label(h))


def _direction(first: float, second: float) -> Direction:
    if first == second:
        return "equal"
    return "first higher" if first > second else "second higher"


def _label(h: float) -> Size:
    if h < 0.2:
        return "negligible"
    if h < 0.5:
        return "small"
    return "medium" if h < 0.8 else "large"
