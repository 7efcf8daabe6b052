"""From an experiment to its episodes: every cell of cases x conditions x repetitions.

Lives beside the machines, not with the sweeps: a plan needs a protocol's roles, conditions and
options, and `eristic.sweeps` lies below the protocols.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from eristic.debate import Case, Cast, EpisodeOpened
from eristic.debate.envelopes import Kept
from eristic.debate.errors import CaseRefused, SpecRefused, nearest
from eristic.debate.ids import derive_seed, episode_id
from eristic.debate.prompting import template_digest
from eristic.protocols.casework import check_case
from eristic.protocols.machine import Machine, complete_cast, needed_roles
from eristic.protocols.usual import matched, usual_conditions, usual_repetitions
from eristic.sweeps import ALL_ROLES, CaseSet, Experiment, repetitions_of, select

__all__ = ["PlannedEpisode", "plan", "settle"]


class PlannedEpisode(msgspec.Struct, frozen=True, kw_only=True):
    """One cell of a sweep, ready to be opened."""

    episode: str
    """Id, derived from case, condition and repetition."""
    opened: EpisodeOpened
    """The first event of its chain."""
    kept: tuple[Kept, ...] = ()
    """What follows it before anybody is asked: the beginning that a branch shares."""


def settle(experiment: Experiment, machine: Machine[Any]) -> Experiment:
    """The experiment with every condition, option and role named; settling twice changes nothing.

    A profile has done its work once its options are named, so it is left out. Raises SpecRefused
    for an unknown condition, role or option, with the nearest name, and for a role that has no
    model.
    """
    if machine.name != experiment.protocol:
        raise SpecRefused(f"the experiment is for {experiment.protocol!r}, not {machine.name!r}")
    conditions = _conditions(experiment.conditions, machine)
    return msgspec.structs.replace(
        experiment,
        conditions=conditions,
        repetitions=_repetitions(experiment.repetitions, machine, conditions),
        profile=None,
        options=machine.resolve(_asked(experiment)),
        roles=_cast(experiment.roles, machine, conditions),
    )


def plan(
    experiment: Experiment,
    cases: CaseSet,
    machine: Machine[Any],
    *,
    prompts: Mapping[str, str],
    software: str,
) -> tuple[PlannedEpisode, ...]:
    """All episodes of the experiment, whole repetitions one after another, in the cases' order.

    prompts: template id -> text of each prompt file of the protocol. software: eristic and its
    version. Ids and seeds depend on the cell alone, so a sweep that grows keeps those it had.
    Raises SpecRefused as `settle` does and for a prompt that is missing; CaseRefused for a case
    that is not there or lacks a text.
    """
    settled = settle(experiment, machine)
    used = select(cases, settled.cases, seed=settled.seed)
    _check_texts(used.cases, machine)
    digests = {name: template_digest(_prompt(prompts, name)) for name in machine.templates}
    casts = {name: complete_cast(machine, settled.roles, (name,)) for name in settled.conditions}
    counts = {name: repetitions_of(settled, name) for name in settled.conditions}
    planned = tuple(
        _episode(settled, machine, case, condition, repetition, casts[condition], digests, software)
        for repetition in range(max(counts.values()))
        for case in used.cases
        for condition in settled.conditions
        if repetition < counts[condition]
    )
    _check_ids(planned)
    return planned


def _episode(
    settled: Experiment,
    machine: Machine[Any],
    case: Case,
    condition: str,
    repetition: int,
    cast: Cast,
    prompts: dict[str, str],
    software: str,
) -> PlannedEpisode:
    episode = episode_id(case_id=case.case_id, condition=condition, repetition=repetition)
    return PlannedEpisode(
        episode=episode,
        opened=EpisodeOpened(
            protocol=machine.name,
            protocol_version=machine.version,
            case=case,
            condition=condition,
            repetition=repetition,
            options=settled.options,
            cast=cast,
            prompts=prompts,
            seed=derive_seed(settled.seed, case.case_id, condition, repetition),
            software=software,
        ),
    )


def _asked(experiment: Experiment) -> dict[str, str | int | float | bool | None]:
    if experiment.profile is None:
        return experiment.options
    return experiment.options | {"profile": experiment.profile}


def _conditions(asked: tuple[str, ...], machine: Machine[Any]) -> tuple[str, ...]:
    """In the protocol's order, so that the order in a file makes no difference."""
    asked = asked or usual_conditions(machine)
    for pattern in asked:
        if not fnmatch.filter(machine.conditions, pattern):
            hint = nearest(pattern, machine.conditions)
            raise SpecRefused(f"conditions: {machine.name} has no {pattern!r}.{hint}")
    return tuple(
        name
        for name in machine.conditions
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in asked)
    )


def _repetitions(
    asked: int | Mapping[str, int], machine: Machine[Any], conditions: tuple[str, ...]
) -> int | dict[str, int]:
    """One number when it is the same for all conditions, else one each. A table may name more
    than are run: a file's holds for a command that runs a part of it."""
    if isinstance(asked, int):
        return asked
    for pattern in asked:
        if not fnmatch.filter(machine.conditions, pattern):
            hint = nearest(pattern, machine.conditions)
            raise SpecRefused(f"repetitions: {machine.name} has no condition {pattern!r}.{hint}")
    usual = usual_repetitions(machine)
    counts = {name: matched(asked, name) or matched(usual, name) or 1 for name in conditions}
    return counts if len(set(counts.values())) > 1 else next(iter(counts.values()))


def _cast(given: Cast, machine: Machine[Any], conditions: Iterable[str]) -> Cast:
    """A role's own binding, else that of `all`, else that of a role it is like."""
    for name in given:
        if name != ALL_ROLES and name not in machine.roles:
            raise SpecRefused(
                f"roles: {machine.name} has no role {name!r}.{nearest(name, machine.roles)}"
            )
    bound = {name: binding for name, binding in given.items() if name != ALL_ROLES}
    if ALL_ROLES in given:
        free = [name for name, spec in machine.roles.items() if not spec.is_optional]
        bound = dict.fromkeys(free, given[ALL_ROLES]) | bound
    try:
        return complete_cast(machine, bound, conditions)
    except KeyError as error:
        raise SpecRefused(_unbound(str(error.args[0]), machine, conditions)) from error


def _unbound(role: str, machine: Machine[Any], conditions: Iterable[str]) -> str:
    names = ", ".join(needed_roles(machine, conditions))
    return (
        f"no model plays {role} ({machine.roles[role].does}); add --role {role}=MODEL, or "
        f"--role all=MODEL for every role that is not named. Roles of {machine.name}: {names}"
    )


def _prompt(prompts: Mapping[str, str], name: str) -> str:
    if name not in prompts:
        raise SpecRefused(f"prompt {name!r} is not given.{nearest(name, prompts)}")
    return prompts[name]


def _check_texts(cases: Iterable[Case], machine: Machine[Any]) -> None:
    for case in cases:
        for name in machine.case_texts:
            if not case.texts.get(name, "").strip():
                raise CaseRefused(f"case {case.case_id!r} has no {name}; {machine.name} needs one")
        check_case(machine, case)


def _check_ids(planned: tuple[PlannedEpisode, ...]) -> None:
    # 48 bits: a clash is about as likely as 1 in 50,000 among 100,000 episodes.
    seen: dict[str, str] = {}
    for cell in planned:
        case_id = cell.opened.case.case_id
        if seen.setdefault(cell.episode, case_id) != case_id:
            raise CaseRefused(
                f"cases {seen[cell.episode]!r} and {case_id!r} get the same episode id; "
                "rename one of them"
            )
