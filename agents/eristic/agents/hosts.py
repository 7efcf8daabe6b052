"""Where actors live: in this process, or each in its own under Ray. Same classes, same events."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

import msgspec
import structlog

from eristic.agents.episodes import Tally
from eristic.agents.inline import InlineExchange, Switchboard
from eristic.agents.posts import Conductor, DirectorPost, Performance, RolePost, open_servant
from eristic.debate.errors import ExtraMissing
from eristic.ports import Courier

__all__ = ["Host", "InlineHost", "RayHost", "start_ray"]

# Ray's handles have the methods of the class they stand for, which no type can say.
_Handle = Any

_log = structlog.get_logger("eristic.agents")

DIRECTOR_RESTARTS = 20
"""Times a director that died is started again before the run is given up."""


class Host(Protocol):
    """Brings roles and a director to life and ends them."""

    async def perform(self) -> Performance:
        """Serve the roles, play the programme to its end."""
        ...

    async def tally(self) -> Tally: ...
    async def stop(self) -> None:
        """Finish the turns in flight, then `perform` returns."""
        ...


class InlineHost:
    """All roles and the director in this process, without a bus between them.

    is_alone: every role of the cast is among `roles`; otherwise the others are asked on the bus.
    """

    def __init__(
        self, roles: Sequence[RolePost], director: DirectorPost, *, is_alone: bool = True
    ) -> None:
        self._roles = roles
        self._exchange = InlineExchange()
        self._programme = director.programme
        self._conductor = Conductor(_with_courier(director, self._exchange, is_alone=is_alone))

    async def perform(self) -> Performance:
        """Serve the roles, play the programme to its end."""
        async with AsyncExitStack() as stack:
            for post in self._roles:
                servant = await stack.enter_async_context(open_servant(post))
                await self._exchange.serve(post.role, servant)
            return await self._conductor.perform(self._programme)

    async def tally(self) -> Tally:
        """Counts so far."""
        return self._conductor.tally

    async def stop(self) -> None:
        """Finish the turns in flight, then `perform` returns."""
        self._conductor.stop()


def _with_courier(post: DirectorPost, exchange: InlineExchange, *, is_alone: bool) -> DirectorPost:
    @asynccontextmanager
    async def open_courier() -> AsyncIterator[Courier]:
        if is_alone:
            yield exchange
            return
        async with post.open_courier() as elsewhere:
            yield Switchboard(exchange, elsewhere)

    return replace(post, open_courier=open_courier)


def start_ray() -> str | None:
    """Start a private Ray on this machine, with a short folder and a token of its own.

    Returns the folder, or None when Ray runs in this process already; whoever gets a folder
    shuts Ray down and removes it.
    """
    # Unix sockets allow about 107 bytes of path: the folder must be short.
    folder = tempfile.mkdtemp(prefix="er-", dir="/tmp" if Path("/tmp").is_dir() else None)
    if "ray" not in sys.modules and "RAY_AUTH_MODE" not in os.environ:
        # Only this run's own processes may talk to its Ray. Ray reads this when it is imported.
        os.environ["RAY_AUTH_MODE"] = "token"
        os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
    ray = _import_ray()
    if ray.is_initialized():
        shutil.rmtree(folder)
        return None
    ray.init(
        # Without "local", Ray joins whatever cluster it finds on this machine.
        address="local",
        _temp_dir=folder,
        include_dashboard=False,
        log_to_driver=False,
        configure_logging=False,
        object_store_memory=256 << 20,
        namespace="eristic",
    )
    return folder


class RayHost:
    """Every role shard and the director an actor of a private local Ray.

    Use as `async with`: entering starts Ray and the role actors, leaving ends them. An already
    initialised Ray is used and left running (tests start one per suite; on a cluster the job
    does).
    """

    def __init__(self, roles: Sequence[RolePost], director: DirectorPost) -> None:
        self._posts = roles
        self._director_post = replace(director, programme=b"")
        # Not with the post: Ray cannot restart an actor whose large arguments are gone.
        self._programme = director.programme
        self._roles: list[_Handle] = []
        self._director: _Handle | None = None
        self._temp_dir: str | None = None
        self._stopping = False
        self.role_pids: dict[str, list[int]] = {}
        """Role -> process ids of its shards as they were at the start."""

    async def __aenter__(self) -> Self:
        # In the main thread, blocking: Ray sets signal handlers, which other threads may not.
        self._temp_dir = start_ray()
        try:
            await self._start_actors()
        except BaseException:
            await asyncio.to_thread(self._end)
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await asyncio.to_thread(self._end)

    async def _start_actors(self) -> None:
        ray = _import_ray()
        from eristic.agents.actors import role_actor_type

        for post in self._posts:
            for _ in range(post.binding.shards):
                kind = ray.remote(num_cpus=0, max_restarts=-1, max_concurrency=1000)(
                    role_actor_type(post.role)
                )
                self._roles.append(kind.remote(post))
        self._start_director()
        pids: list[int] = await asyncio.gather(*(actor.ready.remote() for actor in self._roles))
        names = [post.role for post in self._posts for _ in range(post.binding.shards)]
        for role, pid in zip(names, pids, strict=True):
            self.role_pids.setdefault(role, []).append(pid)

    def _start_director(self) -> None:
        ray = _import_ray()
        from eristic.agents.actors import DirectorActor

        direct = ray.remote(num_cpus=0, max_restarts=DIRECTOR_RESTARTS)(DirectorActor)
        self._director = direct.remote(self._director_post)

    async def director_pid(self) -> int:
        """Process id of the director as it is now."""
        return int(await self._handle().pid.remote())

    def _handle(self) -> _Handle:
        if self._director is None:
            raise RuntimeError("enter the host first: async with RayHost(...) as host")
        return self._director

    async def perform(self) -> Performance:
        """Play the programme to its end; a director that dies is followed by another."""
        ray = _import_ray()
        for start in range(DIRECTOR_RESTARTS + 1):
            try:
                reply = await self._handle().perform.remote(self._programme)
            except (ray.exceptions.RayActorError, ray.exceptions.RayTaskError) as error:
                _log.warning("director_lost", start=start, error=type(error).__name__)
                if isinstance(error, ray.exceptions.RayTaskError):
                    raise
                await self._revive()
                continue
            return msgspec.json.decode(reply, type=Performance)
        return Performance(
            error=f"the director died {DIRECTOR_RESTARTS + 1} times; the same command goes on "
            "from the log",
            error_kind="DirectorLost",
        )

    async def _revive(self) -> None:
        """Wait until Ray has restarted the director; start another when it will not."""
        ray = _import_ray()
        for _ in range(100):
            try:
                await self._handle().pid.remote()
                if self._stopping:
                    await self._handle().stop.remote()
                return
            except ray.exceptions.ActorUnavailableError:
                await asyncio.sleep(0.1)
            except ray.exceptions.ActorDiedError:
                break
        self._start_director()

    async def tally(self) -> Tally:
        """Counts so far; empty while the director is being restarted."""
        ray = _import_ray()
        try:
            tally: Tally = await asyncio.wait_for(self._handle().tally.remote(), timeout=5)
        except (ray.exceptions.RayActorError, TimeoutError):
            return Tally()
        return tally

    async def stop(self) -> None:
        """Finish the turns in flight, then `perform` returns."""
        self._stopping = True
        ray = _import_ray()
        with suppress(ray.exceptions.RayActorError):
            await self._handle().stop.remote()

    def _end(self) -> None:
        ray = _import_ray()
        for actor in [*self._roles, self._director]:
            if actor is not None:
                with suppress(ray.exceptions.RayError, ValueError):
                    ray.kill(actor)
        self._roles, self._director = [], None
        if self._temp_dir is not None:
            ray.shutdown()
            shutil.rmtree(self._temp_dir, ignore_errors=True)
            self._temp_dir = None


def _import_ray() -> Any:
    # Set before the import: Ray reads them once.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    # Ray runs workers at nice 15: the director would wait for whatever else the machine does.
    os.environ.setdefault("RAY_worker_niceness", "0")
    try:
        import ray
    except ImportError as error:
        raise ExtraMissing(needs="ray", extra="agents") from error
    return ray
