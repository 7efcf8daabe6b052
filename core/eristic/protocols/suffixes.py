"""How many calls an episode can still take: what is asked before a suffix is paid for."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import msgspec

from eristic.protocols.machine import Machine

__all__ = ["Bounded", "CallsLeft", "calls_left"]


class CallsLeft(msgspec.Struct, frozen=True, kw_only=True):
    """Calls of models from here to the close, by role (counts).

    A role that fails for good ends an episode sooner than any of these.
    """

    least: dict[str, int]
    """It ends at the next moment at which it can."""
    longest: dict[str, int]
    """It goes on as long as it can, and every answer can be used at once."""
    most: dict[str, int] | None
    """As `longest`, and whatever may be asked again is; None: the rules set no limit."""


@runtime_checkable
class Bounded(Protocol):
    """A machine that can say how long an episode may go on."""

    def calls_left(self, state: Any) -> CallsLeft | None:
        """From this state on; None when the rules set no limit at all."""
        ...


def calls_left(machine: Machine[Any], state: Any) -> CallsLeft | None:
    """What the protocol says; None when it does not say."""
    return machine.calls_left(state) if isinstance(machine, Bounded) else None
