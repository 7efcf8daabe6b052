"""The debates of one debater model and scenario, with everybody who was planned accounted for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from eristic.protocols.logicom.metrics.facts import Debate
from eristic.stats import Tally

__all__ = ["NOT_BEGUN", "Arm", "Cell", "Design", "arms_of", "claim_sums", "shared_cells"]

NOT_BEGUN = "not begun"
_DOUBLE = "another debate of the same claim, scenario and repetition"

Cell = tuple[str, int]
"""Claim and repetition."""


class Design(msgspec.Struct, frozen=True, kw_only=True):
    """What was planned."""

    conditions: tuple[str, ...]
    repetitions: tuple[int, ...] | None = None
    """None: nobody planned (an import); those that are there count, model by model."""
    cells: int | None = None
    """Claims x repetitions of each scenario; None: those that are there."""
    model: str = ""
    """The debater that was planned; empty: unknown."""


class Arm(msgspec.Struct, frozen=True, kw_only=True):
    """One debater model in one scenario."""

    model: str
    condition: str
    repetitions: tuple[int, ...]
    debates: tuple[Debate, ...]
    """In order of id."""
    not_begun: int = 0

    @property
    def keys(self) -> dict[str, str]:
        """As measures name it."""
        return {"debater": self.model, "scenario": self.condition}

    @property
    def planned(self) -> int:
        """Debates (count), begun or not."""
        return len(self.debates) + self.not_begun

    @property
    def used(self) -> tuple[Debate, ...]:
        """Debates with an outcome that counts."""
        return tuple(debate for debate in self.debates if debate.counts)

    @property
    def causes(self) -> Counter[str]:
        """Why the others do not count."""
        causes = Counter(debate.cause for debate in self.debates if not debate.counts)
        causes[NOT_BEGUN] += self.not_begun
        return causes

    @property
    def tally(self) -> Tally:
        """Planned, used and left out with causes."""
        return Tally.of(planned=self.planned, used=len(self.used), excluded=self.causes)

    @property
    def claims_planned(self) -> int:
        """Claims (count), begun or not; those not begun follow from the plan's cells."""
        begun = len({(x.claim, x.repetition) for x in self.debates})
        planned = -(-(begun + self.not_begun) // max(1, len(self.repetitions)))
        return max(planned, len({x.claim for x in self.debates}))

    def outcomes(self) -> dict[Cell, bool]:
        """(claim, repetition) -> convinced."""
        return {(x.claim, x.repetition): x.convinced is True for x in self.used}

    def pairs(self) -> dict[str, str]:
        """Claim -> its block."""
        return {x.claim: x.pair for x in sorted(self.debates, key=lambda x: x.pair, reverse=True)}


def arms_of(debates: Iterable[Debate], design: Design) -> tuple[Arm, ...]:
    """One arm for each model and scenario, in order of model and of the plan's scenarios."""
    known = _without_doubles(sorted(debates, key=lambda debate: debate.episode))
    models = sorted({debate.model for debate in known} | ({design.model} - {""}))
    return tuple(
        _arm(model, condition, known, design, is_first=model == (design.model or models[0]))
        for model in models
        for condition in _conditions(known, design)
    )


def _conditions(debates: Sequence[Debate], design: Design) -> tuple[str, ...]:
    others = {debate.condition for debate in debates} - set(design.conditions)
    return (*design.conditions, *sorted(others))


def _arm(
    model: str, condition: str, known: Sequence[Debate], design: Design, *, is_first: bool
) -> Arm:
    own = [x for x in known if x.condition == condition]
    mine = tuple(x for x in own if x.model == model)
    seen = sorted({x.repetition for x in known if x.model == model})
    begun = {(x.claim, x.repetition) for x in own}
    missing = max(0, design.cells - len(begun)) if design.cells is not None and is_first else 0
    return Arm(
        model=model,
        condition=condition,
        repetitions=tuple(seen) if design.repetitions is None else design.repetitions,
        debates=mine,
        not_begun=missing,
    )


def _without_doubles(debates: Sequence[Debate]) -> list[Debate]:
    """A second debate of a cell counts nowhere: which of the two is meant, nobody can know."""
    seen: set[tuple[str, str, str, int]] = set()
    kept = []
    for debate in debates:
        cell = (debate.model, debate.condition, debate.claim, debate.repetition)
        if not debate.cause.startswith("branch") and cell in seen:
            debate = msgspec.structs.replace(debate, convinced=None, cause=_DOUBLE)
        elif not debate.cause.startswith("branch"):
            seen.add(cell)
        kept.append(debate)
    return kept


def claim_sums(
    outcomes: dict[Cell, bool], pairs: dict[str, str], repetitions: Sequence[int]
) -> list[tuple[str, tuple[int, ...]]]:
    """For each claim its block and, for each repetition, hits and items."""
    claims = sorted({claim for claim, _ in outcomes})
    rows = []
    for claim in claims:
        sums: list[int] = []
        for repetition in repetitions:
            found = outcomes.get((claim, repetition))
            sums += [int(found is True), int(found is not None)]
        rows.append((pairs[claim], tuple(sums)))
    return rows


def shared_cells(first: Arm, second: Arm) -> tuple[list[Cell], Tally]:
    """Cells with an outcome in both arms, and where the others lack one."""
    here, there = first.outcomes(), second.outcomes()
    known = {(x.claim, x.repetition) for arm in (first, second) for x in arm.debates}
    missing = max(first.not_begun, second.not_begun)
    shared = sorted(here.keys() & there.keys())
    excluded = {
        "no outcome in the first arm": len((known & there.keys()) - here.keys()),
        "no outcome in the second arm": len((known & here.keys()) - there.keys()),
        "no outcome in either arm": len(known - here.keys() - there.keys()),
        NOT_BEGUN: missing,
    }
    planned = len(known) + missing
    return shared, Tally.of(planned=planned, used=len(shared), excluded=excluded)
