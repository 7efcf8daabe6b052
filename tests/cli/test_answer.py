"""A person in a role: the same contract, the same log, the same proofs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli._commands import Json, Shell
from tests.cli._processes import environment, eristic, serving, until

pytestmark = pytest.mark.nats


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def answer(home: Path, *words: str, typed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "eristic.cli", "answer", "people", "debater", *words]
        + ["--home", str(home)],
        input=typed,
        capture_output=True,
        text=True,
        timeout=90,
        env=environment(),
    )


def test_a_person_plays_a_role_leaves_and_another_goes_on(shell: Shell) -> None:
    home = shell.home
    words = ["run", "logicom", "--run", "people", "--limit", "1", "--condition", "no_helper"]
    words += ("--role", "debater=human", "--role", "all=script:steady?chars=60")
    words += ("-o", "options.round_limit=1", "--host", "inline", "--home", str(home))
    with serving(*words) as running:
        until(lambda: '"people"' in eristic("ls", "--json", "--home", str(home)).stdout)
        # A blank line is a key pressed by mistake, not an empty answer.
        first = answer(home, "--person", "p01", typed="\n  \nNo.\x1b[2J I do not\n")
        assert first.returncode == 3, first.stderr
        assert "My claim" in first.stdout and "turn 1" in first.stdout
        second = answer(home, "--person", "p02", "--lines", typed="Not quite.\n\nSorry.\n.\n")
        assert second.returncode == 0, second.stderr
        assert running.wait(30) == 0

    told = [row for n in ("1", "2") for row in transcript(shell, n) if row.get("role") == "debater"]
    assert {row["text"] for row in told} == {"No.\x1b[2J I do not", "Not quite.\n\nSorry."}
    assert {row["model"] for row in told} == {"human/p01", "human/p02"}
    assert {row["source"] for row in told} == {"human"}
    proved = shell("verify", "people")
    assert proved.code == 0, proved.out


def transcript(shell: Shell, episode: str) -> list[Json]:
    document = shell("show", "people", episode, "--json").document
    entries: list[Json] = document["entries"]
    return entries


def test_a_declined_turn_is_a_failed_one_and_never_a_text(shell: Shell) -> None:
    home = shell.home
    words = ["run", "logicom", "--run", "people", "--only", "school-phones-pro"]
    words += ("--condition", "no_helper", "--role", "debater=human")
    words += ("--role", "all=script:steady?chars=60", "--host", "inline", "--home", str(home))
    with serving(*words) as running:
        until(lambda: '"people"' in eristic("ls", "--json", "--home", str(home)).stdout)
        done = answer(home, "--person", "p01", "--json", typed="/skip\n" * 20)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout) == {"run": "people", "role": "debater", "answered": 0}
        assert running.wait(30) == 8


def test_a_role_of_a_model_and_a_name_that_is_none_are_refused(shell: Shell) -> None:
    shell.refused("answer", "x", "debater", "--person", "Ann Lee", code=2, says=("pseudonym",))
    steady = ("logicom", "--run", "r", "--limit", "1", "-o", "options.round_limit=1")
    assert shell.run(*steady, "--role", "all=script:steady?chars=60").code == 0
    by_p01 = ("--person", "p01")
    played = ("script:steady", "debater=human")
    shell.refused("answer", "r", "debater", *by_p01, code=2, says=played)
    shell.refused("answer", "r", "debatr", *by_p01, code=2, says=("debatr", "debater"))


def test_a_role_that_nobody_plays_is_refused(shell: Shell) -> None:
    words = ("mirror", "--run", "m", "--limit", "1", "--condition", "baseline.en")
    assert shell.run(*words, "--repetitions", "1", "--role", "all=script:steady").code == 0
    unbound = ("nobody plays paraphraser", "a person plays no role")
    shell.refused("answer", "m", "paraphraser", "--person", "p01", code=2, says=unbound)


def test_a_person_plays_a_branch_whose_cast_stands_with_its_episodes_alone(shell: Shell) -> None:
    home = str(shell.home)
    steady = ("logicom", "--run", "r", "--only", "school-phones-pro", "--condition", "no_helper")
    limit = ("-o", "options.round_limit=1", "--role", "all=script:steady?chars=60")
    assert shell.run(*steady, *limit).code == 0
    words = ["fork", "r", "1@0", "--role", "debater=human", "--run", "people"]
    with serving(*words, "--host", "inline", "--home", home) as running:
        until(lambda: '"people"' in eristic("ls", "--json", "--home", home).stdout)
        done = answer(shell.home, "--person", "p01", typed="No.\n")
        assert done.returncode == 0, done.stderr
        assert running.wait(30) == 0
    again = answer(shell.home, "--person", "p01", typed="Too late.\n")
    assert (again.returncode, again.stdout) == (0, "")
    assert again.stderr == "the run is closed\n"
