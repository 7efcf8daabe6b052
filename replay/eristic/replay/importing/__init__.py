"""Bringing debates in that were recorded elsewhere."""

from eristic.replay.importing.importer import Anomaly, ImportedEpisode, Importer, Unreadable
from eristic.replay.importing.registry import find_importer, find_layout, importer_names
from eristic.replay.importing.reports import ImportReport
from eristic.replay.importing.sources import Source, open_source
from eristic.replay.importing.writing import import_spec, write_import

__all__ = [
    "Anomaly",
    "ImportReport",
    "ImportedEpisode",
    "Importer",
    "Source",
    "Unreadable",
    "find_importer",
    "find_layout",
    "import_spec",
    "importer_names",
    "open_source",
    "write_import",
]
