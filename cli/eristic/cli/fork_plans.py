"""From cut episodes to a run that a host can play: as `productions` for a new experiment."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from eristic.agents.director import check_same
from eristic.agents.episodes import Ending
from eristic.agents.prompts import load_prompts
from eristic.cli.fork_sources import NOT_DRAWN, NOTHING_FOLLOWS, ForkSource
from eristic.cli.fork_words import END, ForkWords
from eristic.cli.places import Place
from eristic.cli.productions import Production
from eristic.cli.software import software
from eristic.debate import Binding, Cast
from eristic.debate.envelopes import decode
from eristic.debate.errors import LogDamaged, NameRefused, SpecRefused
from eristic.debate.ids import RUN_CHAIN
from eristic.debate.prompting import template_digest
from eristic.protocols import Machine, advance, find_protocol, fold
from eristic.protocols.plans import PlannedEpisode
from eristic.protocols.recomputers import find_recomputer
from eristic.replay.branching import Changes, plan_branch
from eristic.replay.fork_pairs import ForkComparison, ForkPair, compare_forks
from eristic.replay.fork_points import ForkPoint
from eristic.sweeps import ALL_ROLES, CaseSet, Experiment

__all__ = ["ForkPlan", "compare", "plan_forks", "there_already"]

_LISTED = 1000
"""Fork points that a spec names one by one; of more it holds a digest."""
_NAME_CHARS = 64 - len("-fork-") - 6
_spec_encoder = msgspec.json.Encoder(order="sorted")


class ForkPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A fork, ready to be played."""

    production: Production
    source: ForkSource
    branches: tuple[tuple[ForkPoint, PlannedEpisode], ...]
    copies: int
    differences: tuple[str, ...]
    """What is otherwise than in the source, one line each."""


def plan_forks(source: ForkSource, words: ForkWords) -> ForkPlan:
    """Every branch of every point. Raises SpecRefused as `plan_branch` does."""
    machine = find_protocol(source.points[0].opened.protocol)
    prompts = {**load_prompts(machine), **source.opened.prompts}
    are_ours = not source.opened.prompts
    changes = msgspec.structs.replace(
        words.changes,
        prompts={name: template_digest(text) for name, text in prompts.items()},
        software=software(),
    )
    if any(turn == END for _, turn in words.addresses):
        source = _that_go_on(source, changes, machine)
    source = _drawn(source, words)
    branches = tuple(
        (point, plan_branch(point, msgspec.structs.replace(changes, copy=copy), machine))
        for point in source.points
        for copy in range(words.copies)
    )
    spec = _spec(source, words, machine, are_ours=are_ours)
    run = words.run or _derived_name(source.run, spec)
    if run == source.run:
        raise SpecRefused(f"--run {run} is the run that is forked, which is never written to")
    spec["run"] = run
    cast = _one_cast(branches)
    _check_used(words, cast)
    return ForkPlan(
        production=Production(
            experiment=_experiment(run, words, machine, branches, cast),
            machine=machine,
            prompts=prompts,
            cases=CaseSet(
                cases=tuple({p.opened.case.case_id: p.opened.case for p in source.points}.values())
            ),
            episodes=tuple(item for _, item in branches),
            spec=_spec_encoder.encode(spec).decode(),
        ),
        source=source,
        branches=branches,
        copies=words.copies,
        differences=tuple(_differences(source, words, branches, are_ours=are_ours)),
    )


def _that_go_on(source: ForkSource, changes: Changes, machine: Machine[Any]) -> ForkSource:
    """Without those that would close at once. Only a cut before the close can lead to one."""
    going = tuple(point for point in source.points if _goes_on(point, changes, machine))
    if not going:
        raise NameRefused(
            f"of {len(source.points):,} episode{'s' * (len(source.points) != 1)} not one would go "
            "on after its end; name --condition or an option under which it does"
        )
    return _with_points(source, going, NOTHING_FOLLOWS)


def _goes_on(point: ForkPoint, changes: Changes, machine: Machine[Any]) -> bool:
    item = plan_branch(point, changes, machine)
    return not advance(machine, fold(machine, [item.opened, *point.events])).closed


def _drawn(source: ForkSource, words: ForkWords) -> ForkSource:
    """A sample of those that go on, in their order."""
    points = source.points
    if words.sample is None or words.sample >= len(points):
        return source
    chance = random.Random(words.changes.seed)
    chosen = sorted(chance.sample(range(len(points)), words.sample))
    return _with_points(source, tuple(points[place] for place in chosen), NOT_DRAWN)


def _with_points(source: ForkSource, points: tuple[ForkPoint, ...], why: str) -> ForkSource:
    lost = len(source.points) - len(points)
    left_out = Counter(source.left_out) + Counter({why: lost})
    return source._replace(points=points, left_out=dict(left_out))


def _experiment(
    run: str,
    words: ForkWords,
    machine: Machine[Any],
    branches: Sequence[tuple[ForkPoint, PlannedEpisode]],
    cast: Cast,
) -> Experiment:
    present = {item.opened.condition for _, item in branches}
    return Experiment(
        run=run,
        protocol=machine.name,
        seed=words.changes.seed,
        repetitions=words.copies,
        conditions=tuple(name for name in machine.conditions if name in present),
        options=branches[0][1].opened.options,
        roles=cast,
    )


