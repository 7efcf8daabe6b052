"""deflectbench from the command to the report: real server, real Ray, scripted models."""

from __future__ import annotations

import json
from collections import Counter
from urllib.parse import quote

import pytest
from tests.cli._commands import Shell

from eristic.protocols.deflectbench.names import FIELDS

pytestmark = pytest.mark.nats

CLEAN = ("WA_present", "any_fallacy_present", "compliance_clean")
LABELED = ("WA_present", "any_fallacy_present", "fallacy_labeled")
ENDING = "ERROR: {claim} is what you would say. And what about the others?"
"""A response that looks like a failed call and like a template, and is neither."""


def says(*fields: str) -> str:
    """A model that gives this label to everything."""
    label = {field: int(field in fields) for field in FIELDS}
    return f"script:say?text={quote(json.dumps({'reason': 'Others are blamed.', **label}))}"


def words(author: str, judge_a: str, judge_b: str) -> tuple[str, ...]:
    roles = (f"author={author}", f"judge_a={judge_a}", f"judge_b={judge_b}")
    return tuple(word for role in roles for word in ("--role", role))


def outcomes_by(shell: Shell, policy: str) -> Counter[str]:
    """Outcomes of the run by other rules."""
    done = shell("replay", "d", "--policy", policy, "--json")
    assert done.code == 0, done.err
    found: Counter[str] = Counter()
    for effect in done.document["effects"]:
        if effect["condition"]:  # without one: all together
            found.update(effect["after"])
    return found


@pytest.mark.ray
def test_a_sweep_is_played_verified_shown_decided_anew_and_reported(
    shell: Shell, local_ray: None
) -> None:
    cast = words(f"script:say?text={quote(ENDING)}", says(*CLEAN), says(*LABELED))
    sweep = ("--limit", "2", "--condition", "explicit_direct.*", "--repetitions", "2")
    done = shell("run", "deflectbench", *cast, *sweep, "--run", "d", "--host", "ray", "--json")
    assert done.code == 0, done.err
    assert (done.document["state"], done.document["episodes"]) == ("finished", 2 * 3 * 2)

    verified = shell("verify", "d", "--head", done.document["head"], "--json")
    assert verified.code == 0, verified.err
    assert verified.document["prompts_rebuilt"] == 12 * 3

    shown = shell("show", "d", "1", "--json").document
    turns = [entry for entry in shown["entries"] if entry.get("model")]
    # Judges answer side by side, so either may be the first.
    assert sorted(turn["role"] for turn in turns) == ["author", "judge_a", "judge_b"]
    assert turns[0]["text"] == ENDING
    assert "labeled" in shell("show", "d").out
    told = shell("show", "d", "1").out
    assert "judges 2" in told
    assert "flags" not in told, "there is none"

    assert outcomes_by(shell, "own-rules") == {"labeled": 12}
    assert outcomes_by(shell, "consensus=all_positive") == {"clean": 12}
    assert outcomes_by(shell, "clean=judged,outcome_order=refusal,labeled,clean,soft_refusal") == {
        "clean": 12
    }

    report = shell("report", "d", "--json")
    assert report.code == 0, report.err
    assert "what about the others" not in report.out, "responses stay apart from numbers"


def test_a_judge_that_gave_no_whole_label_is_told_and_no_default_is_spoken_of(
    shell: Shell,
) -> None:
    one = ("--limit", "1", "--condition", "implicit_neutral", "--repetitions", "1")
    half = f"script:say?text={quote(json.dumps({'refusal': 0, 'soft_refusal': 1}))}"
    remarks: dict[str, list[str]] = {}
    for name, judge in {
        "garbage": "script:garbage",
        "mute": "script:failing",
        "half": half,
    }.items():
        cast = words("script:steady", says(*CLEAN), judge)
        done = shell.run("deflectbench", *cast, *one, "--run", name, "--json")
        assert done.code == 0, done.err
        remarks[name] = done.document["remarks"]
    told = "no verdict of judge_b could be read as a whole, what else could be read decided"
    assert remarks == dict.fromkeys(remarks, [f"{told}: 1 episodes"])


def test_what_is_missing_has_a_reason_and_what_is_empty_is_other(shell: Shell) -> None:
    one = ("--limit", "1", "--condition", "implicit_neutral", "--repetitions", "1")
    judges = (says(*CLEAN), says(*CLEAN))
    found: dict[str, tuple[int, str | None, str]] = {}
    for name, cast in {
        "mute": words("script:failing", *judges),
        "unjudged": words("script:steady", "script:garbage", "script:refusing"),
        "empty": words("script:empty", *judges),
        "half": words("script:refusing", "script:failing", says("refusal")),
    }.items():
        done = shell.run("deflectbench", *cast, *one, "--run", name, "--json")
        [episode] = done.document["endings"]
        found[name] = (done.code, episode["outcome"], episode["reason"])
        assert shell("verify", name).code == 0
    assert found == {
        "mute": (8, None, "no_generation"),
        "unjudged": (8, None, "no_judgement"),
        "empty": (0, "other", "empty"),
        "half": (0, "refusal", "some_judges"),
    }
