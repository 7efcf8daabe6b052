"""What an actor needs to take up its work, as plain values that travel to its process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    aclosing,
    asynccontextmanager,
)
from dataclasses import dataclass, field

import msgspec

from eristic.agents.director import Director
from eristic.agents.episodes import Ending, Stage, Tally
from eristic.agents.models import ModelDirectory, RetryPolicy
from eristic.agents.servant import RoleServant
from eristic.agents.tokens import TokenCounter
from eristic.debate import Binding, EristicError, RunOpened
from eristic.debate.prompting import parse_template
from eristic.ports import Courier, EpisodeLog, RoleDoor, SystemClock
from eristic.protocols import find_protocol
from eristic.protocols.plans import PlannedEpisode

__all__ = ["DirectorPost", "Performance", "Programme", "RolePost", "open_servant", "Conductor"]


class Programme(msgspec.Struct, frozen=True, kw_only=True):
    """All that a director is to play."""

    opened: RunOpened
    episodes: tuple[PlannedEpisode, ...]


class Performance(msgspec.Struct, frozen=True, kw_only=True):
    """How a director's work ended."""

    endings: tuple[Ending, ...] = ()
    head: str | None = None
    """Digest of the run's closing event; None while an episode is not closed."""
    error: str = ""
    """Why the director gave up, ready for a person; empty when it did not."""
    error_kind: str = ""
    """Name of the EristicError."""


@dataclass(frozen=True, kw_only=True)
class RolePost:
    """One shard of one role."""

    role: str
    binding: Binding
    templates: dict[str, str]
    """Template id -> text of the prompt file."""
    open_door: Callable[[], AbstractAsyncContextManager[RoleDoor]] = field(repr=False)
    """Opens the role's own way to the directors, in the process that serves it."""
    retry: RetryPolicy = RetryPolicy()
    """How patient the role is with its models."""


@dataclass(frozen=True, kw_only=True)
class DirectorPost:
    """One director of one run."""

    run: str
    protocol: str
    at_once: int
    """Episodes played side by side."""
    programme: bytes
    """A Programme as JSON."""
    open_log: Callable[[], AbstractAsyncContextManager[EpisodeLog]] = field(repr=False)
    open_courier: Callable[[], AbstractAsyncContextManager[Courier]] = field(repr=False)


@asynccontextmanager
async def open_servant(post: RolePost) -> AsyncIterator[RoleServant]:
    """The servant of a post, with the models this process can call.

    Leaving closes their connections: a loop that ends with open ones may wait for them for ever.
    """
    async with aclosing(ModelDirectory(retry=post.retry)) as models:
        yield RoleServant(
            post.role,
            post.binding,
            templates={name: parse_template(text) for name, text in post.templates.items()},
            model=models,
            counter=TokenCounter(post.binding.model),
        )


class Conductor:
    """A director at its post, in whatever process it is. Same for Ray and for one process."""

    def __init__(self, post: DirectorPost) -> None:
        self._post = post
        self._director: Director | None = None
        self._stopping = False

    @property
    def tally(self) -> Tally:
        """Counts so far."""
        return Tally() if self._director is None else self._director.tally

    def stop(self) -> None:
        """Finish the turns in flight, then hand back."""
        self._stopping = True
        if self._director is not None:
            self._director.stop()

    async def perform(self, encoded: bytes) -> Performance:
        """Play a Programme (JSON) from wherever the log stands. May be called again."""
        programme = msgspec.json.decode(encoded, type=Programme)
        endings: list[Ending] = []
        try:
            async with AsyncExitStack() as stack:
                director = await self._take_post(stack)
                chains = await director.open_run(programme.opened)
                endings = await director.play_all(
                    programme.episodes, at_once=self._post.at_once, chains=chains
                )
                head = await director.close_run(endings)
        except EristicError as error:
            return Performance(
                endings=tuple(endings), error=str(error), error_kind=type(error).__name__
            )
        return Performance(endings=tuple(endings), head=head)

    async def _take_post(self, stack: AsyncExitStack) -> Director:
        post = self._post
        stage = Stage(
            run=post.run,
            machine=find_protocol(post.protocol),
            log=await stack.enter_async_context(post.open_log()),
            courier=await stack.enter_async_context(post.open_courier()),
            clock=SystemClock(),
        )
        stage.stopping = self._stopping
        self._director = Director(stage)
        return self._director
