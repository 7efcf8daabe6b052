"""M7: pairs of opposing claims of both of which the debater was convinced."""

from __future__ import annotations

from collections import Counter, defaultdict

import msgspec

from eristic.protocols.logicom.metrics.arms import NOT_BEGUN, Arm
from eristic.protocols.logicom.metrics.context import Context
from eristic.protocols.reports import Row, Section
from eristic.protocols.reports.estimates import counted, estimated
from eristic.stats import RATE, Tally

__all__ = ["Pairs", "contradictions", "pair_outcomes"]


class Pairs(msgspec.Struct, frozen=True, kw_only=True):
    """Pairs with both outcomes, one entry for each repetition."""

    items: list[tuple[str, tuple[int, int]]]
    """Block; 1 for convinced of both claims, and 1."""
    tally: Tally
    """Of pairs in repetitions."""


def pair_outcomes(arm: Arm) -> Pairs:
    """The pairs of an arm; a pair with a claim missing is left out and counted."""
    claims: dict[str, set[str]] = defaultdict(set)
    for claim, pair in arm.pairs().items():
        claims[pair].add(claim)
    outcomes = arm.outcomes()
    numbers = sorted({debate.repetition for debate in arm.debates})
    items: list[tuple[str, tuple[int, int]]] = []
    causes: Counter[str] = Counter()
    for pair, members in sorted(claims.items()):
        for number in numbers:
            found = [outcomes[c, number] for c in sorted(members) if (c, number) in outcomes]
            if len(members) != 2:
                causes[f"the block has {_many(len(members))}, not two"] += 1
            elif len(found) < 2:
                causes["a claim of the pair has no outcome"] += 1
            else:
                items.append((pair, (int(all(found)), 1)))
    begun = len(claims) * len(numbers)
    causes[f"{NOT_BEGUN}: no debate of the pair"] += max(0, _planned(arm) - begun)
    tally = Tally.of(planned=max(begun, _planned(arm)), used=len(items), excluded=causes)
    return Pairs(items=items, tally=tally)


def _planned(arm: Arm) -> int:
    """Pairs in repetitions, if every claim has its counterpart."""
    return arm.claims_planned // 2 * len(arm.repetitions) if arm.not_begun else 0


def _many(claims: int) -> str:
    return "one claim" if claims == 1 else f"{claims} claims"


def contradictions(context: Context) -> Section:
    """M7."""
    return Section(
        id="M7",
        title="contradiction rate",
        about="of the pairs of opposing claims with both outcomes in a repetition, the share in "
        "which the debater was convinced of both; needs no ground truth",
        rows=tuple(_row(context, arm) for arm in context.arms),
        notes=("n counts pairs in repetitions",),
    )


def _row(context: Context, arm: Arm) -> Row:
    found = pair_outcomes(arm)
    main = estimated(
        "logicom.contradiction_rate",
        arm.keys,
        found.items,
        RATE,
        context.settings,
        tally=found.tally,
        empty="no pair with both outcomes",
    )
    both = sum(contradicts for _, (contradicts, _) in found.items)
    beside = {"both convinced": counted("logicom.contradictions", arm.keys, both, "count")}
    return Row(keys=arm.keys, main=main, beside=beside)
