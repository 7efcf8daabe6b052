"""Real processes, killed with -9 in the middle of a sweep."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from pathlib import Path

import pytest
from tests.faults._sweeps import (
    RUN,
    Sweep,
    end,
    logged_calls,
    must_be_complete,
    must_not_be_paid_twice,
    read,
)

from eristic.agents.hosts import RayHost
from eristic.cli.staging import raise_curtain

pytestmark = [pytest.mark.nats, pytest.mark.timeout(300)]


@pytest.fixture
def sweep(tmp_path: Path) -> Sweep:
    return Sweep(tmp_path)


@pytest.mark.ray
async def test_the_sweep_survives_the_death_of_role_actors(sweep: Sweep, local_ray: None) -> None:
    production = sweep.production()
    async with sweep.place() as place:
        async with raise_curtain(production, place, host="ray", at_once=12) as host:
            assert isinstance(host, RayHost)
            playing = asyncio.create_task(host.perform())
            await asyncio.to_thread(sweep.wait_for_calls, 40)
            before = logged_calls(await read(place))
            for role in ("debater", "conviction", "helper"):
                os.kill(host.role_pids[role][0], signal.SIGKILL)
            performance = await playing
        assert performance.error == ""
        must_be_complete(sweep, await read(place))
        must_not_be_paid_twice(sweep, logged_before=before, in_flight=3 * 12)


@pytest.mark.ray
async def test_the_sweep_survives_the_death_of_its_director(sweep: Sweep, local_ray: None) -> None:
    production = sweep.production()
    async with sweep.place() as place:
        async with raise_curtain(production, place, host="ray", at_once=12) as host:
            assert isinstance(host, RayHost)
            playing = asyncio.create_task(host.perform())
            await asyncio.to_thread(sweep.wait_for_calls, 40)
            before = logged_calls(await read(place))
            os.kill(await host.director_pid(), signal.SIGKILL)
            performance = await playing
        assert performance.error == ""
        must_be_complete(sweep, await read(place))
        # The roles live on and hold their answers: not even the calls in flight are repeated.
        must_not_be_paid_twice(sweep, logged_before=before, in_flight=0)


@pytest.mark.ray
async def test_the_sweep_survives_five_deaths_of_nats_server(sweep: Sweep, local_ray: None) -> None:
    production = sweep.production()
    async with sweep.place() as place:
        assert place.server is not None
        async with raise_curtain(production, place, host="ray", at_once=12) as host:
            playing = asyncio.create_task(host.perform())
            before: set[str] = set()
            for death in range(1, 6):
                await asyncio.to_thread(sweep.wait_for_calls, 40 * death)
                os.kill(place.server.pid, signal.SIGKILL)
                dead = place.server.pid
                async with asyncio.timeout(30):
                    while place.server.pid == dead:
                        await asyncio.sleep(0.01)
                if death == 1:
                    before = logged_calls(await read(place))
            performance = await playing
        assert performance.error == ""
        must_be_complete(sweep, await read(place))
        must_not_be_paid_twice(sweep, logged_before=before, in_flight=0)


@pytest.mark.ray
async def test_the_same_command_goes_on_after_the_command_itself_was_killed(
    sweep: Sweep,
) -> None:
    first = sweep.start(host="ray")
    await asyncio.to_thread(sweep.wait_for_calls, 40, deadline_s=120)
    async with sweep.place() as place:
        before = logged_calls(await read(place))
        first.kill()
        await asyncio.to_thread(end, first)
        again = sweep.start(host="ray")
        out, err = await asyncio.to_thread(end, again)
        assert again.returncode == 0, err
        facts = json.loads(out)
        assert facts["run"] == RUN
        assert facts["state"] == "finished"
        must_be_complete(sweep, await read(place))
        # The second command has other roles, which hold nothing: what was in flight is lost.
        must_not_be_paid_twice(sweep, logged_before=before, in_flight=32 * 3)


async def test_a_director_that_slept_while_another_finished_is_refused(sweep: Sweep) -> None:
    asleep = sweep.start(host="inline")
    await asyncio.to_thread(sweep.wait_for_calls, 20)
    os.kill(asleep.pid, signal.SIGSTOP)
    try:
        async with sweep.place() as place:
            other = sweep.start(host="inline")
            _, err = await asyncio.to_thread(end, other)
            assert other.returncode == 0, err
            finished = await read(place)
            os.kill(asleep.pid, signal.SIGCONT)
            out, err = await asyncio.to_thread(end, asleep)
            # Its late answers were refused, episode by episode, and changed nothing.
            facts = json.loads(out)
            taken_over = [e for e in facts["endings"] if e["how"] == "taken_over"]
            assert taken_over
            assert "another director took over" in taken_over[0]["error"]
            assert asleep.returncode == 3, err
            assert await read(place) == finished
            must_be_complete(sweep, finished)
    finally:
        if asleep.poll() is None:
            asleep.kill()
            asleep.communicate()


async def test_ctrl_c_once_hands_back_and_the_same_command_goes_on(sweep: Sweep) -> None:
    first = sweep.start(host="inline")
    await asyncio.to_thread(sweep.wait_for_calls, 40)
    first.send_signal(signal.SIGINT)
    out, err = await asyncio.to_thread(end, first)
    assert first.returncode == 3, err
    assert json.loads(out)["state"] == "unfinished"
    async with sweep.place() as place:
        records = await read(place)
        # Whatever was called was finished and logged before the command ended.
        assert len(logged_calls(records)) == sweep.call_count()
        again = sweep.start(host="inline")
        _, err = await asyncio.to_thread(end, again)
        assert again.returncode == 0, err
        must_be_complete(sweep, await read(place))
        must_not_be_paid_twice(sweep, logged_before=logged_calls(records), in_flight=0)


@pytest.mark.ray
async def test_ctrl_c_at_a_terminal_reaches_ray_too_and_loses_nothing(sweep: Sweep) -> None:
    first = sweep.start(host="ray")
    await asyncio.to_thread(sweep.wait_for_calls, 40, deadline_s=120)
    os.killpg(first.pid, signal.SIGINT)
    out, err = await asyncio.to_thread(end, first)
    assert first.returncode == 3, err
    assert json.loads(out)["state"] == "unfinished"
    async with sweep.place() as place:
        before = logged_calls(await read(place))
        assert len(before) == sweep.call_count()
        again = sweep.start(host="inline")
        _, err = await asyncio.to_thread(end, again)
        assert again.returncode == 0, err
        must_be_complete(sweep, await read(place))
        must_not_be_paid_twice(sweep, logged_before=before, in_flight=0)


async def test_ctrl_c_twice_stops_at_once(tmp_path: Path) -> None:
    endless = Sweep(tmp_path, delay_ms=600_000)
    command = endless.start(host="inline")
    await asyncio.to_thread(endless.wait_for_calls, 20)
    command.send_signal(signal.SIGINT)
    await asyncio.sleep(0)
    command.send_signal(signal.SIGTERM)
    _, err = await asyncio.to_thread(end, command)
    assert command.returncode == 130, err
