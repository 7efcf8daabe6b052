"""Bringing debates in that were recorded elsewhere."""

from eristic.replay.importing.importer import Anomaly, ImportedEpisode, Importer, Unreadable
from eristic.replay.importing.registry import find_importer, find_layout, importer_names
from eristic.replay.importing.sources import Source, open_source

__all__ = [
    "Anomaly",
    "ImportedEpisode",
    "Importer",
    "Source",
    "Unreadable",
    "find_importer",
    "find_layout",
    "importer_names",
    "open_source",
]
