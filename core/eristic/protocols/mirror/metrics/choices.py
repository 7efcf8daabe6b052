"""What a reader may choose of the report, without any call of a model."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from eristic.debate.errors import SpecRefused
from eristic.protocols.mirror.metrics.shifts import AGGREGATIONS
from eristic.protocols.mirror.metrics.values import Debate
from eristic.protocols.mirror.names import SCALE_END

__all__ = ["CHOICES", "PAIRS", "left_out", "margin_of", "reassigned"]

PAIRS: Final = MappingProxyType(
    {
        "all": "every debate with both numbers",
        "without_pre_10": "without debates that began at 10, where no upward move is possible",
        "without_pre_ends": "without debates that began at 10 or -10",
        "without_pre_0": "without debates that began at 0",
    }
)
CHOICES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "shift": tuple(AGGREGATIONS),
        "deviation": ("population", "sample"),
        "pairs": tuple(PAIRS),
        "before": ("baseline", "pre"),
        "margin": ("1", "*"),
        "polarity": ("recorded", "*"),
        "topic": ("recorded", "*"),
    }
)
"""Choice -> values, the usual one first. shift: the aggregation that stands first. before: the
answers that M4 calls before. margin: points within which a shift counts as none. polarity, topic:
other ones for some questions, `case_id=value,case_id=value`."""


def left_out(debate: Debate, chosen: str) -> str:
    """Why the choice leaves a debate out; empty when it does not."""
    before = debate.before
    if before is None or debate.after is None:
        return ""
    is_out = {
        "without_pre_10": before >= SCALE_END,
        "without_pre_ends": abs(before) >= SCALE_END,
        "without_pre_0": before == 0,
    }
    return f"began at {before:g} (pairs = {chosen})" if is_out.get(chosen, False) else ""


def margin_of(choices: Mapping[str, str]) -> float:
    """Points within which a shift counts as none. Raises SpecRefused for what is no margin."""
    text = choices["margin"]
    try:
        margin = float(text)
    except ValueError:
        margin = 0.0
    if not 0 < margin < 2 * SCALE_END:
        raise SpecRefused(f"margin = {text!r} is no margin; give points above 0 and below 20")
    return margin


def reassigned(choices: Mapping[str, str], name: str) -> dict[str, str]:
    """Case -> its other polarity or topic. Raises SpecRefused for a text that says none."""
    text = choices[name]
    if text == "recorded":
        return {}
    found: dict[str, str] = {}
    for part in text.split(","):
        case, equals, value = (x.strip() for x in part.rpartition("="))
        if not (case and equals and value) or case in found:
            raise SpecRefused(
                f"{name} takes recorded, or case_id=value,case_id=value with each case once; "
                f"not {part[:80]!r}"
            )
        if name == "polarity" and value not in ("1", "+1", "0", "-1"):
            raise SpecRefused(f"polarity of {case!r} must be 1, 0 or -1, not {value[:20]!r}")
        found[case] = value
    return found
