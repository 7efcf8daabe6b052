from __future__ import annotations

import json

import pytest
from tests.replay._plays import logged, tell, troubled, usual, write

from eristic.cli.ls import describe_run, print_runs


async def test_a_run_is_one_row_with_what_became_of_its_episodes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    closed = await describe_run(await logged(write(tell(troubled, number=1))), "r")
    open_ = await describe_run(await logged(write(tell(usual, steps=2, number=1))), "half")
    print_runs([closed, open_], as_json=True)
    rows = json.loads(capsys.readouterr().out)["runs"]
    assert [(row["run"], row["state"], row["planned"]) for row in rows] == [
        ("r", "closed", 3),
        ("half", "open", 3),
    ]
    assert (rows[0]["closed"], rows[0]["outcomes"]) == (3, {"convinced": 3})
    assert (rows[1]["open"], rows[1]["closed"], rows[1]["outcomes"]) == (3, 0, {})
    assert rows[0]["started"] == "2026-01-01T12:00:00Z"
    assert rows[0]["spec"] == "3 conditions x 1: made-up-1, made-up-2"


async def test_the_table_names_every_run(capsys: pytest.CaptureFixture[str]) -> None:
    closed = await describe_run(await logged(write(tell(troubled, number=1))), "r")
    print_runs([closed], as_json=False)
    out = capsys.readouterr().out
    assert out.splitlines()[1].split()[:4] == ["r", "logicom", "closed", "3/3"]
    assert "convinced 3" in out


async def test_a_run_that_cannot_be_read_is_listed_with_its_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    row = await describe_run(await logged([("run", b"not json")]), "broken")
    assert row.state == "unreadable"
    print_runs([row], as_json=False)
    assert "broken: not an event" in capsys.readouterr().out


def test_no_runs_says_how_to_start_one(capsys: pytest.CaptureFixture[str]) -> None:
    print_runs([], as_json=False, where="here")
    assert "eristic run" in capsys.readouterr().out
    print_runs([], as_json=True, where="here")
    assert json.loads(capsys.readouterr().out) == {"where": "here", "runs": []}
