"""How fast the bus is on this machine: appends, ask/answer round trips, reading back.

    python bench/bus_bench.py [--profile always|fast] [--seconds 2]

Prints one line a measurement, with the CPU time of this process in microseconds per event or
round trip. The role of the round trips runs in a process of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import tempfile
import time
from collections.abc import Coroutine
from multiprocessing.synchronize import Event
from pathlib import Path

from eristic.bus import (
    BusSettings,
    JetStreamLog,
    Link,
    NatsCourier,
    NatsDoor,
    connect,
    create_stream,
    ensure_server,
    open_log,
)
from eristic.debate import Answer, Ask, Line, Served, Spoke, View

RUN = "bench"
EVENT = b'{"text":"' + b"x" * 1200 + b'"}'
VIEW = View(template="debater", history=(Line("persuader", "y" * 1000, 0),))


class _Echo:
    """A role that answers at once with a text of 1,000 characters."""

    def holds(self, call_id: str) -> bool:
        return False

    async def answer(self, ask: Ask) -> Answer:
        outcome = Spoke(text="z" * 1000, call=Served(model="echo"))
        return Answer(episode=ask.episode, turn=ask.turn, role=ask.role, outcome=outcome)


def _run(main: Coroutine[None, None, None]) -> None:
    try:
        import uvloop
    except ImportError:
        asyncio.run(main)
    else:
        uvloop.run(main)


def _serve(settings: BusSettings, is_ready: Event, is_over: Event) -> None:
    async def serve() -> None:
        link = await connect(settings)
        door = NatsDoor(link, RUN)
        await door.serve("echo", _Echo())
        is_ready.set()
        await asyncio.to_thread(is_over.wait)
        await door.drain()
        await link.close()

    _run(serve())


class Meter:
    """Counts until the time is up, then prints rate and own CPU."""

    def __init__(self, what: str, seconds: float) -> None:
        self._what = what
        self._begin = time.perf_counter()
        self._cpu = time.process_time()
        self._end = self._begin + seconds
        self.count = 0

    def is_over(self) -> bool:
        return time.perf_counter() >= self._end

    def show(self, extra: str = "") -> None:
        wall = time.perf_counter() - self._begin
        cpu = (time.process_time() - self._cpu) / max(self.count, 1) * 1e6
        print(f"{self._what:<40} {self.count / wall:>9,.0f}/s {cpu:>7.1f} us CPU  {extra}")


async def append(log: JetStreamLog, chains: int, seconds: float, at_once: int = 1) -> None:
    before = log.stats.batches, log.stats.batched_events
    meter = Meter(f"append, {chains} chains, {at_once} event(s) each", seconds)

    async def grow(episode: str) -> None:
        position = 0
        while not meter.is_over():
            await log.append(episode, [EVENT] * at_once, expected=position)
            position += at_once
            meter.count += at_once

    stamp = time.monotonic_ns()
    await asyncio.gather(*(grow(f"e{stamp}-{number}") for number in range(chains)))
    batches = log.stats.batches - before[0]
    size = (log.stats.batched_events - before[1]) / batches if batches else 1
    meter.show(f"{size:.0f} events/batch")


async def ask(courier: NatsCourier, in_flight: int, seconds: float) -> None:
    meter = Meter(f"ask and answer, {in_flight} in flight", seconds)

    async def converse(episode: str) -> None:
        turn = 0
        while not meter.is_over():
            await courier.ask(
                Ask(run=RUN, episode=episode, turn=turn, role="echo", view=VIEW, seed=1)
            )
            turn += 1
            meter.count += 1

    await asyncio.gather(*(converse(f"e{number}") for number in range(in_flight)))
    meter.show()


async def turns(log: JetStreamLog, courier: NatsCourier, episodes: int, seconds: float) -> None:
    meter = Meter(f"ask, then append, {episodes} episodes", seconds)
    stamp = time.monotonic_ns()

    async def play(episode: str) -> None:
        turn = 0
        while not meter.is_over():
            await courier.ask(
                Ask(run=RUN, episode=episode, turn=turn, role="echo", view=VIEW, seed=1)
            )
            await log.append(episode, [EVENT], expected=turn)
            turn += 1
            meter.count += 1

    await asyncio.gather(*(play(f"t{stamp}-{number}") for number in range(episodes)))
    meter.show()


async def read_back(log: JetStreamLog) -> None:
    meter = Meter("records", 0)
    async for _ in log.records():
        meter.count += 1
    meter.show()


async def measure(director: BusSettings, seconds: float) -> None:
    link: Link = await connect(director)
    log = await open_log(link, RUN)
    courier = NatsCourier(link)
    for chains in (1, 50, 500):
        await append(log, chains, seconds)
    await append(log, 1, seconds, at_once=2)
    await append(log, 500, seconds, at_once=2)
    for in_flight in (1, 50, 500):
        await ask(courier, in_flight, seconds)
    for episodes in (1, 50, 500):
        await turns(log, courier, episodes, seconds)
    await read_back(log)
    courier.close()
    log.close()
    await link.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", choices=("always", "fast"), default="always")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each measurement")
    options = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    is_ready, is_over = context.Event(), context.Event()
    with (
        tempfile.TemporaryDirectory() as home,
        ensure_server(Path(home), profile=options.profile) as server,
    ):
        asyncio.run(create_stream(server.settings("admin"), RUN))
        role = context.Process(target=_serve, args=(server.settings("role"), is_ready, is_over))
        role.start()
        is_ready.wait()
        _run(measure(server.settings("director"), options.seconds))
        is_over.set()
        role.join()


if __name__ == "__main__":
    main()
