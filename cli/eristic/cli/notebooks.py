"""Live runs for notebooks: opened by name, read by the tables of `eristic.replay`."""

from __future__ import annotations

import argparse
import os
from collections.abc import AsyncIterator, Sequence

from eristic.debate.errors import LogError

__all__ = ["LiveRun", "open_run"]


class LiveRun:
    """A run where it is kept, as an `EpisodeLog` for reading. Nothing stays open between readings.

    Each reading connects anew, in whatever event loop it happens, and sees the run up to then.
    """

    def __init__(self, name: str, *, home: str | os.PathLike[str] | None, nats: str | None) -> None:
        self.name = name
        self._where = argparse.Namespace(home=None if home is None else os.fspath(home), nats=nats)

    async def read(self, episode: str) -> list[bytes]:
        """Stored bytes of one chain in order; see EpisodeLog."""
        from eristic.cli.places import open_source

        async with open_source(self._where, self.name) as source:
            return await source.log.read(episode)

    async def append(self, episode: str, stored: Sequence[bytes], *, expected: int) -> None:
        """Raises LogError: a run is written by `eristic run`."""
        raise LogError(f"run {self.name} was opened for reading; `eristic run` writes runs")

    async def records(self) -> AsyncIterator[tuple[str, bytes]]:
        """(episode, stored bytes) of the whole run in log order, up to now."""
        from eristic.cli.places import open_source

        async with open_source(self._where, self.name) as source:
            async for record in source.log.records():
                yield record


def open_run(
    name: str, *, home: str | os.PathLike[str] | None = None, nats: str | None = None
) -> LiveRun:
    """The run of that name, for `turns(open_run("demo"))` and its siblings. Opens nothing yet.

    home, nats: where it is kept, as the options of the same name; by default what the environment
    says (ERISTIC_HOME, NATS_URL). A folder or URL of an archive is taken for a name, too.
    Reading raises LogMissing when there is no such run, BusError.
    """
    return LiveRun(name, home=home, nats=nats)
