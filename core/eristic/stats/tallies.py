"""Who was counted: planned = used + excluded, with causes, or there is no rate."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from eristic.stats._numbers import SampleRefused, whole

__all__ = ["Exclusion", "Tally", "TallyUnbalanced"]


class TallyUnbalanced(SampleRefused):
    """Items were lost or counted twice on the way to a metric."""

    def __init__(self, *, planned: int, used: int, excluded: int) -> None:
        self.planned = planned
        self.used = used
        self.excluded = excluded
        gap = planned - used - excluded
        trouble = f"{gap} vanished" if gap > 0 else f"{-gap} too many"
        super().__init__(
            f"{planned} items planned, {used} used and {excluded} excluded: {trouble}; "
            "give every item that is not used a cause"
        )


class Exclusion(msgspec.Struct, frozen=True, gc=False):
    """Items left out of a denominator for one cause."""

    cause: str
    count: int


class Tally(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The denominator of a metric.

    Raises TallyUnbalanced unless planned = used + excluded, SampleRefused for a negative count,
    an empty cause or a cause named twice: a metric without a balanced tally cannot be made.
    """

    planned: int
    """Items that the metric is about, before anything is left out."""
    used: int
    """Items in the denominator."""
    exclusions: tuple[Exclusion, ...] = ()
    """One a cause, ordered by cause."""

    def __post_init__(self) -> None:
        for count in (self.planned, self.used, *(x.count for x in self.exclusions)):
            whole(count, what="a count of a tally")
        causes = [x.cause for x in self.exclusions]
        if "" in causes or len(set(causes)) < len(causes):
            raise SampleRefused(f"every exclusion needs a cause of its own, got {causes}")
        if self.planned != self.used + self.excluded:
            raise TallyUnbalanced(planned=self.planned, used=self.used, excluded=self.excluded)

    @classmethod
    def of(cls, *, planned: int, used: int, excluded: Mapping[str, int] | None = None) -> Tally:
        """A tally from cause -> count; causes with no item are left away."""
        given = sorted((excluded or {}).items())
        exclusions = tuple(Exclusion(cause, count) for cause, count in given if count != 0)
        return cls(planned=planned, used=used, exclusions=exclusions)

    @property
    def excluded(self) -> int:
        """Items left out, whatever the cause."""
        return sum(x.count for x in self.exclusions)

    def __str__(self) -> str:
        if not self.exclusions:
            return f"n = {self.used}"
        causes = ", ".join(f"{x.cause}: {x.count}" for x in self.exclusions)
        return f"n = {self.used} of {self.planned}; excluded {self.excluded} ({causes})"
