"""Runs in other forms: Parquet, lines of JSON, CSV, and what `eristic.exporters` offers."""

from eristic.replay.exporting.contract import Episodes, Exported, Exporter, ExportOptions
from eristic.replay.exporting.registry import exporter_names, find_exporter

__all__ = [
    "Episodes",
    "ExportOptions",
    "Exported",
    "Exporter",
    "exporter_names",
    "find_exporter",
]
