"""What can be varied about the building of arguments."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

import msgspec

from eristic.debate.cast import Setting
from eristic.debate.errors import SpecRefused, nearest
from eristic.protocols.lofa.names import ARGUMENTS, FALLACIES
from eristic.protocols.settings import resolve_options

__all__ = ["BuildOptions", "chosen_fallacies", "resolve_build"]


class BuildOptions(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Every option of a build."""

    profile: Literal["paper"] = "paper"
    """Where the values that nobody gave come from."""
    fallacies: str = "all"
    """`all`, or names with commas between them."""
    arguments: int = ARGUMENTS
    """Arguments written for each fallacy (count, 1 to 3)."""
    refine_limit: int = 3
    """Times that the annotator looks at an argument (count); sent back the last time, it is
    dropped. The paper leaves the limit open."""
    attempts: int = 2
    """Answers that a role is asked for when one is unreadable, empty or refused (count)."""


_PROFILES: Final[Mapping[str, BuildOptions]] = MappingProxyType({"paper": BuildOptions()})


def resolve_build(options: Mapping[str, Setting]) -> dict[str, Setting]:
    """Every option with its value. Raises SpecRefused for unknown options, values, fallacies."""
    merged = resolve_options(options, _PROFILES, protocol="lofa-build")
    if merged.arguments > ARGUMENTS:
        raise SpecRefused(f"arguments = {merged.arguments}: lofa plays {ARGUMENTS} at most")
    chosen_fallacies(merged)
    return msgspec.structs.asdict(merged)


def chosen_fallacies(options: BuildOptions) -> tuple[str, ...]:
    """In the protocol's order. Raises SpecRefused for an unknown one."""
    if options.fallacies == "all":
        return FALLACIES
    asked = {name.strip() for name in options.fallacies.split(",")}
    for name in sorted(asked):
        if name not in FALLACIES:
            raise SpecRefused(f"fallacies: none is called {name!r}.{nearest(name, FALLACIES)}")
    return tuple(name for name in FALLACIES if name in asked)
