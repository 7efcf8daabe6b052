"""One judge's chain, being read and written: what it said before, and what it says now."""

from __future__ import annotations

import asyncio

import msgspec

from eristic.debate import JudgementMade, JudgingOpened
from eristic.debate.errors import LogDamaged, RunRefused, StalePosition
from eristic.journal import Chain, extend, read_chain
from eristic.judging import Docket, Matter, Score
from eristic.ports import Clock, EpisodeLog
from eristic.replay.judges import Seat

__all__ = ["Sitting"]

_BATCH_EVENTS = 500


class Sitting:
    """A seat at work on one run. Made by `Sitting.open`."""

    def __init__(
        self, run: str, seat: Seat, docket: Docket, log: EpisodeLog | None, clock: Clock
    ) -> None:
        self.run = run
        self.seat = seat
        self.docket = docket
        self._log = log
        self._clock = clock
        self._chain = Chain.empty(run=run, episode=seat.chain)
        self._pending: list[JudgementMade] = []
        self._writing = asyncio.Lock()  # protects _chain: an append needs the place of the last

    @classmethod
    async def open(
        cls,
        run: str,
        seat: Seat,
        log: EpisodeLog | None,
        *,
        clock: Clock,
        samples: int = 1,
        retry_failed: bool = False,
        writes: bool = True,
    ) -> Sitting:
        """Read what this judge said of the run before.

        log: the run's judgements; None: there are none and none are kept. writes: keep what is said
        now. Raises LogDamaged for a chain that does not hold or belongs to another rubric.
        """
        docket = Docket(sides=seat.sides, samples=samples, retry_failed=retry_failed)
        sitting = cls(run, seat, docket, log if writes else None, clock)
        stored = await log.read(seat.chain) if log is not None else []
        envelopes, sitting._chain = read_chain(stored, run=run, episode=seat.chain)
        for envelope in envelopes:
            event = envelope.body
            if envelope.position == 0:
                _check(run, seat, event)
            elif isinstance(event, JudgementMade):
                docket.take(event)
            else:
                raise LogDamaged(f"run {run}, judge {seat.chain}: {type(event).__name__} inside")
        return sitting

    @property
    def has_begun(self) -> bool:
        """Its chain has at least its opening."""
        return self._chain.length > 0

    @property
    def head(self) -> str:
        """Digest of the chain's last event."""
        return self._chain.head

    def score(self, matter: Matter) -> Score | None:
        """What it says of a matter; None while that is not settled."""
        return self.docket.score(matter)

    async def record(self, *events: JudgementMade) -> None:
        """Take these answers; returns when they are durable.

        Answers that come while an append is under way go into the next one together. Raises
        RunRefused when another process writes the same chain, BusError.
        """
        for event in events:
            self.docket.take(event)
        if self._log is None:
            return
        self._pending += events
        async with self._writing:
            while self._pending:
                await self._append()

    async def _append(self) -> None:
        assert self._log is not None
        events: list[JudgingOpened | JudgementMade] = list(self._pending[:_BATCH_EVENTS])
        del self._pending[:_BATCH_EVENTS]
        if not self.has_begun:
            events.insert(0, self.seat.opened)
        stored, chain = extend(self._chain, events, time=self._clock.now())
        try:
            await self._log.append(self.seat.chain, stored, expected=self._chain.length)
        except StalePosition as error:
            raise RunRefused(
                f"another process writes the judgements of {self.seat.name} on run {self.run}; "
                "wait for it to end, then run the same command: nothing is asked twice"
            ) from error
        self._chain = chain


def _check(run: str, seat: Seat, event: object) -> None:
    """The chain must begin with this judge; another version of Eristic may have opened it."""
    opened = seat.opened
    if isinstance(event, JudgingOpened):
        opened = msgspec.structs.replace(opened, software=event.software)
    if event != opened:
        raise LogDamaged(
            f"run {run}, judge {seat.chain}: the chain was opened for another judge or rubric; "
            f"run `eristic verify {run}`"
        )
