"""Checks of the server that keeps the runs: the embedded one, or one that somebody else runs."""

from __future__ import annotations

import asyncio
import os
import re
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from eristic.cli.doctor_checks import Finding, State, refusal
from eristic.cli.places import Place

if TYPE_CHECKING:
    from eristic.bus import Link

__all__ = [
    "check_durability",
    "check_external_sync",
    "check_fsync",
    "check_jetstream",
    "check_program",
    "check_runs",
    "read_sync_interval",
]

_OLDEST_SERVER = (2, 12)
_FSYNCS = 20
_SYNC = re.compile(r"^\s*sync_interval\s*[:=]?\s*(\w+)", re.M)
_MUST = (
    "in its jetstream block it must be `sync_interval: always`, or 3 replicas on machines that do "
    "not fail together; ask whoever runs the server"
)


async def check_program() -> list[Finding]:
    """The nats-server program that would be embedded."""
    from eristic.bus import find_server

    program = await asyncio.to_thread(find_server)  # checks the version
    version = await asyncio.to_thread(_version, program)
    return [Finding(name="nats-server", state="ok", found=f"{version}, {program}")]


def _version(program: Path) -> str:
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return said.stdout.strip().removeprefix("nats-server: ")


async def check_jetstream(place: Place) -> list[Finding]:
    """A connection as a reader, the server's version, JetStream."""
    from eristic.bus import connect, list_runs

    link = await connect(place.settings("reader"))
    try:
        findings = [_server(place, link)]
        runs = await list_runs(link)
    finally:
        await link.close()
    count = f"{len(runs)} run{'' if len(runs) == 1 else 's'}"
    return [*findings, Finding(name="jetstream", state="ok", found=f"on, keeps {count}")]


def _server(place: Place, link: Link) -> Finding:
    version = link.connected_server_version
    numbers = f"{version.major}.{version.minor}.{version.patch}"
    text = f"nats-server {numbers} at {link.where}, messages up to {link.max_payload / 1e6:.1f} MB"
    if (version.major, version.minor) >= _OLDEST_SERVER:
        return Finding(name="server", state="ok", found=text)
    return Finding(
        name="server",
        state="fail",
        found=text,
        advice="2.12 or newer is needed: events are appended in atomic batches, which it brought",
    )


def read_sync_interval(config: str) -> str | None:
    """JetStream's sync_interval in a server's configuration; None when it is not set there."""
    found = _SYNC.search(config)
    return found[1] if found else None


async def check_durability(place: Place) -> list[Finding]:
    """What an acknowledged event is worth, as the configuration of the embedded server has it."""
    path = place.home / "nats" / "server.conf"
    return [_durability(read_sync_interval(path.read_text()), place.durability)]


def _durability(interval: str | None, profile: str) -> Finding:
    if interval == "always":
        found = "always: every event is on disk before it is acknowledged"
        return Finding(name="durability", state="ok", found=found)
    # Without a word in the configuration, the server syncs every two minutes.
    text = f"sync_interval {interval or '2m'}: a power cut may lose events of the last"
    text += f" {interval or '2m'}, acknowledged ones too"
    if profile == "always":
        return Finding(
            name="durability",
            state="fail",
            found=f"{text}, but its runs are recorded as `always`",
            advice="end the commands that use the server; it is configured anew at its next start",
        )
    advice = "for results that count, end the commands that use it, then `eristic bus up`"
    return Finding(name="durability", state="warn", found=text, advice=advice)


async def check_external_sync() -> list[Finding]:
    """The one thing that no client can see."""
    found = "sync_interval of an external server cannot be seen from outside; its default of 2 min"
    found += " loses acknowledged events in a power cut"
    return [Finding(name="durability", state="warn", found=found, advice=_MUST)]


async def check_runs(place: Place) -> list[Finding]:
    """Settings of every run's stream, and whether an open run would go on less durably."""
    from eristic.bus import check_stream, connect
    from eristic.debate.errors import EristicError

    findings: list[Finding] = []
    runs = await place.runs()
    link = await connect(place.settings("reader"))
    try:
        for run in runs:
            try:
                await check_stream(link, run)
                findings += await _promise(place, run)
            except EristicError as error:
                findings.append(refusal(f"run {run}", error))
    finally:
        await link.close()
    if not findings:
        count = "1 run is" if len(runs) == 1 else f"{len(runs)} runs are"
        text = f"{count} kept as they must be" if runs else "none yet"
        findings.append(Finding(name="streams", state="ok", found=text))
    return findings


async def _promise(place: Place, run: str) -> list[Finding]:
    """A run that is not closed and was promised more than the server now keeps."""
    from eristic.debate import RunClosed, RunOpened
    from eristic.debate.envelopes import decode
    from eristic.debate.ids import RUN_CHAIN

    async with place.log(run) as log:
        chain = await log.read(RUN_CHAIN)
    events = [decode(stored).body for stored in chain]
    first, last = (events[0], events[-1]) if events else (None, None)
    if not isinstance(first, RunOpened) or isinstance(last, RunClosed):
        return []
    if first.durability != "always" or place.durability == "always":
        return []
    if not place.is_embedded:
        state: State = "warn"
        text, advice = "was begun with durability always, here it cannot be seen", _MUST
    else:
        state = "fail"
        text = f"was begun with durability always, the server now runs with {place.durability}"
        advice = "end the commands that use the server, then `eristic bus up --durability always`"
    return [Finding(name=f"run {run}", state=state, found=text, advice=advice)]


async def check_fsync(home: Path) -> list[Finding]:
    """How long the disk takes to keep a block: what a turn waits for. Judges nothing."""
    store = home / "nats" / "store"
    median_ms = await asyncio.to_thread(_fsync_ms, store)
    text = f"{median_ms:.2f} ms, median of {_FSYNCS} fdatasync in {store}"
    return [Finding(name="fsync", state="ok", found=text)]


def _fsync_ms(folder: Path) -> float:
    sync = getattr(os, "fdatasync", os.fsync)  # macOS has no fdatasync
    took_ms = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(_FSYNCS):
            file.write(bytes(4096))
            file.flush()
            begin = time.perf_counter()
            sync(file.fileno())
            took_ms.append((time.perf_counter() - begin) * 1000)
    return statistics.median(took_ms)
