"""Debates that were published, gone on with: the told turns stand, and whoever is next is due."""

from __future__ import annotations

from typing import Any

import pytest
from tests.replay._forks import cut, planned, play
from tests.replay._plays import NOON, logged, usual
from tests.replay._published import read

from eristic.debate import Binding, Setting, TurnSpoken
from eristic.debate.errors import NameRefused, SpecRefused
from eristic.journal import Chain, extend
from eristic.protocols import find_protocol, fold
from eristic.protocols.logicom import LOGICOM
from eristic.protocols.logicom.state import State
from eristic.replay import verify
from eristic.replay.importing import ImportedEpisode

EVERYBODY = {"all": Binding(model="made-up-1")}
CODE: dict[str, Setting] = {"profile": "code"}


def imported(condition: str, least_turns: int = 6) -> list[bytes]:
    """The chain of one of our own published debates."""
    for found in read():
        if not isinstance(found, ImportedEpisode):
            continue
        opened = found.events[0]
        if getattr(opened, "condition", "") == condition and len(found.events) > least_turns:
            chain = Chain.empty(run="r", episode=found.episode)
            return extend(chain, found.events, time=NOON)[0]
    raise AssertionError("no such debate")


def state_after(at: int, condition: str = "fallacious_helper", **changed: Any) -> State:
    point = cut(imported(condition), at)
    item = planned(point, roles=EVERYBODY, **changed)
    return fold(LOGICOM, (item.opened, *point.events))


@pytest.mark.parametrize(
    ("at", "phase", "number"),
    [(0, "debater", 1), (1, "checks", 1), (2, "debater", 2), (3, "checks", 2), (4, "debater", 3)],
)
def test_whoever_is_next_is_due(at: int, phase: str, number: int) -> None:
    state = state_after(at)
    assert (state.phase, state.round, state.next_turn - len(state.calls)) == (phase, number, at + 1)
    assert [x.round for x in state.rounds] == list(range(1, number))


@pytest.mark.parametrize(
    ("at", "phase", "number"),
    [(0, "debater", 1), (1, "draft", 1), (2, "checks", 1), (3, "draft", 2), (4, "checks", 2)],
)
def test_the_published_order_of_checks_can_be_kept(at: int, phase: str, number: int) -> None:
    state = state_after(at, options=CODE)
    assert (state.phase, state.round) == (phase, number)


def test_the_debater_reads_what_was_sent_and_not_the_helpers_label() -> None:
    state = state_after(2)
    assert "Straw" not in state.debater.lines[-1].text
    assert "Straw" not in state.moderated[-1].text
    assert "Straw" in state_after(2, options=CODE).moderated[-1].text


def test_the_utterance_that_was_never_sent_cannot_be_kept() -> None:
    chain = imported("fallacious_helper")
    last = len(chain) - 3
    with pytest.raises(NameRefused, match=f"turn {last} was never sent.*fork at {last - 1}"):
        cut(chain, last)
    assert cut(chain, last - 1).at == last - 1
    with pytest.raises(NameRefused, match=f"no turn {last + 1}; its last one is {last}"):
        cut(chain, last + 1)


def test_nobody_can_be_asked_by_the_names_in_an_import() -> None:
    point = cut(imported("no_helper", 4), 1)
    with pytest.raises(SpecRefused, match="nobody plays persuader.*--role all=MODEL"):
        planned(point, roles={"debater": Binding(model="a")})


@pytest.mark.parametrize("condition", ["no_helper", "fallacious_helper", "logical_helper"])
@pytest.mark.parametrize("options", [{}, CODE], ids=["paper", "code"])
async def test_a_fork_of_an_import_is_whole(condition: str, options: dict[str, Setting]) -> None:
    chain = imported(condition, 4)
    points = [cut(chain, at) for at in range(4)]
    items = [(x, planned(x, roles=EVERYBODY, options=options)) for x in points]

    async def source(run: str, episode: str) -> list[bytes]:
        return chain

    found = await verify(
        await logged(play(items, usual)), "f", machine_for=find_protocol, read_source=source
    )
    assert found.findings == ()
    assert (found.shared.proven, found.shared.compared) == (4, 4)
    assert found.outcomes == {"not_convinced": 4}
    told = [x for point in points for x in point.events if isinstance(x, TurnSpoken)]
    assert found.prompts_not_recorded == len([x for x in told if "template" not in x.remarks])
