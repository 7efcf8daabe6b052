"""A protocol told as a story: one generator that reads like the turn order of its specification.

    def story(self, scene):
        question = yield from scene.ask(Asked(role="respondent", view=..., parser="number"))
        if not question.is_read:
            return scene.close(None, "no_answer", failed=question)
        yield from scene.rule("toy.v1", (question.turn,), "kept")
        return scene.close("kept", "answered", rounds=1)

The story is told anew from the log for every decision: what is recorded is handed to it at once,
and the first thing that is not recorded yet is what is due. So nothing but the log decides, a
story may use loops and local variables, and it needs no state of its own. It must be pure: the
same log, the same story. Telling takes time linear in the episode's events.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping, Sequence
from itertools import islice
from typing import Literal

import msgspec

from eristic.debate import (
    Case,
    ContextOverflowed,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    Expected,
    Reading,
    RoleSwapped,
    RulingMade,
    Served,
    Setting,
    TurnFailed,
    TurnSpoken,
    View,
)
from eristic.protocols.judged_turns import JudgedTurn
from eristic.protocols.machine import Due, Parser, Record, RoleSpec, Step, Wait
from eristic.protocols.rehearsals import Way, count_calls, imagined
from eristic.protocols.suffixes import CallsLeft

__all__ = ["Asked", "Heard", "Scene", "Story", "StoryMachine", "Tale"]

Story = Generator[Step, None, EpisodeClosed]
"""What a protocol writes: it yields what is due, through the scene, and returns the close."""

Status = Literal["spoke", "unreadable", "empty", "refused", "failed", "overflow"]

_Answer = TurnSpoken | TurnFailed | ContextOverflowed


class Asked(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One turn that a role is asked for."""

    role: str
    view: View
    parser: str = ""
    """Name in the protocol's `parsers`; empty when the text stands as it is."""
    expected: Expected = Expected()
    params: dict[str, Setting] = {}
    """Sampling of this turn, where the cast says nothing else."""
    attempts: int = 1
    """Times that one model is asked the same before its answer counts as missing (count)."""
    follows_chain: bool = False
    """After that the next model of the role's fallback chain is asked."""
    takes_refusal: bool = False
    """A refusal is an answer like any other."""
    takes_empty: bool = False
    """An empty text is an answer like any other."""


class Heard(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What came of a turn."""

    turn: int
    role: str
    status: Status
    """Of the last attempt. spoke: it can be used."""
    text: str = ""
    """Raw; empty when there is none."""
    reading: Reading | None = None
    call: Served | None = None
    attempts: int = 1
    """Answers that were asked for, this one among them (count)."""
    rank: int = 0
    """Model of the chain that gave it."""
    error: str = ""
    """Class of the failure when the status is failed."""

    @property
    def is_read(self) -> bool:
        """It can be used: a text, and with a parser one that could be read."""
        return self.status == "spoke"

    @property
    def value(self) -> str:
        """What was read; without a parser the text."""
        if self.reading is None:
            return self.text
        return self.reading.value or ""

    @property
    def cause(self) -> str:
        """Why it is missing: unreadable, empty, refused, failed, context_overflow."""
        return "context_overflow" if self.status == "overflow" else self.status


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
        self._answers: dict[int, list[_Answer]] = {}
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
            heard = _hear(answer, asked, attempts=attempt + 1, rank=rank)
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


def _hear(answer: _Answer, asked: Asked, *, attempts: int, rank: int) -> Heard:
    if isinstance(answer, TurnSpoken):
        return Heard(
            turn=answer.turn,
            role=answer.role,
            status=_status(answer, asked),
            text=answer.text,
            reading=answer.reading,
            call=answer.call,
            attempts=attempts,
            rank=rank,
        )
    is_failed = isinstance(answer, TurnFailed)
    return Heard(
        turn=answer.turn,
        role=answer.role,
        status="failed" if is_failed else "overflow",
        attempts=attempts,
        rank=rank,
        error=answer.error if isinstance(answer, TurnFailed) else "",
    )


def _status(spoken: TurnSpoken, asked: Asked) -> Status:
    reading = spoken.reading
    if spoken.call is not None and spoken.call.refusal and not asked.takes_refusal:
        return "refused"
    if not spoken.text.strip() and not asked.takes_empty:
        return "empty"
    if reading is None or reading.status == "read":
        return "spoke"
    if reading.status == "refused":
        return "spoke" if asked.takes_refusal else "refused"
    if reading.status == "empty":
        return "spoke" if asked.takes_empty else "empty"
    return "unreadable"


class StoryMachine(ABC):
    """A protocol that is a story. Has no state: one instance serves all episodes."""

    name: str
    version: int = 1
    roles: Mapping[str, RoleSpec]
    conditions: tuple[str, ...]
    usual_conditions: tuple[str, ...] = ()
    """Names or patterns of those that are run when none is named; empty: all."""
    usual_repetitions: Mapping[str, int] = {}
    """Condition or pattern -> episodes a case (count); 1 where none fits."""
    case_texts: tuple[str, ...]
    """Texts that a case must have, none of them empty."""
    case_data: tuple[str, ...] = ()
    """Fields of a case that are JSON values other than texts."""
    success: str = ""
    """The outcome whose rate is shown where rules or runs are compared; empty: all outcomes are."""
    subject_role: str = ""
    """The role whose model is under test; empty: no role is."""
    templates: tuple[str, ...] = ()
    parsers: Mapping[str, Parser] = {}

    @abstractmethod
    def resolve(self, options: Mapping[str, Setting]) -> dict[str, Setting]:
        """See Machine."""

    @abstractmethod
    def story(self, scene: Scene) -> Story:
        """The turn order. Raises CaseRefused for a case that `check_case` refuses."""

    def check_case(self, case: Case) -> None:  # noqa: B027 - a protocol may have nothing to check
        """Raises CaseRefused saying what is wrong with the case, without naming it."""

    def judged_turns(self, opened: EpisodeOpened, events: Sequence[Event]) -> Sequence[JudgedTurn]:
        """What there is to be judged in a closed episode; see `Judgeable`."""
        return ()

    def imagine(self, tale: Tale, due: Due, way: Way) -> str | None:
        """An answer that leads to the shortest or the longest episode; None: any prose.

        Needed for calls whose answer decides how long an episode is and whose expected form does
        not say it: of tokens the first one ends it soonest, the last one goes on longest.
        """
        return imagined(due, way)

    def initial(self, opened: EpisodeOpened) -> Tale:
        """See Machine."""
        return Tale(opened)

    def evolve(self, state: Tale, event: Event) -> Tale:
        """See Machine."""
        is_closed = isinstance(event, EpisodeClosed)
        return Tale(state.opened, (*state.events, event), state.is_closed or is_closed)

    def decide(self, state: Tale) -> Step:
        """See Machine."""
        if state.is_closed:
            return None
        try:
            return next(self.story(Scene(state, state.drawn)))
        except StopIteration as end:
            closed: EpisodeClosed = end.value
            return Record((closed,))

    def calls_left(self, state: Tale) -> CallsLeft | None:
        """See `Bounded`: found by telling the rest of the story with imagined answers."""
        least, _ = count_calls(self, state, "shortest")
        longest, most = count_calls(self, state, "longest")
        return CallsLeft(least=dict(least), longest=dict(longest), most=dict(most))
