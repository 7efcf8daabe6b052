"""A NATS server that is away, turns us away, or is not what we need."""

from __future__ import annotations

import json
import socket

import pytest
from tests.cli._commands import Shell, foreign_server

pytestmark = pytest.mark.nats

PASSWORD = "canary-of-nats-4417"
STEADY = ("logicom", "--role", "all=script:steady", "--limit", "1", "--host", "inline")
RUN = ("run", *STEADY, "-o", "options.round_limit=1")
STORE = 'jetstream {{ store_dir: "{}" }}\n'


@pytest.mark.parametrize("words", [RUN, ("show", "r")])
def test_a_server_that_does_not_answer_is_named_with_what_to_check(
    shell: Shell, words: tuple[str, ...]
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen: nothing else can take the port
        port = taken.getsockname()[1]
        said = shell(*words, "--nats", f"nats://who:{PASSWORD}@127.0.0.1:{port}", "--json")
    assert said.code == 5
    assert said.document["error"] == "BusUnavailable"
    for text in (said.err, said.document["message"]):
        assert f"no NATS server answers at nats://127.0.0.1:{port}" in text
        assert "--nats" in text
        assert PASSWORD not in text
    assert not shell.home.exists()


@pytest.mark.parametrize("words", [RUN, ("ls",), ("show", "r"), ("verify", "r")])
def test_a_wrong_password_is_told_and_not_repeated(shell: Shell, words: tuple[str, ...]) -> None:
    with foreign_server(
        shell.folder, f"authorization {{ user: u, password: {PASSWORD} }}"
    ) as address:
        for login in ("u:canary-wrong-pass@", ""):
            said = shell(*words, "--nats", f"nats://{login}{address}", "--json")
            assert said.code == 5
            assert said.document["error"] == "BusRefused"
            assert "does not accept this user or password" in said.err
            assert "--nats or NATS_URL" in said.err
            assert "canary" not in said.err + said.out


@pytest.mark.parametrize("words", [RUN, ("ls",), ("show", "r"), ("verify", "r")])
def test_a_server_without_jetstream_is_told(shell: Shell, words: tuple[str, ...]) -> None:
    with foreign_server(shell.folder, "") as address:
        shell.refused(
            *words, "--nats", address, code=5, says=(address, "runs without JetStream", "start it")
        )


def test_a_server_of_somebody_else_keeps_a_run(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    with foreign_server(shell.folder, STORE.format(shell.folder / "js")) as address:
        monkeypatch.setenv("NATS_URL", address)
        said = shell(*RUN, "--run", "there")
        assert said.code == 0, said.err
        assert f"nats://{address}" in said.out
        assert [row["run"] for row in shell("ls", "--json").document["runs"]] == ["there"]
        assert shell("verify", "there").code == 0
        shell.refused("show", "ther", code=4, says=("'ther'", "'there'", address))
    assert not shell.home.exists()


def test_a_port_that_another_program_took_meanwhile_is_left_to_it(shell: Shell) -> None:
    assert shell(*RUN, "--run", "first").code == 0
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        record = {"port": taken.getsockname()[1], "pid": 1, "profile": "always"}
        (shell.home / "nats" / "server.json").write_text(json.dumps(record))
        said = shell(*RUN, "--run", "second")
    assert said.code == 0, said.err
    assert [row["run"] for row in shell("ls", "--json").document["runs"]] == ["first", "second"]


def test_a_port_that_is_asked_for_and_taken_is_named(shell: Shell) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        shell.refused("bus", "up", "--port", str(port), code=5, says=(str(port), "port"))


def test_a_home_that_cannot_be_a_folder_is_named(shell: Shell) -> None:
    shell.home.write_text("a file")
    shell.refused(*RUN, code=5, says=(str(shell.home), "--home"))
