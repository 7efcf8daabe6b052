"""The command line as a person meets it: in its own process."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

DEADLINE_S = 30.0


def environment(**more: str) -> dict[str, str]:
    """Ours without what would lead a command elsewhere."""
    astray = ("NATS_URL", "ERISTIC_HOME", "RAY_ADDRESS", "OPENAI_API_KEY")
    kept = {name: value for name, value in os.environ.items() if name not in astray}
    return {**kept, **more}


def eristic(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """One command to its end."""
    return subprocess.run(
        [sys.executable, "-m", "eristic.cli", *words],
        capture_output=True,
        text=True,
        timeout=90,
        env=environment(**more),
    )


@contextlib.contextmanager
def serving(*words: str, **more: str) -> Iterator[subprocess.Popen[str]]:
    """A command that goes on until it is told to stop."""
    process = subprocess.Popen(
        [sys.executable, "-m", "eristic.cli", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(**more),
    )
    with process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                try:
                    process.wait(DEADLINE_S)
                except subprocess.TimeoutExpired:
                    process.kill()


def said(process: subprocess.Popen[str]) -> str:
    """The next line of a command."""
    assert process.stdout is not None
    return process.stdout.readline()


def end(process: subprocess.Popen[str], number: signal.Signals) -> int:
    """Its exit code after a signal."""
    process.send_signal(number)
    return process.wait(DEADLINE_S)


def until(holds: Callable[[], bool]) -> None:
    """Wait for something to become true."""
    deadline = time.monotonic() + DEADLINE_S
    while not holds():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def is_listening(port: int) -> bool:
    """Whether anybody is at this port."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1.0):
        return True
    return False


@contextlib.contextmanager
def taken_port() -> Iterator[int]:
    """A port that another program has."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield int(other.getsockname()[1])


def passwords(home: Path) -> list[str]:
    """All passwords of a home's server."""
    import msgspec

    facts = msgspec.json.decode((home / "nats" / "users.json").read_bytes())
    return list(facts["passwords"].values())
