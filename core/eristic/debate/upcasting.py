"""Old events in today's shape. An upcaster is added when a tag gets a successor, never removed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, get_args

from eristic.debate.events import Event

__all__ = ["UPCASTERS", "known_tags", "older_tags"]

Upcaster = Callable[[Any], Event]
"""Takes the old body as plain JSON values, gives the event of today. Raises ValueError if it
is not what that version wrote."""

UPCASTERS: dict[str, Upcaster] = {}
"""Old tag -> upcaster. Empty as long as every event is at its first version."""


@cache
def known_tags() -> frozenset[str]:
    """Tags of today's events."""
    return frozenset(str(kind.__struct_config__.tag) for kind in get_args(Event))


def older_tags() -> frozenset[str]:
    """Tags that are read but no longer written."""
    return frozenset(UPCASTERS)
