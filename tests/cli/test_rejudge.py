"""`eristic rejudge` on a real server, run inline."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from tests.cli._commands import Json, Shell

pytestmark = pytest.mark.nats

QUICK = ("--condition", "no_helper", "-o", "options.round_limit=1")


@pytest.fixture
def judged(shell: Shell) -> Shell:
    """A home with a run `r` of six episodes that nobody was convinced in."""
    words = ("logicom", "--role", "all=script:steady", "--limit", "3")
    assert shell.run(*words, "--run", "r", *QUICK).code == 0
    return shell


def rejudge(shell: Shell, *words: str) -> Json:
    said = shell("rejudge", "r", *words, "--json")
    assert said.code in (0, 3, 8), said.err
    return said.document


def calls(path: Path) -> list[str]:
    return path.read_text().split() if path.exists() else []


def test_judges_are_tabled_compared_and_agree_and_the_second_time_asks_nobody(
    judged: Shell, tmp_path: Path
) -> None:
    file = tmp_path / "calls"
    words = ("--judge", f"script:steady?calls={file}", "--judge", "recorded", "--quorum", "2")
    document = rejudge(judged, *words)
    assert (document["state"], document["targets"], document["left"]) == ("judged", 6, 0)
    script, recorded = document["judges"]
    assert script["values"] == {"agrees": 0, "unclear": 0, "disagrees": 6}
    assert recorded["values"] == {"convinced": 0, "not_convinced": 6}
    assert document["panel"]["decided"] == {"convinced": 0, "not_convinced": 6}
    assert document["against_recorded"][0]["same"] == 6
    assert document["agreement"][0]["raw"] == 1.0
    assert len(calls(file)) == 6
    assert rejudge(judged, *words) == document
    assert len(calls(file)) == 6
    said = judged("rejudge", "r", *words)
    for fact in ("6 of 6 the same (100.0%)", "panel of 2, quorum 2", "agreement"):
        assert fact in " ".join(said.out.split())


def test_a_judge_that_always_fails_is_unscored_and_its_rates_are_undefined(judged: Shell) -> None:
    words = ("--judge", "script:failing", "--judge", "script:garbage", "--quorum", "1")
    document = rejudge(judged, *words)
    assert document["exit_code"] == 8
    assert [x["unscored"] for x in document["judges"]] == [{"failed": 6}, {"unreadable": 6}]
    assert all(x["rates"] is None and x["n"] == 6 for x in document["judges"])
    assert document["panel"]["no_quorum"] == 6
    out = judged("rejudge", "r", *words).out
    assert "undefined: nothing scored" in out
    assert "%" not in out


def test_a_killed_judging_goes_on_and_asks_nothing_that_was_answered_and_logged(
    judged: Shell, tmp_path: Path
) -> None:
    file = tmp_path / "calls"
    judge = f"script:steady?calls={file}&delay_ms=60"
    words = ["rejudge", "r", "--judge", judge, "--samples", "10", "--parallel", "2"]
    command = [sys.executable, "-m", "eristic.cli", *words, "--home", str(judged.home)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        wait_for(lambda: len(calls(file)) >= 12, process)
        process.send_signal(signal.SIGKILL)
    asked_before = calls(file)
    assert len(asked_before) < 60
    before = rejudge(judged, *words[2:], "--dry-run")
    logged = before["cost"]["calls"]
    assert len(asked_before) - 2 <= logged <= len(asked_before)
    after = rejudge(judged, *words[2:])
    assert (after["left"], after["cost"]["calls"]) == (0, 60)
    counts = Counter(calls(file))
    assert len(counts) == 60
    again = [call for call, count in counts.items() if count > 1]
    assert len(again) == len(asked_before) - logged, "only those in flight at the kill"
    rejudge(judged, *words[2:])
    assert Counter(calls(file)) == counts


def wait_for(holds: object, process: subprocess.Popen[bytes]) -> None:
    assert callable(holds)
    deadline = time.monotonic() + 60
    while not holds():
        assert process.poll() is None, process.stderr.read() if process.stderr else ""
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_limit_stops_before_it_is_broken_and_a_higher_one_goes_on(
    judged: Shell, tmp_path: Path
) -> None:
    file = tmp_path / "calls"
    model = f"script:steady?calls={file}"
    words = ("--judge", model, "--price", f"{model}=1,10", "--yes")
    document = rejudge(judged, *words, "--max-usd", "0.0085")
    assert document["exit_code"] == 3
    made = len(calls(file))
    assert 1 <= made < 6
    assert document["left"] == 6 - made
    assert 0 < document["cost"]["known_usd"] <= 0.0085
    same = rejudge(judged, *words, "--max-usd", "0.0085")
    assert (same["left"], len(calls(file))) == (6 - made, made)
    said = judged("rejudge", "r", *words, "--max-usd", "0.0085")
    assert said.code == 3
    assert "could exceed it" in said.err
    assert rejudge(judged, *words, "--max-usd", "1")["left"] == 0
    assert len(calls(file)) == 6


def test_spending_needs_a_yes_where_nobody_can_be_asked(judged: Shell, tmp_path: Path) -> None:
    file = tmp_path / "calls"
    model = f"script:steady?calls={file}"
    words = ("rejudge", "r", "--judge", model, "--price", f"{model}=1,10")
    judged.refused(*words, code=2, says=("add --yes",))
    assert calls(file) == []
    said = judged(*words, "--dry-run")
    assert said.code == 3
    assert "6 calls, about $0." in said.err
    assert calls(file) == []


def test_a_dry_run_scores_by_rules_and_writes_nothing(judged: Shell) -> None:
    document = rejudge(judged, "--judge", "stance-words", "--dry-run")
    assert document["judges"][0]["n"] == 6
    verified = judged("verify", "r", "--json").document
    assert "judges" not in verified


def test_labels_of_people_are_one_more_judge_and_bad_lines_are_told(judged: Shell) -> None:
    ids = [x["episode"] for x in rejudge(judged, "--judge", "recorded")["scores"]]
    rows = [f"{ids[0]},agrees", f"{ids[1]},disagrees", "e0,agrees", f"{ids[2]},maybe"]
    path = judged.write("labels.csv", "\n".join(["episode,value", *rows]))
    words = ("--judge", "human:ann", "--judge", "stance-words")
    said = judged("rejudge", "r", *words, "--labels", path)
    assert said.code == 8
    assert "labels.csv, line 4: episode 'e0'" in said.err
    assert "labels.csv, line 5: value 'maybe'" in said.err
    document = rejudge(judged, *words)
    assert document["judges"][0]["values"] == {"agrees": 1, "unclear": 0, "disagrees": 1}
    assert document["against_recorded"][0]["changed"] == {"not_convinced -> convinced": 1}
    judged.refused(
        "rejudge", "r", "--judge", "recorded", "--labels", path, code=2, says=("human:NAME",)
    )


def test_two_runs_are_compared_in_both_orders(judged: Shell) -> None:
    words = ("logicom", "--role", "all=script:steady?chars=300", "--limit", "1", "--run", "s")
    assert judged.run(*words, *QUICK).code == 0
    judge = ("--judge", "llm-compare=script:garbage")
    judged.refused("rejudge", "r", *judge, code=2, says=("--against RUN",))
    document = rejudge(judged, *judge, "--against", "s")
    (row,) = document["comparisons"]["judges"]
    assert (row["n"], document["cost"]["calls"]) == (2, 4)
    assert row["unscored"] == {"unreadable": 2}


def test_verify_reads_the_judges_too(judged: Shell) -> None:
    rejudge(judged, "--judge", "stance-words", "--judge", "script:steady")
    found = judged("verify", "r", "--json").document
    assert (found["judges"]["chains"], found["judges"]["judgements"]) == (2, 12)
    assert found["judges"]["found"] == 0
    assert "12 judgements of 2 judges" in judged("verify", "r").out


def test_a_family_is_excluded_where_its_name_is_known(judged: Shell) -> None:
    words = ("--judge", "script:steady", "--exclude-family")
    document = rejudge(judged, *words)
    assert "family unknown, nothing excluded: script:steady" in document["remarks"]
    assert document["judges"][0]["excluded"] == 0


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ((), 2, ("--judge stance-words",)),
        (("--judge", "stance-word"), 2, ("'stance-words'",)),
        (("--judge", "llm-stance"), 2, ("needs a model",)),
        (("--judge", "recorded", "--quorum", "2"), 2, ("can never be met",)),
        (("--judge", "recorded", "--judge", "recorded"), 2, ("given twice",)),
        (("--judge", "human:"), 2, ("annotator's name",)),
        (("--judge", "x/unpriced", "--max-usd", "1"), 2, ("--price 'x/unpriced=IN,OUT'",)),
        (("--judge", "recorded", "--price", "a=b"), 2, ("MODEL=IN,OUT",)),
        (("--judge", "recorded", "--samples", "0"), 2, ("1 or more",)),
        (("--judge", "human:a", "--labels", "/nowhere.csv"), 2, ("/nowhere.csv",)),
    ],
)
def test_words_that_cannot_be_meant_are_refused_at_the_door(
    shell: Shell, words: tuple[str, ...], code: int, says: tuple[str, ...]
) -> None:
    shell.refused_at_the_door("rejudge", "r", *words, code=code, says=says)


def test_an_unknown_model_is_refused_before_anything_is_asked(judged: Shell) -> None:
    judged.refused("rejudge", "r", "--judge", "script:stedy", code=6, says=("steady",))


def test_an_unknown_episode_is_refused_with_the_nearest(judged: Shell) -> None:
    one = rejudge(judged, "--judge", "recorded")["scores"][0]["episode"]
    document = rejudge(judged, "--judge", "recorded", "--episodes", one)
    assert [x["episode"] for x in document["scores"]] == [one]
    judged.refused(
        "rejudge", "r", "--judge", "recorded", "--episodes", "zzz", code=2, says=("'zzz'",)
    )


def test_an_archive_is_judged_like_the_run_that_it_holds(judged: Shell, tmp_path: Path) -> None:
    archive = str(tmp_path / "archive")
    assert judged("export", "r", "--to", "parquet", archive).code == 0
    said = judged("rejudge", archive, "--judge", "stance-words", "--json")
    assert said.code == 0, said.err
    assert said.document["run"] == "r"
    assert said.document["targets"] == 6
    # The judgements stand beside the run of that name: nothing is left to ask there.
    assert rejudge(judged, "--judge", "stance-words")["judges"] == said.document["judges"]
