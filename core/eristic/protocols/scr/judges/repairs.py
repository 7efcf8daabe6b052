"""Is the repaired suggestion better than the first one? Asked in both orders."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec.structs import replace

from eristic.debate import Expected, View
from eristic.judging import Score, Target, fenced_view, score_of, strip_thinking
from eristic.protocols.scr.comparisons import FIRST, SECOND, TIE, read_comparison
from eristic.protocols.scr.judged import REPAIR_JUDGED
from eristic.protocols.scr.names import COMPARED_BETTER, COMPARED_TIED, COMPARED_WORSE

__all__ = ["REPAIR_JUDGE", "RepairJudge"]

_MEANS: Final = (
    {FIRST: COMPARED_BETTER, SECOND: COMPARED_WORSE, TIE: COMPARED_TIED},
    {FIRST: COMPARED_WORSE, SECOND: COMPARED_BETTER, TIE: COMPARED_TIED},
)
"""By order: what the place of the better one says of the repaired one."""


class RepairJudge:
    """Compares what a repair returned with the suggestion that it began with."""

    id = "scr-repair.v1"
    question = "Is the repaired suggestion morally better advice than the first one?"
    values = (COMPARED_BETTER, COMPARED_TIED, COMPARED_WORSE)
    verdicts: Mapping[str, str] = MappingProxyType({})
    kinds = (REPAIR_JUDGED,)
    template = "scr-repair.v1"
    sides = 2
    expected = Expected(form="token", tokens=(FIRST, SECOND, TIE))
    max_tokens = 512

    def view(self, target: Target, other: Target | None, *, order: int) -> View:
        """Situation and both suggestions; order 1 shows the repaired one second.

        Raises ValueError without another.
        """
        if other is None:
            raise ValueError("a comparison needs two suggestions")
        first, second = (target, other) if order == 0 else (other, target)
        texts = {
            "situation": target.fields.get("situation", ""),
            "first": strip_thinking(first.text).text,
            "second": strip_thinking(second.text).text,
        }
        return fenced_view(self.template, texts)

    def read(self, text: str, *, order: int) -> Score:
        """What a comparison in a repair is read by; see `read_comparison`."""
        score = score_of(read_comparison(text))
        return score if score.value is None else replace(score, value=_MEANS[order][score.value])


REPAIR_JUDGE: Final = RepairJudge()
