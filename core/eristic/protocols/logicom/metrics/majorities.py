"""Claims by what most of their repetitions say, in two arms: the pairs of McNemar's test (S7)."""

from __future__ import annotations

from collections import Counter

import msgspec

from eristic.protocols.logicom.metrics.arms import Arm
from eristic.stats import BlockMajorities, Tally, Undefined, block_majorities, mcnemar, pair_blocks

__all__ = ["Majorities", "compare_majorities"]

_TIE = "as many yes as no in an arm"
_NONE = "no outcome in an arm"


class Majorities(msgspec.Struct, frozen=True, kw_only=True):
    """Two arms over the same claims."""

    first_only: int
    second_only: int
    p: float | Undefined
    """Exact, two-sided."""
    tally: Tally
    """Of claims."""


def compare_majorities(first: Arm, second: Arm) -> Majorities:
    """Whether the first arm convinces on more claims than the second."""
    votes = [_votes(arm) for arm in (first, second)]
    paired = pair_blocks(*(found.values for found in votes))
    claims = {claim for arm in (first, second) for claim in arm.pairs()}
    causes: Counter[str] = Counter()
    for claim in claims - (votes[0].values.keys() & votes[1].values.keys()):
        causes[_TIE if any(claim in found.ties for found in votes) else _NONE] += 1
    planned = max(len(claims), first.claims_planned, second.claims_planned)
    causes[_NONE] += planned - len(claims)
    tally = Tally.of(planned=planned, used=paired.tally.used, excluded=causes)
    if not tally.used:
        p: float | Undefined = Undefined("no claim with a majority in both arms")
    else:
        p = mcnemar(paired.first_only, paired.second_only).p
    return Majorities(
        first_only=paired.first_only, second_only=paired.second_only, p=p, tally=tally
    )


def _votes(arm: Arm) -> BlockMajorities:
    found = sorted(arm.outcomes().items())
    return block_majorities([claim for (claim, _), _ in found], [yes for _, yes in found])
