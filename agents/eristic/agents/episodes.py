"""One episode being played: fold, decide, ask, append, again. Knows no protocol by name."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from eristic.agents.verdicts import Verdicts
from eristic.debate import (
    Answer,
    AnswerRefused,
    Ask,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    Refused,
    TurnSpoken,
)
from eristic.debate.envelopes import Kept, decode
from eristic.debate.errors import LogDamaged
from eristic.debate.ids import ask_seed
from eristic.journal import Chain, carry, extend, read_chain
from eristic.ports import Clock, Courier, EpisodeLog
from eristic.protocols.machine import Due, Machine, advance, fold, record

__all__ = ["Ending", "EpisodePlayer", "Stage", "Tally"]

_REFUSED_PAUSE_S = (0.2, 0.5, 1.0, 2.0, 5.0)


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """How playing an episode ended, seen from one director."""

    episode: str
    how: Literal["closed", "stopped", "taken_over", "broken"]
    """closed: in the log. stopped: handed back on request. taken_over: another director appended.
    broken: the chain cannot be continued, see `error`."""
    outcome: str | None = None
    """None for a closed episode: a role exhausted its retries."""
    reason: str = ""
    cause: str = ""
    """Class of the failure that closed it; empty when none did."""
    rounds: int = 0
    unread: tuple[str, ...] = ()
    """Roles whose verdicts were needed and of which not one came that could be read as a whole,
    sorted."""
    has_defaults: bool = False
    """True where the protocol decides by a default in place of such a verdict, and says in the
    close whether it did; otherwise the outcome rests on what could be read."""
    is_default: bool = False
    """True when it rests on defaults alone, so that nothing that was said decided."""
    head: str = ""
    """Digest of the chain's last event."""
    error: str = ""


class Tally(msgspec.Struct, kw_only=True):
    """Running counts of one director, for progress displays."""

    episodes: int = 0
    playing: int = 0
    turns: int = 0
    """Durable turns that a model or a person gave, in this process."""
    tokens_in: int = 0
    tokens_out: int = 0
    outcomes: dict[str, int] = {}
    waiting: dict[str, int] = {}
    """Role -> asks sent and not answered."""


class Stage:
    """What all episodes of a director share."""

    def __init__(
        self, *, run: str, machine: Machine[Any], log: EpisodeLog, courier: Courier, clock: Clock
    ) -> None:
        self.run = run
        self.machine = machine
        self.log = log
        self.courier = courier
        self.clock = clock
        self.tally = Tally()
        self.stopping = False
        """True: send no more asks; what is in flight is finished and logged."""


_Key = tuple[int, str, int]