def _spec(
    source: ForkSource, words: ForkWords, machine: Machine[Any], *, are_ours: bool
) -> dict[str, object]:
    """All that makes two forks the same but the name of the run."""
    points = {f"{p.episode}@{p.at}": p.lineage.digest for p in source.points}
    if len(points) > _LISTED:
        points = {"sha256": hashlib.sha256(_spec_encoder.encode(points)).hexdigest()}
    return {
        "schema": 1,
        "kind": "fork",
        "protocol": machine.name,
        "source": {"run": source.run, "points": points},
        "copies": words.copies,
        "seed": words.changes.seed,
        "changes": {
            **({"condition": words.changes.condition} if words.changes.condition else {}),
            "options": words.changes.options,
            "roles": {role: _plain(binding) for role, binding in words.changes.roles.items()},
            "prompts": "ours" if are_ours else "of the source",
        },
    }


def _plain(binding: Binding) -> dict[str, object]:
    plain: dict[str, object] = msgspec.to_builtins(binding)
    return {key: value for key, value in plain.items() if key not in ("shards", "epoch")}


def _derived_name(source: str, spec: Mapping[str, object]) -> str:
    mark = hashlib.sha256(_spec_encoder.encode(spec)).hexdigest()[:6]
    return f"{source[:_NAME_CHARS]}-fork-{mark}"


def _one_cast(branches: Iterable[tuple[ForkPoint, PlannedEpisode]]) -> Cast:
    """The cast of all branches: a run has one model a role."""
    cast: Cast = {}
    for point, item in branches:
        for role, binding in item.opened.cast.items():
            if cast.setdefault(role, binding) != binding:
                raise SpecRefused(
                    f"{point.address} has another {role} ({binding.model}) than the episodes "
                    f"before it ({cast[role].model}); fork them apart, or name one with --role"
                )
    return cast


def _check_used(words: ForkWords, cast: Cast) -> None:
    for role in words.changes.roles:
        if role != ALL_ROLES and role not in cast:
            raise SpecRefused(
                f"--role {role}: nobody plays it in these episodes, where there are "
                f"{', '.join(cast)}"
            )


def _differences(
    source: ForkSource,
    words: ForkWords,
    branches: Sequence[tuple[ForkPoint, PlannedEpisode]],
    *,
    are_ours: bool,
) -> Iterable[str]:
    point, item = branches[0]
    before, after = point.opened, item.opened
    for role in sorted({name for _, one in branches for name in one.opened.cast}):
        casts = [(p.opened.cast, one.opened.cast) for p, one in branches if role in one.opened.cast]
        was, now = casts[0][0].get(role), casts[0][1][role]
        if was != now:
            yield f"role {role}: {was.model if was else 'nobody'} -> {_shown(now)}"
    if before.condition != after.condition:
        yield f"condition: {before.condition} -> {after.condition}"
    for name in sorted(words.changes.options):
        was_set = before.options.get(name, "not in the source")
        yield f"options.{name}: {was_set} -> {after.options[name]}"
    if are_ours:
        yield f"prompts: not in the source -> those of {software()}"
        if not before.options:
            yield "options: not in the source -> ours, every one named in the header"


def _shown(binding: Binding) -> str:
    params = "&".join(f"{name}={value}" for name, value in binding.params.items())
    return f"{binding.model}?{params}" if params else binding.model


async def there_already(place: Place, plan: ForkPlan) -> dict[str, list[bytes]]:
    """The chains of this run as far as it was played before; empty when it is new.

    Raises RunRefused when a run of that name is another one.
    """
    production = plan.production
    if production.run not in await place.runs():
        return {}
    chains: dict[str, list[bytes]] = {}
    async with place.log(production.run) as log:
        async for episode, stored in log.records():
            chains.setdefault(episode, []).append(stored)
    if RUN_CHAIN in chains:
        there = decode(chains[RUN_CHAIN][0]).body
        check_same(production.run, there, production.programme(durability=place.durability).opened)
    elif chains:
        raise LogDamaged(f"run {production.run} has episodes and does not begin with run.opened")
    return chains


def _block(point: ForkPoint) -> str:
    case = point.opened.case
    return f"{point.opened.condition}/{case.block or case.case_id}"


def compare(plan: ForkPlan, endings: Sequence[Ending]) -> ForkComparison:
    """The branches that are closed beside their originals."""
    ended = {ending.episode: ending for ending in endings if ending.how == "closed"}
    pairs = [
        ForkPair(
            fork=item.episode,
            source=f"{point.episode}@{point.at}",
            block=_block(point),
            before=plan.source.outcomes[point.episode],
            after=ended[item.episode].outcome,
        )
        for point, item in plan.branches
        if item.episode in ended
    ]
    return compare_forks(pairs, yes=_success(plan.production.machine.name))


def _success(protocol: str) -> str:
    """The outcome whose rate is compared; empty when the protocol names none."""
    try:
        return find_recomputer(protocol).success
    except NameRefused:
        return ""
