"""Where the actors live changes no event."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.cli._commands import Shell
from tests.cli._logs import records_of

from eristic.debate import Event, RunClosed
from eristic.debate.envelopes import decode

pytestmark = [pytest.mark.nats, pytest.mark.ray]

# Folds, refused checks, garbled helpers and a concession: most of what can be in a log.
EXPERIMENT = """\
protocol = "logicom"
run = "same"
[cases]
limit = 2
[options]
round_limit = 8
[roles.all]
model = "script:steady?chars=600"
window_tokens = 1200
reserve_tokens = 10
[roles.helper]
model = "script:garbage"
[roles.conviction]
model = "script:yielding?turn=40"
[roles.pleasantry]
model = "script:refusing"
fallback = ["script:steady"]
"""


def bodies(shell: Shell) -> dict[str, list[Any]]:
    """Chain -> its events without what a clock measured."""
    found: dict[str, list[Any]] = {}
    for episode, stored in records_of(shell, "same"):
        found.setdefault(episode, []).append(_timeless(decode(stored).body))
    return found


def _timeless(event: Event) -> Any:
    if isinstance(event, RunClosed):
        return sorted(event.heads)  # digests over times
    return _without_latency(msgspec.to_builtins(event))


def _without_latency(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_latency(v) for k, v in value.items() if k != "latency_s"}
    if isinstance(value, list | tuple):
        return [_without_latency(inner) for inner in value]
    return value


def test_inline_and_ray_give_the_same_events(tmp_path: Path, local_ray: None) -> None:
    found = []
    for host in ("inline", "ray"):
        shell = Shell(tmp_path / host)
        shell.folder.mkdir()
        said = shell("run", shell.write("same.toml", EXPERIMENT), "--host", host)
        assert said.code == 0, said.err
        found.append(bodies(shell))
    inline, ray = found
    assert len(inline) == 4 * 3 + 1
    assert inline.keys() == ray.keys()
    for episode, events in inline.items():
        assert sorted(map(str, events)) == sorted(map(str, ray[episode]))
    tags = {event["type"] for events in inline.values() for event in events if "type" in event}
    assert {"history.folded.v1", "role.swapped.v1", "context.overflowed.v1"} <= tags
