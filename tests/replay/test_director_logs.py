"""What the real director and the real roles write is what verification expects."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.replay._plays import NOON, TEMPLATES, planned

from eristic.agents.director import Director
from eristic.agents.episodes import Stage
from eristic.agents.inline import InlineExchange
from eristic.agents.models import ScriptedModel
from eristic.agents.servant import RoleServant
from eristic.agents.tokens import TokenCounter
from eristic.debate import (
    Binding,
    ContextOverflowed,
    Event,
    HistoryFolded,
    RoleSwapped,
    RulingMade,
    TurnFailed,
)
from eristic.debate.envelopes import decode
from eristic.debate.errors import ModelFailed
from eristic.journal.memory import MemoryLog
from eristic.ports import FixedClock, ModelReply, ModelRequest
from eristic.protocols import find_protocol
from eristic.protocols.logicom import LOGICOM
from eristic.replay import Verification, verify

ROLES = ("persuader", "debater", "helper", "conviction", "pleasantry", "topic", "memory")


def wordy(request: ModelRequest) -> ModelReply | str:
    """Long texts, and now and then a check that is refused, unreadable or fails."""
    if request.expected.form == "token":
        chance = request.seed % 7
        if chance == 0:
            raise ModelFailed("no answer", error="timeout")
        if chance == 1:
            return ModelReply(text="", model="made-up", refusal=True)
        if chance == 2:
            return "I cannot say."
        return request.expected.tokens[-1]
    if request.expected.form == "object":
        return '{"label": "x", "passage": "y", "tip": "z", "text": "Agree?"}'
    return f"Word {request.seed} " * 60


async def played(binding: Binding, **sweep: Any) -> tuple[Verification, set[type[Event]]]:
    """The verification of a run that was really played, and the kinds of events in it."""
    opened, episodes = planned(**sweep)
    exchange = InlineExchange()
    for role in ROLES:
        servant = RoleServant(
            role,
            replace(binding, fallback=("made-up-3",)),
            templates=TEMPLATES,
            model=ScriptedModel(wordy),
            counter=TokenCounter("made-up"),
        )
        await exchange.serve(role, servant)
    log = MemoryLog()
    stage = Stage(run="r", machine=LOGICOM, log=log, courier=exchange, clock=FixedClock(NOON))
    director = Director(stage)
    chains = await director.open_run(opened)
    endings = await director.play_all(episodes, at_once=4, chains=chains)
    head = await director.close_run(endings)
    kinds = {type(decode(stored).body) async for _, stored in log.records()}
    return await verify(log, "r", machine_for=find_protocol, head=head), kinds


@pytest.mark.parametrize("profile", ["paper", "code"])
async def test_a_run_of_the_director_is_whole(profile: str) -> None:
    found, kinds = await played(Binding(model="made-up"), options={"profile": profile})
    assert kinds >= {TurnFailed, RoleSwapped, RulingMade}
    assert found.findings == ()
    assert found.is_whole
    assert found.prompts_rebuilt == found.turns - found.episodes > 50


async def test_a_run_of_the_director_with_folded_memory_is_whole() -> None:
    found, kinds = await played(
        Binding(model="made-up", window_tokens=3000, reserve_tokens=1000),
        conditions=("no_helper", "logical_helper"),
        options={"force_over_window": True},
    )
    assert kinds >= {ContextOverflowed, HistoryFolded}
    assert found.findings == ()
    assert found.is_whole
