"""The Ray actors: one type for every role, and the director.

Nothing of a turn travels through Ray: roles and directors meet on the bus, and what happened is
in the log. Ray hosts the processes, restarts them, and carries start, stop and counts.
"""

from __future__ import annotations

import os
from contextlib import AsyncExitStack

import msgspec

from eristic.agents.episodes import Tally
from eristic.agents.posts import Conductor, DirectorPost, RolePost, open_servant

__all__ = ["DirectorActor", "RoleActor", "role_actor_type"]


class RoleActor:
    """One shard of one role: an async actor with its own bus connection and model binding."""

    async def __init__(self, post: RolePost) -> None:  # type: ignore[misc]  # Ray awaits it
        self._opened = AsyncExitStack()
        servant = await self._opened.enter_async_context(open_servant(post))
        self._door = await self._opened.enter_async_context(post.open_door())
        await self._door.serve(post.role, servant)

    async def ready(self) -> int:
        """Process id, once the role is served."""
        return os.getpid()

    async def drain(self) -> None:
        """Take no more asks, finish those in flight."""
        await self._door.drain()
        await self._opened.aclose()


class DirectorActor:
    """A director as an actor. Killed and restarted, it goes on from the log."""

    def __init__(self, post: DirectorPost) -> None:
        self._conductor = Conductor(post)

    async def perform(self, programme: bytes) -> bytes:
        """Play a Programme (JSON); gives a Performance (JSON)."""
        return msgspec.json.encode(await self._conductor.perform(programme))

    async def pid(self) -> int:
        """Process id of the actor."""
        return os.getpid()

    async def tally(self) -> Tally:
        """Counts so far."""
        return self._conductor.tally

    async def stop(self) -> None:
        """Finish the turns in flight, then hand back."""
        self._conductor.stop()


def role_actor_type(role: str) -> type[RoleActor]:
    """The actor type of a role, e.g. `PersuaderActor`: what Ray lists and restarts by name."""
    name = "".join(part.capitalize() for part in role.replace("-", "_").split("_")) + "Actor"
    return type(name, (RoleActor,), {"__doc__": f"Serves the role {role}."})
