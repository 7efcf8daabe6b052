"""Logs of every released schema, folded as they were on the day they were written.

A golden file is never written anew to make a test pass: if it does not fold to its digest any
more, old logs of users do not either. A change of an event adds a file and an upcaster.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import pytest

from eristic.debate import EpisodeOpened
from eristic.debate.envelopes import decode, encode
from eristic.debate.upcasting import known_tags
from eristic.protocols import find_protocol, fold
from eristic.replay import Verifier, summarise, transcribe

HERE = Path(__file__).parent
ELSEWHERE = {
    "answer.refused.v1",  # no role of these runs refused
    "import.completed.v1",  # imports
    "judging.opened.v1",  # judges' own streams
    "judgement.made.v1",
}

GOLDEN = {
    "deflectbench-1.jsonl": "36d7f0ff54150cd7f544723cb0c2a14a953b6d1bfd11e661e82219298aa09bd7",
    "lofa-1.jsonl": "076ea2d5fe38b1dac17ee276781787721c063c02e65f0fb50bce6a063f918b4b",
    "lofa-build-1.jsonl": "75c9294fbd1d814a16a730cdef5c8a844574085e7085fe9cc3de8f85707d45c7",
    "mirror-1.jsonl": "253cb131bd809615958a7dc56811f9956319325277f7dcb0a174f4559c5a0627",
    "scr-1.jsonl": "a59ff14e78e68889131ffbbf5fffe3d4ca7b7d050846ad9198fc12e51d774d4e",
    "scr-build-1.jsonl": "dcd7b62118fe87b927a7d7d4b8c5013b9bbc493c2a8709cf277e19c17580a67f",
    "logicom-1.jsonl": "9bf7278c3d155deca458a8be9906e0f8fa880ebf93deef6821d2fea07ec42f53",
}


def stored(name: str) -> list[bytes]:
    return (HERE / name).read_bytes().splitlines()


def folded(name: str) -> str:
    """SHA-256 over what the log says: the summary and every transcript."""
    envelopes = [decode(line) for line in stored(name)]
    run = envelopes[0].run
    chains: dict[str, list[int]] = {}
    for place, envelope in enumerate(envelopes):
        chains.setdefault(envelope.episode, []).append(place)
    summary = summarise(run, envelopes)
    transcripts = [
        transcribe([envelopes[place] for place in places], run=run, episode=episode)
        for episode, places in chains.items()
        if episode != "run"
    ]
    facts = [
        [(row.episode, row.outcome, row.reason, row.rounds, row.turns) for row in summary.rows],
        [
            [(e.position, e.kind, e.turn, e.role, e.text, e.reading) for e in told.entries]
            for told in transcripts
        ],
    ]
    return hashlib.sha256(msgspec.json.encode(facts)).hexdigest()


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_log_folds_to_its_digest(name: str) -> None:
    assert folded(name) == GOLDEN[name]


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_log_verifies_as_whole(name: str) -> None:
    verifier = Verifier(decode(stored(name)[0]).run, machine_for=find_protocol)
    for line in stored(name):
        verifier.take(decode(line).episode, line)
    assert verifier.close().is_whole


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_log_gives_the_same_bytes_again(name: str) -> None:
    for line in stored(name):
        assert encode(decode(line)) == line


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_log_is_closed_by_its_protocol_too(name: str) -> None:
    envelopes = [decode(line) for line in stored(name)]
    for episode in {envelope.episode for envelope in envelopes} - {"run"}:
        events = [envelope.body for envelope in envelopes if envelope.episode == episode]
        [opened] = [event for event in events if isinstance(event, EpisodeOpened)]
        machine = find_protocol(opened.protocol)
        assert machine.decide(fold(machine, events)) is None


def test_every_event_type_stands_in_a_golden_log() -> None:
    tags = {msgspec.json.decode(line)["body"]["type"] for name in GOLDEN for line in stored(name)}
    assert known_tags() - tags <= ELSEWHERE
