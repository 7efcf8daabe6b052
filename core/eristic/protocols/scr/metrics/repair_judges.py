"""What judges say of a repair: is the text returned better than the original?"""

from __future__ import annotations

from typing import Final

from eristic.judging import Score
from eristic.protocols.reports import Context, Judge
from eristic.protocols.scr.metrics.facts import Episode

__all__ = ["BETTER", "TIED", "WORSE", "repair_judges", "verdict_of"]

BETTER: Final = "better"
TIED: Final = "tied"
WORSE: Final = "worse"


def repair_judges(context: Context) -> tuple[Judge, ...]:
    """Everybody who says better, tied or worse."""
    return tuple(x for x in context.judged.judges if {BETTER, TIED, WORSE} <= set(x.values))


def verdict_of(judge: Judge, one: Episode) -> Score | None:
    """Of the text returned beside the original; of people who saw both, of the text returned.

    None when the judge was not asked.
    """
    mending = one.mending
    if mending is None or not mending.digest:
        return None
    score = judge.compared.get((mending.digest, one.digest))
    return score if score is not None else judge.scores.get(mending.digest)
