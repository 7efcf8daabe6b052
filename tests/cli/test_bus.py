from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest
from tests.cli._processes import (
    end,
    eristic,
    is_listening,
    passwords,
    said,
    serving,
    taken_port,
    until,
)

from eristic.bus import ensure_server, sight_server

pytestmark = pytest.mark.nats


def status(home: Path) -> tuple[int, dict[str, object]]:
    done = eristic("bus", "status", "--home", str(home), "--json")
    return done.returncode, json.loads(done.stdout)


def test_the_server_is_up_until_ctrl_c_and_others_can_join_it(tmp_path: Path) -> None:
    with serving("bus", "up", "--home", str(tmp_path), "--json") as process:
        up = json.loads(said(process))
        assert (up["event"], up["profile"], up["home"]) == ("up", "always", str(tmp_path))
        code, facts = status(tmp_path)
        assert (code, facts["running"], facts["runs"]) == (0, True, 0)
        assert (facts["port"], facts["pid"]) == (up["port"], up["pid"])
        assert eristic("ls", "--home", str(tmp_path)).returncode == 0
        assert is_listening(up["port"])
        assert end(process, signal.SIGINT) == 0
    assert not is_listening(up["port"])
    assert sight_server(tmp_path) is None


def test_it_leaves_the_server_to_those_who_still_use_it(tmp_path: Path) -> None:
    with serving("bus", "up", "--home", str(tmp_path), "--json") as process:
        up = json.loads(said(process))
        with ensure_server(tmp_path) as other:
            assert end(process, signal.SIGTERM) == 0
            assert json.loads(said(process)) == {"event": "left", "server_stopped": False}
            assert other.port == up["port"] and is_listening(up["port"])


def test_a_killed_server_is_started_again_at_its_port(tmp_path: Path) -> None:
    with serving("bus", "up", "--home", str(tmp_path), "--json") as process:
        up = json.loads(said(process))
        os.kill(up["pid"], signal.SIGKILL)
        again = json.loads(said(process))
        assert (again["event"], again["died"]) == ("restarted", up["pid"])
        until(lambda: is_listening(up["port"]))
        assert end(process, signal.SIGINT) == 0


def test_what_is_said_names_the_file_of_the_passwords_and_no_password(tmp_path: Path) -> None:
    with serving("bus", "up", "--home", str(tmp_path), "--durability", "fast") as process:
        first = said(process)
        assert "NATS is up at nats://127.0.0.1:" in first
        done = eristic("bus", "status", "--home", str(tmp_path))
        assert end(process, signal.SIGINT) == 0
        assert process.stdout is not None
        text = first + process.stdout.read() + done.stdout
    assert str(tmp_path / "nats" / "users.json") in " ".join(text.split())
    assert "fast: a power cut may lose the last 0.1 s" in text
    assert "\x1b" not in text, "no colours where there is no terminal"
    for password in passwords(tmp_path):
        assert password not in text


def test_a_port_of_another_program_is_refused_by_name(tmp_path: Path) -> None:
    with taken_port() as port:
        done = eristic("bus", "up", "--home", str(tmp_path), "--port", str(port))
    assert done.returncode == 5
    assert f"port {port} is taken by another program" in done.stderr


def test_another_port_than_that_of_the_running_server_is_refused(tmp_path: Path) -> None:
    with ensure_server(tmp_path) as server:
        port = server.port + 1 if server.port < 65535 else server.port - 1
        done = eristic("bus", "up", "--home", str(tmp_path), "--port", str(port))
        assert done.returncode == 5
        assert f"already runs at port {server.port}, not {port}" in done.stderr
        assert is_listening(server.port)


def test_status_starts_nothing_and_exits_3_when_nothing_runs(tmp_path: Path) -> None:
    home = tmp_path / "none"
    code, facts = status(home)
    assert (code, facts["running"], facts["port"]) == (3, False, None)
    assert not home.exists()


def test_status_does_not_believe_a_stranger_at_the_recorded_port(tmp_path: Path) -> None:
    with ensure_server(tmp_path):
        pass
    with taken_port() as port:
        record = {"port": port, "pid": os.getpid(), "profile": "always"}
        (tmp_path / "nats" / "server.json").write_text(json.dumps(record))
        # It accepts the connection and says nothing, as many programs would.
        assert sight_server(tmp_path) is None
