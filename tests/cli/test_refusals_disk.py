"""A store that is really full: a small tmpfs, made larger afterwards."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli._commands import Shell
from tests.cli._logs import records_of

from eristic.debate import TurnSpoken
from eristic.debate.envelopes import decode
from eristic.debate.ids import call_id

pytestmark = pytest.mark.nats


@pytest.fixture
def full_disk(shell: Shell) -> Iterator[Path]:
    """The shell's home on a file system of 3 MB."""
    shell.home.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(shell.home)]
    try:
        tried = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        pytest.skip(f"a full disk needs mount: {error}")
    if tried.returncode:
        pytest.skip(f"a full disk needs the right to mount: {tried.stderr.strip()}")
    yield shell.home
    subprocess.run(["umount", str(shell.home)], check=True)


def test_a_full_disk_is_told_and_after_space_is_freed_the_same_command_completes(
    shell: Shell, full_disk: Path
) -> None:
    calls = shell.folder / "calls.txt"
    model = f"all=script:steady?chars=6000&calls={calls}"
    words = ("logicom", "--role", model, "--limit", "4", "--run", "full", "--parallel", "4")
    said = shell.run(*words, "--json")
    assert said.code == 5, said.err
    assert said.document["error"] == "BusRefused"
    assert said.document["state"] == "unfinished"
    for text in (said.err, said.document["message"]):
        assert "does not store events" in text
        assert "free disk space" in text
    # What is there can be read while the disk is full, and is not damaged.
    before = records_of(shell, "full")
    assert shell("verify", "full").code == 3
    assert shell("show", "full").code == 0

    subprocess.run(["mount", "-o", "remount,size=100m", str(full_disk)], check=True)
    said = shell.run(*words, "--json")
    assert (said.code, said.document["state"]) == (0, "finished"), said.err
    after = records_of(shell, "full")
    assert after[: len(before)] == before
    assert shell("verify", "full", "--json").document["state"] == "whole"
    paid = Counter(calls.read_text().split())
    logged = {
        call_id(run="full", episode=name, turn=body.turn, role=body.role, attempt=body.attempt)
        for name, stored in before
        if isinstance(body := decode(stored).body, TurnSpoken) and body.call is not None
    }
    assert logged
    assert {name for name in logged if paid[name] != 1} == set()
