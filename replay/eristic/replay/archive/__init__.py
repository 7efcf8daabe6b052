"""Runs in Parquet: written from a log with proof, and read as the log itself."""

from eristic.replay.archive.arrow import pa as _needed_first
from eristic.replay.archive.checking import Agreement, FileCheck, check_files, compare
from eristic.replay.archive.combined import CombinedLog
from eristic.replay.archive.logs import ParquetLog, open_archive
from eristic.replay.archive.manifest import MANIFEST, End, Manifest, Part
from eristic.replay.archive.schemas import VERSION, schema_of
from eristic.replay.archive.stores import Store, open_store
from eristic.replay.archive.writing import Archived, Episodes, write_archive

__all__ = [
    "MANIFEST",
    "VERSION",
    "Agreement",
    "Archived",
    "CombinedLog",
    "End",
    "Episodes",
    "FileCheck",
    "Manifest",
    "ParquetLog",
    "Part",
    "Store",
    "check_files",
    "compare",
    "open_archive",
    "open_store",
    "schema_of",
    "write_archive",
]

del _needed_first
