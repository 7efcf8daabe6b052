"""Where a recorded episode is cut, so that it can go on otherwise: after a turn and its facts.

Nothing behind the cut is read. A turn is kept if its number is not higher than that of the last
one to keep. Checks run side by side, so one of a higher number may stand before the cut: it is
left out and will be asked again. What the protocol decided from kept turns is kept as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from eristic.debate import (
    AnswerRefused,
    ContextOverflowed,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    Lineage,
    RoleSwapped,
    TurnFailed,
    TurnSpoken,
    Unshared,
)
from eristic.debate.envelopes import Kept, decode, digest, genesis, keep
from eristic.debate.errors import LogDamaged, NameRefused
from eristic.journal.chains import misfit
from eristic.protocols import Machine, Record, Wait, advance
from eristic.replay.findings import name_event

__all__ = ["ForkPoint", "find_end_point", "find_fork_point"]

_Turn = TurnSpoken | TurnFailed | ContextOverflowed | AnswerRefused


class ForkPoint(msgspec.Struct, frozen=True, kw_only=True):
    """The beginning that a branch shares with its source."""

    run: str
    episode: str
    at: int
    """The last turn that is kept."""
    opened: EpisodeOpened
    """The source's header."""
    kept: tuple[Kept, ...]
    """Events after the header, bodies byte for byte."""
    events: tuple[Event, ...]
    """The same, decoded."""
    lineage: Lineage

    @property
    def address(self) -> str:
        """For messages."""
        return f"{self.episode}@{self.at}"


def find_fork_point(
    stored: Iterable[bytes], *, run: str, episode: str, at: int, machine: Machine[Any]
) -> ForkPoint:
    """Read a chain up to the turn `at` and what follows from it, and no further.

    Raises NameRefused when there is no such turn, when nothing can follow it, or when it was
    never sent; LogDamaged, LogTooNew for bytes up to there that do not hold.
    """
    links = _proven(stored, run=run, episode=episode)
    cut = _begin(links, run, episode, at, machine)
    for link in links:
        if cut.take(link):
            return cut.point()
    return cut.end()


def find_end_point(
    stored: Iterable[bytes], *, run: str, episode: str, machine: Machine[Any]
) -> ForkPoint:
    """The cut before the close: all of an episode, for a branch in which it would not end there.

    Raises NameRefused for an episode that is open, or closed before anybody was asked; LogDamaged,
    LogTooNew as `find_fork_point`.
    """
    links = _proven(stored, run=run, episode=episode)
    cut = _begin(links, run, episode, -1, machine)
    for link in links:
        if isinstance(link.event, EpisodeClosed):
            return cut.whole()
        cut.keep_all(link)
    raise NameRefused(f"{run} {episode} is open: it has no end yet at which it could be forked")


class _Link(NamedTuple):
    """One event of a chain that holds up to it."""

    position: int
    stored: bytes
    head: str
    """Digest of its stored bytes."""
    event: Event


def _proven(stored: Iterable[bytes], *, run: str, episode: str) -> Iterator[_Link]:
    """The chain as far as it is asked for. Raises LogDamaged, LogTooNew at a link that is none."""
    head = genesis(run=run, episode=episode)
    for position, line in enumerate(stored):
        envelope = decode(line)
        fault = misfit(envelope, run=run, episode=episode, position=position, head=head)
        if fault is not None:
            raise LogDamaged(f"run {run}, {episode}@{position}: {fault}; nothing is forked from it")
        head = digest(line)
        yield _Link(position, line, head, envelope.body)


def _begin(links: Iterator[_Link], run: str, episode: str, at: int, machine: Machine[Any]) -> _Cut:
    """A cut that has its header. Raises NameRefused for an empty chain."""
    first = next(links, None)
    if first is None:
        raise NameRefused(f"run {run} has no episode {episode}")
    cut = _Cut(run, episode, at, _header(run, episode, first.event), machine)
    cut.others.append(Unshared(position=0, digest=first.head))
    return cut


def _header(run: str, episode: str, event: Event) -> EpisodeOpened:
    if not isinstance(event, EpisodeOpened):
        raise LogDamaged(f"run {run}, {episode} does not begin with episode.opened")
    return event


