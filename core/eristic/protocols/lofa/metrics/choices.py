"""What a reader may choose of the report, without any call of a model."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from eristic.debate.errors import SpecRefused, nearest
from eristic.protocols.lofa.metrics.tries import Try

__all__ = ["ASIDE", "CHOICES", "Chosen"]

CHOICES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "k": ("3", "2", "1"),
        "class_mean": ("equal", "pooled"),
        "unanswered": ("wrong", "excluded"),
        "without": ("nothing", "*"),
    }
)
"""Choice -> values, the usual one first. k: the argument by which fallacies, styles and models are
compared. class_mean: five fallacies with equal weights, or all their tries pooled. unanswered: what
a first question is that got no readable answer. without: ids of cases that are left out, with
commas between, for questions whose truth is in doubt."""

ASIDE: Final = "left out by choice"
_UNANSWERED: Final = "first question without a readable answer"


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """The choices as rules."""

    k: int
    is_pooled: bool
    excludes_unanswered: bool
    without: frozenset[str]

    @classmethod
    def of(cls, choices: Mapping[str, str], cases: frozenset[str]) -> Chosen:
        """cases: ids in the run. Raises SpecRefused for a case that is none of them."""
        text = choices["without"]
        names = frozenset() if text == "nothing" else frozenset(x.strip() for x in text.split(","))
        for name in sorted(names - cases):
            raise SpecRefused(f"without: no case {name!r} in this run.{nearest(name, cases)}")
        return cls(
            k=int(choices["k"]),
            is_pooled=choices["class_mean"] == "pooled",
            excludes_unanswered=choices["unanswered"] == "excluded",
            without=names,
        )

    def apply(self, one: Try) -> Try:
        """The try with the cause that these choices give it."""
        if one.case_id in self.without:
            return msgspec.structs.replace(one, cause=ASIDE)
        if self.excludes_unanswered and not one.cause and one.screening == "no_answer":
            return msgspec.structs.replace(one, cause=_UNANSWERED)
        return one
