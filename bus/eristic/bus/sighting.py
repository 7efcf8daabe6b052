"""Looking whether the embedded server of a home runs, without starting or joining it."""

from __future__ import annotations

import contextlib
import json
import socket
from pathlib import Path

import msgspec

from eristic.bus._serverconfig import Profile, inbox_of
from eristic.bus.settings import BusSettings

__all__ = ["ServerSighting", "sight_server"]

_GREETING_S = 2.0


class _Identity(msgspec.Struct):
    server_name: str
    passwords: dict[str, str]


class _Record(msgspec.Struct):
    port: int
    pid: int
    profile: Profile


class ServerSighting(msgspec.Struct, frozen=True, kw_only=True):
    """A running embedded server as it was when looked for. Printing it shows no secret."""

    port: int
    pid: int
    profile: Profile
    version: str
    """Of nats-server, as it calls itself."""
    reader: BusSettings
    """How to connect for reading."""

    @property
    def url(self) -> str:
        """Address on this machine."""
        return f"nats://127.0.0.1:{self.port}"


def sight_server(home: Path) -> ServerSighting | None:
    """The running server of a home folder; None when there is none. Changes nothing.

    The record that the last start left is believed only when a server at its port says the name
    of this home's server; no password is sent to find out.
    """
    folder = home.absolute() / "nats"
    try:
        record = msgspec.json.decode((folder / "server.json").read_bytes(), type=_Record)
        identity = msgspec.json.decode((folder / "users.json").read_bytes(), type=_Identity)
    except (OSError, msgspec.DecodeError):
        return None
    greeting = _greeting(record.port)
    if greeting.get("server_name") != identity.server_name:
        return None
    return ServerSighting(
        port=record.port,
        pid=record.pid,
        profile=record.profile,
        version=str(greeting.get("version", "unknown")),
        reader=BusSettings(
            url=f"nats://127.0.0.1:{record.port}",
            user="reader",
            password=identity.passwords.get("reader", ""),
            name="eristic-reader",
            inbox=inbox_of("reader"),
        ),
    )


def _greeting(port: int) -> dict[str, object]:
    """The INFO with which a NATS server greets; empty when nobody or somebody else is there."""
    with contextlib.suppress(OSError, ValueError):
        with socket.create_connection(("127.0.0.1", port), timeout=_GREETING_S) as connection:
            connection.settimeout(_GREETING_S)
            with connection.makefile("rb") as lines:
                said = lines.readline(1 << 20)
        if said.startswith(b"INFO "):
            facts: object = json.loads(said[5:])
            return facts if isinstance(facts, dict) else {}
    return {}
