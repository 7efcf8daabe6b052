"""`eristic fork` with a real server: what it says, plays, refuses, and leaves alone."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.cli._commands import Shell
from tests.cli._forks import STEADY, YIELDING, fork, with_base
from tests.cli._logs import Records, records_of, write_log

from eristic.debate import EpisodeOpened, RunOpened, TurnSpoken
from eristic.debate.envelopes import decode
from eristic.debate.ids import call_id

pytestmark = pytest.mark.nats

PUBLISHED = Path(__file__).parents[1] / "replay" / "fixtures" / "logicom_published"


@pytest.fixture
def base(shell: Shell) -> Shell:
    return with_base(shell)


def opened(records: Records) -> dict[str, EpisodeOpened]:
    bodies = ((name, decode(stored).body) for name, stored in records)
    return {name: body for name, body in bodies if isinstance(body, EpisodeOpened)}


def test_a_fork_flips_outcomes_and_leaves_its_source_byte_for_byte(base: Shell) -> None:
    before = records_of(base, "base")
    found = fork(base, "base", "all@6", "--role", YIELDING, "--run", "flipped")
    assert found["outcomes"]["no_helper"] == {"convinced": 2}
    compared = found["fork"]["comparison"]
    assert compared["shifts"] == [{"before": "not_convinced", "after": "convinced", "count": 6}]
    assert (compared["first_only"], compared["second_only"]) == (0, 3)
    assert compared["p"] == 0.25  # 2 x (1/2)^3
    assert records_of(base, "base") == before
    assert base("verify", "base").code == 0
    verified = base("verify", "flipped", "--json").document
    assert verified["state"] == "whole"
    assert verified["shared"] == {"branches": 6, "proven": 6, "compared": 6}


def test_only_the_suffix_is_asked_for(base: Shell, tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    found = fork(base, "base", "1@6", "--role", f"all=script:steady?calls={calls}")
    turns = [int(line.split(".")[-3]) for line in calls.read_text().split()]
    assert sorted(turns) == list(range(7, 15))
    expected = found["fork"]["expected"]
    assert sum(expected["longest"].values()) == len(turns)
    assert sum(expected["least"].values()) == 3
    report = base("report", found["run"], "--resamples", "10", "--json").document
    [costs] = (section for section in report["sections"] if section["id"] == "M10")
    made = {row["keys"]["role"]: row["main"]["value"] for row in costs["rows"]}
    assert made["(all)"] == len(turns)


def test_repeated_forks_go_on_differently_and_the_same_command_asks_nothing(
    base: Shell, tmp_path: Path
) -> None:
    calls = tmp_path / "calls"
    calls.touch()
    words = ["base", "1@6", "--repeat", "5", "--role", f"all=script:steady?calls={calls}"]
    found = fork(base, *words)
    assert found["episodes"] == 5
    records = records_of(base, found["run"])
    headers = opened(records)
    assert len({header.seed for header in headers.values()}) == 5
    bodies = [(name, decode(stored).body) for name, stored in records]
    suffixes = {
        name: tuple(b.text for n, b in bodies if n == name and isinstance(b, TurnSpoken))
        for name in headers
    }
    assert len({texts[:7] for texts in suffixes.values()}) == 1
    assert len({texts[7:] for texts in suffixes.values()}) == 5
    asked = calls.read_bytes()
    again = fork(base, *words)
    assert calls.read_bytes() == asked
    assert again["head"] == found["head"]
    assert again["fork"]["expected"]["open"] == 0


def test_a_fork_of_another_wish_has_another_name_and_cannot_take_the_same(base: Shell) -> None:
    one = fork(base, "base", "1@6", "--role", YIELDING)["run"]
    two = fork(base, "base", "1@5", "--role", YIELDING)["run"]
    assert one.startswith("base-fork-")
    assert one != two
    base.refused(
        *("fork", "base", "1@5", "--role", YIELDING, "--run", one, "--host", "inline"),
        code=2,
        says=("exists with another spec", "source.points", "Choose another name with --run"),
    )


def test_the_new_run_is_listed_and_shown_as_a_fork(base: Shell) -> None:
    fork(base, "base", "1@6", "--role", YIELDING, "--run", "f")
    assert "fork of base" in base("ls").out
    assert "branched from base/" in base("show", "f", "1").out


def test_a_fork_in_the_middle_of_a_round_asks_the_rest_of_its_checks(base: Shell) -> None:
    found = fork(base, "base", "1@2", "--role", "pleasantry=script:yielding?turn=3")
    assert found["endings"][0]["reason"] == "pleasantries"
    records = records_of(base, found["run"])
    bodies = [decode(stored).body for name, stored in records if name != "run"]
    assert [b.turn for b in bodies if isinstance(b, TurnSpoken)] == [0, 1, 2, 3, 4]


def test_what_stands_behind_the_fork_point_changes_nothing(base: Shell) -> None:
    """A source whose later events cannot even be decoded gives the same fork."""
    records = records_of(base, "base")
    episode = next(name for name, _ in records if name != "run")
    chain = [stored for name, stored in records if name == episode]
    position = fork(base, "base", f"{episode}@6", "--dry-run")["branches"][0]["position"]
    whole = fork(base, "base", f"{episode}@6", "--role", YIELDING, "--run", "whole")
    other = Shell(base.folder)
    other.home = base.folder / "elsewhere"
    poison = [(episode, b"poison " + bytes([65 + n])) for n in range(3)]
    kept = [(episode, stored) for stored in chain[: position + 1]]
    write_log(other, "base", [records[0], *kept, *poison])
    found = fork(other, "base", f"{episode}@6", "--role", YIELDING, "--run", "whole")
    assert found["fork"]["branches"] == whole["fork"]["branches"]
    assert [decode(x).body for _, x in records_of(other, "whole")[1:-1]] == [
        decode(x).body for _, x in records_of(base, "whole")[1:-1]
    ]


def test_episodes_come_from_a_file(base: Shell) -> None:
    path = base.write("points.txt", "# which\n1@6\n\n2@4\n1@6\n")
    found = fork(base, "base", "--episodes", path, "--role", YIELDING)
    assert [x["source"].partition("@")[2] for x in found["fork"]["branches"]] == ["6", "4"]


def test_an_archive_is_forked_like_the_run_it_holds(base: Shell, tmp_path: Path) -> None:
    fork(base, "base", "1@6", "--role", YIELDING, "--run", "live")
    archive = tmp_path / "kept"
    assert base("export", "base", str(archive)).code == 0
    fork(base, str(archive), "1@6", "--role", YIELDING, "--run", "cold")
    live, cold = records_of(base, "live"), records_of(base, "cold")
    assert opened(live) == opened(cold)
    assert asks(live) == asks(cold)


def asks(records: Records) -> list[tuple[str, int, int | None]]:
    """What was asked with which seed; a script's text depends on the run's name, too."""
    bodies = ((name, decode(stored).body) for name, stored in records)
    return [(name, x.turn, x.seed) for name, x in bodies if isinstance(x, TurnSpoken)]


def test_an_imported_debate_goes_on_with_our_prompts(shell: Shell) -> None:
    assert shell("import", "logicom", str(PUBLISHED), "--run", "pub").code == 0
    shell.refused("fork", "pub", "1@3", code=2, says=("nobody plays persuader", "--role all=MODEL"))
    said = shell("fork", "pub", "1@3", "--role", STEADY, "--dry-run")
    assert "prompts: not in the source -> those of eristic" in said.err
    found = fork(shell, "pub", "1@3", "--role", STEADY, "-o", "options.round_limit=4")
    assert found["endings"][0]["rounds"] == 4
    first = decode(records_of(shell, found["run"])[0][1]).body
    assert isinstance(first, RunOpened)
    assert '"prompts":"ours"' in first.spec
    assert shell("verify", found["run"]).code == 0


def test_a_killed_fork_goes_on_and_pays_for_nothing_twice(base: Shell, tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    calls.touch()
    model = f"script:steady?chars=80&delay_ms=30&calls={calls}"
    words = ["fork", "base", "all@1", "--role", f"all={model}", "--run", "f", "--repeat", "2"]
    more = ["--parallel", "4", "--host", "inline", "--json"]
    command = [sys.executable, "-m", "eristic.cli", *words, *more, "--home", str(base.home)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        wait_for(lambda: calls.read_bytes().count(b"\n") >= 40, process)
        process.send_signal(signal.SIGKILL)
    logged = {
        call_id(run="f", episode=name, turn=body.turn, role=body.role, attempt=body.attempt)
        for name, stored in records_of(base, "f")
        if isinstance(body := decode(stored).body, TurnSpoken)
        and body.call is not None
        and body.turn > 1
    }
    assert 0 < len(logged) < 150
    found = fork(base, *words[1:], "--parallel", "4")
    assert found["state"] == "finished"
    counts = Counter(calls.read_text().split())
    assert {name for name in logged if counts[name] != 1} == set()
    # At the kill 4 episodes were played, each with up to 3 checks under way.
    assert sum(counts.values()) - len(counts) <= 12
    verified = base("verify", "f", "--json").document
    assert (verified["state"], verified["shared"]["proven"]) == ("whole", 12)


def wait_for(holds: Any, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert process.poll() is None, process.stderr.read() if process.stderr else ""
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_fork_can_be_archived_and_proves_its_beginning_there(base: Shell, tmp_path: Path) -> None:
    fork(base, "base", "1@2", "--role", YIELDING, "--run", "f")
    archive = str(tmp_path / "kept")
    assert base("export", "f", archive).code == 0
    verified = base("verify", archive, "--json").document
    assert verified["state"] == "whole"
    assert verified["shared"] == {"branches": 1, "proven": 1, "not_compared": 1}
