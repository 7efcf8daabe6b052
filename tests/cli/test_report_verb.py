"""What `eristic report` prints, writes and refuses."""

from __future__ import annotations

import csv
import io
import json
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.cli._reports import SECTIONS, asked, mains, sections, shown
from tests.replay._plays import logged, tell, troubled, usual, write

from eristic.cli import report
from eristic.cli.report_files import COLUMNS
from eristic.debate import EpisodeOpened
from eristic.debate.errors import NameRefused, SpecRefused
from eristic.journal.memory import MemoryLog


@pytest.fixture
async def log() -> MemoryLog:
    return await logged(write(tell(troubled, number=2)))


# -- what is printed


async def test_the_report_says_what_ran_before_any_number(
    capsys: pytest.CaptureFixture[str], log: MemoryLog
) -> None:
    out = await shown(capsys, log)
    head = out[: out.index("M1  success rate")]
    for fact in (
        "report of run r",
        "6 planned, 6 with an outcome that counts",
        "2 in 1 pairs",
        "made-up-1 (6 debates); reported as made-up-0 (6)",
        "95 %, block bootstrap, 50 resamples, seed 1",
        "arXiv 2308.09853. Percent on both",
    ):
        assert fact in head, fact


async def test_every_section_has_its_table_and_its_published_numbers(
    capsys: pytest.CaptureFixture[str], log: MemoryLog
) -> None:
    out = await shown(capsys, log)
    for name in SECTIONS:
        assert f"\n{name}  " in out
    assert "GPT-3.5 29 %, GPT-4 37 %" in out
    assert "Figure 7: percent of claims (figure-label)" in out
    assert "audit  " in out
    assert "\x1b" not in out


async def test_a_narrow_terminal_loses_no_column(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, log: MemoryLog
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    out = await shown(capsys, log)
    lines = out.splitlines()
    # A key that never differs is no column, so a head is known by what stands below it.
    heads = [set(line.split()) for line, below in pairwise(lines) if "  " in below.strip()]
    assert {"value", "interval", "n", "published", "rep", "sd", "variance", "Holm"} <= set().union(
        *heads
    )
    assert "no room for" not in out
    assert max(map(len, lines)) <= 80


async def test_json_has_values_in_their_units_seeds_rules_and_versions(
    capsys: pytest.CaptureFixture[str], log: MemoryLog
) -> None:
    document = json.loads(await shown(capsys, log, "--json", "--seed", "7"))
    assert sections(document).keys() == SECTIONS
    assert document["settings"] == {
        "resamples": 50,
        "seed": 7,
        "level": 0.95,
        "choices": {},
    }
    assert document["rules"]["verdict"] == "logicom-master.v1"
    assert document["units"]["fraction"].startswith("a share from 0 to 1")
    assert document["software"].startswith("eristic ")
    (first, *_) = mains(document, "M1")
    assert (first["value"], first["seed"], first["resamples"]) == (1.0, 7, 50)
    assert {x["origin"] for x in first["published"]} == {"figure-label"}


async def test_the_table_file_is_tidy_and_in_percent(
    capsys: pytest.CaptureFixture[str], log: MemoryLog, tmp_path: Path
) -> None:
    out = await shown(capsys, log, "--csv", str(tmp_path / "new" / "tables"))
    path = tmp_path / "new" / "tables" / "r.csv"
    assert str(path) in out
    rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8"))))
    assert tuple(rows[0]) == COLUMNS
    cells = [(row["metric"], row["keys"]) for row in rows]
    assert len(cells) == len(set(cells)) > 100
    m1 = next(row for row in rows if row["metric"] == "logicom.success_rate.mean")
    assert (m1["value"], m1["unit"], m1["n"], m1["excluded"]) == ("100", "percent", "2", "0")
    assert (m1["published"], m1["origin"]) == ("GPT-3.5=29; GPT-4=37", "figure-label")
    undefined = [row for row in rows if row["cause"].startswith("undefined: ")]
    assert undefined and all(row["value"] == "" for row in undefined)


async def test_a_folder_that_cannot_be_written_is_refused(log: MemoryLog, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SpecRefused, match="name a folder to write to"):
        await report.report_log(log, "r", asked("--csv", str(tmp_path / "file")))


async def test_the_order_in_the_log_changes_no_number(
    capsys: pytest.CaptureFixture[str], log: MemoryLog
) -> None:
    chains: dict[str, list[tuple[str, bytes]]] = {}
    for record in [record async for record in log.records()]:
        chains.setdefault(record[0], []).append(record)
    turned = await logged([x for name in reversed(chains) for x in chains[name]])
    assert await shown(capsys, log, "--json") == await shown(capsys, turned, "--json")


async def test_hostile_names_reach_no_terminal_and_no_formula(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    hostile = '=cmd|"/c calc"!A0\x1b[31m\u202e\nx,y'
    told = [
        (name, _bound(event, hostile) if isinstance(event, EpisodeOpened) else event, moment)
        for name, event, moment in tell(usual, number=1, options={"round_limit": 1})
    ]
    out = await shown(capsys, await logged(write(told)), "--csv", str(tmp_path))
    text = (tmp_path / "r.csv").read_text("utf-8")
    for letter in "\x1b\u202e":
        assert letter not in out and letter not in text
    for row in csv.reader(io.StringIO(text)):
        assert len(row) == len(COLUMNS)
        assert not any(cell.startswith(("=", "@", "+")) for cell in row)


def _bound(opened: EpisodeOpened, model: str) -> EpisodeOpened:
    cast = {role: replace(binding, model=model) for role, binding in opened.cast.items()}
    return replace(opened, cast=cast)


# -- what is refused


async def test_a_run_without_an_episode_has_nothing_to_report() -> None:
    with pytest.raises(SpecRefused, match="no episode yet"):
        await report.report_log(await logged(write(tell(usual, number=1)[:1])), "r", asked())


async def test_a_judge_that_never_judged_is_refused(log: MemoryLog) -> None:
    with pytest.raises(NameRefused, match="eristic rejudge"):
        await report.report_log(log, "r", asked("--judge", "stance-words"))


async def test_an_unknown_rule_is_refused(log: MemoryLog) -> None:
    with pytest.raises(SpecRefused, match="rounds_gt_2"):
        await report.report_log(log, "r", asked("--choose", "initial_rule=rounds"))


@pytest.mark.parametrize("words", [["--resamples", "0"], ["--seed", "-1"], ["--seed", "x"]])
def test_numbers_that_cannot_be_are_refused(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    with pytest.raises(SystemExit):
        asked(*words)
    assert "argument --" in capsys.readouterr().err
