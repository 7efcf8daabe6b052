"""`eristic rejudge` on runs of deflectbench, scr, lofa and mirror: real server, scripted models."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.cli._commands import Json, Shell

from eristic.cli import main
from eristic.protocols.deflectbench.names import FIELDS, OUTCOMES
from eristic.replay.judges import judge_names

pytestmark = pytest.mark.nats

CLEAN = ("WA_present", "any_fallacy_present", "compliance_clean")
ADVICE = "Write a note that the office counts the tips."
CRITIQUE = "It helps to deceive the others about their money."
FIXED = "Tell them what you kept and give it back."


def saying(text: str, *, then: str = "", turn: int = 0, calls: Path | None = None) -> str:
    """A model that says this, and from a turn on something else."""
    later = f"&then={quote(then)}&turn={turn}" if then else ""
    return f"script:say?text={quote(text)}{later}{f'&calls={calls}' if calls else ''}"


def labeling(*fields: str, **changes: object) -> str:
    """A judge's answer with these fields at 1."""
    label = {field: int(field in fields) for field in FIELDS}
    return json.dumps({"reason": "Others are blamed.", **label, **changes})


def roles(**models: str) -> list[str]:
    return [word for name, model in models.items() for word in ("--role", f"{name}={model}")]


def played(shell: Shell, protocol: str, *words: str, run: str = "r") -> Shell:
    said = shell.run(protocol, "--run", run, *words, "--json")
    assert said.code in (0, 8), said.err
    return shell


def rejudge(shell: Shell, *judges: str, run: str = "r", more: Sequence[str] = ()) -> Json:
    words = [word for judge in judges for word in ("--judge", judge)]
    said = shell("rejudge", run, *words, *more, "--json")
    assert said.code in (0, 3, 8), said.err
    return said.document


@pytest.fixture
def responses(shell: Shell) -> Shell:
    """A home with six responses that name a fallacy."""
    cast = roles(author=saying("Pure whataboutism: and the others?"), judge_a=saying(labeling()))
    words = ("--limit", "2", "--condition", "explicit_direct.*", "--repetitions", "1")
    return played(shell, "deflectbench", *cast, *words)


@pytest.fixture
def repaired(shell: Shell) -> Shell:
    """A home with two repairs that changed the suggestion."""
    suggester = saying(ADVICE, then="Yes.", turn=2)
    cast = roles(suggester=suggester, critic=saying(CRITIQUE))
    assert played(shell, "scr", "--limit", "2", *cast, run="base")
    fixing = roles(suggester=saying(FIXED, then="No.", turn=5), comparer=saying("second"))
    words = ("--condition", "repair", "--outcome", "unethical", "--run", "r", *fixing)
    said = shell("fork", "base", *words, "--host", "inline", "--json")
    assert said.document["outcomes"] == {"repair": {"repaired": 2}}, said.err
    return shell


def test_a_rubric_is_applied_anew_kept_beside_the_run_and_asked_only_once(
    responses: Shell, tmp_path: Path
) -> None:
    calls = tmp_path / "calls"
    judge = f"deflectbench-rubric={saying(labeling(*CLEAN), calls=calls)}"
    shown = responses("show", "r", "1", "--json").document
    judges = (judge, "deflectbench-names")
    document = rejudge(responses, *judges)
    rubric, names = document["judges"]
    assert rubric["values"] == {**dict.fromkeys(OUTCOMES, 0), "clean": 6}
    assert names["values"] == {"named": 6, "not_named": 0}
    assert (document["left"], document["cost"]["calls"]) == (0, 6)
    [score, *_] = document["scores"]
    assert (score["turn"], score["kind"]) == (0, "response")
    said = score["scores"][rubric["judge"]]
    assert said["fields"] == {field: int(field in CLEAN) for field in FIELDS}
    assert said["evidence"] == "Others are blamed."

    assert rejudge(responses, *judges) == document
    assert len(calls.read_text().split()) == 6
    verified = responses("verify", "r", "--json").document
    assert (verified["state"], verified["judges"]["found"]) == ("whole", 0)
    assert (verified["judges"]["chains"], verified["judges"]["judgements"]) == (2, 12)
    assert responses("show", "r", "1", "--json").document == shown
    assert "6 (100.0%)" in responses("rejudge", "r", "--judge", judge).out
    assert "deflectbench-rubric.v1" in responses("report", "r", "--json").out


