"""Canaries in every credential, through the whole stack: they are nowhere to be found."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from tests.agents._servers import Behaviour, Exchange, Loopback, completion, key_echo
from tests.cli._commands import Shell, foreign_server
from tests.cli._logs import records_of

# litellm imports a part of itself with its first call, and pydantic remarks on a class in it.
pytestmark = [pytest.mark.nats, pytest.mark.filterwarnings("ignore:.*ReadOnly:UserWarning")]

KEY = "canary-of-openai/7f3a+9=Zq"
PASSWORD = "canary-of-nats-4417"
WORDS = (
    *("logicom", "--only", "school-phones-pro", "--run", "r", "--parallel", "1"),
    *("-o", "options.round_limit=2", "-o", "calls.waits_s=[0.001]"),
)


@pytest.fixture(autouse=True)
def _canary(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def blurting(exchange: Exchange) -> None:
    """Every other request fails with the key in its text; the answers carry it in their headers."""
    sent = exchange.headers.get("authorization") or exchange.headers["Authorization"]
    headers = {"x-debug-authorization": sent, "x-request-id": sent, "set-cookie": f"key={sent}"}
    if exchange.number % 2:
        exchange.reply(200, completion("Fair point."), headers)
    else:
        error = {"message": f"cannot serve {sent}", "type": sent, "param": sent, "code": sent}
        exchange.reply(500, {"error": error}, headers)


def everything_said(shell: Shell, *where: str) -> str:
    """Output of all reading commands, plain and as JSON."""
    said = []
    for words in (("ls",), ("show", "r"), ("verify", "r"), ("show", "r", "1"), ("show", "r", "#2")):
        for form in ((), ("--json",)):
            spoken = shell(*words, *where, *form)
            assert spoken.code in (0, 4), spoken.err
            said.append(spoken.out + spoken.err)
    return "\n".join(said)


def files_with(folder: Path, *canaries: str) -> set[str]:
    """Names of the files that hold one of these texts."""
    found = set()
    for path in folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            if any(canary.encode() in content for canary in canaries):
                found.add(path.name)
    return found


@pytest.mark.parametrize("behaviour", [blurting, key_echo])
def test_a_key_is_nowhere_in_output_log_or_home(
    shell: Shell, behaviour: Behaviour, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(0)
    with Loopback(behaviour) as server:
        said = shell.run(*WORDS, "--role", f"all=openai/tiny?api_base={server.url}")
        as_json = shell.run(*WORDS, "--role", f"all=openai/tiny?api_base={server.url}", "--json")
    assert said.code == as_json.code == 8, said.err
    sent = [value for seen in server.seen for value in seen.headers.values()]
    assert any(KEY in value for value in sent), "the canary was not sent: the test shows nothing"
    stored = b"\n".join(stored for _, stored in records_of(shell, "r"))
    assert b"server" in stored or b"auth" in stored
    for text in (said.out, said.err, as_json.out, as_json.err, caplog.text, stored.decode()):
        assert "canary" not in text
    assert "canary" not in everything_said(shell)
    assert files_with(shell.home, "canary") == set()


def test_passwords_of_the_own_server_stay_in_its_private_files(shell: Shell) -> None:
    import msgspec

    assert shell.run(*WORDS, "--role", "all=script:steady?chars=40").code == 0
    own = shell.home / "nats" / "users.json"
    passwords = msgspec.json.decode(own.read_bytes())["passwords"].values()
    assert files_with(shell.home, *passwords) == {"users.json", "server.conf"}
    for name in ("users.json", "server.conf"):
        assert stat.S_IMODE((shell.home / "nats" / name).stat().st_mode) == 0o600
    assert not [word for word in passwords if word in everything_said(shell)]


def test_login_of_a_foreign_server_is_nowhere(shell: Shell) -> None:
    store = shell.folder / "js"
    config = f'jetstream {{ store_dir: "{store}" }}\n'
    config += f"authorization {{ user: canary-user, password: {PASSWORD} }}"
    with foreign_server(shell.folder, config) as address:
        where = ("--nats", f"nats://canary-user:{PASSWORD}@{address}")
        words = (*WORDS, "--role", "all=script:steady?chars=40", *where)
        said, as_json = shell.run(*words), shell.run(*words, "--json")
        assert said.code == as_json.code == 0, said.err
        refused = shell.run(*words, "-o", "options.round_limit=3")
        assert refused.code == 2
        texts = [part for spoken in (said, as_json, refused) for part in (spoken.out, spoken.err)]
        texts.append(everything_said(shell, *where))
    assert not [text for text in texts if "canary" in text]
    assert files_with(store, "canary") == set()
    assert not shell.home.exists()
