"""What a protocol runs when an experiment does not say: its conditions and how often each."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from eristic.protocols.machine import Machine

__all__ = ["Usual", "matched", "usual_conditions", "usual_repetitions"]


@runtime_checkable
class Usual(Protocol):
    """A machine that does not run every condition once by itself."""

    @property
    def usual_conditions(self) -> tuple[str, ...]:
        """Names or patterns (`*.en`); empty: all."""
        ...

    @property
    def usual_repetitions(self) -> Mapping[str, int]:
        """Name or pattern -> episodes a case (count); 1 where none fits."""
        ...


def usual_conditions(machine: Machine[Any]) -> tuple[str, ...]:
    """Names or patterns of the conditions that are run when none is named."""
    asked = machine.usual_conditions if isinstance(machine, Usual) else ()
    return asked or machine.conditions


def usual_repetitions(machine: Machine[Any]) -> Mapping[str, int]:
    """Name or pattern -> episodes a case; a condition that none fits is run once."""
    return machine.usual_repetitions if isinstance(machine, Usual) else {}


def matched(counts: Mapping[str, int], name: str) -> int | None:
    """The count under this name, else under the first pattern that fits it."""
    if name in counts:
        return counts[name]
    fitting = (count for pattern, count in counts.items() if fnmatch.fnmatchcase(name, pattern))
    return next(fitting, None)
