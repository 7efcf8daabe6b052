"""A real run whose debater is a program that knows nothing of Eristic."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cli._commands import Shell

from eristic.bus import ServerHandle, ensure_server

pytestmark = pytest.mark.nats

PROGRAM = Path(__file__).parents[2] / "examples" / "plain_role.py"


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    for name in ("NATS_URL", "ERISTIC_HOME"):
        monkeypatch.delenv(name, raising=False)
    return Shell(tmp_path)


@contextmanager
def served(server: ServerHandle, run: str, role: str) -> Iterator[None]:
    """The example serves the role from a process of its own."""
    settings = server.settings("role")
    environment = {
        **os.environ,
        "NATS_URL": settings.url,
        "NATS_USER": settings.user,
        "NATS_PASSWORD": settings.password,
    }
    command = [sys.executable, str(PROGRAM), run, role]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        try:
            assert program.stdout.readline() == f"serving {role} of {run}\n"
            yield
        finally:
            program.terminate()


def test_a_run_with_an_external_debater_finishes_and_is_whole(shell: Shell) -> None:
    with ensure_server(shell.home) as server, served(server, "outside", "debater"):
        played = shell.run(
            "logicom",
            "--run",
            "outside",
            "--role",
            "all=script:steady",
            "--role",
            "debater=external",
            "--limit",
            "1",
            "--json",
        )
        assert played.code == 0, played.err
        assert played.document["outcomes"].keys() == {
            "no_helper",
            "fallacious_helper",
            "logical_helper",
        }
        verified = shell("verify", "outside", "--json").document
        shown = shell("show", "outside", "1").out
    assert verified["state"] == "whole"
    assert verified["prompts_not_recorded"] == 6 * 10, "one turn of the debater a round"
    assert verified["prompts_refuted"] == 0
    assert "I beg to differ." in shown
