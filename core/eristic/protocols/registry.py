"""Finding a protocol by name: installed entry points of the group `eristic.protocols`."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from eristic.debate.errors import NameRefused, nearest
from eristic.protocols.machine import Machine

__all__ = ["find_protocol", "protocol_names"]


@cache
def _entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group="eristic.protocols")}


def protocol_names() -> tuple[str, ...]:
    """Names of all installed protocols, sorted."""
    return tuple(sorted(_entries()))


def find_protocol(name: str) -> Machine[Any]:
    """The protocol of that name. Raises NameRefused with the nearest name when there is none."""
    entry = _entries().get(name)
    if entry is None:
        raise NameRefused(
            f"no protocol {name!r} is installed; a package offers one through the entry point "
            f"group eristic.protocols.{nearest(name, protocol_names())}"
        )
    machine: Machine[Any] = entry.load()
    return machine
