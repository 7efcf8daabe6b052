"""Runs in Parquet: written from a log with proof, and read as the log itself."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from eristic.replay.archive.arrow import pa as _needed_first

if TYPE_CHECKING:
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

_HOMES = {
    "MANIFEST": "manifest",
    "VERSION": "schemas",
    "Agreement": "checking",
    "Archived": "writing",
    "CombinedLog": "combined",
    "End": "manifest",
    "Episodes": "writing",
    "FileCheck": "checking",
    "Manifest": "manifest",
    "ParquetLog": "logs",
    "Part": "manifest",
    "Store": "stores",
    "check_files": "checking",
    "compare": "checking",
    "open_archive": "logs",
    "open_store": "stores",
    "schema_of": "schemas",
    "write_archive": "writing",
}


def __getattr__(name: str) -> object:
    # Whoever reads an archive does not wait for what writes one.
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{home}"), name)


del _needed_first
