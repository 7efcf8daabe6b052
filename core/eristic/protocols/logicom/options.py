"""What can be varied about a logicom debate, and the two named profiles.

Every point in which the paper and its public code disagree is one option; the first value of a
type is the default. Two points of the table have two sides and therefore two options: after a
moderator was replaced, the panel may shrink to one (`fallback_panel`) and the count of
unconvinced checks may start again (`fallback_counter`).
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
    """Every option of a debate. The defaults are the profile `paper`."""

    profile: Literal["paper", "code"] = "paper"
    """Where the values that nobody gave come from."""
    check_timing: Literal["after_debater", "after_persuader"] = "after_debater"
    """after_persuader: the next persuader utterance is made before round r is checked."""
    round_limit: int = 10
    """Rounds played at most (count): the debate stops at this many unconvinced checks."""
    hard_limit: int | None = None
    """A round beyond this number is the last whatever the checks said; None: no such guard. The
    code's guard is 12 and looks after the round, so its longest debates have 13."""
    topic_check: Literal["active", "ignored"] = "active"
    """ignored: the check runs and is recorded, and decides nothing."""
    moderator_panel: Literal[1, 3] = 1
    """Copies of each check that run in every round (count)."""
    panel_rule: Literal["single", "unanimous", "majority"] = "single"
    """How the copies decide together."""
    fallback_scope: Literal["rest_of_episode", "this_call"] = "rest_of_episode"
    """How long a moderator's replacement stays."""
    fallback_panel: Literal["keep", "single"] = "keep"
    """single: from the round after a switch on, one copy checks instead of the panel."""
    fallback_counter: Literal["keep", "fresh"] = "keep"
    """fresh: after a switch the unconvinced checks are counted from zero."""
    check_window: Literal["code_windows", "full_history"] = "code_windows"
    """What pleasantry and topic checks see: the last six messages, or all."""
    moderator_sees_helper: bool = False
    """True: those checks see the helper's whole output, label included, as the utterance."""
    memory_policy: Literal["earliest_first", "tiers"] = "earliest_first"
    """Which messages are folded into a summary."""
    memory_trigger: int | None = None
    """Prompt tokens above which debater and persuader fold (count); None: the model's window
    less its reserve, when the window is known."""
    verdict_parse: Literal["strict", "contains_true"] = "strict"
    """How a conviction text is read."""
    force_over_window: bool = False
    """True: a prompt that no folding can shorten any more is sent all the same, untruncated;
    False: the episode fails with the reason context_overflow."""


PROFILES: Final[Mapping[str, Options]] = MappingProxyType(
    {
        "paper": Options(),
        "code": Options(
            profile="code",
            check_timing="after_persuader",
            round_limit=11,
            hard_limit=12,
            topic_check="ignored",
            moderator_panel=3,
            panel_rule="unanimous",
            fallback_panel="single",
            fallback_counter="fresh",
            moderator_sees_helper=True,
            memory_policy="tiers",
            memory_trigger=4050,
            verdict_parse="contains_true",
        ),
    }
)
"""The two columns of the table. For `fallback_scope` and `check_window` the code's column is the
value that is listed first, so both profiles share it."""


def resolve(options: Mapping[str, Setting]) -> dict[str, Setting]:
    """Every option with its value, see `resolve_options`.

    Raises SpecRefused as that does, and for values that contradict each other.
    """
    merged = resolve_options(options, PROFILES, protocol="logicom")
    _check_together(merged)
    return msgspec.structs.asdict(merged)


def _check_together(options: Options) -> None:
    if options.panel_rule == "single" and options.moderator_panel != 1:
        raise SpecRefused(
            f"panel_rule = 'single' needs moderator_panel = 1, not {options.moderator_panel}; "
            "choose 'unanimous' or 'majority'"
        )
    if options.hard_limit is not None and options.hard_limit < options.round_limit:
        raise SpecRefused(
            f"hard_limit = {options.hard_limit} is below round_limit = {options.round_limit}; "
            "raise it or leave it out"
        )
    lasting = options.fallback_scope == "rest_of_episode"
    if not lasting and (options.fallback_panel, options.fallback_counter) != ("keep", "keep"):
        raise SpecRefused(
            "fallback_scope = 'this_call' replaces no moderator for good: "
            "set fallback_panel and fallback_counter to 'keep'"
        )