class EpisodePlayer:
    """Plays one episode from wherever its log stands.

    opened, kept: what an empty chain begins with; otherwise the chain's own is used.
    Raises LogDamaged, LogTooNew for a chain that cannot be continued.
    """

    def __init__(
        self,
        stage: Stage,
        episode: str,
        opened: EpisodeOpened,
        stored: Sequence[bytes],
        kept: Sequence[Kept] = (),
    ) -> None:
        self._stage = stage
        self._machine = stage.machine
        envelopes, self._chain = read_chain(stored, run=stage.run, episode=episode)
        past: list[Event] = [envelope.body for envelope in envelopes]
        self._is_resumed = bool(past)
        self._begun: list[bytes] = []
        """A beginning that is stored with the first events that follow from it, or not at all."""
        if not past:
            self._begun, self._chain = _begin(self._chain, opened, kept, stage.clock)
            past = [opened, *(decode(line).body for line in self._begun[1:])]
        self._unsaved: list[Event] = []
        if not isinstance(past[0], EpisodeOpened):
            raise LogDamaged(f"episode {episode} does not begin with episode.opened")
        self._opened = past[0]
        if self._opened.seed is None:
            raise LogDamaged(f"episode {episode} has no seed: an imported episode cannot go on")
        self._seed = self._opened.seed
        self._last = past[-1]
        self._state: Any = fold(self._machine, past)
        self._verdicts = Verdicts(past)
        self._sent: dict[_Key, Ask] = {}
        self._arrived: list[tuple[Due, Answer | BaseException]] = []
        self._bell: asyncio.Future[None] | None = None
        self._asking: set[asyncio.Future[Answer]] = set()
        self._pauses: list[asyncio.TimerHandle] = []

    async def play(self) -> Ending:
        """Play until the episode is closed or the stage stops.

        Raises StalePosition when another director appended, BusError when the log or the roles
        are out of reach.
        """
        try:
            while True:
                step = advance(self._machine, self._state)
                self._state = step.state
                await self._append(self._unsaved + list(step.events))
                if step.closed:
                    return self._ending()
                if not self._stage.stopping:
                    self._send(step.due)
                elif not self._sent:
                    return Ending(episode=self._chain.episode, how="stopped")
                self._unsaved = await self._arrivals()
                for event in self._unsaved:
                    self._state = self._machine.evolve(self._state, event)
        finally:
            for asked in self._asking:
                asked.cancel()
            for pause in self._pauses:
                pause.cancel()

    async def _append(self, events: list[Event]) -> None:
        if not events and not self._begun:
            return
        stage = self._stage
        stored, after = extend(self._chain, events, time=stage.clock.now())
        expected = self._chain.length - len(self._begun)
        await stage.log.append(self._chain.episode, self._begun + stored, expected=expected)
        self._chain, self._begun = after, []
        self._last = events[-1] if events else self._last
        self._verdicts.take(events)
        _count(stage.tally, events)

    def _send(self, due: tuple[Due, ...]) -> None:
        waiting = self._stage.tally.waiting
        for call in due:
            if call.key not in self._sent:
                self._sent[call.key] = self._make_ask(call)
                waiting[call.role] = waiting.get(call.role, 0) + 1
                self._ask(call, refusals=0)

    def _ask(self, call: Due, *, refusals: int) -> None:
        asking = asyncio.ensure_future(self._stage.courier.ask(self._sent[call.key]))
        self._asking.add(asking)
        asking.add_done_callback(lambda done: self._hear(call, done, refusals))

    def _hear(self, call: Due, asked: asyncio.Future[Answer], refusals: int) -> None:
        self._asking.discard(asked)
        if asked.cancelled():
            return
        error = asked.exception()
        answer = error if error is not None else asked.result()
        if isinstance(answer, Answer) and isinstance(answer.outcome, Refused):
            pause_s = _REFUSED_PAUSE_S[min(refusals, len(_REFUSED_PAUSE_S) - 1)]
            self._pauses.append(
                asyncio.get_running_loop().call_later(
                    pause_s, lambda: self._ask(call, refusals=refusals + 1)
                )
            )
        else:
            self._stage.tally.waiting[call.role] -= 1
        self._arrived.append((call, answer))
        if self._bell is not None and not self._bell.done():
            self._bell.set_result(None)

    def _make_ask(self, call: Due) -> Ask:
        return Ask(
            run=self._chain.run,
            episode=self._chain.episode,
            turn=call.turn,
            role=call.role,
            attempt=call.attempt,
            epoch=self._opened.cast[call.role].epoch,
            rank=call.rank,
            view=call.view,
            expected=call.expected,
            memory_trigger=call.memory_trigger,
            force=call.force,
            params=call.params,
            seed=ask_seed(
                self._seed,
                role=call.role,
                turn=call.turn,
                attempt=call.attempt,
                rank=call.rank,
            ),
            # A director before this one may have sent the same ask.
            repeat=self._is_resumed,
        )

    async def _arrivals(self) -> list[Event]:
        """The events of all answers that are there; waits for the first one."""
        if not self._arrived:
            self._bell = asyncio.get_running_loop().create_future()
            await self._bell
        arrived, self._arrived = self._arrived, []
        return [self._event(call, answer) for call, answer in arrived]

    def _event(self, call: Due, answer: Answer | BaseException) -> Event:
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer.outcome, Refused):
            return AnswerRefused(
                turn=call.turn,
                role=call.role,
                attempt=call.attempt,
                epoch=answer.epoch,
                reason=answer.outcome.reason,
            )
        ask = self._sent.pop(call.key)
        return record(
            call,
            answer,
            seed=ask.seed,
            parsers=self._machine.parsers,
            epoch=answer.epoch,
        )

    def _ending(self) -> Ending:
        closed = self._last
        if not isinstance(closed, EpisodeClosed):
            raise LogDamaged(
                f"episode {self._chain.episode} counts as closed but ends with "
                f"{type(closed).__name__}; run `eristic verify {self._chain.run}`"
            )
        unread = self._verdicts.unread
        return Ending(
            episode=self._chain.episode,
            how="closed",
            outcome=closed.outcome,
            reason=closed.reason,
            cause=_cause(closed),
            rounds=closed.rounds,
            unread=tuple(sorted(unread)),
            has_defaults="by_default" in closed.facts,
            is_default=closed.facts.get("by_default") is True,
            head=self._chain.head,
        )


def _begin(
    chain: Chain, opened: EpisodeOpened, kept: Sequence[Kept], clock: Clock
) -> tuple[list[bytes], Chain]:
    first, chain = extend(chain, [opened], time=clock.now())
    carried, chain = carry(chain, kept)
    return first + carried, chain


def _cause(closed: EpisodeClosed) -> str:
    said = closed.facts.get("error") if closed.outcome is None else None
    return "" if said is None else str(said)


def _count(tally: Tally, events: Sequence[Event]) -> None:
    for event in events:
        if isinstance(event, TurnSpoken) and event.call is not None:
            tally.turns += 1
            tally.tokens_in += event.call.tokens_in or 0
            tally.tokens_out += event.call.tokens_out or 0
