"""`eristic fork` with a real server: what it says, plays, refuses, and leaves alone."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.cli._commands import Json, Shell
from tests.cli._logs import Records, records_of, write_log

from eristic.debate import EpisodeOpened, RunOpened, TurnSpoken
from eristic.debate.envelopes import decode
from eristic.debate.ids import call_id

pytestmark = pytest.mark.nats

BASE = ["logicom", "--run", "base", "--limit", "1", "-o", "options.round_limit=3"]
STEADY = "all=script:steady?chars=80"
YIELDING = "conviction=script:yielding?turn=9"
PUBLISHED = Path(__file__).parents[1] / "replay" / "fixtures" / "logicom_published"


@pytest.fixture
def base(shell: Shell) -> Shell:
    """A home with a run in which nobody gives in: 2 motions x 3 conditions."""
    assert shell.run(*BASE, "--role", STEADY).code == 0
    return shell


def fork(shell: Shell, *words: str, code: int = 0) -> Json:
    said = shell("fork", *words, "--host", "inline", "--json")
    assert said.code == code, said.err
    return said.document


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


def test_what_it_takes_is_said_before_it_is_spent(base: Shell) -> None:
    said = base("fork", "base", "all@6", "--role", "debater=openai/gpt-4o", "--dry-run")
    assert said.code == 0
    assert said.out == ""
    for fact in (
        "fork of base: 6 episodes (6 x 1) in the new run base-fork-",
        "role debater: script:steady?chars=80 -> openai/gpt-4o",
        "calls        at least ",
        "cost         about $",
    ):
        assert fact in said.err


def test_an_unknown_price_is_said_and_is_not_nothing(base: Shell) -> None:
    words = ["base", "1@6", "--role", "debater=openai/no-such-model", "--dry-run"]
    said = base("fork", *words)
    assert "the unknown price of openai/no-such-model" in said.err
    assert "$" not in said.err
    expected = fork(base, *words)["expected"]
    assert (expected["unpriced"], expected["may_cost"]) == (["openai/no-such-model"], True)
    priced = base("fork", *words, "--price", "openai/no-such-model=1000,1000")
    assert "about $" in priced.err


def test_without_a_terminal_nothing_is_spent_unless_somebody_said_yes(
    base: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-real-key")
    words = ["fork", "base", "1@6", "--role", "debater=openai/gpt-4o", "--run", "paid"]
    said = base(*words)
    assert said.code == 2
    assert "add --yes to spend it" in said.err
    assert "paid" not in base("ls").out


def test_with_yes_the_missing_key_is_what_stops_it(base: Shell) -> None:
    said = base("fork", "base", "1@6", "--role", "debater=openai/gpt-4o", "--run", "paid", "--yes")
    assert said.code == 6
    assert "OPENAI_API_KEY" in said.err
    assert "paid" not in base("ls").out


@pytest.mark.parametrize("answer", ["n", "", "why?"])
def test_at_a_terminal_a_person_is_asked_and_anything_but_yes_starts_nothing(
    base: Shell, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-real-key")
    master, terminal = pty.openpty()
    os.write(master, f"{answer}\n".encode())
    with os.fdopen(terminal) as stdin, os.fdopen(master, "wb"):
        monkeypatch.setattr(sys, "stdin", stdin)
        said = base("fork", "base", "1@6", "--role", "debater=openai/gpt-4o", "--run", "paid")
    assert said.code == 3
    assert "cost about $" in said.err
    assert "go on? [y/N]" in said.err
    assert "nothing was started" in said.err
    assert "paid" not in base("ls").out


def test_what_is_free_is_not_asked_about(base: Shell) -> None:
    said = base("fork", "base", "1@6", "--role", YIELDING, "--host", "inline")
    assert said.code == 0
    assert "no charge" in said.err
    assert "[y/N]" not in said.err


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


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["base"], ("EPISODE@TURN",)),
        (["base", "1"], ("'1' is not EPISODE@TURN",)),
        (["base", "1@x"], ("'1@x' is not EPISODE@TURN",)),
        (["base", "1@-2"], ("is not EPISODE@TURN",)),
        (["base", "1@6", "-o", "seed=3"], ("only options can be otherwise",)),
        (["base", "1@6", "--run", "NOT/ALLOWED"], ("run name",)),
        (["base", "1@6", "--role", "debater"], ("names no model",)),
        (["base", "--episodes", "no-such-file"], ("cannot be read",)),
    ],
)
def test_what_cannot_be_meant_is_refused_at_the_door(
    shell: Shell, words: list[str], says: tuple[str, ...]
) -> None:
    shell.refused_at_the_door("fork", *words, says=says)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["99@6"], ("no episode '99'", "numbered from 1")),
        (["1@14"], ("ends with turn 14", "fork at 13 or earlier")),
        (["1@99"], ("no turn 99", "closed after turn 14")),
        (["all@99"], ("no episode goes on after that turn",)),
        (["1@6", "--run", "base"], ("never written to",)),
        (["1@6", "-o", "options.round_limit=1"], ("cannot be kept with round_limit changed",)),
        (["1@6", "-o", "options.round_limt=1"], ("Did you mean 'round_limit'",)),
        (["1@6", "--role", "helper=script:steady"], ("nobody plays it in these episodes",)),
        (["1@6", "--role", "helpr=script:steady"], ("Did you mean 'helper'",)),
    ],
)
def test_what_does_not_fit_the_log_is_refused_and_nothing_is_written(
    base: Shell, words: list[str], says: tuple[str, ...]
) -> None:
    base.refused("fork", "base", *words, code=2, says=says)
    assert [row["run"] for row in base("ls", "--json").document["runs"]] == ["base"]


def test_a_run_that_is_not_there_is_missing(base: Shell) -> None:
    base.refused("fork", "bse", "1@6", code=4, says=("Did you mean 'base'",))


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
