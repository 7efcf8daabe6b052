"""The command line: composition root and commands. In notebooks: live runs by name."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eristic.cli.entry import main
    from eristic.cli.notebooks import LiveRun, open_run

__all__ = [
    "LiveRun",
    "main",
    "open_run",
]

_HOMES = {
    "LiveRun": "notebooks",
    "main": "entry",
    "open_run": "notebooks",
}


def __getattr__(name: str) -> object:
    # Every command imports this package: it pays for its own modules alone.
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{home}"), name)
