"""Where runs are kept: a home folder's embedded server, a server of somebody else, an archive."""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from eristic.debate.errors import LogMissing, SpecRefused, nearest

if TYPE_CHECKING:
    from eristic.bus import BusSettings, JetStreamLog, ServerHandle
    from eristic.ports import EpisodeLog
    from eristic.replay.archive import ParquetLog

__all__ = [
    "RUN_HELP",
    "Place",
    "Source",
    "User",
    "add_arguments",
    "home_of",
    "is_archive",
    "open_place",
    "open_source",
]

RUN_HELP = "name of the run, or the folder or URL of its archive"
"""Help of the argument RUN of every verb that reads."""

User = Literal["admin", "director", "role", "judge", "reader"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`--home`, `--nats` and `--json`, the same for every command that reads or writes runs."""
    group = parser.add_argument_group("where runs are kept")
    group.add_argument(
        "--home", metavar="DIR", help="folder of the embedded server (or ERISTIC_HOME; .eristic)"
    )
    group.add_argument("--nats", metavar="URL", help="a NATS server to use instead (or NATS_URL)")
    parser.add_argument("--json", action="store_true", help="machine-readable output on stdout")


def home_of(args: argparse.Namespace) -> Path:
    """The folder where the embedded server keeps its store."""
    return Path(args.home or os.environ.get("ERISTIC_HOME") or ".eristic").absolute()


class Place:
    """A server that keeps runs, and how to reach it as each kind of user."""

    def __init__(
        self, *, server: ServerHandle | None, external: BusSettings | None, home: Path
    ) -> None:
        self._server = server
        self._external = external
        self.home = home

    @property
    def is_embedded(self) -> bool:
        """True when the server belongs to the home folder."""
        return self._server is not None

    @property
    def described(self) -> str:
        """For messages: folder or address, never a password."""
        if self._server is not None:
            return str(self.home)
        return self._external.url if self._external else ""

    @property
    def durability(self) -> str:
        """sync_interval profile of the server; `unknown` for a server that is not ours."""
        return self._server.profile if self._server is not None else "unknown"

    @property
    def server(self) -> ServerHandle | None:
        """The embedded server, if it is one."""
        return self._server

    def settings(self, user: User) -> BusSettings:
        """How to connect as this kind of user. An external server has one user for all."""
        if self._server is not None:
            return self._server.settings(user, name=f"eristic-{user}")
        assert self._external is not None
        return self._external

    async def runs(self) -> tuple[str, ...]:
        """Names of all runs here, sorted."""
        from eristic.bus import connect, list_runs

        link = await connect(self.settings("reader"))
        try:
            return tuple(await list_runs(link))
        finally:
            await link.close()

    @asynccontextmanager
    async def log(self, run: str) -> AsyncIterator[JetStreamLog]:
        """The log of an existing run, for reading. Raises LogMissing with the nearest name."""
        from eristic.bus import connect, open_log

        link = await connect(self.settings("reader"))
        try:
            try:
                log = await open_log(link, run)
            except LogMissing as error:
                hint = nearest(run, await self.runs())
                raise LogMissing(
                    f"there is no run {run!r} in {self.described}.{hint} `eristic ls` lists all"
                ) from error
            try:
                yield log
            finally:
                log.close()
        finally:
            await link.close()


class Source(NamedTuple):
    """A run to read, wherever it is kept."""

    log: EpisodeLog
    run: str
    """Its name, also when a path led to it."""
    place: Place | None
    """Where its judgements are kept as well; None for an archive."""
    archive: ParquetLog | None
    """The archive that the log is; None for a live log."""


def is_archive(name: str) -> bool:
    """Does this word name an archive? No run has a slash in its name."""
    return "/" in name or os.sep in name or (Path(name) / "manifest.json").is_file()


@asynccontextmanager
async def open_source(args: argparse.Namespace, name: str) -> AsyncIterator[Source]:
    """The run or archive of that name, for reading. An archive needs no server.

    Raises LogMissing, LogDamaged, BusError, ExtraMissing, SpecRefused for a wrong address.
    """
    if is_archive(name):
        from eristic.replay.archive import open_archive

        archive = await asyncio.to_thread(open_archive, name)
        yield Source(archive, archive.run, None, archive)
        return
    async with open_place(args) as place, place.log(name) as log:
        yield Source(log, name, place, None)


@asynccontextmanager
async def open_place(
    args: argparse.Namespace, *, profile: Literal["always", "fast"] | None = None
) -> AsyncIterator[Place]:
    """The place the arguments name; an embedded server is started or joined, and watched.

    profile: durability that a new embedded server must have; None takes it as it is.
    Raises BusError, ExtraMissing.
    """
    from eristic.bus import BusSettings, ensure_server

    url = args.nats or os.environ.get("NATS_URL")
    home = home_of(args)
    if url:
        external = BusSettings.from_url(url)
        if "@" in external.url:  # a login that was not understood as one, and would be shown
            raise SpecRefused("the NATS address is no URL; write it as nats://user:password@host")
        yield Place(server=None, external=external, home=home)
        return
    server = await asyncio.to_thread(ensure_server, home, profile=profile)
    watch = asyncio.create_task(server.watch())
    try:
        yield Place(server=server, external=None, home=home)
    finally:
        watch.cancel()
        with suppress(asyncio.CancelledError):
            await watch
        await asyncio.to_thread(server.close)
