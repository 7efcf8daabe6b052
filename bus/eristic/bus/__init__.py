"""NATS: subjects, wire messages, the journal, the embedded server."""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING

from eristic.debate.errors import ExtraMissing

if importlib.util.find_spec("nats") is None:
    raise ExtraMissing(needs="nats-py", extra="bus")

if TYPE_CHECKING:
    from eristic.bus._binary import find_server
    from eristic.bus._link import Link
    from eristic.bus.connection import connect
    from eristic.bus.courier import NatsCourier
    from eristic.bus.door import NatsDoor
    from eristic.bus.embedded import ServerHandle, ensure_server
    from eristic.bus.journal import JetStreamLog, open_log
    from eristic.bus.settings import BusSettings
    from eristic.bus.sighting import ServerSighting, sight_server
    from eristic.bus.stream import check_stream, create_stream, list_runs, seal_stream

__all__ = [
    "BusSettings",
    "JetStreamLog",
    "Link",
    "NatsCourier",
    "NatsDoor",
    "ServerHandle",
    "ServerSighting",
    "check_stream",
    "connect",
    "create_stream",
    "ensure_server",
    "find_server",
    "list_runs",
    "open_log",
    "seal_stream",
    "sight_server",
]

_HOMES = {
    "BusSettings": "settings",
    "JetStreamLog": "journal",
    "Link": "_link",
    "NatsCourier": "courier",
    "NatsDoor": "door",
    "ServerHandle": "embedded",
    "ServerSighting": "sighting",
    "check_stream": "stream",
    "connect": "connection",
    "create_stream": "stream",
    "ensure_server": "embedded",
    "find_server": "_binary",
    "list_runs": "stream",
    "open_log": "journal",
    "seal_stream": "stream",
    "sight_server": "sighting",
}


def __getattr__(name: str) -> object:
    # nats-py takes 0.3 s to import: only who connects pays for it.
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{home}"), name)
