"""The debates that the authors of LOGICOM published, as episodes."""

from eristic.replay.importing.logicom.importer import LOGICOM, LogicomImporter
from eristic.replay.importing.logicom.openings import read_opening

__all__ = ["LOGICOM", "LogicomImporter", "read_opening"]
