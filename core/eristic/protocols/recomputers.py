"""Finding what decides again: by entry point, or by telling a story again."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from eristic.debate.errors import NameRefused, nearest
from eristic.protocols.recomputing import Recomputer
from eristic.protocols.registry import find_protocol, protocol_names
from eristic.protocols.retelling import StoryRecomputer
from eristic.protocols.stories import StoryMachine

__all__ = ["added_policies", "find_recomputer"]


@cache
def _entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group="eristic.policies")}


def _protocols() -> list[str]:
    return [name for name in _entries() if "." not in name]


def find_recomputer(protocol: str) -> Recomputer:
    """The protocol's recomputer. Raises NameRefused when it has none."""
    entry = _entries().get(protocol)
    if entry is None:
        return _retold(protocol)
    recomputer: Recomputer = entry.load()
    return recomputer


def _retold(protocol: str) -> Recomputer:
    if protocol in protocol_names():
        machine = find_protocol(protocol)
        if isinstance(machine, StoryMachine):
            return StoryRecomputer(machine)
    raise NameRefused(
        f"the decisions of protocol {protocol!r} cannot be made again: no package offers it "
        f"in the entry point group eristic.policies.{nearest(protocol, _protocols())}"
    )


def added_policies(protocol: str) -> dict[str, object]:
    """Policy -> what other packages offer for this protocol under that name, sorted."""
    prefix = f"{protocol}."
    return {
        name.removeprefix(prefix): entry.load()
        for name, entry in sorted(_entries().items())
        if name.startswith(prefix)
    }
