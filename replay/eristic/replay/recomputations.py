"""What other rules would have decided: episode by episode, and added up in bounds.

A censored episode is neither success nor failure. A rate under another policy is therefore two
numbers: with every censored episode a failure, and with every one a success.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from eristic.protocols.recomputing import Decided

__all__ = ["Change", "Effect", "Recomputation", "Reheard", "add_up"]

Change = Literal["same", "moved", "flipped", "censored"]
"""same: outcome, reason and round are as recorded. moved: the outcome is, reason or round are not.
flipped: another outcome. censored: not decided."""


class Reheard(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One episode as recorded and as the policies decide it."""

    episode: str
    case_id: str
    condition: str
    repetition: int
    subject: str
    """What tells episodes of one condition apart (a model under test); empty when nothing does."""
    outcome: str | None
    """As recorded; None for a failed or open episode, which no policy is asked about."""
    reason: str
    """As recorded; empty while open."""
    round: int | None
    """Rounds played; None while open."""
    state: Literal["closed", "failed", "open"]
    by_default: bool = False
    """The recorded outcome rests on unreadable answers alone."""
    decided: tuple[Decided, ...] = ()
    """One a policy, in their order; empty unless closed."""

    def change(self, place: int) -> Change:
        """What the policy at this place changes."""
        found = self.decided[place]
        if found.censored:
            return "censored"
        if found.outcome != self.outcome:
            return "flipped"
        is_same = (found.reason, found.round) == (self.reason, self.round)
        return "same" if is_same else "moved"


class Effect(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What one policy does to the episodes of one condition (counts, unless said otherwise)."""

    policy: str
    """Id with version and argument."""
    subject: str
    condition: str
    """Empty in the row that holds all episodes."""
    n: int
    """Episodes with a recorded outcome: the denominator of every rate here."""
    successes_before: int
    """As recorded."""
    successes_exact: int
    """By this policy, censored episodes left out."""
    exact: int
    """Episodes that the policy decides."""
    by_default_before: int
    """Recorded outcomes that rest on unreadable answers alone; in n, and worth nothing."""
    by_default_exact: int
    """Of the exact ones those that do."""
    same: int
    moved: int
    flipped: dict[str, int]
    """`before -> after` -> episodes."""
    censored: dict[str, int]
    """Cause -> episodes."""
    failed: dict[str, int]
    """Reason -> episodes without an outcome; not in n."""
    open: int
    """Not in n."""

    @property
    def flips(self) -> int:
        """Episodes with another outcome."""
        return sum(self.flipped.values())

    @property
    def undecided(self) -> int:
        """Censored episodes, whatever the cause."""
        return sum(self.censored.values())

    @property
    def rate_before(self) -> float | None:
        """Share of successes as recorded; None for n = 0."""
        return self.successes_before / self.n if self.n else None

    @property
    def rate_low(self) -> float | None:
        """Share of successes with every censored episode a failure; None for n = 0."""
        return self.successes_exact / self.n if self.n else None

    @property
    def rate_high(self) -> float | None:
        """Share of successes with every censored episode a success; None for n = 0."""
        return (self.successes_exact + self.undecided) / self.n if self.n else None


class Recomputation(msgspec.Struct, frozen=True, kw_only=True):
    """A run by other rules."""

    run: str
    protocol: str
    """Empty for a run without episodes."""
    success: str
    """The outcome that is counted as a success."""
    policies: tuple[str, ...]
    parsers: dict[str, str]
    """What was read again -> parser."""
    effects: tuple[Effect, ...]
    """For each policy its conditions, sorted, then all of them together."""
    episodes: tuple[Reheard, ...]
    """Sorted by condition, subject, case and repetition, whatever their order in the log."""


def add_up(
    *,
    run: str,
    protocol: str,
    success: str,
    policies: tuple[str, ...],
    parsers: Mapping[str, str],
    episodes: Iterable[Reheard],
) -> Recomputation:
    """Sort the episodes and count them. Their order changes nothing."""
    ordered = sorted(
        episodes, key=lambda x: (x.condition, x.subject, x.case_id, x.repetition, x.episode)
    )
    groups: dict[tuple[str, str], list[Reheard]] = {}
    for episode in ordered:
        groups.setdefault((episode.subject, episode.condition), []).append(episode)
    effects: list[Effect] = []
    for place, policy in enumerate(policies if ordered else ()):
        for (subject, condition), group in sorted(groups.items()):
            effects.append(_effect(policy, place, subject, condition, group, success))
        effects.append(_effect(policy, place, "", "", ordered, success))
    return Recomputation(
        run=run,
        protocol=protocol,
        success=success,
        policies=policies,
        parsers=dict(parsers),
        effects=tuple(effects),
        episodes=tuple(ordered),
    )


def _effect(
    policy: str,
    place: int,
    subject: str,
    condition: str,
    episodes: Sequence[Reheard],
    success: str,
) -> Effect:
    closed = [x for x in episodes if x.state == "closed"]
    changes = Counter(x.change(place) for x in closed)
    flipped = [x for x in closed if x.change(place) == "flipped"]
    causes = Counter(x.decided[place].censored for x in closed)
    del causes[""]
    return Effect(
        policy=policy,
        subject=subject,
        condition=condition,
        n=len(closed),
        successes_before=sum(x.outcome == success for x in closed),
        successes_exact=sum(x.decided[place].outcome == success for x in closed),
        exact=len(closed) - causes.total(),
        by_default_before=sum(x.by_default for x in closed),
        by_default_exact=sum(x.decided[place].by_default for x in closed),
        same=changes["same"],
        moved=changes["moved"],
        flipped=_sorted(Counter(f"{x.outcome} -> {x.decided[place].outcome}" for x in flipped)),
        censored=_sorted(causes),
        failed=_sorted(Counter(x.reason for x in episodes if x.state == "failed")),
        open=sum(x.state == "open" for x in episodes),
    )


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items()))
