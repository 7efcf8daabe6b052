"""Sweeps to be disturbed, and what must hold afterwards."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from eristic.cli.places import Place, open_place
from eristic.cli.productions import Production, produce
from eristic.debate import EpisodeClosed, TurnSpoken
from eristic.debate.envelopes import decode
from eristic.debate.ids import RUN_CHAIN, call_id
from eristic.journal import audit

RUN = "sweep"
Records = list[tuple[str, bytes]]


class Sweep:
    """24 debates of two rounds with a model that takes its time and notes every call."""

    def __init__(self, folder: Path, *, delay_ms: int = 40, rounds: int = 2) -> None:
        self.home = folder / "home"
        self.calls = folder / "calls.txt"
        self.calls.touch()
        self.words = [
            "logicom",
            "--run",
            RUN,
            "--role",
            f"all=script:steady?chars=200&delay_ms={delay_ms}&calls={self.calls}",
            "--limit",
            "4",
            "-o",
            f"options.round_limit={rounds}",
        ]

    @property
    def episodes(self) -> int:
        """8 claims x 3 conditions."""
        return 24

    def production(self) -> Production:
        from eristic.cli.entry import build_parser

        return produce(build_parser().parse_args(["run", *self.words]))

    @asynccontextmanager
    async def place(self) -> AsyncIterator[Place]:
        args = argparse.Namespace(home=str(self.home), nats=None)
        async with open_place(args) as place:
            yield place

    def start(self, *, host: str) -> subprocess.Popen[str]:
        """The command in a process of its own, as a user would start it."""
        command = [sys.executable, "-m", "eristic.cli", "run", *self.words]
        command += ["--host", host, "--home", str(self.home), "--json"]
        return subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ,
            # A group of its own, as a terminal gives it: Ctrl-C goes to all of its processes.
            process_group=0,
        )

    def call_count(self) -> int:
        return self.calls.read_bytes().count(b"\n")

    def wait_for_calls(self, count: int, *, deadline_s: float = 60) -> None:
        wait_until(lambda: self.call_count() >= count, deadline_s, f"{count} calls")


def wait_until(holds: Callable[[], bool], deadline_s: float, what: str) -> None:
    end = time.monotonic() + deadline_s
    while not holds():
        if time.monotonic() > end:
            pytest.fail(f"waited {deadline_s} s in vain for {what}")
        time.sleep(0.01)


async def read(place: Place) -> Records:
    async with place.log(RUN) as log:
        return [record async for record in log.records()]


def logged_calls(records: Records) -> set[str]:
    """Ids of all calls whose answer is in the log."""
    found = set()
    for episode, stored in records:
        body = decode(stored).body
        if isinstance(body, TurnSpoken) and body.call is not None:
            found.add(
                call_id(
                    run=RUN, episode=episode, turn=body.turn, role=body.role, attempt=body.attempt
                )
            )
    return found


def must_be_complete(sweep: Sweep, records: Records) -> None:
    """Every episode closed, chains dense and whole, no turn twice, none missing."""
    report = audit(RUN, records)
    assert report.findings == ()
    assert report.unfinished == ()
    assert report.episodes == sweep.episodes
    turns: Counter[tuple[str, int, str, int]] = Counter()
    closed: Counter[str] = Counter()
    for episode, stored in records:
        body = decode(stored).body
        if isinstance(body, TurnSpoken):
            turns[episode, body.turn, body.role, body.attempt] += 1
        elif isinstance(body, EpisodeClosed):
            closed[episode] += 1
            assert body.outcome == "not_convinced"
    assert set(turns.values()) == {1}
    assert len(closed) == sweep.episodes
    for episode in {name for name, _ in records} - {RUN_CHAIN}:
        numbers = sorted(turn for name, turn, _, _ in turns if name == episode)
        assert numbers == list(range(len(numbers))), f"turns of {episode} have a gap"


def must_not_be_paid_twice(sweep: Sweep, *, logged_before: set[str], in_flight: int) -> None:
    """What was in the log before the fault was called once; of the rest, only what was in
    flight when a process died may have been called again."""
    calls = Counter(sweep.calls.read_text().split())
    assert logged_before, "the fault came before the first turn was logged"
    assert {name for name in logged_before if calls[name] != 1} == set()
    assert sum(calls.values()) - len(calls) <= in_flight


def end(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Its output once it has ended by itself."""
    try:
        return process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        out, err = process.communicate()
        pytest.fail(f"the command did not end: {out}\n{err}")
