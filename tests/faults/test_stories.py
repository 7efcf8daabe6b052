"""A protocol that is a story, killed with -9 in the middle: it is told again from the log."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import pytest
from tests.faults._sweeps import (
    RUN,
    Records,
    Sweep,
    end,
    logged_calls,
    read,
)

from eristic.cli import main
from eristic.debate import EpisodeClosed, Event, RulingMade, TurnSpoken
from eristic.debate.envelopes import decode
from eristic.debate.ids import RUN_CHAIN

pytestmark = [pytest.mark.nats, pytest.mark.timeout(120)]


EPISODES = 6
CALLS = 23 * EPISODES
"""A suggestion, two critiques, two reflections, and three iterations of six calls."""


class Repairs(Sweep):
    """6 suggestions that two critics criticise side by side; none of three repairs is accepted."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        super().__init__(folder)
        noted = f"&delay_ms=60&calls={self.calls}"
        critic = f"script:say?text={quote('It deceives the others.')}{noted}"
        models = {
            "suggester": f"script:yielding?turn=0&chars=60{noted}",
            "critic": critic,
            "critic_b": critic,
            "comparer": f"script:say?text=second{noted}",
        }
        self.words = ["scr", "--run", RUN, "--condition", "repair", "--limit", str(EPISODES)]
        for role, model in models.items():
            self.words += ["--role", f"{role}={model}"]


class Told(NamedTuple):
    """An episode without when it was told and by which process."""

    turns: dict[tuple[int, str, int], tuple[int, str]]
    """(turn, role, attempt) -> (seed, text); of calls side by side the order is that of answers."""
    decisions: list[Event]


def told(records: Records) -> dict[str, Told]:
    found: dict[str, Told] = {}
    for episode, stored in records:
        body = decode(stored).body
        one = found.setdefault(episode, Told({}, []))
        if isinstance(body, TurnSpoken):
            key = (body.turn, body.role, body.attempt)
            assert key not in one.turns, f"{key} of {episode} is in the log twice"
            one.turns[key] = (body.seed or 0, body.text)
        elif isinstance(body, RulingMade | EpisodeClosed):
            one.decisions.append(body)
    del found[RUN_CHAIN]
    return found


def count_of(sweep: Sweep) -> Counter[str]:
    """Call -> times that a model was asked for it."""
    return Counter(sweep.calls.read_text().split())


async def finish(sweep: Sweep) -> Records:
    command = sweep.start(host="inline")
    _, err = await asyncio.to_thread(end, command)
    assert command.returncode == 0, err
    async with sweep.place() as place:
        return await read(place)


async def test_a_story_goes_on_where_it_was_killed_as_if_nothing_had_been(tmp_path: Path) -> None:
    sweep, whole = Repairs(tmp_path / "killed"), Repairs(tmp_path / "whole")
    paid: dict[str, int] = {}
    for calls in (CALLS // 4, CALLS // 2):
        command = sweep.start(host="inline")
        await asyncio.to_thread(sweep.wait_for_calls, calls)
        command.kill()
        await asyncio.to_thread(end, command)
        async with sweep.place() as place:
            before = await read(place)
        assert len(told(before)) == EPISODES
        paid = {name: count_of(sweep)[name] for name in logged_calls(before)} | paid
    after = await finish(sweep)
    counts = count_of(sweep)
    assert len(paid) > CALLS // 3
    # What was in the log is never asked for again; two calls an episode were out at each death.
    assert {name: counts[name] for name in paid} == paid
    assert counts.total() - CALLS <= 2 * 2 * EPISODES
    assert after[: len(before)] == before
    assert told(after) == told(await finish(whole))
    assert whole.call_count() == CALLS
    assert counts.keys() == count_of(whole).keys()
    # Decisions, prompts and chains, told again by the command.
    assert await asyncio.to_thread(main, ["verify", RUN, "--home", str(sweep.home)]) == 0
