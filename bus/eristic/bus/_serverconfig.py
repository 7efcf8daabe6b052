"""The configuration of the embedded server: who may do what."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

__all__ = ["PROFILES", "USERS", "Profile", "User", "inbox_of", "render_config"]

User = Literal["admin", "director", "role", "judge", "reader"]
USERS: tuple[User, ...] = ("admin", "director", "role", "judge", "reader")

Profile = Literal["always", "fast"]
PROFILES: Mapping[Profile, str] = {"always": "always", "fast": "100ms"}
"""Profile -> JetStream's sync_interval. `fast` may lose 0.1 s of events in a power cut."""

# Reading needs no consumer, so nobody but the administrator may make one: the server would
# deliver for it to any subject, logs included.
_READ = (
    "$JS.API.INFO",
    "$JS.API.STREAM.INFO.*",
    "$JS.API.STREAM.NAMES",
    "$JS.API.STREAM.LIST",
    "$JS.API.STREAM.MSG.GET.*",
    "$JS.API.DIRECT.GET.*",
    "$JS.API.DIRECT.GET.*.>",
)


def inbox_of(user: User) -> str:
    """Reply addresses of a user; no other user may listen there."""
    return f"_INBOX.{user}"


_RIGHTS: Mapping[User, Mapping[str, Sequence[str]]] = {
    "admin": {"publish": (">",), "subscribe": (">",)},
    "director": {
        "publish": ("er.v1.*.log.*", "er.v1.*.ask.*", "er.v1.*.status.*", "_INBOX.>", *_READ),
        "subscribe": ("er.v1.*.status.*",),
    },
    "role": {
        "publish": ("er.v1.*.peer.*", "_INBOX.>"),
        "subscribe": ("er.v1.*.ask.*", "er.v1.*.peer.*"),
    },
    "judge": {"publish": ("er.v1.*.judge.*", *_READ), "subscribe": ()},
    "reader": {"publish": ("er.v1.*.status.*", *_READ), "subscribe": ()},
}


def _permissions(user: User) -> str:
    rights = _RIGHTS[user]
    subscribe = [f"{inbox_of(user)}.>", *rights["subscribe"]]
    return json.dumps({"publish": {"allow": rights["publish"]}, "subscribe": {"allow": subscribe}})


def render_config(
    *,
    port: int,
    folder: Path,
    server_name: str,
    profile: Profile,
    passwords: Mapping[str, str],
) -> str:
    """The file's text. Holds passwords: to be written with mode 0600."""
    users = ",\n    ".join(
        f"{{user: {json.dumps(user)}, password: {json.dumps(passwords[user])}, "
        f"permissions: {_permissions(user)}}}"
        for user in USERS
    )
    return f"""\
# Written by Eristic at every start of the server; changes here are lost.
server_name: {json.dumps(server_name)}
listen: "127.0.0.1:{port}"
pid_file: {json.dumps(str(folder / "server.pid"))}
max_payload: 8MB
jetstream {{
  store_dir: {json.dumps(str(folder / "store"))}
  sync_interval: {PROFILES[profile]}
}}
authorization {{
  users = [
    {users}
  ]
}}
"""
