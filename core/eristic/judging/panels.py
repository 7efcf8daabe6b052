"""Several judges, one verdict: a pure function of their scores, whatever their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal

import msgspec

from eristic.judging.scores import Score

__all__ = ["PanelVerdict", "convene"]


class PanelVerdict(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What a panel came to. Tie, no quorum and the values are all distinct."""

    status: Literal["decided", "tie", "no_quorum"]
    value: str | None
    """None unless decided."""
    scored: int
    """Judges with a value (count)."""
    agreeing: int
    """Judges that gave the most frequent value (count)."""


def convene(scores: Iterable[Score], *, quorum: int) -> PanelVerdict:
    """The value of more than half of the judges that have one, if at least `quorum` gave it.

    Fewer than `quorum` judges with a value: no_quorum, however much they agree, so that a lone
    survivor decides nothing. Enough of them, and two values equally frequent: tie. A most
    frequent value short of the quorum or of the half: no_quorum. Raises ValueError for a quorum
    below 1.
    """
    if quorum < 1:
        raise ValueError(f"a quorum is at least 1; got {quorum}")
    counts = Counter(score.value for score in scores if score.value is not None)
    scored = counts.total()
    agreeing = max(counts.values(), default=0)
    leading = [value for value, count in counts.items() if count == agreeing]
    status: Literal["decided", "tie", "no_quorum"] = "no_quorum"
    if scored >= quorum and len(leading) > 1:
        status = "tie"
    elif agreeing >= quorum and agreeing * 2 > scored:
        status = "decided"
    value = leading[0] if status == "decided" else None
    return PanelVerdict(status=status, value=value, scored=scored, agreeing=agreeing)
