"""The command line: composition root and commands."""

from eristic.cli.entry import main

__all__ = ["main"]
