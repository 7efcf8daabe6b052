"""Numbers that may be missing, and intervals."""

from __future__ import annotations

import msgspec

__all__ = ["Interval", "Undefined"]


class Undefined(msgspec.Struct, frozen=True, gc=False, tag="undefined"):
    """Stands where a number would, when the data do not define one. Never 0, never NaN.

    A field that can be missing is `float | Undefined`; a function whose whole result can be
    missing returns `Result | Undefined`. There is no other way in this package.
    """

    reason: str
    """What is missing, in words fit for a table's footnote."""


class Interval(msgspec.Struct, frozen=True, gc=False, tag="interval"):
    """Where a number lies, in the number's own unit."""

    low: float
    high: float
    level: float
    """Confidence level, a fraction: 0.95."""
