"""Branches of imported debates: their first rounds were checked elsewhere, and went on."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.replay._plays import NOON, Player, Records, Told, planned, write
from tests.replay._rounds import CALM, SURE, Copy, again, ends, rounds

from eristic.debate import Lineage, TurnSpoken
from eristic.debate.ids import RUN_CHAIN
from eristic.protocols.logicom import LOGICOM


def branch(*told: Copy, **options: str) -> Records:
    """Two rounds of an import; the second and those after it are checked as told."""
    run, (planned_one, *_) = planned(number=1, conditions=("no_helper",), options=options)
    parent = Lineage(run="published", episode="e0", position=4, digest="0" * 64)
    opened = replace(planned_one.opened, parent=parent)
    player = Player(planned_one.episode, opened, rounds(*told, first=3), 1)
    events: Told = [(RUN_CHAIN, run, NOON), (player.episode, opened, NOON)]
    for turn in range(4):
        role = "debater" if turn % 2 else "persuader"
        event = TurnSpoken(turn=turn, role=role, text=f"Text {turn}.", source="imported")
        player.state = LOGICOM.evolve(player.state, event)
        events.append((player.episode, event, NOON))
    while not player.closed:
        events += [(player.episode, event, NOON) for event in player.step()]
    return write(events)


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("logicom-master", "convinced, convinced @3"),
        ("topic=on", "convinced, convinced @3"),
        ("round-limit=1", "not_convinced, round_limit @1"),
        ("round-limit=2", "not_convinced, round_limit @2"),
        ("convinced-twice", "goes_on @3"),
        ("any-conviction", "not_recorded @1"),
        ("panel=single", "not_recorded @1"),
    ],
)
def test_a_branch_of_an_import_by_another_policy(policy: str, expected: str) -> None:
    assert ends(again(branch(CALM, SURE), policy)) == [expected]


def test_whether_its_first_rounds_were_off_topic_is_not_known() -> None:
    records = branch(CALM, SURE, topic_check="ignored")
    assert ends(again(records, "logicom-master")) == ["convinced, convinced @3"]
    assert ends(again(records, "topic=on")) == ["not_recorded @1"]


def test_a_limit_in_its_first_rounds_rests_on_the_told_reply() -> None:
    (episode,) = again(branch(CALM, SURE), "round-limit=1").episodes
    assert episode.decided[0].inputs == (1,)


def test_its_own_checks_can_be_read_again() -> None:
    records = branch(CALM, {"conviction": ("true? or not true",)}, verdict_parse="contains_true")
    assert ends(again(records, parsers={"conviction": "strict"})) == ["not_recorded @3"]
