"""The command line: composition root and commands. In notebooks: live runs by name."""

from eristic.cli.entry import main
from eristic.cli.notebooks import LiveRun, open_run

__all__ = ["LiveRun", "main", "open_run"]
