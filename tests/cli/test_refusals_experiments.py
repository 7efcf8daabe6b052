"""Experiment files that cannot be run: every mistake at once, each with its line."""

from __future__ import annotations

import pytest
from tests.cli._commands import Shell

SECRET = "sk-canary00112233445566"
ROLES = '[roles]\nall = "script:steady"\n'


def refuse(shell: Shell, text: str | bytes, *says: str) -> str:
    path = shell.write("mine.toml", text)
    return shell.refused_at_the_door("run", path, says=("mine.toml", *says))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('protocol = "logicom"\nseed = = 1\n', ("not TOML", "line 2")),
        ('protocol = "logicom\n', ("not TOML", "line 1")),
        ("", ("names no protocol",)),
        (f'protocol = "logicm"\n{ROLES}', ("'logicm'", "Did you mean 'logicom'?")),
        (f'protocol = "logicom"\nsead = 1\n{ROLES}', ("line 2", "sead", "'seed'")),
        (f'protocol = "logicom"\nseed = "x"\n{ROLES}', ("line 2", "seed", "whole number")),
        (f'protocol = "logicom"\nrun = "My Run"\n{ROLES}', ("line 2", "run", "a-z")),
        (f'protocol = "logicom"\nconditions = []\n{ROLES}', ("line 2", "conditions")),
        (f'protocol = "logicom"\n{ROLES}[options]\nround_limt = 3', ("'round_limit'",)),
        (f'protocol = "logicom"\n{ROLES}[calls]\nretries = 2.5', ("calls.retries", "line 5")),
        (f'protocol = "logicom"\n{ROLES}[cases]\nform = "x"', ("line 5", "form", "'from'")),
        ('protocol = "logicom"\n[roles]\nall = 3\n', ("line 3", "roles.all", "expected a model")),
        ('protocol = "logicom"\n[roles.all]\nmodl = "x"', ("roles.all", "'model'")),
        ('protocol = "logicom"\n[roles.all]\nmodel = "a/b"\ntemperature = 1', ("params",)),
        ('protocol = "logicom"\n[roles]\ndebator = "local"', ("Did you mean 'debater'?",)),
        ('protocol = "logicom"\n', ("persuader", "--role persuader=MODEL")),
        (b'protocol = "\xff"', ("not UTF-8",)),
    ],
)
def test_a_mistake_is_told_with_its_line_and_the_nearest_name(
    shell: Shell, text: str | bytes, says: tuple[str, ...]
) -> None:
    refuse(shell, text, *says)


def test_all_mistakes_of_a_file_are_told_at_once(shell: Shell) -> None:
    text = 'protocol = "logicom"\nseed = -1\nrepetitions = 0\nlimit = 3\n' + ROLES
    refuse(shell, text, "3 mistakes", "line 2", "line 3", "line 4", "seed", "repetitions", "limit")


@pytest.mark.parametrize(
    "text",
    [
        f'[roles.all]\nmodel = "openai/gpt-4o"\nparams = {{ api_key = "{SECRET}" }}',
        f'[roles.all]\nmodel = "openai/gpt-4o"\napi_key = "{SECRET}"',
        f'[roles.all]\nmodel = "openai/gpt-4o"\nfallback = ["{SECRET}"]',
        f'[roles.all]\nmodel = "openai/gpt-4o"\napi_base = "https://u:{SECRET}@host/v1"',
        f'[roles]\nall = "openai/gpt-4o?key={SECRET}"',
        f'[options]\nround_limit = "{SECRET}"\n{ROLES}',
        f'OPENAI_API_KEY = "{SECRET}"\n{ROLES}',
        f'[cases]\nonly = ["{SECRET}"]\n{ROLES}',
    ],
)
def test_a_secret_in_a_file_is_refused_and_not_repeated(shell: Shell, text: str) -> None:
    head = "" if text.startswith("OPENAI") else 'protocol = "logicom"\n'
    assert SECRET not in refuse(shell, head + text)


def test_a_file_of_another_language_is_told_apart(shell: Shell) -> None:
    path = shell.write("mine.yaml", "protocol: logicom")
    shell.refused_at_the_door("run", path, says=(".toml",))