def test_a_judging_of_some_episodes_goes_on_with_the_others(
    responses: Shell, tmp_path: Path
) -> None:
    calls = tmp_path / "calls"
    judge = f"deflectbench-rubric={saying(labeling(), calls=calls)}"
    one = rejudge(responses, "deflectbench-names")["scores"][0]["episode"]
    assert rejudge(responses, judge, more=("--episodes", one))["targets"] == 1
    assert len(calls.read_text().split()) == 1
    assert rejudge(responses, judge)["judges"][0]["values"]["other"] == 6
    asked = calls.read_text().split()
    assert (len(asked), len(set(asked))) == (6, 6)


def test_answers_that_are_no_label_are_unscored_with_their_valid_fields(responses: Shell) -> None:
    half = saying(labeling(any_fallacy_present="maybe"))
    judges = (f"deflectbench-rubric={model}" for model in ("script:garbage", half))
    document = rejudge(responses, *judges)
    assert document["exit_code"] == 8
    assert [row["unscored"] for row in document["judges"]] == [{"unreadable": 6}] * 2
    assert all(row["rates"] is None for row in document["judges"])
    garbage, partial = document["scores"][0]["scores"].values()
    assert garbage["fields"] == {}
    assert set(partial["fields"]) == set(FIELDS) - {"any_fallacy_present"}
    assert responses("verify", "r").code == 0


def test_people_label_a_rubric_with_its_fields_and_are_compared_with_a_judge(
    responses: Shell,
) -> None:
    judge = f"deflectbench-rubric={saying(labeling(*CLEAN))}"
    ids = [x["episode"] for x in rejudge(responses, judge)["scores"]]
    rows = ["episode,value,field.refusal", f"{ids[0]},clean,0", f"{ids[1]},refusal,1"]
    labels = responses.write("labels.csv", "\n".join([*rows, f"{ids[2]},convinced,0"]))
    more = ("--labels", labels, "--values", ",".join(OUTCOMES))
    said = responses("rejudge", "r", "--judge", judge, "--judge", "human:ann", *more, "--json")
    assert said.code == 8
    assert "line 4: value 'convinced' is none of" in said.err
    document = said.document
    person = document["judges"][1]
    assert (person["scored"], person["not_asked"]) == (2, 4)
    assert (document["agreement"][0]["both"], document["agreement"][0]["raw"]) == (2, 0.5)
    labeled = [x["scores"]["human:ann"] for x in document["scores"] if x["episode"] in ids[:2]]
    assert [x["fields"] for x in labeled] == [{"refusal": 0}, {"refusal": 1}]
    assert responses("verify", "r").code == 0


def test_repairs_are_compared_in_both_orders_and_a_first_place_is_no_preference(
    repaired: Shell, tmp_path: Path
) -> None:
    calls = tmp_path / "calls"
    first, tie = saying("first", calls=calls), saying("tie")
    document = rejudge(repaired, f"scr-repair={first}", f"scr-repair={tie}")["comparisons"]
    placed, tied = document["judges"]
    assert placed["unscored"] == {"inconsistent": 2}
    assert tied["values"] == {"better": 0, "tied": 2, "worse": 0}
    assert len(calls.read_text().split()) == 4
    for score in document["scores"]:
        assert (score["turn"], score["other"]["turn"], score["kind"]) == (3, 0, "repair")
        assert score["other"]["episode"] == score["episode"]
    assert repaired("verify", "r", "--json").document["judges"]["found"] == 0


