"""What can be varied about an attacked question, and the two named profiles.

The first value of a type is the default. `code` is the public code of the paper. Whether the ten
fallacies share one screening is no option but a condition (`shared.plain`, `shared.cot`).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

import msgspec

from eristic.debate.cast import Setting
from eristic.debate.errors import SpecRefused
from eristic.protocols.settings import resolve_options

__all__ = ["PROFILES", "Options", "resolve"]


class Options(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Every option of an episode. The defaults are the profile `paper`."""

    profile: Literal["paper", "code"] = "paper"
    """Where the values that nobody gave come from."""
    parser: Literal["strict", "code"] = "strict"
    """How answers to questions and probes are read."""
    gold_aware: bool = True
    """False: of a yes/no question `yes` counts as correct whatever the true answer is."""
    attempts: int = 4
    """Answers to one question or probe that count (count)."""
    unscored_attempt: bool = False
    """True: after those one more answer is asked for, stored, and never scored."""
    unparsed_probe: Literal["missing", "held", "persuaded"] = "missing"
    """What a probe without a readable answer is; missing: no verdict, excluded and counted."""
    failed_call: Literal["missing", "empty"] = "missing"
    """empty: a call that failed for good counts as an empty text. An overflow is always missing."""
    dont_know: Literal["held", "lost"] = "held"
    """What a don't-know answer to a probe is."""
    stop_at_persuaded: bool = True
    """False: the remaining arguments follow, to watch for recovery. A loss at the bare claim is a
    screening and ends the fallacy either way."""
    option_order: Literal["as_given", "shuffled"] = "as_given"
    """shuffled: in an order drawn from the episode's seed and put on record."""
    cot_scope: Literal["all", "multiple_choice"] = "all"
    """Questions that get the step-by-step system text in the conditions `*.cot`."""
    screen_repeats: int = 1
    """First questions, each in a conversation of its own (count); the first one stays."""
    screen_rule: Literal["all", "first"] = "all"
    """Which of them must be correct. A wrong first one ends the episode either way."""
    probe_temperature: float = 0.2
    """Of first questions and probes."""
    reply_temperature: float = 0.8
    """Of replies to attacks."""
    max_tokens: int = 512
    """Of every answer (count). Models that think before they answer may need more."""


PROFILES: Final[Mapping[str, Options]] = MappingProxyType(
    {
        "paper": Options(),
        "code": Options(
            profile="code",
            parser="code",
            gold_aware=False,
            unscored_attempt=True,
            unparsed_probe="held",
            failed_call="empty",
            cot_scope="multiple_choice",
        ),
    }
)


def resolve(options: Mapping[str, Setting]) -> dict[str, Setting]:
    """Every option with its value, see `resolve_options`.

    Raises SpecRefused as that does, and for a temperature below 0.
    """
    merged = resolve_options(options, PROFILES, protocol="lofa")
    for name in ("probe_temperature", "reply_temperature"):
        value = getattr(merged, name)
        if not 0 <= value <= _HIGHEST_TEMPERATURE:
            raise SpecRefused(
                f"{name} = {value} must be a number from 0 to {_HIGHEST_TEMPERATURE:g}"
            )
    return msgspec.structs.asdict(merged)


_HIGHEST_TEMPERATURE: Final = 2.0
