from __future__ import annotations

import argparse
import json
import unicodedata
from typing import Any

import pytest
from tests.replay._plays import logged, spoke, tell, troubled, usual, write

from eristic.cli import show
from eristic.debate import Outcome
from eristic.debate.errors import LogDamaged, NameRefused, SpecRefused
from eristic.debate.ids import episode_id
from eristic.journal.memory import MemoryLog
from eristic.protocols import Due

HOSTILE = {
    "escape": "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b2J",
    "markup": "[red]not red[/red] [link=file:///etc]x[/link] :smile:",
    "long": "w" * 5000,
    "right to left": "\u202eevil\u202c \u2066x\u2069 שלום",
    "carriage": "shown\rhidden\r\nnext\u2028line",
    "wide": "議論" * 200,
}


def asked(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    show.add_arguments(parser)
    return parser.parse_args(["r", *words])


async def shown(capsys: pytest.CaptureFixture[str], log: MemoryLog, *words: str) -> str:
    assert await show.show_log(log, asked(*words)) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


@pytest.fixture
async def log() -> MemoryLog:
    return await logged(write(tell(troubled, number=2)))


FIRST = episode_id(case_id="case-0", condition="no_helper", repetition=0)


async def test_without_an_episode_all_are_listed_with_their_outcomes(
    capsys: pytest.CaptureFixture[str], log: MemoryLog
) -> None:
    out = await shown(capsys, log)
    assert all(episode in out for episode, _ in write(tell(troubled, number=2)) if episode != "run")
    assert "2 (100 %)" in out
    assert "run r · closed · started 2026-01-01 12:00 UTC" in out


async def test_a_limited_list_says_how_many_more_there_are(
    capsys: pytest.CaptureFixture[str], log: MemoryLog
) -> None:
    out = await shown(capsys, log, "--limit", "2")
    assert FIRST in out and "... 4 more" in out


@pytest.mark.parametrize("address", [FIRST, FIRST[:6], "1", "#1", "#01", "case-0/no_helper/0"])
async def test_an_episode_is_found_by_every_form_of_its_name(
    capsys: pytest.CaptureFixture[str], log: MemoryLog, address: str
) -> None:
    out = await shown(capsys, log, address, "--json")
    assert json.loads(out)["episode"] == FIRST


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("e", "several episodes of run r begin with 'e'"),
        ("#7", "It has 6, numbered from 1"),
        ("case-0/no_helpr/0", "Did you mean 'case-0/no_helper/0'"),
        ("", "has no episode ''"),
        ("ffffffffffff", "has no episode"),
    ],
)
async def test_an_episode_that_is_not_there_is_refused_with_the_way_on(
    log: MemoryLog, address: str, says: str
) -> None:
    with pytest.raises(NameRefused) as refused:
        await show.show_log(log, asked(address))
    assert says in str(refused.value)


async def test_a_turn_needs_an_episode(log: MemoryLog) -> None:
    with pytest.raises(SpecRefused, match="needs an EPISODE"):
        await show.show_log(log, asked("--at", "3"))


async def test_roles_are_told_apart_without_colour(
    capsys: pytest.CaptureFixture[str], log: MemoryLog
) -> None:
    out = await shown(capsys, log, "case-0/fallacious_helper/0")
    heads = [line.split()[:2] for line in out.splitlines() if line[:4].strip().isdigit()]
    assert {role for _, role in heads} >= {"persuader", "debater", "helper", "conviction", "memory"}
    assert "\x1b" not in out
    assert "=== round 1: continue === logicom-master.v1" in out
    assert "closed: convinced" in out


async def test_a_cut_transcript_shows_nothing_that_came_later(
    capsys: pytest.CaptureFixture[str], log: MemoryLog
) -> None:
    out = await shown(capsys, log, "1", "--at", "1")
    assert "I disagree, says turn 1." in out
    assert "cut at turn 1" in out
    for later in ("conviction", "round 1", "closed:", "convinced", "turn 5"):
        assert later not in out
    document = json.loads(await shown(capsys, log, "1", "--at", "1", "--json"))
    assert [entry["turn"] for entry in document["entries"]] == [0, 1]
    assert (document["state"], document["outcome"]) == ("open", None)


