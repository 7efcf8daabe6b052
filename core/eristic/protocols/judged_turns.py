"""Which turns of a finished episode judges may look at, and what they may be shown beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import msgspec

from eristic.debate import EpisodeOpened, Event
from eristic.protocols.machine import Machine

__all__ = ["Judgeable", "JudgedTurn", "judgeable"]


class JudgedTurn(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A turn that judges may look at."""

    turn: int
    kind: str
    """What it is in its protocol (response, reply, speech, repair); a judge says which kinds it
    looks at."""
    fields: dict[str, str] = {}
    """Texts that a judge may be shown beside it (the claim, the situation); untrusted."""
    other: int | None = None
    """Turn of the same episode that it is compared with."""


@runtime_checkable
class Judgeable(Protocol):
    """A machine that says what there is to be judged."""

    def judged_turns(self, opened: EpisodeOpened, events: Sequence[Event]) -> Sequence[JudgedTurn]:
        """events: all after the header, of an episode that is closed."""
        ...


def judgeable(machine: Machine[Any]) -> Judgeable | None:
    """The machine when it says what there is to be judged."""
    return machine if isinstance(machine, Judgeable) else None
