"""What other rules would have decided: episode by episode, and added up in bounds.

A censored episode is neither success nor failure. A rate under another policy is therefore two
numbers: with every censored episode a failure, and with every one a success. An episode that ends
without an outcome is in no rate: in none of the recorded ones, or in none of the policy's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from eristic.protocols.recomputing import Decided

__all__ = ["Change", "Effect", "Recomputation", "Reheard", "add_up"]

Change = Literal["same", "moved", "flipped", "censored"]
"""same: outcome, reason and round are as recorded. moved: the outcome is, reason or round are not.
flipped: another outcome, or an outcome on one side only. censored: not decided."""

_NO_OUTCOME = "no outcome"


class Reheard(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One episode as recorded and as the policies decide it."""

    episode: str
    case_id: str
    condition: str
    repetition: int
    subject: str
    """What tells episodes of one condition apart (a model under test); empty when nothing does."""
    outcome: str | None
    """As recorded; None for a failed or open episode."""
    reason: str
    """As recorded; empty while open."""
    round: int | None
    """Rounds played; None while open."""
    state: Literal["closed", "failed", "open"]
    by_default: bool = False
    """The recorded outcome rests on unreadable answers alone."""
    decided: tuple[Decided, ...] = ()
    """One a policy, in their order; empty for an open episode, and for a failed one unless the
    policies may find an outcome for it."""

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
    success: str
    """The outcome that the rates are of; empty: of none, and they are None."""
    n: int
    """Episodes with a recorded outcome: the denominator of what was before."""
    successes_before: int
    """As recorded."""
    successes_exact: int
    """By this policy, censored episodes left out."""
    exact: int
    """Episodes to which the policy gives an outcome."""
    before: dict[str, int]
    """Recorded outcome -> episodes; n in all."""
    after: dict[str, int]
    """Outcome by this policy -> episodes; exact in all."""
    by_default_before: int
    """Recorded outcomes that rest on unreadable answers alone; in n, and worth nothing."""
    by_default_exact: int
    """Of the exact ones those that do."""
    same: int
    """With moved and flipped: episodes that the policy decides and that have an outcome before or
    after."""
    moved: int
    flipped: dict[str, int]
    """`before -> after` -> episodes."""
    censored: dict[str, int]
    """Cause -> episodes."""
    failed: dict[str, int]
    """Reason -> episodes without a recorded outcome; not in n."""
    failed_after: dict[str, int]
    """Reason -> episodes without an outcome by this policy."""
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
    def n_after(self) -> int:
        """Episodes with an outcome by this policy, and the censored ones: the denominator of its
        rates."""
        return self.exact + self.undecided

    @property
    def rate_before(self) -> float | None:
        """Share of successes as recorded."""
        return self.share_before(self.success) if self.success else None

    @property
    def rate_low(self) -> float | None:
        """Share of successes with every censored episode a failure."""
        return self.share_low(self.success) if self.success else None

    @property
    def rate_high(self) -> float | None:
        """Share of successes with every censored episode a success."""
        return self.share_high(self.success) if self.success else None

    def share_before(self, outcome: str) -> float | None:
        """Of this outcome as recorded; None for n = 0."""
        return self.before.get(outcome, 0) / self.n if self.n else None

    def share_low(self, outcome: str) -> float | None:
        """Of this outcome, every censored episode having another; None for n_after = 0."""
        return self.after.get(outcome, 0) / self.n_after if self.n_after else None

    def share_high(self, outcome: str) -> float | None:
        """Of this outcome, every censored episode having it too; None for n_after = 0."""
        found = self.after.get(outcome, 0) + self.undecided
        return found / self.n_after if self.n_after else None


class Recomputation(msgspec.Struct, frozen=True, kw_only=True):
    """A run by other rules."""

    run: str
    protocol: str
    """Empty for a run without episodes."""
    success: str
    """The outcome that is counted as a success; empty when the protocol names none."""
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
    asked = [x for x in episodes if x.decided]
    exact = [x for x in asked if x.decided[place].outcome is not None]
    causes = Counter(x.decided[place].censored for x in asked)
    del causes[""]
    # An episode without an outcome, before and after, is nobody's success and nobody's change.
    ended = [x for x in asked if x.state == "closed" or x.decided[place].outcome is not None]
    changes = Counter(x.change(place) for x in ended)
    flipped = [x for x in asked if x.change(place) == "flipped"]
    before = Counter(str(x.outcome) for x in closed)
    after = Counter(str(x.decided[place].outcome) for x in exact)
    return Effect(
        policy=policy,
        subject=subject,
        condition=condition,
        success=success,
        n=len(closed),
        successes_before=before[success],
        successes_exact=after[success],
        exact=len(exact),
        before=_sorted(before),
        after=_sorted(after),
        by_default_before=sum(x.by_default for x in closed),
        by_default_exact=sum(x.decided[place].by_default for x in exact),
        same=changes["same"],
        moved=changes["moved"],
        flipped=_sorted(Counter(_flip(x, place) for x in flipped)),
        censored=_sorted(causes),
        failed=_sorted(Counter(x.reason for x in episodes if x.state == "failed")),
        failed_after=_sorted(Counter(_failures(episodes, place))),
        open=sum(x.state == "open" for x in episodes),
    )


def _flip(episode: Reheard, place: int) -> str:
    before, after = episode.outcome, episode.decided[place].outcome
    return f"{before or _NO_OUTCOME} -> {after or _NO_OUTCOME}"


def _failures(episodes: Iterable[Reheard], place: int) -> Iterator[str]:
    """The reason of every one that has no outcome by the policy."""
    for episode in episodes:
        found = episode.decided[place] if episode.decided else None
        if found is None and episode.state == "failed":
            yield episode.reason
        elif found is not None and found.outcome is None and not found.censored:
            yield found.reason


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items()))
