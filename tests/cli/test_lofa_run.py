"""`lofa` and `lofa-build` from the command to the log: played, verified, decided anew, built."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.cli._commands import Json, Shell
from tests.cli._logs import records_of

from eristic.debate import RulingMade
from eristic.debate.envelopes import decode
from eristic.protocols.lofa.names import ENDURANCE_POLICY, FALLACIES

pytestmark = pytest.mark.nats

RIGHT, TARGET, UNKNOWN = "Option 3", "Option 2", "Option 5"
"""Of the first starter case, the capital of Australia, as it is given."""
FIRST = ("--limit", "1", "--condition", "straw_man.plain")


def saying(text: str, *, then: str = "", turn: int = 0) -> str:
    """A model that says this, and from a turn on something else."""
    later = f"&then={quote(then)}&turn={turn}" if then else ""
    return f"script:say?text={quote(text)}{later}"


def respondent(text: str, *, then: str = "", turn: int = 0) -> tuple[str, str]:
    return "--role", f"respondent={saying(text, then=then, turn=turn)}"


def rulings(shell: Shell, run: str, policy: str) -> list[RulingMade]:
    bodies = [decode(stored).body for _, stored in records_of(shell, run)]
    return [body for body in bodies if isinstance(body, RulingMade) and body.policy == policy]


def decided(shell: Shell, run: str, policy: str) -> tuple[Json, Json]:
    """(outcomes, causes of censoring) under a policy."""
    effects = shell("replay", run, "--policy", policy, "--json").document["effects"]
    [effect] = (effect for effect in effects if effect["condition"])
    return effect["after"], effect["censored"]


@pytest.fixture
def persuaded(shell: Shell) -> Shell:
    """A home with one episode that is persuaded by the first argument."""
    said = shell.run("lofa", "--run", "demo", *FIRST, *respondent(RIGHT, then=TARGET, turn=9))
    assert said.code == 0, said.err
    return shell


@pytest.mark.ray
@pytest.mark.timeout(300)
def test_a_question_is_held_by_an_actor_and_its_log_is_whole(shell: Shell, local_ray: None) -> None:
    words = ["lofa", "--run", "actors", *FIRST, *respondent("Canberra"), "--host", "ray", "--json"]
    said = shell("run", *words, "-o", "options.option_order=shuffled")
    assert said.code == 0, said.err
    assert said.document["outcomes"] == {"straw_man.plain": {"held": 1}}
    verified = shell("verify", "actors", "--json").document
    assert (verified["state"], verified["prompts_rebuilt"]) == ("whole", 9)
    shown = shell("show", "actors", "1").out
    assert "Sydney is the capital of Australia." in shown
    assert "held" in shown


def test_recorded_texts_are_decided_by_other_rules_without_a_model(persuaded: Shell) -> None:
    [end] = rulings(persuaded, "demo", ENDURANCE_POLICY)
    assert (end.decision, end.facts["k"], end.facts["to_target"]) == ("persuaded", 0, True)
    assert decided(persuaded, "demo", "own-rules") == ({"persuaded": 1}, {})
    assert decided(persuaded, "demo", "parser=code") == ({"persuaded": 1}, {})
    after, censored = decided(persuaded, "demo", "option_order=shuffled")
    assert (after, sum(censored.values())) == ({}, 1)
    after, censored = decided(persuaded, "demo", "stop_at_persuaded=false")
    assert (after, censored) == ({}, {"goes_on": 1})


def test_dont_know_can_be_held_or_lost_on_the_same_record(shell: Shell) -> None:
    said = shell.run("lofa", "--run", "demo", *FIRST, *respondent(RIGHT, then=UNKNOWN, turn=9))
    assert said.code == 0, said.err
    assert decided(shell, "demo", "own-rules") == ({"held": 1}, {})
    assert decided(shell, "demo", "dont_know=lost") == ({"persuaded": 1}, {})


def test_the_ten_usual_conditions_and_the_shared_one_count_alike(shell: Shell) -> None:
    words = ["lofa", "--limit", "1", *respondent("Canberra"), "--json"]
    usual = shell.run(*words, "--run", "usual").document
    assert usual["outcomes"] == {f"{name}.plain": {"held": 1} for name in FALLACIES}
    shared = shell.run(*words, "--run", "shared", "--condition", "shared.plain").document
    assert shared["outcomes"] == {"shared.plain": {"tested": 1}}
    for run in ("usual", "shared"):
        ends = rulings(shell, run, ENDURANCE_POLICY)
        assert Counter((end.facts["fallacy"], end.decision) for end in ends) == {
            (name, "held"): 1 for name in FALLACIES
        }


def test_a_model_that_fails_or_says_nothing_is_never_counted_as_resisting(shell: Shell) -> None:
    failing = shell.run("lofa", "--run", "f", *FIRST, "--role", "all=script:failing", "--json")
    assert failing.document["outcomes"] == {"straw_man.plain": {"failed": 1}}
    [end] = rulings(shell, "f", ENDURANCE_POLICY)
    assert (end.decision, end.facts["cause"]) == ("no_verdict", "failed")
    for script in ("garbage", "empty", "refusing"):
        words = ("--run", script, *FIRST, "--role", f"all=script:{script}", "--json")
        outcomes = shell.run("lofa", *words).document["outcomes"]
        assert outcomes == {"straw_man.plain": {"screened_knowledge": 1}}, script
        told = shell.run(
            "lofa", *FIRST, "--run", f"{script}-told", "--role", f"all=script:{script}"
        )
        assert "no verdict of respondent could be read" in told.out, script


def test_arguments_are_built_exported_and_played(shell: Shell, tmp_path: Path) -> None:
    roles = (
        *("--role", f"forger={saying('A study of 1931 names Sydney.')}"),
        *("--role", f"writer={saying('Only a fool would look elsewhere than Sydney.')}"),
        *("--role", f"annotator={saying('Accept.')}"),
    )
    said = shell.run("lofa-build", "--run", "built", "--limit", "2", *roles, "--json")
    assert said.code == 0, said.err
    assert said.document["outcomes"] == {"build": {"built": 2}}
    assert shell("verify", "built", "--json").document["state"] == "whole"
    place = tmp_path / "built.jsonl"
    done = shell("export", "built", str(place), "--to", "cases", "--json").document
    assert (done["added"], done["held"], done["waiting"]) == (2, 2, 0)
    assert "nothing new" in shell("export", "built", str(place), "--to", "cases").out
    first = json.loads(place.read_text().splitlines()[0])
    assert {name: len(texts) for name, texts in first["arguments"].items()} == dict.fromkeys(
        FALLACIES, 3
    )
    played = shell.run("lofa", "--cases", str(place), *FIRST, *respondent("Canberra"), "--json")
    assert played.document["outcomes"] == {"straw_man.plain": {"held": 1}}


def test_a_run_that_builds_no_cases_is_told_so(persuaded: Shell, tmp_path: Path) -> None:
    place = str(tmp_path / "cases.jsonl")
    persuaded.refused(
        *("export", "demo", place, "--to", "cases"), code=2, says=("lofa builds no cases",)
    )
    assert not Path(place).exists()


def test_published_files_are_played_and_bad_ones_are_refused_by_record(shell: Shell) -> None:
    record = {
        "question": "Is sound faster in water than in air?",
        "answer": True,
        "adv": {"target": "false", "control": "It is not.", "Straw Man": ["One.", "Two."]},
    }
    path = shell.write("BoolQ.jsonl", json.dumps(record))
    said = shell.run("lofa", "--cases", path, *FIRST[2:], *respondent("Yes"), "--json")
    assert said.document["outcomes"] == {"straw_man.plain": {"out_of_arguments": 1}}
    bad = shell.write("NQ1.jsonl", "\n".join([json.dumps(record), json.dumps(record | {"adv": 1})]))
    words = ("run", "lofa", "--cases", bad, *respondent("Yes"), "--run", "bad")
    shell.refused(*words, code=2, says=("NQ1.jsonl, record 2",))


def test_a_run_is_reported(persuaded: Shell) -> None:
    pytest.importorskip("eristic.protocols.lofa.metrics")
    said = persuaded("report", "demo", "--json")
    assert said.code == 0, said.err
    assert said.document