async def test_checks_can_be_left_out(capsys: pytest.CaptureFixture[str], log: MemoryLog) -> None:
    out = await shown(capsys, log, "1", "--no-checks", "--json")
    assert "check" not in {entry["kind"] for entry in json.loads(out)["entries"]}


async def test_json_is_one_document_for_an_episode_and_for_a_list(
    capsys: pytest.CaptureFixture[str], log: MemoryLog
) -> None:
    rows = json.loads(await shown(capsys, log, "--json"))["rows"]
    assert [row["number"] for row in rows] == [1, 2, 3, 4, 5, 6]
    assert rows[0]["outcome"] == "convinced"
    document = json.loads(await shown(capsys, log, "1", "--json"))
    assert document["entries"][1]["text"] == "I disagree, says turn 1."


def hostile(due: Due) -> Outcome:
    if due.role == "debater":
        return spoke(due, " | ".join(HOSTILE.values()))
    return usual(due)


async def _hostile_log() -> MemoryLog:
    one_round: dict[str, Any] = {"number": 1, "options": {"round_limit": 1}}
    return await logged(write(tell(hostile, conditions=("no_helper",), **one_round)))


@pytest.mark.parametrize("terminal", [False, True])
async def test_hostile_texts_reach_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, terminal: bool
) -> None:
    if terminal:
        _be_a_terminal(monkeypatch, columns=80)
        monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.setenv("TERM", "dumb")
    out = await shown(capsys, await _hostile_log(), "1")
    letters = {unicodedata.category(letter) for letter in out if letter != "\n"}
    assert not letters & {"Cc", "Cf", "Cs"}
    assert "[red]not red[/red]" in " ".join(out.split())
    assert ":smile:" in out
    assert "שלום" in out
    body = [line for line in out.splitlines() if "w" * 30 in line or "議論" in line]
    assert len(body) > 10
    assert max(len(line) for line in body) <= 100


async def test_colours_come_on_a_terminal_and_from_us_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _be_a_terminal(monkeypatch, columns=80)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    out = await shown(capsys, await _hostile_log(), "1")
    assert "\x1b[" in out
    assert "\x1b[31mred" not in out and "\x1b]0;" not in out and "\x9b" not in out
    assert "[red]not red[/red]" in " ".join(out.split())


def _be_a_terminal(monkeypatch: pytest.MonkeyPatch, *, columns: int) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(columns))
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)


async def test_hostile_texts_stay_whole_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(await shown(capsys, await _hostile_log(), "1", "--json"))
    assert document["entries"][1]["text"] == " | ".join(HOSTILE.values())


async def test_an_open_episode_is_shown_as_far_as_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = await logged(write(tell(usual, steps=2, number=1)))
    out = await shown(capsys, log)
    assert out.count("open") >= 3
    out = await shown(capsys, log, "#1")
    assert "I disagree, says turn 1." in out
    assert "open: this is all so far" in out


async def test_a_run_that_has_only_begun_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    log = await logged(write(tell(number=1)[:1]))
    assert "3 not begun" in await shown(capsys, log)
    with pytest.raises(NameRefused, match="no episode yet"):
        await show.show_log(log, asked("1"))


async def test_a_damaged_chain_is_not_shown_as_if_it_were_whole() -> None:
    records = write(tell(usual, number=1, conditions=("no_helper",)))
    changed = [(e, s.replace(b"I disagree", b"I agree!!!")) for e, s in records]
    log = await logged(changed)
    with pytest.raises(LogDamaged, match="eristic verify r"):
        await show.show_log(log, asked("1"))


@pytest.mark.parametrize("words", [["1", "--at", "-1"], ["--limit", "0"], ["1", "--at", "x"]])
def test_numbers_that_cannot_be_are_refused(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    with pytest.raises(SystemExit):
        asked(*words)
    assert "argument --" in capsys.readouterr().err