class _Cut:
    """What was kept so far, folded as the protocol folds it."""

    def __init__(
        self, run: str, episode: str, at: int, opened: EpisodeOpened, machine: Machine[Any]
    ) -> None:
        self._run, self._episode, self._at = run, episode, at
        self._opened, self._machine = opened, machine
        self.others: list[Unshared] = []
        self._kept: list[Kept] = []
        self._events: list[Event] = []
        self._last = (0, "")
        self._highest = -1
        self._heard: _Turn | None = None
        """What was kept last of the turn `at`."""
        self._state: Any = machine.initial(opened)
        self._facts: list[Event] = []
        """Decided, and not seen in the log yet."""
        self._due: tuple[int, ...] = ()
        self._is_closed = False
        self._decide()

    def take(self, link: _Link) -> bool:
        """One more event; True when the turn and all that follows from it are there."""
        event = link.event
        if isinstance(event, _Turn):
            self._highest = max(self._highest, event.turn)
        if not self._belongs(link.position, event):
            self.others.append(Unshared(position=link.position, digest=link.head))
            return False
        self._keep(link)
        self._state = self._machine.evolve(self._state, event)
        if isinstance(event, _Turn) and event.turn == self._at:
            self._heard = event
        if isinstance(event, _Turn) or not self._facts:
            self._decide()
        return self._is_settled() and not self._facts

    def keep_all(self, link: _Link) -> None:
        """One more event that is kept, whatever it is."""
        self._keep(link)
        if isinstance(link.event, _Turn):
            self._at = max(self._at, link.event.turn)

    def _keep(self, link: _Link) -> None:
        self._kept.append(keep(link.stored))
        self._events.append(link.event)
        self._last = (link.position, link.head)

    def whole(self) -> ForkPoint:
        """The cut after all that was kept. Raises NameRefused when that is no turn."""
        if self._at < 0:
            raise NameRefused(
                f"{self._run} {self._episode} closed before its first turn, so there is nothing "
                "that a branch could keep; run its case anew"
            )
        return self.point()

    def _decide(self) -> None:
        step = self._machine.decide(self._state)
        self._facts = list(step.events) if isinstance(step, Record) else []
        self._due = tuple(call.turn for call in step.calls) if isinstance(step, Wait) else ()
        self._is_closed = step is None

    def _belongs(self, position: int, event: Event) -> bool:
        if isinstance(event, _Turn):
            return event.turn <= self._at or self._needs(event)
        if isinstance(event, RoleSwapped) and event.cause == "operator":
            return event.turn <= self._at
        if event in self._facts:
            self._facts.remove(event)
            return True
        turn = getattr(event, "turn", None)
        for fact in self._facts:
            if type(fact) is type(event) and getattr(fact, "turn", None) == turn:
                raise LogDamaged(
                    f"run {self._run}, {self._episode}@{position}: this version decides otherwise "
                    f"than the log says ({name_event(event)}), so its beginning would not be the "
                    f"same debate; `eristic verify {self._run}` tells more"
                )
        return False

    def _needs(self, event: _Turn) -> bool:
        """A turn of a higher number that a lower one waits for: the fold of a long prompt."""
        waits = event.turn in self._due and not any(turn <= self._at for turn in self._due)
        return waits and not self._facts and not self._is_settled()

    def _is_settled(self) -> bool:
        if self._heard is None or self._is_closed and self._opened.imported is None:
            return False
        # After these the same turn is asked for once more, when its history is shorter.
        heard = self._heard
        if isinstance(heard, ContextOverflowed | AnswerRefused):
            return False
        if isinstance(heard, TurnFailed) and heard.error == "context":
            return False
        return not any(turn <= self._at for turn in self._due)

    def point(self) -> ForkPoint:
        """The cut, after the event that was kept last."""
        if isinstance(self._heard, TurnSpoken) and "unsent" in self._heard.remarks:
            raise self._refusal(
                f"turn {self._at} was never sent and is no part of the debate; fork at "
                f"{self._at - 1}"
            )
        position, head = self._last
        return ForkPoint(
            run=self._run,
            episode=self._episode,
            at=self._at,
            opened=self._opened,
            kept=tuple(self._kept),
            events=tuple(self._events),
            lineage=Lineage(
                run=self._run,
                episode=self._episode,
                position=position,
                digest=head,
                others=tuple(other for other in self.others if other.position < position),
            ),
        )

    def end(self) -> ForkPoint:
        """The log ended first. An episode that is open may still be cut at its last turn."""
        if self._is_settled() and not self._leads_to_the_close():
            return self.point()
        if self._heard is None and self._opened.imported is None and self._is_closed:
            raise self._refusal(
                f"it has no turn {self._at}: it closed after turn {self._highest}; fork at "
                f"{self._highest - 1} or earlier"
            )
        if self._heard is None:
            raise self._refusal(f"it has no turn {self._at}; its last one is {self._highest}")
        if self._is_closed or self._leads_to_the_close():
            raise self._refusal(
                f"the debate ends with turn {self._at}, so nothing follows it; fork at "
                f"{self._at - 1} or earlier"
            )
        raise self._refusal(f"turn {self._at} is not settled yet; fork at an earlier turn")

    def _leads_to_the_close(self) -> bool:
        return self._opened.imported is None and advance(self._machine, self._state).closed

    def _refusal(self, why: str) -> NameRefused:
        return NameRefused(f"{self._run} {self._episode}@{self._at}: {why}")
