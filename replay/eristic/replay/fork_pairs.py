"""Branches beside the episodes they come from: how many ended otherwise, and is that chance?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from eristic.debate.errors import ExtraMissing

__all__ = ["ForkComparison", "ForkPair", "Shift", "compare_forks"]


class ForkPair(msgspec.Struct, frozen=True, kw_only=True):
    """One branch and its original."""

    fork: str
    """Id of the branch."""
    source: str
    """EPISODE@TURN that it comes from."""
    block: str
    """What is independent of other blocks: condition and topic pair."""
    before: str | None
    """Outcome of the original; None when it has none or is open."""
    after: str | None


class Shift(msgspec.Struct, frozen=True, kw_only=True):
    """Branches (count) that went from one outcome to another."""

    before: str | None
    after: str | None
    count: int


class ForkComparison(msgspec.Struct, frozen=True, kw_only=True):
    """All pairs. S7 needs one pair a block: each block counts by the majority of its episodes."""

    pairs: tuple[ForkPair, ...]
    shifts: tuple[Shift, ...]
    yes: str
    """The outcome that counts as yes; empty: no blocks were counted."""
    both: int
    first_only: int
    """Blocks with yes in the originals only: b of McNemar's test."""
    second_only: int
    """Blocks with yes in the branches only: c."""
    neither: int
    left_out: int
    """Blocks without a majority, or without an outcome, in one of the two."""
    p: float | None
    """Exact, two-sided; None: no block, or eristic.stats is not installed."""


def compare_forks(pairs: Iterable[ForkPair], *, yes: str = "") -> ForkComparison:
    """Count what changed. yes: the outcome whose rate is compared; empty for none.

    Originals count once, however often they were branched. Pairs without an outcome on one side
    are in `shifts` and in no block.
    """
    known = tuple(pairs)
    shifts = Counter((pair.before, pair.after) for pair in known)
    before = _majorities(
        {(pair.block, pair.source.partition("@")[0]): pair.before for pair in known}, yes
    )
    after = _majorities({(pair.block, pair.fork): pair.after for pair in known}, yes)
    blocks = sorted({pair.block for pair in known}) if yes else []
    cells = Counter((before.get(block), after.get(block)) for block in blocks)
    counted = {
        "both": cells[True, True],
        "first_only": cells[True, False],
        "second_only": cells[False, True],
        "neither": cells[False, False],
    }
    return ForkComparison(
        pairs=known,
        shifts=tuple(
            Shift(before=was, after=now, count=count)
            for (was, now), count in sorted(shifts.items(), key=_in_order)
        ),
        yes=yes,
        **counted,
        left_out=len(blocks) - sum(counted.values()),
        p=_p(counted["first_only"], counted["second_only"]) if sum(counted.values()) else None,
    )


def _in_order(shift: tuple[tuple[str | None, str | None], int]) -> tuple[str, str]:
    (before, after), _ = shift
    return before or "", after or ""


def _majorities(outcomes: Mapping[tuple[str, str], str | None], yes: str) -> dict[str, bool]:
    margins: Counter[str] = Counter()
    for (block, _), outcome in outcomes.items():
        if outcome is not None:
            margins[block] += 1 if outcome == yes else -1
    return {block: margin > 0 for block, margin in margins.items() if margin}


def _p(first_only: int, second_only: int) -> float | None:
    try:
        from eristic.stats import mcnemar
    except ExtraMissing:
        return None
    return mcnemar(first_only, second_only).p
