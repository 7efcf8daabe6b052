"""Wires a production to a place: who serves which role, over what, writing where."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Literal

import msgspec

from eristic.agents.hosts import Host, InlineHost, RayHost
from eristic.agents.models import RetryPolicy
from eristic.agents.posts import DirectorPost, RolePost
from eristic.cli.places import Place
from eristic.cli.productions import Production
from eristic.debate import Binding, Cast, is_served_elsewhere
from eristic.ports import Courier, EpisodeLog, RoleDoor
from eristic.sweeps import CallBounds

if TYPE_CHECKING:
    from eristic.bus import BusSettings

__all__ = ["HostName", "check_models", "raise_curtain"]

HostName = Literal["ray", "inline"]


@asynccontextmanager
async def open_door(settings: BusSettings, run: str) -> AsyncIterator[RoleDoor]:
    """A role's own connection; opened in the process that serves the role."""
    from eristic.bus import NatsDoor, connect

    link = await connect(settings)
    try:
        yield NatsDoor(link, run)
    finally:
        await link.close()


@asynccontextmanager
async def open_courier(settings: BusSettings) -> AsyncIterator[Courier]:
    """A director's way to the roles."""
    from eristic.bus import NatsCourier, connect

    link = await connect(settings)
    courier = NatsCourier(link)
    try:
        yield courier
    finally:
        courier.close()
        await link.close()


@asynccontextmanager
async def open_log(settings: BusSettings, run: str) -> AsyncIterator[EpisodeLog]:
    """A director's log."""
    from eristic.bus import connect
    from eristic.bus import open_log as open_stream

    link = await connect(settings)
    try:
        log = await open_stream(link, run)
        try:
            yield log
        finally:
            log.close()
    finally:
        await link.close()


async def check_models(cast: Cast) -> None:
    """Every model of a cast can be called as far as can be known without paying.

    Raises ModelUnknown, CredentialMissing, SpecRefused, ExtraMissing.
    """
    from eristic.agents.models import ModelDirectory

    directory = ModelDirectory()
    seen: set[tuple[str, str | None]] = set()
    try:
        for binding in cast.values():
            for model in (binding.model, *binding.fallback):
                if (model, binding.api_base) not in seen:
                    seen.add((model, binding.api_base))
                    await directory.check(model, binding)
    finally:
        await directory.aclose()


@asynccontextmanager
async def raise_curtain(
    production: Production, place: Place, *, host: HostName, at_once: int
) -> AsyncIterator[Host]:
    """A host with all roles served and a director ready; ends them afterwards."""
    from eristic.bus import create_stream

    run = production.run
    await create_stream(place.settings("admin"), run)
    async with AsyncExitStack() as stack:
        cast = await _localise(production.experiment.roles, stack)
        retry = _patience(production.experiment.calls)
        posts = [
            RolePost(
                role=role,
                binding=binding,
                templates=production.prompts,
                open_door=functools.partial(open_door, place.settings("role"), run),
                retry=retry,
            )
            for role, binding in cast.items()
            if not is_served_elsewhere(binding.model)
        ]
        director = DirectorPost(
            run=run,
            protocol=production.machine.name,
            at_once=at_once,
            programme=msgspec.json.encode(production.programme(durability=place.durability)),
            open_log=functools.partial(open_log, place.settings("director"), run),
            open_courier=functools.partial(open_courier, place.settings("director")),
        )
        if host == "inline":
            yield InlineHost(posts, director, is_alone=len(posts) == len(cast))
        else:
            yield await stack.enter_async_context(RayHost(posts, director))


def _patience(bounds: CallBounds) -> RetryPolicy:
    said = {
        name: value for name, value in msgspec.structs.asdict(bounds).items() if value is not None
    }
    return msgspec.structs.replace(RetryPolicy(), **said)


async def _localise(cast: Mapping[str, Binding], stack: AsyncExitStack) -> Cast:
    """The cast as it is served: one local model server for all roles, known windows filled in."""
    from eristic.agents.tokens import window_tokens

    served = dict(cast)
    local = [role for role, binding in cast.items() if binding.model == "local"]
    if any(cast[role].api_base is None for role in local):
        from eristic.agents.local_model import LOCAL_BINDING, LocalModelServer

        server = await stack.enter_async_context(LocalModelServer())
        for role in local:
            served[role] = msgspec.structs.replace(
                cast[role],
                api_base=cast[role].api_base or server.url,
                window_tokens=cast[role].window_tokens or LOCAL_BINDING.window_tokens,
                reserve_tokens=min(cast[role].reserve_tokens, LOCAL_BINDING.reserve_tokens),
            )
    for role, binding in served.items():
        model = binding.model
        asks_litellm = not (model.startswith("script:") or is_served_elsewhere(model))
        if binding.window_tokens is None and asks_litellm:
            served[role] = msgspec.structs.replace(
                binding, window_tokens=window_tokens(binding.model)
            )
    return served
