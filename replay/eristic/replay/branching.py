"""A branch: an episode that begins as another one did and goes on with another cast or options.

The beginning is taken over body for body, byte for byte, with the times at which it happened. Its
envelopes name the new chain, so their digests are new; the header's lineage holds what is needed
to compute the source's digests from it again (`descents.py` does).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from eristic.debate import Binding, Cast, Envelope, EpisodeOpened, Event, Setting
from eristic.debate.envelopes import encode
from eristic.debate.errors import SpecRefused, nearest
from eristic.debate.ids import derive_seed, episode_id
from eristic.protocols import Machine, complete_cast, find_protocol, needed_roles, playing_roles
from eristic.protocols.plans import PlannedEpisode
from eristic.replay.fork_points import ForkPoint, find_fork_point
from eristic.replay.walks import Walk
from eristic.sweeps import ALL_ROLES

__all__ = ["Changes", "branch", "plan_branch"]


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """What is otherwise in a branch."""

    condition: str = ""
    """Empty: that of the source."""
    roles: Cast = {}
    """Role -> who plays it from here on; `all` stands for the roles that are not named."""
    options: dict[str, Setting] = {}
    prompts: dict[str, str] = {}
    """Template id -> SHA-256; empty: those of the source."""
    software: str = ""
    """Empty: that of the source."""
    seed: int = 0
    copy: int = 0
    """Which of several branches of the same turn, from 0."""
    copies: int = 1
    """Branches of the same turn (count)."""


def branch(envelopes: Iterable[Envelope], at: int, changes: Changes) -> tuple[Event, ...]:
    """The events that a branch after turn `at` begins with; what is due then follows from them.

    Only envelopes up to the fork point are taken from the iterable. Raises as `plan_branch` and
    `find_fork_point` do, and ValueError when there is no envelope.
    """
    stream = iter(envelopes)
    first = next(stream, None)
    if first is None or not isinstance(first.body, EpisodeOpened):
        raise ValueError("an episode begins with episode.opened; this chain does not")
    machine = find_protocol(first.body.protocol)
    stored = _encoded(first, stream)
    point = find_fork_point(stored, run=first.run, episode=first.episode, at=at, machine=machine)
    planned = plan_branch(point, changes, machine)
    return (planned.opened, *point.events)


def _encoded(first: Envelope, rest: Iterable[Envelope]) -> Iterable[bytes]:
    yield encode(first)
    for envelope in rest:
        yield encode(envelope)


def plan_branch(point: ForkPoint, changes: Changes, machine: Machine[Any]) -> PlannedEpisode:
    """The branch, ready to be opened.

    Its id and seed derive from the fork point and the copy, so the same wish gives the same asks.
    Raises SpecRefused for an unknown role or option, for a role nobody plays, and for an option
    that contradicts what is kept.
    """
    source, lineage = point.opened, point.lineage
    place = f"{lineage.run}/{lineage.episode}@{lineage.position}"
    opened = EpisodeOpened(
        protocol=machine.name,
        protocol_version=machine.version,
        case=source.case,
        condition=_condition(point, changes, machine),
        repetition=source.repetition * changes.copies + changes.copy,
        options=_options(point, changes, machine),
        cast=_cast(point, changes, machine),
        prompts=changes.prompts or source.prompts,
        software=changes.software or source.software,
        seed=derive_seed(changes.seed, "fork", place, changes.copy),
        parent=lineage,
    )
    _check_follows(point, opened, changes, machine)
    return PlannedEpisode(
        episode=episode_id(case_id=place, condition="fork", repetition=changes.copy),
        opened=opened,
        kept=point.kept,
    )


def _condition(point: ForkPoint, changes: Changes, machine: Machine[Any]) -> str:
    name = changes.condition or point.opened.condition
    if name not in machine.conditions:
        hint = nearest(name, machine.conditions)
        raise SpecRefused(f"--condition: {machine.name} has no {name!r}.{hint}")
    return name


def _options(point: ForkPoint, changes: Changes, machine: Machine[Any]) -> dict[str, Setting]:
    source = point.opened.options
    if source and "profile" in changes.options:
        raise SpecRefused(
            f"options.profile: {point.address} names every option already, so a profile would "
            "change nothing; give the options themselves"
        )
    return machine.resolve({**source, **changes.options})


def _cast(point: ForkPoint, changes: Changes, machine: Machine[Any]) -> Cast:
    """Who plays: the source's cast with the changes, or the changes alone for an import.

    The names of models in an import are labels of its source; nobody can be asked by them.
    """
    source, given = point.opened, dict(changes.roles)
    for role in given:
        if role != ALL_ROLES and role not in machine.roles:
            raise SpecRefused(f"--role: {machine.name} has no {role!r}.{_near(role, machine)}")
    condition = _condition(point, changes, machine)
    needed = needed_roles(machine, (condition,))
    rest = given.pop(ALL_ROLES, None)
    bound: Cast = {} if source.imported is not None else dict(source.cast)
    if rest is not None:
        bound |= {role: _at_epoch(rest, source.cast, role) for role in needed}
    playing = playing_roles(machine, (condition,))
    bound |= {
        role: _at_epoch(one, source.cast, role) for role, one in given.items() if role in playing
    }
    try:
        return complete_cast(machine, bound, (condition,))
    except KeyError as error:
        role = str(error.args[0])
        raise SpecRefused(
            f"{point.address}: nobody plays {role} ({machine.roles[role].does}) from there on, "
            f"as the import names no model that can be asked; add --role {role}=MODEL or "
            "--role all=MODEL"
        ) from error


def _at_epoch(binding: Binding, source: Mapping[str, Binding], role: str) -> Binding:
    """Kept turns name the epoch in which they were said; a branch goes on in the same."""
    epoch = source[role].epoch if role in source else 0
    return msgspec.structs.replace(binding, epoch=epoch)


def _near(role: str, machine: Machine[Any]) -> str:
    return nearest(role, machine.roles)


def _check_follows(
    point: ForkPoint, opened: EpisodeOpened, changes: Changes, machine: Machine[Any]
) -> None:
    """What is kept must be what the branch's own header would have led to as well."""
    walk = Walk(machine, opened, {})
    for number, event in enumerate(point.events, start=1):
        faults = [fault for fault in walk.take(event) if fault.kind != "prompt"]
        if not faults:
            continue
        otherwise = [*sorted(changes.options), *(["condition"] if changes.condition else [])]
        changed = ", ".join(otherwise) or "nothing"
        expected = f" (expected {faults[0].expected})" if faults[0].expected else ""
        raise SpecRefused(
            f"{point.address} cannot be kept with {changed} changed: at event {number} of its "
            f"beginning, {faults[0].what}{expected}. Fork at an earlier turn, or leave the option "
            "as it was"
        )
