"""`eristic report` on imported runs, and on real sweeps in a real NATS."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.cli._commands import Shell
from tests.cli._reports import SECTIONS, mains, sections, shown
from tests.replay._published import import_into

from eristic.journal.memory import MemoryLog

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT.parent / "shared" / "data" / "logicom"


async def test_imported_debates_have_no_cost_and_no_first_check(
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = MemoryLog()
    await import_into(log)
    document = json.loads(
        await shown(capsys, log, "--json", "--choose", "initial_rule=first_check")
    )
    for name, reason in (("M10", "not recorded"), ("M4", "no readable check of round 1")):
        first = mains(document, name)[0]
        assert reason in first["value"]["reason"]
    assert dict(document["header"])["imported"] == "layout logicom-published.v1"


COLD = """
import asyncio, sys
from pathlib import Path
from eristic.cli import report
from tests.cli._reports import asked
from eristic.journal.memory import MemoryLog
log = MemoryLog()
for line in Path(sys.argv[1]).read_bytes().splitlines():
    episode, stored = line.split(b" ", 1)
    log._records.append((episode.decode(), stored))
args = asked("--resamples", "1000", "--json")
asyncio.run(report.report_log(log, "r", args))
"""


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published debates are not here")
async def test_2400_debates_are_reported_by_a_cold_process(tmp_path: Path) -> None:
    log = MemoryLog()
    await import_into(log, PUBLISHED)
    lines = [episode.encode() + b" " + stored async for episode, stored in log.records()]
    (tmp_path / "log").write_bytes(b"\n".join(lines))
    done = subprocess.run(
        [sys.executable, "-c", COLD, tmp_path / "log"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert len(json.loads(done.stdout)["sections"]) == len(SECTIONS)


# -- real runs


SWEEP = ("logicom", "--limit", "2", "--run", "r", "-o", "options.round_limit=2", "--repetitions")
STEADY = ("2", "--role", "all=script:steady?chars=40")


@pytest.mark.nats
def test_a_sweep_is_reported_with_calls_judges_and_tables(shell: Shell, tmp_path: Path) -> None:
    assert shell.run(*SWEEP, *STEADY).code == 0
    assert shell("rejudge", "r", "--judge", "stance-words", "--judge", "recorded").code == 0
    words = ("report", "r", "--resamples", "50", "--json")
    document = shell(*words, "--csv", str(tmp_path)).document
    assert [x["tally"]["used"] for x in mains(document, "M1")] == [8, 8, 8]
    calls = {
        row["keys"]["role"]: row["main"]["value"]
        for row in sections(document)["M10"]["rows"]
        if row["keys"]["scenario"] == "no_helper"
    }
    # Two rounds: two replies, one draft between them, three checks each.
    assert calls == {
        "conviction": 16,
        "debater": 16,
        "persuader": 8,
        "pleasantry": 16,
        "topic": 16,
        "(all)": 72,
    }
    judged = {row["keys"]["judge"]: row["main"] for row in sections(document)["M9b"]["rows"]}
    assert judged["recorded.v1"]["value"] == 1.0
    assert judged["stance-words.v1"]["tally"]["planned"] == 24
    one = shell(*words, "--judge", "recorded").document
    named = {row["keys"]["judge"] for row in sections(one)["M9b"]["rows"]}
    assert named == {"recorded.v1", "early stops"}
    assert (tmp_path / "r.csv").exists()
    plain = shell("report", "r", "--resamples", "50")
    assert plain.code == 0 and plain.err == ""
    assert max(map(len, plain.out.splitlines())) <= 130


@pytest.mark.nats
def test_an_archive_has_the_report_of_its_run(shell: Shell, tmp_path: Path) -> None:
    assert shell.run(*SWEEP, *STEADY).code == 0
    archive = str(tmp_path / "archive")
    assert shell("export", "r", archive).code == 0
    live, stored = (shell("report", name, "--resamples", "50", "--json") for name in ("r", archive))
    assert live.code == stored.code == 0
    assert live.out == stored.out


@pytest.mark.nats
@pytest.mark.parametrize(
    ("script", "cause"),
    [
        ("garbage", "outcome by default: no conviction check could be read"),
        ("refusing", "failed: conviction_failed (refusal)"),
        ("failing", "failed: debater_failed (server)"),
        ("empty", "failed: debater_failed (empty)"),
    ],
)
def test_a_model_that_gives_nothing_has_an_honest_report(
    shell: Shell, script: str, cause: str
) -> None:
    words = ("1", "--role", f"all=script:{script}", "-o", "calls.retries=0")
    assert shell.run(*SWEEP, *words).code == 8
    document = shell("report", "r", "--resamples", "50", "--json").document
    for measure in mains(document, "M1"):
        assert measure["value"]["type"] == "undefined"
        assert measure["tally"] == {
            "planned": 4,
            "used": 0,
            "exclusions": [{"cause": cause, "count": 4}],
        }
    assert _undefined(document, "C1") and _undefined(document, "M7")
    plain = shell("report", "r", "--resamples", "50")
    assert plain.code == 0 and cause in plain.out


def _undefined(document: Mapping[str, Any], name: str) -> bool:
    return all(x["value"]["type"] == "undefined" for x in mains(dict(document), name))


def test_without_the_extra_the_command_says_what_to_install(shell: Shell) -> None:
    program = (
        "import importlib.util, sys\n"
        "real = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name: None if name == 'scipy' else real(name)\n"
        "from eristic.cli import main\n"
        f"sys.exit(main(['report', 'r', '--home', {str(shell.home)!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 7
    assert "pip install 'eristic[stats]'" in done.stderr
    assert not shell.home.exists()


@pytest.mark.nats
def test_a_run_that_is_not_there_is_refused(shell: Shell) -> None:
    assert shell.run(*SWEEP, *STEADY).code == 0
    shell.refused("report", "rr", code=4, says=("there is no run 'rr'", "Did you mean 'r'"))
