"""Logs of runs, read and written by hand through the journal itself."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterable

from tests.cli._commands import Shell

from eristic.bus import connect, create_stream, open_log
from eristic.cli.places import open_place

Records = list[tuple[str, bytes]]


def records_of(shell: Shell, run: str) -> Records:
    """Everything in the run's log, in its order."""

    async def read() -> Records:
        async with open_place(_args(shell)) as place, place.log(run) as log:
            return [record async for record in log.records()]

    return asyncio.run(read())


def write_log(shell: Shell, run: str, records: Iterable[tuple[str, bytes]]) -> None:
    """Append these bytes as a director would, whatever is in them."""

    async def write() -> None:
        lengths: dict[str, int] = {}
        async with open_place(_args(shell)) as place:
            await create_stream(place.settings("admin"), run)
            link = await connect(place.settings("director"))
            log = await open_log(link, run)
            for episode, stored in records:
                position = lengths.get(episode)
                if position is None:
                    position = len(await log.read(episode))
                await log.append(episode, [stored], expected=position)
                lengths[episode] = position + 1
            log.close()
            await link.close()

    asyncio.run(write())


def _args(shell: Shell) -> argparse.Namespace:
    return argparse.Namespace(home=str(shell.home), nats=None)
