"""What ran: the lines above the numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from eristic.protocols.logicom.metrics.arms import Arm, Design
from eristic.protocols.logicom.metrics.collecting import RunFacts
from eristic.protocols.logicom.options import resolve
from eristic.protocols.logicom.state import CONDITIONS

__all__ = ["describe", "design_of"]

_SHOWN = 6


class _Bound(msgspec.Struct, frozen=True):
    model: str


class _Spec(msgspec.Struct, frozen=True):
    conditions: tuple[str, ...]
    repetitions: int
    roles: dict[str, _Bound] = {}
    seed: int | None = None


def design_of(facts: RunFacts) -> Design:
    """What was planned, by the run's own first event; of an import nothing was."""
    spec = _spec(facts)
    opened = facts.opened
    if spec is None or opened is None or not spec.conditions or spec.repetitions < 1:
        present = {debate.condition for debate in facts.debates}
        return Design(conditions=tuple(x for x in CONDITIONS if x in present))
    bound = spec.roles.get("debater")
    return Design(
        conditions=spec.conditions,
        repetitions=tuple(range(spec.repetitions)),
        cells=opened.episodes // len(spec.conditions),
        model=bound.model if bound is not None else "",
    )


def _spec(facts: RunFacts) -> _Spec | None:
    if facts.opened is None:
        return None
    try:
        return msgspec.json.decode(facts.opened.spec, type=_Spec)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def describe(facts: RunFacts, arms: Iterable[Arm]) -> tuple[tuple[str, str], ...]:
    """Name and text of each line."""
    return tuple(_lines(facts, tuple(arms)))


def _lines(facts: RunFacts, arms: tuple[Arm, ...]) -> Iterator[tuple[str, str]]:
    opened = facts.opened
    if opened is not None:
        state = "closed" if facts.is_closed else "imported" if facts.layouts else "not closed"
        yield "run", f"{state}, begun {facts.started}, by {opened.software}"
        versions = ", ".join(f"{name} {x}" for name, x in sorted(opened.versions.items()))
        if versions:
            yield "packages", versions
    spec = _spec(facts)
    if spec is not None and spec.seed is not None:
        yield "seed", f"{spec.seed} (of the run; every ask's seed derives from it)"
    planned, used = sum(arm.planned for arm in arms), sum(len(arm.used) for arm in arms)
    yield "debates", f"{planned:,} planned, {used:,} with an outcome that counts"
    if opened is not None and opened.episodes > planned:
        missing = opened.episodes - planned
        yield "not begun", f"{missing:,} more that are in no row: of which scenario is not known"
    causes = sum((arm.causes for arm in arms), Counter[str]())
    for cause, count in sorted(causes.items()):
        if count:
            yield "excluded", f"{count:,} {cause}"
    claims = {debate.claim for debate in facts.debates}
    pairs = {debate.pair for debate in facts.debates}
    numbers = sorted({number for arm in arms for number in arm.repetitions})
    yield "claims", f"{len(claims):,} in {len(pairs):,} pairs (blocks of all intervals)"
    yield "repetitions", ", ".join(map(str, numbers)) or "none"
    yield from _models(facts)
    yield from _source(facts)
    yield from _options(facts)


def _models(facts: RunFacts) -> Iterator[tuple[str, str]]:
    served: dict[str, Counter[str]] = {}
    for debate in facts.debates:
        for role, names in debate.served.items():
            served.setdefault(role, Counter()).update(names)
    for role, bound in facts.casts.items():
        models = ", ".join(f"{name} ({count:,} debates)" for name, count in _few(bound))
        reported = served.get(role)
        told = "no id reported (imported, or never called)"
        if reported:
            told = "reported as " + ", ".join(f"{x} ({n:,})" for x, n in _few(reported))
        yield role, f"{models}; {told}"
    for role, count in facts.swaps.items():
        yield "replaced", f"{role}: {count:,} times while running"


def _few(counts: dict[str, int] | Counter[str]) -> list[tuple[str, int]]:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    if len(ordered) <= _SHOWN:
        return ordered
    rest = ordered[_SHOWN:]
    return [*ordered[:_SHOWN], (f"{len(rest)} more", sum(count for _, count in rest))]


def _source(facts: RunFacts) -> Iterator[tuple[str, str]]:
    if facts.layouts:
        yield "imported", f"layout {', '.join(facts.layouts)}"
    if facts.absent:
        yield "not recorded", ", ".join(facts.absent)


def _options(facts: RunFacts) -> Iterator[tuple[str, str]]:
    defaults = resolve({})
    other = [
        f"{name} = {', '.join(values)}"
        for name, values in facts.options.items()
        if set(values) != {str(defaults.get(name))}
    ]
    if facts.options:
        yield "options", "; ".join(other) if other else "profile paper, nothing changed"
