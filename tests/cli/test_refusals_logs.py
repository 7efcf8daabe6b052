"""Logs that are newer, damaged or shortened: said with tag and place, and nothing is appended."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli._commands import Shell
from tests.cli._logs import Records, records_of, write_log

from eristic.debate.envelopes import decode
from eristic.debate.ids import RUN_CHAIN

pytestmark = pytest.mark.nats

RUN = (
    *("run", "logicom", "--role", "all=script:steady?chars=40", "--limit", "1", "--run", "r"),
    *("-o", "options.round_limit=1", "--host", "inline"),
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Records:
    """The log of a run of 6 episodes that went well."""
    shell = Shell(tmp_path_factory.mktemp("whole"))
    assert shell(*RUN).code == 0
    return records_of(shell, "r")


def cut(whole: Records, episode: str, length: int) -> Records:
    """The log without the run's close and without the end of one episode."""
    kept, seen = [], 0
    for name, stored in whole:
        if name == RUN_CHAIN and decode(stored).position:
            continue
        seen += name == episode
        if name != episode or seen <= length:
            kept.append((name, stored))
    return kept


def first_episode(whole: Records) -> str:
    return next(name for name, _ in whole if name != RUN_CHAIN)


def chain(records: Records, episode: str) -> list[bytes]:
    return [stored for name, stored in records if name == episode]


def test_an_episode_with_an_event_of_a_newer_version_is_left_alone(
    shell: Shell, whole: Records
) -> None:
    episode = first_episode(whole)
    newer = chain(whole, episode)[3].replace(b'"turn.spoken.v1"', b'"turn.sung.v9"')
    assert b"turn.sung.v9" in newer
    # The last episode is open too: it must be finished all the same.
    last = next(name for name, _ in whole if name not in (RUN_CHAIN, episode))
    log = [*cut(cut(whole, episode, 3), last, 3), (episode, newer)]
    write_log(shell, "r", log)

    said = shell(*RUN, "--json")
    assert said.code == 4
    endings = {ending["episode"]: ending for ending in said.document["endings"]}
    assert endings[episode]["how"] == "broken"
    assert [e["how"] for e in endings.values()].count("closed") == 5
    for fact in (episode, "'turn.sung.v9'", "newer Eristic", "pip install -U eristic"):
        assert fact in said.err
    assert chain(records_of(shell, "r"), episode) == chain(log, episode)

    for words in (("show", "r"), ("show", "r", episode)):
        shell.refused(*words, code=4, says=("'turn.sung.v9'", "pip install -U eristic"))
    assert shell("show", "r", last).code == 0
    proof = shell("verify", "r")
    assert proof.code == 4
    assert "turn.sung.v9" in proof.out
    assert "pip install -U eristic" in " ".join(proof.out.split())
    listed = shell("ls", "--json").document["runs"]
    assert listed[0]["state"] == "unreadable"
    assert "turn.sung.v9" in listed[0]["error"]


def test_a_run_that_begins_with_a_newer_event_is_refused_whole(
    shell: Shell, whole: Records
) -> None:
    newer = whole[0][1].replace(b'"run.opened.v1"', b'"run.opened.v9"')
    write_log(shell, "r", [(RUN_CHAIN, newer)])
    said = shell(*RUN, "--json")
    assert said.code == 4
    assert said.document["error"] == "LogTooNew"
    assert "'run.opened.v9'" in said.err
    assert records_of(shell, "r") == [(RUN_CHAIN, newer)]


def test_an_event_with_a_changed_byte_stops_its_episode_only(shell: Shell, whole: Records) -> None:
    episode = first_episode(whole)
    stored = bytearray(chain(whole, episode)[2])
    stored[stored.index(b'"text":"') + 9] ^= 1
    log = [*cut(whole, episode, 2), (episode, bytes(stored)), (episode, chain(whole, episode)[3])]
    write_log(shell, "r", log)
    said = shell(*RUN, "--json")
    assert said.code == 4
    for fact in (f"{episode}@3", "digest", "nothing is appended", "eristic verify r"):
        assert fact in said.err
    assert chain(records_of(shell, "r"), episode) == chain(log, episode)
    proof = shell("verify", "r", "--json")
    assert (proof.code, proof.document["state"]) == (4, "damaged")
    assert {finding["episode"] for finding in proof.document["findings"]} == {episode}


def test_bytes_that_are_no_event_stop_their_episode_only(shell: Shell, whole: Records) -> None:
    episode = first_episode(whole)
    log = [*cut(whole, episode, 2), (episode, b'{"run":"r", \x1b[31m')]
    write_log(shell, "r", log)
    said = shell(*RUN, "--json")
    assert said.code == 4
    assert "not an event" in said.err
    assert "\x1b" not in said.err + shell("verify", "r").out
    assert chain(records_of(shell, "r"), episode) == chain(log, episode)


def test_a_log_that_lost_its_end_before_the_run_was_closed_is_played_on(
    shell: Shell, whole: Records
) -> None:
    episode = first_episode(whole)
    write_log(shell, "r", cut(whole, episode, 4))
    assert shell("verify", "r").code == 3
    assert shell(*RUN).code == 0
    assert shell("verify", "r").code == 0
    said = [decode(stored).body for stored in chain(records_of(shell, "r"), episode)]
    assert said == [decode(stored).body for stored in chain(whole, episode)]


def test_a_closed_run_that_was_shortened_is_refused_and_not_mended(
    shell: Shell, whole: Records
) -> None:
    episode = first_episode(whole)
    log = [*cut(whole, episode, 4), whole[-1]]
    write_log(shell, "r", log)
    said = shell(*RUN, "--json")
    assert said.code == 4
    for fact in (f"episode {episode}", "was closed", "eristic verify r"):
        assert fact in said.err
    assert records_of(shell, "r") == log
    assert shell("verify", "r").code == 4


def test_an_event_that_is_missing_in_the_middle_is_found(shell: Shell, whole: Records) -> None:
    episode = first_episode(whole)
    log = [record for record in whole if record[1] != chain(whole, episode)[2]]
    write_log(shell, "r", log)
    assert shell(*RUN).code == 4
    proof = shell("verify", "r", "--json").document
    assert proof["found"] >= 1
    assert records_of(shell, "r") == log


def test_a_run_that_is_not_there_is_named_with_the_nearest(shell: Shell, tmp_path: Path) -> None:
    for verb in ("show", "verify"):
        shell.refused(verb, "r", code=4, says=("no run 'r'", str(shell.home), "eristic ls"))
