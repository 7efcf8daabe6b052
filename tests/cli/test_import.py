"""`eristic import` as a user meets it, over a real server."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.cli._commands import Shell

OWN = Path(__file__).parents[1] / "replay" / "fixtures" / "logicom_published"
HELPED = "1001_1_AOWN/logical_helper/1"

pytestmark = pytest.mark.nats


def test_published_debates_are_imported_shown_and_proven(shell: Shell) -> None:
    made = shell("import", "logicom", str(OWN), "--run", "p")
    assert made.code == 0, made.err
    assert "run p: 10 episodes added, 0 already there, 0 conflicting, 0 unreadable" in made.out
    assert "GPT-4" in made.out and "response_not_last" in made.out

    again = shell("import", "logicom", str(OWN), "--run", "p", "--json").document
    assert (again["added"], again["already_there"], again["is_complete"]) == (0, 10, True)

    proven = shell("verify", "p", "--head", again["head"], "--json")
    assert proven.code == 0
    assert proven.document["state"] == "whole" and proven.document["is_closed"]

    (row,) = shell("ls", "--json").document["runs"]
    assert (row["state"], row["closed"], row["planned"]) == ("imported", 10, 10)
    assert row["spec"] == "import of logicom-published.v1"
    listed = shell("show", "p").out
    assert "run p · imported ·" in listed and "10 episodes imported" in listed


def test_a_helped_debate_reads_as_the_debate_that_took_place(shell: Shell) -> None:
    shell("import", "logicom", str(OWN), "--run", "p")
    out = shell("show", "p", HELPED).out
    assert "imported by eristic" in out
    assert "1/GPT-3.5/1001_1_AOWN/Vanilla_Helper/" in out
    assert "debater GPT-3.5" in out and "moderator calls" in out
    assert "2  persuader  with the helper" in out
    assert "\n      Bells tell the hour in the dark.\n" in out
    assert "\n      (response, not sent: This was never sent.)\n" in out
    assert "6  persuader  [never sent]" in out
    assert "{'tip'" not in out
    document = shell("show", "p", HELPED, "--json").document
    assert document["entries"][2]["text"].startswith("[{'tip'")


def test_files_that_cannot_be_imported_end_with_nine(shell: Shell) -> None:
    shutil.copytree(OWN, shell.folder / "own")
    broken, changed, *_ = sorted((shell.folder / "own").rglob("*.json"))
    shell("import", "logicom", str(shell.folder / "own"), "--run", "p")
    broken.write_bytes(b"{")
    changed.write_bytes(changed.read_bytes().replace(b"doubt", b"trust"))
    said = shell("import", "logicom", str(shell.folder / "own"), "--run", "p")
    assert said.code == 9
    assert "unreadable  debates/iteration 1/" in said.out and "is not JSON" in said.out
    assert "conflicting  debates/iteration 1/" in said.out
    found = shell("import", "logicom", str(shell.folder / "own"), "--run", "p", "--json")
    assert found.code == 9
    assert [len(found.document[kind]) for kind in ("conflicts", "unreadable")] == [1, 1]


def test_a_cell_of_two_models_is_asked_for_by_id(shell: Shell) -> None:
    shutil.copytree(OWN / "debates" / "iteration 1" / "GPT-3.5", shell.folder / "iteration 1/A")
    shutil.copytree(OWN / "debates" / "iteration 1" / "GPT-3.5", shell.folder / "iteration 1/B")
    shell("import", "logicom", str(shell.folder / "iteration 1"), "--run", "p")
    message = shell.refused("show", "p", HELPED, code=2, says=("several episodes", "give one"))
    episode = message.split("this run: ")[1].split(" ")[0]
    assert shell("show", "p", episode).code == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nobody", "."), ("no importer 'nobody'", "logicom")),
        (("logicom", "nowhere"), ("nowhere is not there",)),
        (("logicom", "."), ("holds no debate", "debates/iteration <n>/")),
        (("logicom", ".", "--run", "A B"), ("'A B' is not allowed",)),
        (("logicom",), ("SOURCE",)),
    ],
)
def test_what_cannot_be_imported_is_refused_before_anything_starts(
    shell: Shell, words: tuple[str, ...], says: tuple[str, ...]
) -> None:
    shell.refused_at_the_door("import", *words, says=says)


def test_a_source_of_damaged_files_only_says_what_is_wrong_with_them(shell: Shell) -> None:
    path = shell.folder / "iteration 1" / "GPT-4" / "t" / "No_Helper" / "x.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"log": []}))
    shell.refused_at_the_door(
        "import", "logicom", str(shell.folder), says=("no debate", "missing required field")
    )


def test_a_run_that_is_no_import_is_left_alone(shell: Shell) -> None:
    role = "all=script:steady"
    assert shell.run("logicom", "--role", role, "--limit", "1", "--run", "own").code == 0
    shell.refused(
        "import", "logicom", str(OWN), "--run", "own", code=2, says=("is no import of", "--run")
    )
    assert shell("verify", "own").code == 0
