"""Events/s of a replay from a live stream: read, chain check, fold. Prints one JSON line."""

from __future__ import annotations

import argparse
import json
import tempfile
import time

import uvloop
from debates import production

from eristic.cli.places import open_place
from eristic.cli.staging import raise_curtain
from eristic.debate.ids import RUN_CHAIN
from eristic.journal import Ledger
from eristic.protocols import find_protocol

EPISODES = 1000


async def main(home: str) -> None:
    played = production("replayed", episodes=EPISODES, chars=1000, delay_ms=0)
    machine = find_protocol("logicom")
    async with open_place(argparse.Namespace(home=home, nats=None)) as place:
        async with raise_curtain(played, place, host="inline", at_once=500) as host:
            await host.perform()
        ledger, events = Ledger(played.run), 0
        states: dict[str, object] = {}
        started = time.perf_counter()
        async with place.log(played.run) as log:
            async for episode, stored in log.records():
                event = ledger.take(episode, stored)
                events += 1
                if event is None or episode == RUN_CHAIN:
                    continue
                state = states.get(episode)
                states[episode] = (
                    machine.initial(event)  # type: ignore[arg-type]  # a chain's first event
                    if state is None
                    else machine.evolve(state, event)
                )
        seconds = time.perf_counter() - started
    if not ledger.close().is_whole:
        raise SystemExit("the run is not whole")
    print(json.dumps({"events": events, "seconds": seconds}))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="er-bench-") as folder:
        uvloop.run(main(folder))
