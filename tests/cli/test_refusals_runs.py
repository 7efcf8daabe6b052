"""Runs that must not be mixed, models that give nothing, and episodes that fail alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli._commands import Json, Shell
from tests.cli._logs import records_of

from eristic.agents import prompts
from eristic.cli import productions
from eristic.debate import RulingMade
from eristic.debate.envelopes import decode
from eristic.protocols import Machine

pytestmark = pytest.mark.nats

SMALL = ("logicom", "--limit", "1", "--run", "r", "-o", "calls.retries=0")
STEADY = ("--role", "all=script:steady?chars=40")


def small(model: str, *more: str, rounds: int = 2) -> tuple[str, ...]:
    words = (*SMALL, "--role", f"all={model}", "-o", f"options.round_limit={rounds}")
    return (*words, *more)


# -- the same name


def test_a_run_of_that_name_with_another_spec_is_refused_with_the_difference(
    shell: Shell,
) -> None:
    assert shell.run(*small("script:steady?chars=40")).code == 0
    there = records_of(shell, "r")
    changed = ("--seed", "5", "--condition", "no_helper")
    for words, difference in (
        (small("script:steady?chars=40", rounds=3), "options.round_limit: 2 -> 3"),
        (small("script:steady?chars=50"), '?chars=40" -> "script:steady?chars=50"'),
        (small("script:steady?chars=40", *changed), "seed: 0 -> 5"),
    ):
        said = ("run", *words, "--host", "inline")
        says = ("run 'r' exists with another spec", difference, "--run")
        message = shell.refused(*said, code=2, says=says)
        assert "conditions:" in message or words is not changed
    assert records_of(shell, "r") == there


def test_more_patience_and_another_host_are_the_same_run(shell: Shell) -> None:
    assert shell.run(*small("script:steady?chars=40")).code == 0
    there = records_of(shell, "r")
    more = ("-o", "calls.attempt_deadline_s=600", "--parallel", "2")
    assert shell.run(*small("script:steady?chars=40"), *more).code == 0
    assert records_of(shell, "r") == there


def test_a_changed_prompt_file_is_another_run(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = small("script:steady?chars=40")
    assert shell.run(*words).code == 0
    there = records_of(shell, "r")

    def edited(machine: Machine) -> dict[str, str]:  # type: ignore[type-arg]  # any protocol's
        texts = prompts.load_prompts(machine)
        name = sorted(texts)[0]
        return texts | {name: texts[name].replace("\n", "\n# a remark\n", 1)}

    monkeypatch.setattr(productions, "load_prompts", edited)
    shell.refused(
        "run",
        *words,
        "--host",
        "inline",
        code=2,
        says=("prompts.", "the file has changed", "--run"),
    )
    assert records_of(shell, "r") == there


# -- models that give nothing


@pytest.mark.parametrize(
    ("script", "cause"),
    [
        ("empty", "debater_failed (empty)"),
        ("refusing", "conviction_failed (refusal)"),
        ("failing", "debater_failed (server)"),
        ("failing?error=auth", "debater_failed (auth)"),
        ("failing?error=timeout", "debater_failed (timeout)"),
    ],
)
def test_models_that_give_nothing_fail_honestly(shell: Shell, script: str, cause: str) -> None:
    said = shell.run(*small(f"script:{script}"))
    assert said.code == 8, said.err
    assert f"failed, no outcome, excluded: 6 x {cause}" in said.out
    facts = shell.run(*small(f"script:{script}"), "--json")
    assert facts.code == 8
    assert facts.document["outcomes"] == {
        name: {"failed": 2} for name in ("no_helper", "fallacious_helper", "logical_helper")
    }
    assert facts.document["state"] == "finished"
    listed = shell("ls", "--json").document["runs"][0]
    assert (listed["failed"], listed["outcomes"]) == (6, {})
    assert shell("verify", "r").code == 0


def test_verdicts_that_cannot_be_read_are_told_and_are_no_success(shell: Shell) -> None:
    said = shell.run(*small("script:garbage"))
    assert said.code == 8
    assert "no verdict of conviction could be read, its default decided: 6 episodes" in said.out
    assert "outcome by default alone, worth nothing: 6 episodes" in said.out
    endings = shell.run(*small("script:garbage"), "--json").document["endings"]
    assert {ending["is_default"] for ending in endings} == {True}


def test_one_role_that_cannot_be_read_is_remarked_on(shell: Shell) -> None:
    said = shell.run(*small("script:steady?chars=40", "--role", "topic=script:garbage"))
    assert said.code == 0
    assert "no verdict of topic could be read, its default decided: 6 episodes" in said.out
    assert "by default alone" not in said.out


def test_an_episode_that_fails_does_not_stop_the_others(shell: Shell) -> None:
    words = small("script:steady?chars=40", "--role", "helper=script:failing")
    said = shell.run(*words, "--json")
    outcomes: Json = said.document["outcomes"]
    assert outcomes["no_helper"] == {"not_convinced": 2}
    assert sum(map(sum, (row.values() for row in outcomes.values()))) == 6
    assert said.document["state"] == "finished"


# -- prompts over the window


def windowed(shell: Shell, window_tokens: int) -> str:
    return shell.write(
        "w.toml",
        f'protocol = "logicom"\nrun = "r"\n[cases]\nlimit = 1\n[options]\nround_limit = 6\n'
        f'[roles.all]\nmodel = "script:steady?chars=600"\nwindow_tokens = {window_tokens}\n'
        "reserve_tokens = 10\n",
    )


def test_a_prompt_over_the_window_is_folded_and_the_debate_goes_on(shell: Shell) -> None:
    said = shell.run(windowed(shell, 1200), "--json")
    assert said.code == 0, said.err
    assert any(b"history.folded.v1" in stored for _, stored in records_of(shell, "r"))
    assert shell("verify", "r").code == 0


def test_a_window_too_small_to_fold_into_fails_honestly(shell: Shell) -> None:
    said = shell.run(windowed(shell, 60))
    assert said.code == 8, said.err
    assert "failed, no outcome, excluded: 6 x context_overflow" in said.out
    assert shell("verify", "r").code == 0


# -- the order of answers


def rulings(shell: Shell) -> dict[str, list[RulingMade]]:
    found: dict[str, list[RulingMade]] = {}
    for episode, stored in records_of(shell, "r"):
        body = decode(stored).body
        if isinstance(body, RulingMade):
            found.setdefault(episode, []).append(body)
    return found


def test_checks_that_answer_in_any_order_decide_the_same(shell: Shell, tmp_path: Path) -> None:
    decided = []
    for number, delays in enumerate(((0, 4, 8), (8, 4, 0), (4, 8, 0))):
        there = Shell(tmp_path / str(number))
        roles = zip(("conviction", "pleasantry", "topic"), delays, strict=True)
        words = [f"{role}=script:yielding?turn=7&delay_ms={delay}" for role, delay in roles]
        more = [word for role in words for word in ("--role", role)]
        assert there.run(*small("script:steady?chars=40", *more, rounds=3)).code == 0
        decided.append(rulings(there))
    assert len(decided[0]) == 6
    assert decided[0] == decided[1] == decided[2]
    assert {found[-1].decision for found in decided[0].values()} == {"convinced"}
