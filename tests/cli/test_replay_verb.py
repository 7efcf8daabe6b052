"""`eristic replay` on a real embedded server and on an archive: decisions again, and no network."""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli._commands import Json, Shell
from tests.cli._logs import write_log
from tests.replay._plays import Records, logged, tell, write
from tests.replay._rounds import ASTRAY, CALM, FIRST, SURE, imported, played, rounds, says, tale

from eristic.cli import replay
from eristic.protocols.logicom.recomputation import RECOMPUTER
from eristic.replay.archive import write_archive

OURS = write(tell(rounds(CALM, SURE), number=3, conditions=("no_helper",)))
TALES = imported(
    tale(1, "convinced", "convinced", case="case-a"),
    tale(4, "convinced", "convinced", case="case-b"),
    tale(3, "not_convinced", "pleasantries", case="case-c"),
    tale(2, "not_convinced", "convinced", case="case-d", model="GPT-3.5"),
)

WATCHED = """
import json, sys
seen = []
def hook(event, args):
    if event in ("socket.connect", "socket.bind", "socket.sendto"):
        seen.append([event, str(args[1])])
    elif event in ("socket.getaddrinfo", "socket.gethostbyname", "subprocess.Popen"):
        seen.append([event, str(args[0])])
sys.addaudithook(hook)
from eristic.cli import main
code = main(sys.argv[1:])
print(json.dumps(seen), file=sys.stderr)
sys.exit(code)
"""
"""The command, telling everything that it connects to, looks up or starts."""


def watched(*words: str) -> tuple[Json, list[list[str]]]:
    """What the command said, and what it reached for."""
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    said: Json = json.loads(done.stdout)
    reached: list[list[str]] = json.loads(done.stderr.splitlines()[-1])
    return said, reached


def archived(folder: Path, records: Records) -> str:
    """An archive of these records."""

    async def archive() -> None:
        await write_archive(await logged(records), "r", folder / "archive")

    asyncio.run(archive())
    return str(folder / "archive")


async def shown(capsys: pytest.CaptureFixture[str], records: Records, *words: str) -> str:
    parser = argparse.ArgumentParser()
    replay.add_arguments(parser)
    args = parser.parse_args(["r", *words])
    assert await replay.replay_log(await logged(records), "r", args, {}) == 0
    return capsys.readouterr().out


@pytest.mark.nats
def test_a_run_on_the_embedded_server_is_decided_again_over_loopback_only(shell: Shell) -> None:
    write_log(shell, "r", OURS)
    words = ("replay", "r", "--policy", "round-limit=1", "--policy", "convinced-twice", "--json")
    found, reached = watched(*words, "--home", str(shell.home))
    rows = [(x["policy"], x["n"], x["flips"], x["undecided"]) for x in found["effects"]]
    assert rows == [
        ("round-limit.v1=1", 3, 3, 0),
        ("round-limit.v1=1", 3, 3, 0),
        ("convinced-twice.v1", 3, 0, 3),
        ("convinced-twice.v1", 3, 0, 3),
    ]
    connected = [place for event, place in reached if event == "socket.connect"]
    assert connected and all(place.startswith("('127.0.0.1',") for place in connected)
    assert not [place for event, place in reached if event.startswith("socket.gethost")]
    started = [place for event, place in reached if event == "subprocess.Popen"]
    assert all("nats-server" in place for place in started)


@pytest.mark.nats
def test_replaying_writes_nothing(shell: Shell) -> None:
    from tests.cli._logs import records_of

    write_log(shell, "r", OURS)
    before = records_of(shell, "r")
    assert shell("replay", "r", "--policy", "round-limit=1").code == 0
    assert records_of(shell, "r") == before


@pytest.mark.nats
def test_an_unknown_policy_or_run_is_refused_with_the_nearest_name(shell: Shell) -> None:
    write_log(shell, "r", OURS)
    says_policy = ("convinced-twise", "Did you mean 'convinced-twice'")
    shell.refused("replay", "r", "--policy", "convinced-twise", code=2, says=says_policy)
    shell.refused("replay", "rr", code=4, says=("no run 'rr'", "Did you mean 'r'"))


