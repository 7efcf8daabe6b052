"""The record of an episode, handed to a story piece by piece: what is not there yet is due."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from itertools import islice

import msgspec

from eristic.debate import (
    Case,
    ContextOverflowed,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    RoleSwapped,
    RulingMade,
    Setting,
    TurnFailed,
    TurnSpoken,
)
from eristic.protocols.hearing import Asked, Heard, TurnAnswer, hear
from eristic.protocols.machine import Due, Record, Step, Wait

__all__ = ["Scene", "Tale"]


class Tale(msgspec.Struct, frozen=True, gc=False):
    """The state of an episode: its log."""

    opened: EpisodeOpened
    events: tuple[Event, ...] = ()
    is_closed: bool = False
    drawn: tuple[RulingMade, ...] = ()
    """Rulings for `Scene.recorded` that are not in the log; see `given`."""

    def given(self, ruling: RulingMade) -> Tale:
        """The same with this ruling at hand as the one that comes next, for one decision: what a
        branch keeps of its source's draws is told from it, and not from the branch's own seed."""
        told = (event for event in self.events if isinstance(event, RulingMade))
        return Tale(self.opened, self.events, self.is_closed, (*told, ruling))


class Scene:
    """The record of one episode, handed to a story piece by piece.

    drawn: rulings of another telling of it, for `recorded` where this one has none yet.
    """

    def __init__(self, tale: Tale, drawn: Sequence[RulingMade] = ()) -> None:
        self.opened = tale.opened
        self._drawn = drawn
        self._turn = 0
        self._answers: dict[int, list[TurnAnswer]] = {}
        self._facts: list[Event] = []
        self._taken = 0
        self._swaps: set[tuple[int, str, int]] = set()
        for event in tale.events:
            self.take(event)

    def take(self, event: Event) -> None:
        """One more event of the record, for whoever tells a story; a story itself asks."""
        if isinstance(event, TurnSpoken) and event.source == "template":
            self._facts.append(event)
        elif isinstance(event, TurnSpoken | TurnFailed | ContextOverflowed):
            self._answers.setdefault(event.turn, []).append(event)
        elif isinstance(event, RoleSwapped):
            # Of calls side by side the order of swaps is that of their answers, so not ours.
            self._swaps.add((event.turn, event.role, event.rank))
        elif isinstance(event, RulingMade):
            self._facts.append(event)

    @property
    def case(self) -> Case:
        """What the episode is about."""
        return self.opened.case

    @property
    def condition(self) -> str:
        """Its condition."""
        return self.opened.condition

    @property
    def next_turn(self) -> int:
        """Number of the turn that comes next."""
        return self._turn

    def ask(self, asked: Asked) -> Generator[Step, None, Heard]:
        """Ask for one turn."""
        [heard] = yield from self.ask_all(asked)
        return heard

    def ask_all(self, *asked: Asked | None) -> Generator[Step, None, tuple[Heard, ...]]:
        """Ask for several turns side by side; answers in the order of the calls.

        None asks nothing and takes a number all the same: where a rule decides whether somebody
        is asked, the turns after it keep their numbers by any rule.
        """
        first = self._turn
        self._turn += len(asked)
        while True:
            found = [self._follow(first + n, one) for n, one in enumerate(asked) if one is not None]
            swaps = tuple(one for one in found if isinstance(one, RoleSwapped))
            due = tuple(one for one in found if isinstance(one, Due))
            if swaps:
                yield Record(swaps)
            elif due:
                yield Wait(due)
            else:
                return tuple(one for one in found if isinstance(one, Heard))

    def tell(self, role: str, text: str) -> Generator[Step, None, int]:
        """A scripted role says something; returns the number of its turn."""
        turn = self._turn
        self._turn += 1
        yield from self._fact(TurnSpoken(turn=turn, role=role, text=text, source="template"))
        return turn

    def rule(
        self,
        policy: str,
        inputs: Sequence[int],
        decision: str,
        *,
        reason: str = "",
        round: int = 0,
        facts: Mapping[str, Setting] | None = None,
    ) -> Generator[Step, None, None]:
        """Put a decision on record. policy: id with version. inputs: the turns it looked at."""
        yield from self._fact(
            RulingMade(
                policy=policy,
                inputs=tuple(inputs),
                decision=decision,
                reason=reason,
                round=round,
                facts=dict(facts or {}),
            )
        )

    def recorded(self, policy: str) -> RulingMade | None:
        """The ruling that comes next, when it is on record and of this policy.

        For a draw: a branch has a seed of its own and keeps what its source drew. Rules are applied
        anew all the same, since they may be told again with other options.
        """
        if self._taken < len(self._facts):
            fact = self._facts[self._taken]
            return fact if isinstance(fact, RulingMade) and fact.policy == policy else None
        told = sum(isinstance(x, RulingMade) and x.policy == policy for x in self._facts)
        return next(islice((x for x in self._drawn if x.policy == policy), told, None), None)

    def close(
        self,
        outcome: str | None,
        reason: str,
        *,
        rounds: int = 0,
        facts: Mapping[str, Setting] | None = None,
        failed: Heard | None = None,
    ) -> EpisodeClosed:
        """The end of the story. failed: the turn whose missing answer ended it."""
        said = dict(facts or {})
        if failed is not None:
            said |= {
                "failed_role": failed.role,
                "failed_turn": failed.turn,
                "cause": failed.cause,
            }
            if failed.error:
                said["error"] = failed.error
        return EpisodeClosed(outcome=outcome, reason=reason, rounds=rounds, facts=said)

    def _fact(self, fact: Event) -> Generator[Step, None, None]:
        if self._taken == len(self._facts):
            yield Record((fact,))
        self._taken += 1

    def _follow(self, turn: int, asked: Asked) -> Heard | Due | RoleSwapped:
        """How far one turn has come."""
        rank = tries = attempt = 0
        heard: Heard | None = None
        binding = self.opened.cast.get(asked.role)
        last_rank = len(binding.fallback) if asked.follows_chain and binding is not None else 0
        for answer in self._answers.get(turn, ()):
            heard = hear(answer, asked, attempts=attempt + 1, rank=rank)
            attempt, tries = attempt + 1, tries + 1
            if heard.is_read:
                return heard
            if heard.status not in ("failed", "overflow") and tries < asked.attempts:
                continue
            if rank == last_rank or heard.status in ("unreadable", "overflow"):
                return heard
            rank, tries = rank + 1, 0
            if (turn, asked.role, rank) not in self._swaps:
                return RoleSwapped(
                    role=asked.role,
                    epoch=binding.epoch if binding is not None else 0,
                    rank=rank,
                    cause=heard.status,
                    turn=turn,
                    scope="this_call",
                )
        return Due(
            turn=turn,
            role=asked.role,
            view=asked.view,
            attempt=attempt,
            rank=rank,
            expected=asked.expected,
            parser=asked.parser,
            params=asked.params,
            tries=asked.attempts * (1 + last_rank),
        )
