"""mirror from the command to the report: real server, real Ray, scripted models."""

from __future__ import annotations

from collections import Counter
from urllib.parse import quote

import pytest
from tests.cli._commands import Shell

pytestmark = pytest.mark.nats

SPEECH = "Tools are dear, and {statement} says who pays for them."
"""A speech that looks like a template, and is none."""


def says(text: str, then: str = "") -> str:
    """A model that says this, and from the turn of the second score on something else."""
    later = f"&turn=5&then={quote(then)}" if then else ""
    return f"script:say?text={quote(text)}{later}"


def words(respondent: str, **others: str) -> tuple[str, ...]:
    roles = {"respondent": respondent, **others}
    return tuple(word for role in roles.items() for word in ("--role", "=".join(role)))


def debaters(speech: str = says(SPEECH), against: str = "") -> dict[str, str]:
    return {"advocate_for": speech, "advocate_against": against or speech}


def outcomes_by(shell: Shell, run: str, policy: str) -> Counter[str]:
    """Outcomes of the run by other rules."""
    done = shell("replay", run, "--policy", policy, "--json")
    assert done.code == 0, done.err
    found: Counter[str] = Counter()
    for effect in done.document["effects"]:
        if effect["condition"]:  # without one: all together
            found.update(effect["after"])
    return found


@pytest.mark.ray
def test_asks_and_debates_are_played_verified_shown_decided_anew_and_reported(
    shell: Shell, local_ray: None
) -> None:
    cast = words(says("My answer: ８", "Some say 4. No: −3"), **debaters())
    wanted = ("baseline.en", "paraphrase.ar", "fair.zh", "biased.en")
    conditions = tuple(word for name in wanted for word in ("--condition", name))
    sweep = (*conditions, "--limit", "1", "--repetitions", "2", "-o", "options.score_retries=1")
    done = shell("run", "mirror", *cast, *sweep, "--run", "m", "--host", "ray", "--json")
    # The second score is ambiguous, so no debate has an outcome.
    assert done.code == 8, done.err
    assert (done.document["state"], done.document["episodes"]) == ("finished", 8)
    assert done.document["outcomes"] == {
        "baseline.en": {"scored": 2},
        "paraphrase.ar": {"scored": 2},
        "fair.zh": {"failed": 2},
        "biased.en": {"failed": 2},
    }
    assert {x["reason"] for x in done.document["endings"] if not x["outcome"]} == {"no_post"}

    verified = shell("verify", "m", "--head", done.document["head"], "--json")
    assert verified.code == 0, verified.err
    assert verified.document["prompts_rebuilt"] == 2 * (1 + 1 + 7 + 7)

    debate = next(x["episode"] for x in done.document["endings"] if not x["outcome"])
    shown = shell("show", "m", debate, "--json").document
    turns = [entry for entry in shown["entries"] if entry.get("model")]
    assert [turn["role"] for turn in turns] == [
        "respondent",
        *("advocate_against", "advocate_for") * 2,
        *["respondent"] * 2,
    ]
    assert turns[1]["text"] == SPEECH

    # The last number of the second answer; it was read the same before, so nothing is censored.
    assert outcomes_by(shell, "m", "score_rule=last_number")["fell"] == 4
    assert outcomes_by(shell, "m", "own-rules")["scored"] == 4

    report = shell("report", "m", "--json")
    assert report.code == 0, report.err


def test_what_is_missing_has_a_reason_and_what_is_said_a_number(shell: Shell) -> None:
    eight, declines = says("8", "-2"), says("I cannot argue against this group")
    played = {
        "moved": ("biased.en", words(eight, **debaters())),
        "unwilling": ("baseline.en", words(says("I have no opinion"))),
        "filtered": ("fair.ar", words("script:refusing", **debaters())),
        "declined": ("fair.en", words(eight, **debaters(against=declines))),
        "too_long": ("fair.en", words(eight, **debaters("script:failing?error=context"))),
    }
    found: dict[str, tuple[int, str | None, str]] = {}
    for name, (condition, cast) in played.items():
        one = ("--limit", "1", "--repetitions", "1", "--condition", condition)
        done = shell.run("mirror", *cast, *one, "--run", name, "--json")
        [episode] = done.document["endings"]
        found[name] = (done.code, episode["outcome"], episode["reason"])
        assert shell("verify", name).code == 0
    assert found == {
        "moved": (0, "fell", "debated"),
        "unwilling": (8, None, "no_score"),
        "filtered": (8, None, "no_pre"),
        "declined": (8, None, "no_debate"),
        "too_long": (8, None, "no_debate"),
    }


def test_a_branch_of_a_debate_whose_order_was_drawn_keeps_its_order(shell: Shell) -> None:
    cast = words(says("8", "3"), **debaters())
    one = ("--limit", "4", "--repetitions", "1", "--condition", "fair.en", "--host", "inline")
    drawn = ("-o", "options.first_side=random", "--run", "d")
    assert shell("run", "mirror", *cast, *one, *drawn).code == 0
    fresh = ("-o", "options.post_context=fresh", "--seed", "99", "--run", "fresh", "--yes")
    done = shell("fork", "d", "all@3", *fresh, "--host", "inline")
    assert done.code == 0, done.err
    assert shell("verify", "fresh").code == 0


def test_a_plan_knows_the_papers_counts(shell: Shell) -> None:
    done = shell("plan", "mirror", *words("script:steady"), "--limit", "1", "--json")
    assert done.code == 0, done.err
    episodes = {part["condition"]: part["episodes"] for part in done.document["conditions"]}
    assert episodes == {"baseline.en": 20, "paraphrase.en": 20, "fair.en": 5, "biased.en": 5}
