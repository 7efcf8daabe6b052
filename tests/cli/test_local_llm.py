from __future__ import annotations

import signal
import urllib.request

import pytest
from tests.cli._processes import end, eristic, is_listening, said, serving, taken_port

from eristic.cli.local_llm import role_text
from eristic.sweeps import parse_role


def test_the_line_for_a_run_is_one_that_a_run_accepts() -> None:
    role, binding = parse_role(role_text("http://127.0.0.1:8091/v1", context_tokens=2048))
    assert (role, binding.model) == ("all", "openai/smollm2-135m-instruct")
    assert binding.api_base == "http://127.0.0.1:8091/v1"
    assert (binding.constrain, binding.params) == ("grammar", {"max_tokens": 90})
    assert binding.window_tokens is None
    _, wide = parse_role(role_text("http://127.0.0.1:8091/v1", context_tokens=4096))
    assert wide.window_tokens == 4096


def test_a_taken_port_is_refused_before_the_model_is_loaded() -> None:
    with taken_port() as port:
        done = eristic("local-llm", "--port", str(port))
    assert done.returncode == 2
    assert f"--port {port}" in done.stderr and "choose another" in done.stderr


@pytest.mark.parametrize("words", [("--slots", "0"), ("--ctx", "10"), ("--port", "70000")])
def test_numbers_that_cannot_be_are_refused(words: tuple[str, str]) -> None:
    done = eristic("local-llm", *words)
    assert done.returncode == 2
    assert words[0] in done.stderr


@pytest.mark.local_model
def test_the_model_is_served_at_the_port_until_ctrl_c() -> None:
    from eristic.agents.local_model import unavailable_reason

    reason = unavailable_reason()
    if reason is not None:
        pytest.skip(reason)
    with taken_port() as port:
        pass
    with serving("local-llm", "--port", str(port), "--slots", "1") as process:
        assert f"http://127.0.0.1:{port}/v1" in said(process)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/models", timeout=20) as reply:
            assert "smollm2-135m-instruct" in reply.read().decode()
        assert end(process, signal.SIGINT) == 0
    assert not is_listening(port)
