"""A key never leaves the request that needs it: not by errors, logs, output or the reply."""

from __future__ import annotations

import io
import logging
import traceback

import msgspec
import pytest
from tests.agents._calls import calling, request
from tests.agents._servers import Behaviour, Loopback, always_500, key_echo

from eristic.agents.models import scrub
from eristic.debate.errors import CredentialMissing, ModelFailed

CANARY = "sk-canary-7f3a+9/Zq=="
OTHER = "canary-anthropic-4417"


@pytest.fixture(autouse=True)
def _canaries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", OTHER)


@pytest.mark.parametrize("behaviour", [key_echo, always_500])
@pytest.mark.parametrize(("model", "key"), [("openai/tiny", CANARY), ("anthropic/claude-x", OTHER)])
async def test_a_key_that_the_server_echoes_is_nowhere_to_be_read(
    behaviour: Behaviour,
    model: str,
    key: str,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    with Loopback(behaviour) as server:
        async with calling() as caller:
            with pytest.raises(ModelFailed) as caught:
                await caller.ask(request(server.url, model=model))
    sent = [value for seen in server.seen for value in seen.headers.values()]
    assert any(key in value for value in sent), "the canary was not sent: the test shows nothing"
    printed = capfd.readouterr()
    trace = io.StringIO()
    traceback.print_exception(caught.value, file=trace)
    written = [
        str(caught.value),
        msgspec.json.encode(caught.value.failed).decode(),
        trace.getvalue(),
        caplog.text,
        printed.out,
        printed.err,
    ]
    assert not [text for text in written if "canary" in text]


async def test_a_missing_key_is_named_without_the_others_being_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    async with calling() as caller:
        with pytest.raises(CredentialMissing) as caught:
            await caller.ask(request(model="anthropic/claude-x"))
    assert "ANTHROPIC_API_KEY" in str(caught.value)
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        f"the key {CANARY} is wrong",
        "https://h/v1?key=sk-canary-7f3a%2B9%2FZq%3D%3D&x=1",
        "{'x-api-key': 'canary-unknown-1'}",
        '{"Authorization": "Bearer canary-unknown-2"}',
        "authorization: Basic canary-unknown-3",
        "bearer canary-unknown-4 was refused",
        "GET https://user:canary-unknown-5@host/ failed",
        "Incorrect API key provided: sk-proj-canary99",
        "password=canary-unknown-6",
    ],
)
def test_what_looks_like_a_credential_is_taken_out(text: str) -> None:
    assert "canary" not in scrub(text)


@pytest.mark.parametrize(
    "text",
    [
        "max_tokens: 512 is above the model's limit",
        "This model's maximum context length is 8192 tokens.",
        "skeleton keys open this debate",
        "the author of the claim is unknown",
    ],
)
def test_a_harmless_message_stays_as_it_is(text: str) -> None:
    assert scrub(text) == text


def test_a_secret_at_the_cut_is_not_half_shown() -> None:
    assert "canary" not in scrub("x" * 295 + CANARY)


def test_a_message_is_one_short_printable_line() -> None:
    shown = scrub("\x1b[31mred\x1b[0m\nnext\x00" + "y" * 1000)
    assert shown.startswith("[31mred [0m next y")
    assert len(shown) == 300
    assert shown.isprintable()


def test_short_values_and_other_variables_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "debate")
    monkeypatch.setenv("MONKEYS", "persuader")
    assert scrub("the debate has a persuader") == "the debate has a persuader"
