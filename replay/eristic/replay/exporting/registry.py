"""Finding an exporter by name: installed entry points of the group `eristic.exporters`."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from eristic.debate.errors import NameRefused, nearest
from eristic.replay.exporting.contract import Exporter

__all__ = ["exporter_names", "find_exporter"]


@cache
def _entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group="eristic.exporters")}


def exporter_names() -> tuple[str, ...]:
    """Names of all installed exporters, sorted."""
    return tuple(sorted(_entries()))


def find_exporter(name: str) -> Exporter:
    """The exporter of that name. Raises NameRefused with the nearest, ExtraMissing."""
    entry = _entries().get(name)
    if entry is None:
        raise NameRefused(
            f"no exporter {name!r} is installed; a package offers one through the entry point "
            f"group eristic.exporters.{nearest(name, exporter_names())}"
        )
    exporter: Exporter = entry.load()
    return exporter
