"""Logicom's decisions made again: other policies, other parsers, the same record.

A debate of ours is folded as the director folded it, so that every round has the checks that
decided it: after re-asks, defaults and models that took over. With another parser the raw texts
of the checks are read again before the fold, and the fold settles them anew: a text that the new
parser reads needs no second ask; one that it cannot read would have been asked for again, and
where the record has no further answer the rounds end there.

Of an imported debate no checks were recorded; see `told_rounds`. A branch of one has checks from
where it went on; see `worlds`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from eristic.debate import (
    EpisodeClosed,
    EpisodeOpened,
    Event,
    RoleSwapped,
    RulingMade,
    TurnSpoken,
)
from eristic.debate.errors import SpecRefused, nearest
from eristic.protocols.logicom.evolution import evolve
from eristic.protocols.logicom.moderation import MASTER, RoundChecks
from eristic.protocols.logicom.policies import POLICIES, Policy, find_policy
from eristic.protocols.logicom.readings import PARSERS
from eristic.protocols.logicom.state import (
    CHECKS,
    CONVICTION,
    DEBATER,
    State,
    initial,
)
from eristic.protocols.logicom.told_rounds import LAYOUT, Tale, decide_tale
from eristic.protocols.logicom.worlds import (
    SINGLE_COPIES,
    decide_worlds,
    is_checked_here,
    worlds_of,
)
from eristic.protocols.machine import Parser
from eristic.protocols.recomputers import added_policies
from eristic.protocols.recomputing import (
    GOES_ON,
    NO_TEXTS,
    NOT_RECORDED,
    Decided,
    Hearing,
    PolicyNote,
    Prepared,
)

__all__ = ["RECOMPUTER", "LogicomRecomputer"]

_OWN_RULES: Final = "logicom-master"


class LogicomRecomputer:
    """See Recomputer. Has no state."""

    protocol = "logicom"
    success = "convinced"

    @property
    def notes(self) -> Sequence[PolicyNote]:
        """See Recomputer."""
        return tuple(
            PolicyNote(form=f"{x.name}={x.takes}" if x.takes else x.name, does=x.does)
            for x in POLICIES.values()
        )

    def prepare(self, policies: Sequence[str], parsers: Mapping[str, str]) -> Prepared:
        """See Recomputer."""
        added = {
            name: policy
            for name, policy in added_policies(self.protocol).items()
            if isinstance(policy, Policy)
        }
        found = tuple(find_policy(text, added) for text in policies or (_OWN_RULES,))
        # The same policy twice would be the same column twice.
        distinct = tuple({policy.id: policy for policy in found}.values())
        return _Prepared(distinct, {check: _parser(check, parsers[check]) for check in parsers})


RECOMPUTER: Final = LogicomRecomputer()


def _parser(check: str, name: str) -> str:
    """Name of the parser in PARSERS."""
    if check not in CHECKS:
        raise SpecRefused(f"logicom has no check {check!r} to read again.{nearest(check, CHECKS)}")
    found = f"{check}.{name}"
    if found not in PARSERS:
        known = [x.removeprefix(f"{check}.") for x in PARSERS if x.startswith(f"{check}.")]
        raise SpecRefused(f"the check {check} has no parser {name!r}.{nearest(name, known)}")
    return found


class _Prepared:
    """See Prepared."""

    def __init__(self, policies: tuple[Policy, ...], parsers: Mapping[str, str]) -> None:
        self._policies = policies
        self.policies = tuple(policy.id for policy in policies)
        self.parsers = parsers
        self._readers = {check: PARSERS[name] for check, name in parsers.items()}

    def subject(self, opened: EpisodeOpened) -> str:
        """The debater's model of imported debates, whose run holds several."""
        bound = opened.cast.get(DEBATER)
        return bound.model if opened.imported is not None and bound is not None else ""

    def hear(self, opened: EpisodeOpened) -> Hearing:
        """See Prepared."""
        if opened.imported is None:
            return _Played(opened, self._policies, self._readers)
        cause = NO_TEXTS if self.parsers else ""
        if opened.imported.layout.partition(".")[0] != LAYOUT:
            cause = cause or NOT_RECORDED
        return _Told(self._policies, cause)


