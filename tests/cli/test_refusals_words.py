"""Words of a command line that mean nothing: the nearest that does is named, nothing starts."""

from __future__ import annotations

import pytest
from tests.cli._commands import Shell

STEADY = ("--role", "all=script:steady")
SECRET = "sk-canary00112233445566"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("rnu", "logicom"), ("'rnu'", "Did you mean 'run'?", "--help")),
        (("run", "logicom", "--hots", "ray"), ("'--hots'", "Did you mean '--host'?")),
        (("run", "logicom", "--host", "rya"), ("--host", "'rya'", "Did you mean 'ray'?")),
        (("run", "logicom", "--limit", "few"), ("--limit", "'few'", "--help")),
        (("run", "logicom", "extra", *STEADY), ("'extra'", "too many")),
        (("run", *STEADY), ("WHAT", "--help")),
        (("run", "logicom", *STEADY, "--parallel", "0"), ("--parallel", "must be 1 or more")),
        (("run", "logicom", *STEADY, "--limit", "0"), ("cases.limit", "at least 1")),
        (("run", "logicom", *STEADY, "--run", "No/Name"), ("'No/Name'", "a-z")),
        (("run", "logicm", *STEADY), ("'logicm'", "Did you mean 'logicom'?", ".toml")),
        (("run", "no.toml", *STEADY), ("no.toml", "cannot be read", "No such file")),
        (("run", "logicom", *STEADY, "--condition", "no_help"), ("Did you mean 'no_helper'?",)),
        (("run", "logicom", *STEADY, "--profile", "papr"), ("Did you mean 'paper'?",)),
        (("run", "logicom", *STEADY, "--only", "school-phone-pro"), ("'school-phones-pro'",)),
        (("run", "logicom", *STEADY, "-o", "options.round_limt=3"), ("'round_limit'",)),
        (("run", "logicom", *STEADY, "-o", "optoins.round_limit=3"), ("'options'",)),
        (("run", "logicom", *STEADY, "-o", "options.round_limit=many"), ("round_limit",)),
        (("run", "logicom", *STEADY, "-o", "options.round_limit"), ("-o takes key=value",)),
        (("run", "logicom", *STEADY, "-o", "seed=1", "-o", "seed=2"), ("seed", "given twice")),
        (("run", "logicom", *STEADY, "-o", "calls.retrys=2"), ("'retries'",)),
        (("run", "logicom", *STEADY, "-o", "calls.retries=-1"), ("calls.retries", "from 0")),
        (("run", "logicom", *STEADY, "-o", "calls.total_deadline_s=nan"), ("seconds",)),
        (("run", "logicom", *STEADY, *STEADY), ("--role all", "given twice")),
        (
            ("run", "logicom", *STEADY, "-o", "roles.all.api_base=http://127.0.0.1:1/v1"),
            ("--role all", "roles.all.api_base", "say it once"),
        ),
        (("run", "logicom", "--role", "debater"), ("'debater'", "names no model", "ROLE=MODEL")),
        (("run", "logicom", "--role", "debater="), ("--role debater", "no model is named")),
        (("run", "logicom"), ("persuader", "--role persuader=MODEL", "--role all=MODEL")),
        (("run", "logicom", *STEADY, "--role", "debator=local"), ("Did you mean 'debater'?",)),
        (("run", "logicom", *STEADY, "--nats", "http://x"), ("nats://host:4222",)),
        (("show", "r", "--at", "-1"), ("--at", "turns count from 0")),
        (("verify", "r", "--head", "abc"), ("--head", "64 hex digits")),
        (("verify",), ("RUN", "--help")),
    ],
)
def test_what_is_not_understood_is_named_with_the_nearest_that_is(
    shell: Shell, words: tuple[str, ...], says: tuple[str, ...]
) -> None:
    shell.refused_at_the_door(*words, says=says)


@pytest.mark.parametrize(
    "words",
    [
        ("run", "logicom", f"--api-key={SECRET}"),
        ("run", "logicom", "--api-key", SECRET),
        ("run", "logicom", SECRET),
        ("run", "logicom", "--host", SECRET),
        ("run", SECRET),
        (SECRET,),
        ("run", "logicom", "--role", SECRET),
        ("run", "logicom", "--role", f"all=openai/gpt-4o?api_key={SECRET}"),
        ("run", "logicom", "--role", f"all=openai/gpt-4o?extra_body.token={SECRET}"),
        ("run", "logicom", *STEADY, "-o", f"options.note={SECRET}"),
        ("run", "logicom", *STEADY, "-o", SECRET),
        ("run", "logicom", *STEADY, "--run", SECRET),
        ("run", "logicom", *STEADY, "--nats", f"nats//u:{SECRET}@host"),
    ],
)
def test_a_key_typed_in_the_wrong_place_is_not_repeated(
    shell: Shell, words: tuple[str, ...]
) -> None:
    message = shell.refused(*words, code=2, says=())
    assert SECRET not in message


def test_a_help_of_every_command_tells_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    from eristic.cli import main

    assert main([]) == 0
    out = capsys.readouterr().out
    for code in ("0  done", "2  input", "3  unfinished", "4  the log", "5  NATS", "8  finished"):
        assert code in out


def test_an_option_before_the_command_is_told_its_place(shell: Shell) -> None:
    said = shell("--json", "ls")
    assert said.code == 2
    assert "--json stands before the command; write it after" in said.err
