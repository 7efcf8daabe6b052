"""What is on record of one repair."""

from __future__ import annotations

from collections import Counter

import msgspec

from eristic.protocols.reports import Recorded
from eristic.protocols.scr.names import (
    BUDGET,
    FACT_CAUSE,
    FACT_CHANGED,
    FACT_FLAGGED,
    FACT_HINTS,
    FACT_ITERATIONS,
    FACT_REPAIRED,
    FACT_RESULT_TURN,
    NO_VERDICT,
    REPAIR,
    REPAIR_POLICY,
)

__all__ = ["Mending", "read_mending"]


class Mending(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A repair of a flagged suggestion."""

    outcome: str = ""
    """repaired, stopped_degenerate, budget or cycle; empty: missing."""
    cause: str = ""
    """Why it counts nowhere; empty when it counts."""
    iterations: int = 0
    """That began (count)."""
    changed: bool = False
    """The text returned is another one than the original."""
    repaired: bool = False
    """Its author defends it."""
    digest: str = ""
    """Of the event of the text returned; empty unless a judge looked at it."""
    decisions: dict[str, int] = {}
    """Decision on a candidate -> candidates (count)."""
    hints: dict[str, int] = {}
    """Remark on a candidate -> candidates (count)."""


def read_mending(one: Recorded) -> Mending | None:
    """The repair of an episode that came to an end with a flagged suggestion; None for others."""
    closed = one.closed
    if closed is None or one.condition != REPAIR or closed.facts.get(FACT_FLAGGED) is not True:
        return None
    facts, rulings = closed.facts, one.rulings(REPAIR_POLICY)
    iterations, turn = facts.get(FACT_ITERATIONS), facts.get(FACT_RESULT_TURN)
    hints = [str(x.facts[FACT_HINTS]).split(",") for x in rulings if FACT_HINTS in x.facts]
    cause = ""
    if closed.outcome is None:
        cause = f"{NO_VERDICT} ({facts.get(FACT_CAUSE, closed.reason)})"
    elif closed.outcome == BUDGET and not iterations:
        cause = "no repair was allowed (budget 0)"
    return Mending(
        outcome=closed.outcome or "",
        cause=cause,
        iterations=iterations if isinstance(iterations, int) else 0,
        changed=facts.get(FACT_CHANGED) is True,
        repaired=facts.get(FACT_REPAIRED) is True,
        digest=one.digests.get(turn, "") if isinstance(turn, int) else "",
        decisions=dict(Counter(x.decision for x in rulings)),
        hints=dict(Counter(hint for said in hints for hint in said)),
    )