@pytest.mark.nats
def test_an_imported_run_refuses_a_parser_and_says_why(shell: Shell) -> None:
    write_log(shell, "r", TALES)
    words = ("replay", "r", "--parser", "conviction=contains_true")
    shell.refused(*words, code=2, says=("imported", "eristic rejudge"))


def test_an_archive_is_decided_again_without_any_connection(shell: Shell) -> None:
    place = archived(shell.folder, OURS)
    words = ("replay", place, "--policy", "round-limit=1", "--json", "--home", str(shell.home))
    found, reached = watched(*words)
    assert (found["run"], found["effects"][0]["flips"]) == ("r", 3)
    assert reached == []
    assert not shell.home.exists()


def test_a_folder_that_is_no_archive_is_refused(shell: Shell) -> None:
    shell.refused_at_the_door("replay", f"{shell.folder}/nothing", code=4, says=("nothing",))


@pytest.mark.parametrize(
    ("parsers", "says"),
    [
        (["conviction"], "write CHECK=PARSER"),
        (["=strict"], "write CHECK=PARSER"),
        (["conviction=strict", "conviction=contains_true"], "given twice for conviction"),
    ],
)
def test_a_parser_without_a_check_is_refused_at_the_door(
    shell: Shell, parsers: list[str], says: str
) -> None:
    words = [word for text in parsers for word in ("--parser", text)]
    shell.refused_at_the_door("replay", "r", *words, says=(says,))


def test_parsers_are_given_on_the_command_line(shell: Shell) -> None:
    place = archived(shell.folder, write(played(CALM, says("untrue"), ASTRAY)))
    found = shell("replay", place, "--parser", "conviction=contains_true", "--json").document
    assert found["parsers"] == {"conviction": "conviction.contains_true"}
    (episode,) = found["episodes"]
    assert (episode["outcome"], episode["decided"][0]["outcome"]) == ("not_convinced", "convinced")
    assert episode["decided"][0]["change"] == "flipped"


async def test_the_tables_tell_bounds_causes_and_flips(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--policy", "convinced-twice", "--policy", "round-limit=2")
    out = await shown(capsys, TALES, *words)
    assert "run r by other rules · logicom · 4 episodes · no model called" in out
    twice, limit = out.split("round-limit.v1=2")
    assert "0.0 % to 75.0 %" in twice and "3 censored: nothing recorded stops them" in twice
    assert "convinced, convinced @4" in limit and "not_convinced, round_limit @2" in limit
    assert "1 flipped: convinced -> not_convinced" in limit


async def test_ten_flips_of_a_policy_are_listed_and_all_on_request(
    capsys: pytest.CaptureFixture[str],
) -> None:
    many = imported(*(tale(3, "convinced", "convinced", case=f"case-{n}") for n in range(12)))
    words = ("--policy", "round-limit=1")
    out = await shown(capsys, many, *words)
    assert out.count("not_convinced, round_limit @1") == 10
    assert "... 2 more; --all lists them" in out
    assert (await shown(capsys, many, *words, "--all")).count("round_limit @1") == 12


async def test_outcomes_of_defaults_alone_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    out = await shown(capsys, write(played(says("maybe"))), "--policy", "round-limit=2")
    assert "1 of the exact outcomes rest on unreadable answers alone" in out


async def test_a_hostile_name_stays_text(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = imported(tale(3, "convinced", "convinced", case="\x1b[31mred\x07", model="[b]m"))
    out = await shown(capsys, hostile, "--policy", "round-limit=1")
    assert "\x1b" not in out and "\x07" not in out and "[b]m" in out


def test_the_help_names_every_policy_of_logicom() -> None:
    assert replay.__doc__ is not None
    missing = [x.form for x in RECOMPUTER.notes if f"\n  {x.form}  " not in replay.__doc__]
    assert RECOMPUTER.notes and missing == []


def test_the_json_document_is_whole(shell: Shell) -> None:
    place = archived(shell.folder, TALES)
    found = shell("replay", place, "--policy", "any-conviction", "--json").document
    total = found["effects"][-1]
    assert (total["rate_before"], total["rate_low"], total["rate_high"]) == (0.5, 0.75, 1.0)
    assert total["censored"] == {"not_recorded": 1}
    assert [len(x["decided"]) for x in found["episodes"]] == [1] * 4
    assert FIRST not in {x["episode"] for x in found["episodes"]}
