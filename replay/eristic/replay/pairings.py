"""Which turns are compared with which: forks with their parents, or the same cell of two runs."""

from __future__ import annotations

from collections.abc import Sequence

from eristic.judging import Matter, Target

__all__ = ["pair", "singles"]


def singles(targets: Sequence[Target]) -> tuple[Matter, ...]:
    """Every turn by itself."""
    return tuple(Matter(target) for target in targets)


def pair(
    run: str,
    targets: Sequence[Target],
    *,
    against: str = "",
    others: Sequence[Target] = (),
) -> tuple[Matter, ...]:
    """The targets that have a counterpart, each beside it.

    Without `against`, a branch is compared with the episode of this run that it left. With it, a
    branch with its parent in that run, any other episode with that run's episode of the same
    case, condition and repetition. A target without a counterpart is left out.
    """
    place = against or run
    found = others if against else targets
    by_name = {f"{place}/{other.episode}": other for other in found}
    by_cell = {_cell(other): other for other in found if not other.parent}
    matters = []
    for target in targets:
        other = by_name.get(target.parent) if target.parent else None
        if other is None and against:
            other = by_cell.get(_cell(target))
        if other is not None and other.digest != target.digest:
            matters.append(Matter(target, other, against))
    return tuple(matters)


def _cell(target: Target) -> tuple[str, str, int]:
    return target.case_id, target.condition, target.repetition