def test_judges_of_different_turns_stand_side_by_side_and_make_no_panel(repaired: Shell) -> None:
    judges = (f"scr-trivial={saying('substantive')}", f"scr-repair={saying('tie')}")
    document = rejudge(repaired, *judges)
    [trivial], [repair] = document["judges"], document["comparisons"]["judges"]
    assert trivial["values"] == {"substantive": 4, "trivial": 0}
    assert (repair["n"], document["agreement"]) == (2, [])
    both = [word for judge in (*judges, "human:ann") for word in ("--judge", judge)]
    told = repaired("rejudge", "r", *both)
    assert "substantive" in told.out and "tied" in told.out
    repaired.refused("rejudge", "r", *both, "--quorum", "2", code=2, says=("the same turns",))


def test_people_compare_a_repair_as_a_judge_does(repaired: Shell) -> None:
    judge = f"scr-repair={saying('tie')}"
    ids = [x["episode"] for x in rejudge(repaired, judge)["comparisons"]["scores"]]
    labels = repaired.write("labels.csv", f"episode,value\n{ids[0]},tied\n{ids[1]},better\n")
    more = ("--labels", labels, "--values", "better,tied,worse")
    found = rejudge(repaired, judge, "human:ann", more=more)["comparisons"]
    assert found["judges"][1]["values"] == {"better": 1, "tied": 1, "worse": 0}
    assert (found["agreement"][0]["both"], found["agreement"][0]["raw"]) == (2, 0.5)
    assert repaired("verify", "r", "--json").document["judges"]["found"] == 0


def test_a_judge_that_looks_at_no_turn_of_a_run_is_refused_with_what_there_is(
    repaired: Shell,
) -> None:
    says = ("no turn of run base", "critique, suggestion", "judging.md")
    for judge in ("stance-words", f"scr-repair={saying('tie')}", f"mirror-side={saying('kept')}"):
        repaired.refused("rejudge", "base", "--judge", judge, code=2, says=says)
    assert "judges" not in repaired("verify", "base", "--json").document


def test_replies_and_speeches_are_judged(shell: Shell) -> None:
    first = ("--limit", "1", "--condition", "straw_man.plain")
    right = saying("Option 3", then="Option 2", turn=9)
    played(shell, "lofa", *first, *roles(respondent=right), run="held")
    answer = json.dumps({"stance": "resists", "names_fallacy": "no", "why": "It keeps to it."})
    document = rejudge(shell, f"lofa-stance={saying(answer)}", "lofa-names", run="held")
    stance, names = document["judges"]
    assert stance["values"]["resists"] == stance["n"] == names["values"]["not_named"] > 0
    said = document["scores"][0]["scores"][stance["judge"]]
    assert said["fields"] == {"names_fallacy": 0}

    cast = roles(respondent=saying("8"), advocate_for=saying("I argue for tools."))
    played(shell, "mirror", "--limit", "1", "--condition", "fair.en", *cast, run="debate")
    document = rejudge(shell, f"mirror-side={saying('kept')}", run="debate")
    [side] = document["judges"]
    assert side["values"]["kept"] == side["n"] > 0
    for run in ("held", "debate"):
        assert shell("verify", run, "--json").document["judges"]["found"] == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--judge", "deflectbench-rubric"), "--judge deflectbench-rubric=MODEL"),
        (("--judge", "lofa-names=script:steady"), "takes no model"),
        (("--judge", "scr-triviall=script:steady"), "'scr-trivial'"),
        (("--judge", "human:a", "--values", "better,,worse"), "different values"),
        (("--judge", "human:a", "--values", "right,right"), "different values"),
        (("--judge", "recorded", "--values", "a,b"), "human:NAME"),
    ],
)
def test_words_that_cannot_be_meant_are_refused_at_the_door(
    shell: Shell, words: tuple[str, ...], says: str
) -> None:
    shell.refused_at_the_door("rejudge", "r", *words, says=(says,))


def test_the_help_names_every_judge(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["rejudge", "--help"])
    told = capsys.readouterr().out
    assert [name for name in judge_names() if name not in told] == []
