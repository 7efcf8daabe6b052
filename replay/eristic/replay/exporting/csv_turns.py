"""Turns as CSV, for spreadsheets."""

from __future__ import annotations

from eristic.debate import EpisodeClosed
from eristic.debate.envelopes import decode
from eristic.debate.errors import LogDamaged
from eristic.ports import EpisodeLog
from eristic.replay.exporting.contract import Exported, ExportOptions
from eristic.replay.exporting.files import local_file
from eristic.replay.tables import turns

__all__ = ["export"]

_FORMULA = "^([=+@\t\r-])"
"""A cell that begins so is a formula to a spreadsheet."""


async def export(log: EpisodeLog, run: str, place: str, options: ExportOptions) -> Exported:
    """One turn a row, for spreadsheets; a text that would be a formula there gets a quote before it.

    The file is written anew as a whole, and appears whole. An empty cell is a missing value, a
    quoted empty one an empty text.
    """
    from eristic.replay.archive.arrow import compute, pa, pc