class _Told:
    """An imported debate: its texts, its verdict, and no checks."""

    def __init__(self, policies: tuple[Policy, ...], cause: str) -> None:
        self._policies = policies
        self._cause = cause
        self._replies: list[int] = []
        self._closed: EpisodeClosed | None = None

    def take(self, event: Event) -> None:
        """See Hearing."""
        if isinstance(event, TurnSpoken) and event.role == DEBATER:
            self._replies.append(event.turn)
        elif isinstance(event, EpisodeClosed):
            self._closed = event

    def decide(self) -> tuple[Decided, ...]:
        """See Hearing."""
        closed = self._closed
        assert closed is not None and closed.outcome is not None  # asked of no other episode
        tale = Tale(len(self._replies), closed.outcome, closed.reason)
        return tuple(self._decide(tale, policy) for policy in self._policies)

    def _decide(self, tale: Tale, policy: Policy) -> Decided:
        cause = self._cause or ("" if tale.rounds else NOT_RECORDED)
        if cause:
            return Decided(outcome=None, reason="", round=min(1, tale.rounds), censored=cause)
        found = decide_tale(tale, policy)
        # A round was judged by the debater's reply in it.
        return replace(found, inputs=tuple(self._replies[x - 1] for x in found.inputs))


class _Played:
    """A debate of ours."""

    def __init__(
        self,
        opened: EpisodeOpened,
        policies: tuple[Policy, ...],
        readers: Mapping[str, Parser],
    ) -> None:
        self._policies = policies
        self._readers = readers
        self._state: State = initial(opened)
        self._ruled = 0
        """Rounds that were ruled on when the debate was played (count)."""
        self._known: int | None = None
        """Rounds up to which the record is what these readings would have led to; None: all."""

    def take(self, event: Event) -> None:
        """See Hearing."""
        if isinstance(event, RulingMade):
            self._ruled += event.policy == MASTER
        elif isinstance(event, RoleSwapped) and self._is_needless(event):
            self._known = min(self._state.round, self._known or self._state.round)
        elif isinstance(event, TurnSpoken):
            reader = self._readers.get(event.role)
            if reader is not None:
                event = replace(event, reading=reader(event.text))
        self._state = evolve(self._state, event)

    def _is_needless(self, swap: RoleSwapped) -> bool:
        """A model took over for good, and by these readings it would not have.

        The rounds behind it were judged by another model than they would have been.
        """
        if swap.cause == "operator" or swap.scope != "rest_of_episode":
            return False
        call = next((x for x in self._state.calls if x.turn == swap.turn), None)
        if call is None:
            return True
        # One model may take over all checks at once; only one of them was the cause.
        return call.role == swap.role and not call.swap_cause

    def decide(self) -> tuple[Decided, ...]:
        """See Hearing."""
        rounds = self._state.rounds[: self._known]
        is_dense = all(x.round == number for number, x in enumerate(rounds, start=1))
        if not rounds or not is_dense:
            # The beginning was not recorded here; what follows it cannot be counted.
            lost = Decided(outcome=None, reason="", round=1, censored=NOT_RECORDED)
            return (lost,) * len(self._policies)
        return tuple(self._decide(rounds, policy) for policy in self._policies)

    def _decide(self, rounds: tuple[RoundChecks, ...], policy: Policy) -> Decided:
        checked_here = sum(map(is_checked_here, rounds))
        if checked_here < len(rounds) and policy.name in SINGLE_COPIES:
            return Decided(outcome=None, reason="", round=1, censored=NOT_RECORDED)
        found = decide_worlds(worlds_of(rounds, self._state.rules, policy), policy)
        if found.censored == GOES_ON and checked_here < self._ruled:
            # The next round was played, and its checks are not known by these readings.
            return replace(found, round=found.round + 1, censored=NOT_RECORDED)
        is_default = not found.censored and _is_unread(rounds[: found.round])
        return replace(found, by_default=True) if is_default else found


def _is_unread(rounds: tuple[RoundChecks, ...]) -> bool:
    """Nobody could read any verdict; a round that an import had judged is not one of these."""
    return all(is_checked_here(judged) for judged in rounds) and all(
        x.value is None for judged in rounds for x in judged.checks if x.check == CONVICTION
    )
