"""What `eristic fork` says before anything is spent, whom it asks, and what it refuses."""

from __future__ import annotations

import os
import pty
import sys

import pytest
from tests.cli._commands import Shell
from tests.cli._forks import YIELDING, fork, with_base

pytestmark = pytest.mark.nats


@pytest.fixture
def base(shell: Shell) -> Shell:
    return with_base(shell)


def test_what_it_takes_is_said_before_it_is_spent(base: Shell) -> None:
    said = base("fork", "base", "all@6", "--role", "debater=openai/gpt-4o", "--dry-run")
    assert said.code == 0
    assert said.out == ""
    for fact in (
        "fork of base: 6 episodes (6 x 1) in the new run base-fork-",
        "role debater: script:steady?chars=80 -> openai/gpt-4o",
        "calls        at least ",
        "cost         about $",
    ):
        assert fact in said.err


def test_an_unknown_price_is_said_and_is_not_nothing(base: Shell) -> None:
    words = ["base", "1@6", "--role", "debater=openai/no-such-model", "--dry-run"]
    said = base("fork", *words)
    assert "the unknown price of openai/no-such-model" in said.err
    assert "$" not in said.err
    expected = fork(base, *words)["expected"]
    assert (expected["unpriced"], expected["may_cost"]) == (["openai/no-such-model"], True)
    priced = base("fork", *words, "--price", "openai/no-such-model=1000,1000")
    assert "about $" in priced.err


def test_without_a_terminal_nothing_is_spent_unless_somebody_said_yes(
    base: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-real-key")
    words = ["fork", "base", "1@6", "--role", "debater=openai/gpt-4o", "--run", "paid"]
    said = base(*words)
    assert said.code == 2
    assert "add --yes to spend it" in said.err
    assert "paid" not in base("ls").out


def test_with_yes_the_missing_key_is_what_stops_it(base: Shell) -> None:
    said = base("fork", "base", "1@6", "--role", "debater=openai/gpt-4o", "--run", "paid", "--yes")
    assert said.code == 6
    assert "OPENAI_API_KEY" in said.err
    assert "paid" not in base("ls").out


@pytest.mark.parametrize("answer", ["n", "", "why?"])
def test_at_a_terminal_a_person_is_asked_and_anything_but_yes_starts_nothing(
    base: Shell, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-real-key")
    master, terminal = pty.openpty()
    os.write(master, f"{answer}\n".encode())
    with os.fdopen(terminal) as stdin, os.fdopen(master, "wb"):
        monkeypatch.setattr(sys, "stdin", stdin)
        said = base("fork", "base", "1@6", "--role", "debater=openai/gpt-4o", "--run", "paid")
    assert said.code == 3
    assert "cost about $" in said.err
    assert "go on? [y/N]" in said.err
    assert "nothing was started" in said.err
    assert "paid" not in base("ls").out


def test_what_is_free_is_not_asked_about(base: Shell) -> None:
    said = base("fork", "base", "1@6", "--role", YIELDING, "--host", "inline")
    assert said.code == 0
    assert "no charge" in said.err
    assert "[y/N]" not in said.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["base"], ("EPISODE@TURN",)),
        (["base", "1"], ("'1' is not EPISODE@TURN",)),
        (["base", "1@x"], ("'1@x' is not EPISODE@TURN",)),
        (["base", "1@-2"], ("is not EPISODE@TURN",)),
        (["base", "1@6", "-o", "seed=3"], ("only options can be otherwise",)),
        (["base", "1@6", "--run", "NOT/ALLOWED"], ("run name",)),
        (["base", "1@6", "--role", "debater"], ("names no model",)),
        (["base", "--episodes", "no-such-file"], ("cannot be read",)),
    ],
)
def test_what_cannot_be_meant_is_refused_at_the_door(
    shell: Shell, words: list[str], says: tuple[str, ...]
) -> None:
    shell.refused_at_the_door("fork", *words, says=says)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["99@6"], ("no episode '99'", "numbered from 1")),
        (["1@14"], ("ends with turn 14", "fork at 13 or earlier")),
        (["1@99"], ("no turn 99", "closed after turn 14")),
        (["all@99"], ("no episode goes on after that turn",)),
        (["1@6", "--run", "base"], ("never written to",)),
        (["1@6", "-o", "options.round_limit=1"], ("cannot be kept with round_limit changed",)),
        (["1@6", "-o", "options.round_limt=1"], ("Did you mean 'round_limit'",)),
        (["1@6", "--role", "helper=script:steady"], ("nobody plays it in these episodes",)),
        (["1@6", "--role", "helpr=script:steady"], ("Did you mean 'helper'",)),
    ],
)
def test_what_does_not_fit_the_log_is_refused_and_nothing_is_written(
    base: Shell, words: list[str], says: tuple[str, ...]
) -> None:
    base.refused("fork", "base", *words, code=2, says=says)
    assert [row["run"] for row in base("ls", "--json").document["runs"]] == ["base"]


def test_a_run_that_is_not_there_is_missing(base: Shell) -> None:
    base.refused("fork", "bse", "1@6", code=4, says=("Did you mean 'base'",))
