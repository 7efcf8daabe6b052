"""What the bus is told: settings of a run's stream, and who may do what."""

from __future__ import annotations

import json
from collections.abc import Sequence

from eristic.bus import _serverconfig
from eristic.bus.stream import stream_config

__all__ = ["reading_rights", "rights", "stream_settings"]

_WHY = {
    "name": "one stream a run",
    "subjects": "one subject a chain, so that the server itself fences each chain",
    "storage": "outlives the server",
    "retention": "nothing is removed because it was read",
    "discard": "a full disk refuses new events instead of dropping old ones",
    "num_replicas": "1 on one server; 3 on a cluster. The only setting that may differ",
    "max_msgs": "no limit: a limit would drop events",
    "max_bytes": "no limit",
    "max_age": "events do not expire",
    "max_msgs_per_subject": "no limit: a chain may be as long as it gets",
    "max_msg_size": "no limit but the server's `max_payload` (8 MB on the embedded server)",
    "deny_delete": "nobody can delete one event",
    "deny_purge": "nobody can empty the stream",
    "allow_rollup_hdrs": "nobody can replace a subject by one message",
    "allow_direct": "reading needs no consumer",
    "allow_atomic": "many events in one commit, all or nothing",
    "compression": "the bytes on disk are the bytes that were published",
}


def stream_settings() -> str:
    rows = ["| setting | value | why |", "|---|---|---|"]
    for name, value in stream_config("demo").items():
        rows.append(f"| `{name}` | `{json.dumps(value)}` | {_WHY.get(name, '')} |")
    return "\n".join(rows)


def rights() -> str:
    rows = ["| user | may publish to | may listen to |", "|---|---|---|"]
    for user in _serverconfig.USERS:
        allowed = _serverconfig._RIGHTS[user]
        publish = _subjects(allowed["publish"])
        listen = _subjects((f"{_serverconfig.inbox_of(user)}.>", *allowed["subscribe"]))
        rows.append(f"| `{user}` | {publish} | {listen} |")
    return "\n".join(rows)


def _subjects(names: Sequence[str]) -> str:
    """All names, the reading part of the JetStream API in one word."""
    shown = [f"`{name}`" for name in names if name not in _serverconfig._READ]
    if len(shown) < len(names):
        shown.append("reading (JetStream API)")
    return ", ".join(shown)


def reading_rights() -> str:
    return "\n".join(f"- `{name}`" for name in _serverconfig._READ)
