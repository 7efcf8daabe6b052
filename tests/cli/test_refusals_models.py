"""Models that cannot be called are found before a server, Ray or a paid call is started."""

from __future__ import annotations

import pytest
from tests.agents._servers import Loopback, good
from tests.cli._commands import Shell

FALLBACK = """\
protocol = "logicom"
[roles]
all = "script:steady"
[roles.conviction]
model = "script:steady"
fallback = ["%s"]
"""


@pytest.mark.parametrize("host", ["inline", "ray"])
@pytest.mark.parametrize(
    ("model", "says"),
    [
        ("script:stedy", ("'stedy'", "Did you mean 'steady'?")),
        ("script:steady?char=5", ("'char'", "Did you mean 'chars'?")),
        ("script:steady?chars=few", ("script steady", "chars=few")),
        ("script:failing?error=fire", ("'fire'", "no failure is of class")),
        ("opnai/gpt-4o", ("'opnai/gpt-4o'", "Did you mean 'openai/gpt-4o'?")),
        ("no-such-model-anywhere", ("'no-such-model-anywhere'", "provider/model")),
        ("openai/gpt-4o", ("openai/gpt-4o", "OPENAI_API_KEY is not set", "export it")),
    ],
)
def test_a_model_that_cannot_be_called_is_refused_at_the_door(
    shell: Shell, host: str, model: str, says: tuple[str, ...]
) -> None:
    words = ("run", "logicom", "--role", f"all={model}", "--host", host)
    shell.refused_at_the_door(*words, code=6, says=says)


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ("script:stedy", ("Did you mean 'steady'?",)),
        ("anthropic/claude-sonnet-4-5", ("ANTHROPIC_API_KEY is not set",)),
    ],
)
def test_a_fallback_model_is_checked_like_the_first(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, model: str, says: tuple[str, ...]
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    path = shell.write("mine.toml", FALLBACK % model)
    shell.refused_at_the_door("run", path, code=6, says=says)


def test_one_model_that_cannot_be_called_spares_the_others_their_first_call(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "canary-of-openai-1")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with Loopback(good) as server:
        words = ("--role", f"all=openai/tiny?api_base={server.url}")
        other = ("--role", "conviction=anthropic/claude-sonnet-4-5")
        message = shell.refused_at_the_door(
            "run", "logicom", *words, *other, code=6, says=("anthropic/claude", "ANTHROPIC_API_KEY")
        )
    assert server.seen == []
    assert "canary" not in message


def test_a_dry_run_finds_the_same_and_starts_nothing(shell: Shell) -> None:
    words = ("run", "logicom", "--role", "all=openai/gpt-4o", "--dry-run")
    shell.refused_at_the_door(*words, code=6, says=("OPENAI_API_KEY",))
    said = shell("run", "logicom", "--role", "all=script:steady", "--dry-run", "--json")
    assert (said.code, said.document["episodes"]) == (0, 180)
    assert not shell.home.exists()
