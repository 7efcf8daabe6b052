"""What can be varied about suggest, critique, reflect and repair.

The public repository of the paper holds data and no code, so there is one profile. Where the
paper is silent (the budget of a repair, the number of re-asks), the default is a choice of ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

import msgspec

from eristic.debate.cast import Setting
from eristic.protocols.settings import resolve_options

__all__ = ["BUILD_PROFILES", "PROFILES", "BuildOptions", "Options", "resolve", "resolve_build"]


class Options(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Every option of an episode. The defaults are the profile `paper`."""

    profile: Literal["paper"] = "paper"
    """Where the values that nobody gave come from."""
    refusal_is_suggestion: bool = True
    """False: advice that is a refusal closes the episode, reason no_suggestion."""
    mixed_critique: Literal["critique", "none"] = "critique"
    """What a none-token inside a longer text counts as; as a critique it keeps its whole text."""
    reflect_session: Literal["new", "continue"] = "new"
    """new: the suggester sees situation, suggestion and critique afresh; continue: the critique
    follows its own suggestion in the conversation that it was given in."""
    reflect_prompt: Literal["plain", "neutral", "reversed"] = "plain"
    """Wording of the question. neutral: says that either answer is fine; reversed: asks whether
    the critique is rejected, so that yes means no."""
    reflect_languages: Literal["all", "en", "es", "fr", "de", "zh", "ar"] = "all"
    """Languages whose yes and no are read; English is among them always."""
    critics_rule: Literal["union", "first", "majority", "intersection"] = "union"
    """How several critics flag a suggestion: at least one critique accepted, that of the first
    critic, those of more than half, those of all."""
    reasks: int = 2
    """Times that a critique, a reflection or a comparison is asked for again when it cannot be
    used (count)."""
    repair_budget: int = 3
    """Iterations of a repair at most (count); 0: the original is the result."""
    compare_against: Literal["current", "original"] = "current"
    """What a candidate must be better than."""
    tie_is_degenerate: bool = True
    """False: a candidate that is as good passes."""
    compare_swapped: bool = False
    """True: asked in either order; two answers that disagree are a tie."""
    on_degenerate: Literal["stop", "retry_refine"] = "stop"
    """retry_refine: another candidate is asked for first."""
    refine_retries: int = 1
    """Further candidates of one iteration at most (count); only with retry_refine."""
    placebo: Literal["off", "empty", "other", "both"] = "off"
    """Control: the suggester reflects on a critique without content as well, on one about another
    case, or on both. Those answers decide nothing."""


class BuildOptions(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Every option of scr-build."""

    profile: Literal["paper"] = "paper"
    """Where the values that nobody gave come from."""
    reasks: int = 2
    """Times that a situation is asked for again when it does not end in one question (count)."""


PROFILES: Final[Mapping[str, Options]] = MappingProxyType({"paper": Options()})
BUILD_PROFILES: Final[Mapping[str, BuildOptions]] = MappingProxyType({"paper": BuildOptions()})
_LEAST: Final = MappingProxyType({"reasks": 0, "repair_budget": 0})


def resolve(options: Mapping[str, Setting]) -> dict[str, Setting]:
    """Every option with its value. Raises SpecRefused, see `resolve_options`."""
    found = resolve_options(options, PROFILES, protocol="scr", least=_LEAST)
    return msgspec.structs.asdict(found)


def resolve_build(options: Mapping[str, Setting]) -> dict[str, Setting]:
    """As `resolve`, of scr-build."""
    found = resolve_options(options, BUILD_PROFILES, protocol="scr-build", least=_LEAST)
    return msgspec.structs.asdict(found)
