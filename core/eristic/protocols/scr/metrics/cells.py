"""The episodes of a run by suggester, critics and condition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import msgspec

from eristic.protocols.reports import Context
from eristic.protocols.scr.metrics.facts import Episode, read_run
from eristic.stats import Tally

__all__ = ["BLOCKS", "Cell", "cells_of", "tally_causes", "tally_of"]

BLOCKS = "seeds"
"""What the blocks are called: cases of one seed text, or of one situation."""


class Cell(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One suggester before the same critics."""

    suggester: str
    critics: dict[str, str]
    """Role -> model."""
    condition: str
    rule: str
    """How several critics flag."""
    episodes: tuple[Episode, ...]

    @property
    def keys(self) -> dict[str, str]:
        """As measures name it."""
        return {
            "suggester": self.suggester,
            "critic": self.panel,
            "condition": self.condition,
        }

    @property
    def panel(self) -> str:
        """The critics' models, and of several the rule over them."""
        names = " + ".join(self.critics.values())
        return f"{names} ({self.rule})" if len(self.critics) > 1 else names

    @property
    def decided(self) -> tuple[Episode, ...]:
        """N: episodes with a suggestion and a verdict on it."""
        return tuple(one for one in self.episodes if one.flagged is not None)

    @property
    def tally(self) -> Tally:
        """Of N."""
        return tally_of(self.episodes, lambda one: one.cause)

    def name_of(self, role: str) -> str:
        """A critic in tables: its model, and its role where the model sits twice."""
        model = self.critics[role]
        return model if list(self.critics.values()).count(model) == 1 else f"{model} ({role})"


def cells_of(context: Context) -> tuple[Cell, ...]:
    """By suggester, critics, rule and condition."""
    found: dict[tuple[str, tuple[tuple[str, str], ...], str, str], list[Episode]] = {}
    for one in read_run(context.run):
        key = (one.suggester, tuple(one.critics.items()), one.rule, one.recorded.condition)
        found.setdefault(key, []).append(one)
    return tuple(
        Cell(
            suggester=suggester,
            critics=dict(critics),
            rule=rule,
            condition=condition,
            episodes=tuple(found[suggester, critics, rule, condition]),
        )
        for suggester, critics, rule, condition in sorted(found)
    )


def tally_of(episodes: Sequence[Episode], cause: Callable[[Episode], str]) -> Tally:
    """Of episodes. cause: why one is left out; empty when it is used."""
    return tally_causes(cause(one) for one in episodes)


def tally_causes(causes: Iterable[str]) -> Tally:
    """One cause an item; empty when it is used."""
    told = Counter(causes)
    used = told.pop("", 0)
    return Tally.of(planned=used + told.total(), used=used, excluded=told)
