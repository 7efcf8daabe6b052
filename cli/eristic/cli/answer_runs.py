"""The run that a person joins: whether the role is theirs, and the prompts they will see."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec

from eristic.cli.places import Place
from eristic.debate import EpisodeOpened, RunClosed, RunOpened
from eristic.debate.envelopes import decode
from eristic.debate.errors import LogDamaged, NameRefused, SpecRefused, nearest
from eristic.debate.ids import RUN_CHAIN
from eristic.debate.prompting import Template, parse_template
from eristic.ports import EpisodeLog
from eristic.protocols import find_protocol

__all__ = ["is_closed", "templates_of"]

_HUMAN = "human"
_LOOK_S = 1.0
"""Pause between two looks whether an episode in which the role plays has begun."""


class _Bound(msgspec.Struct, frozen=True):
    model: str


class _Spec(msgspec.Struct, frozen=True):
    """The part of a run's spec that says who plays; that of a fork or an import has no roles."""

    protocol: str = ""
    roles: dict[str, _Bound] = {}


async def is_closed(log: EpisodeLog) -> bool:
    """True once everything is played."""
    chain = await log.read(RUN_CHAIN)
    return bool(chain) and isinstance(decode(chain[-1]).body, RunClosed)


async def templates_of(
    place: Place, run: str, role: str, *, say: Callable[[str], None]
) -> dict[str, Template] | None:
    """The run's prompt files, once it is certain that a person plays the role; None: the run is
    closed.

    A role that a model plays must never be served by a person: they would take its asks. say:
    told once that there is something to wait for. Raises SpecRefused for a role that no person
    plays, NameRefused for one that the protocol does not have, LogMissing, LogDamaged.
    """
    is_told = False
    async with place.log(run) as log:
        while True:
            opened, model = await _look(log, run, role)
            if model is not None and model != _HUMAN:
                raise SpecRefused(
                    f"run {run}: {role} is played by {model}, not by a person; begin the run with "
                    f"--role {role}=human"
                )
            if await is_closed(log):
                return None
            if opened is not None and model is not None:
                return {name: parse_template(text) for name, text in opened.prompts.items()}
            if not is_told:
                say(f"no episode of run {run} in which {role} plays has begun; waiting for one")
                is_told = True
            await asyncio.sleep(_LOOK_S)


async def _look(log: EpisodeLog, run: str, role: str) -> tuple[RunOpened | None, str | None]:
    """(the run's first event, model that plays the role), each None while it is not known."""
    opened: RunOpened | None = None
    async for chain, stored in log.records():
        event = decode(stored).body
        if isinstance(event, RunOpened):
            opened = event
            model = _bound(event, run, role)
            if model is not None:
                return opened, model
        elif chain == RUN_CHAIN and opened is None:
            raise LogDamaged(f"run {run} does not begin with run.opened")
        elif isinstance(event, EpisodeOpened) and role in event.cast:
            return opened, event.cast[role].model
    return opened, None


def _bound(opened: RunOpened, run: str, role: str) -> str | None:
    """As the run's spec says; None where the cast stands with the episodes alone."""
    try:
        spec = msgspec.json.decode(opened.spec, type=_Spec)
    except msgspec.DecodeError as error:
        raise LogDamaged(f"run {run}: its spec cannot be read: {error}") from error
    known = find_protocol(spec.protocol).roles if spec.protocol else {role: None}
    if role not in known:
        raise NameRefused(f"run {run}: {spec.protocol} has no role {role!r}.{nearest(role, known)}")
    if not spec.roles:
        return None
    if role not in spec.roles:
        people = [name for name, bound in spec.roles.items() if bound.model == _HUMAN]
        raise SpecRefused(
            f"run {run}: nobody plays {role}; a person plays {', '.join(people) or 'no role'}"
        )
    return spec.roles[role].model
