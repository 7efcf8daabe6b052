"""Prints when the event after the first model turn of a run was decided (seconds since 1970)."""

from __future__ import annotations

import argparse
import asyncio
import sys

from eristic.cli.places import open_place
from eristic.debate import TurnSpoken
from eristic.debate.envelopes import decode


async def main(home: str, run: str) -> None:
    async with open_place(argparse.Namespace(home=home, nats=None)) as place:
        async with place.log(run) as log:
            seen = False
            async for _, record in log.records():
                envelope = decode(record)
                if seen:
                    print(envelope.time.timestamp())
                    return
                body = envelope.body
                seen = isinstance(body, TurnSpoken) and body.call is not None
    raise SystemExit("the run has no model turn")


asyncio.run(main(sys.argv[1], sys.argv[2]))
