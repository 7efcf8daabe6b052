"""Finding an importer: installed entry points of the group `eristic.importers`."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from eristic.debate.errors import NameRefused, nearest
from eristic.replay.importing.importer import Importer

__all__ = ["find_importer", "find_layout", "importer_names"]


@cache
def _entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group="eristic.importers")}


def importer_names() -> tuple[str, ...]:
    """Names of all installed importers, sorted."""
    return tuple(sorted(_entries()))


def find_importer(name: str) -> Importer:
    """The importer of that name. Raises NameRefused with the nearest name."""
    entry = _entries().get(name)
    if entry is None:
        raise NameRefused(
            f"no importer {name!r} is installed; a package offers one through the entry point "
            f"group eristic.importers.{nearest(name, importer_names())}"
        )
    importer: Importer = entry.load()
    return importer


@cache
def find_layout(layout: str) -> Importer:
    """The importer that writes this layout and version. Raises NameRefused."""
    importers = [find_importer(name) for name in importer_names()]
    for importer in importers:
        if importer.layout == layout:
            return importer
    known = nearest(layout[:80], [importer.layout for importer in importers])
    raise NameRefused(f"no importer of layout {layout[:80]!r} is installed.{known}")
