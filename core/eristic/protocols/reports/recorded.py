"""The episodes of one run as they stand in its log: what most protocols' metrics are made of."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from operator import attrgetter

import msgspec

from eristic.debate import (
    Case,
    Envelope,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    ImportCompleted,
    RulingMade,
    RunClosed,
    RunOpened,
    TurnFailed,
    TurnSpoken,
)
from eristic.debate.envelopes import digest

__all__ = ["Recorded", "RecordedRun", "RunCollector"]


class Recorded(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One episode."""

    episode: str
    opened: EpisodeOpened
    events: tuple[Event, ...]
    """All after the header, in order."""
    closed: EpisodeClosed | None = None
    """None while it is open."""
    digests: dict[int, str] = {}
    """Turn -> digest of its stored event, of turns that a judge looked at."""

    @property
    def own_events(self) -> tuple[Event, ...]:
        """Without those that a branch took over from its source, where they were paid for."""
        parent = self.opened.parent
        return self.events[parent.shared :] if parent is not None else self.events

    @property
    def case(self) -> Case:
        """What it is about."""
        return self.opened.case

    @property
    def block(self) -> str:
        """The independent unit of statistics that it belongs to."""
        return self.opened.case.block

    @property
    def condition(self) -> str:
        """Its condition."""
        return self.opened.condition

    @property
    def outcome(self) -> str | None:
        """None while it is open, and when it closed without one."""
        return self.closed.outcome if self.closed is not None else None

    @property
    def cause(self) -> str:
        """Why it has no outcome: open, or the reason of its close; empty when it has one."""
        if self.closed is None:
            return "open"
        return "" if self.closed.outcome is not None else self.closed.reason

    def model(self, role: str) -> str:
        """The model bound to a role at the start; empty when nobody plays it."""
        bound = self.opened.cast.get(role)
        return bound.model if bound is not None else ""

    def spoken(self, role: str = "") -> tuple[TurnSpoken, ...]:
        """Texts in the order of the log, every attempt; of one role or of all."""
        return tuple(
            event
            for event in self.events
            if isinstance(event, TurnSpoken) and role in ("", event.role)
        )

    def last_attempts(self) -> dict[int, TurnSpoken | TurnFailed]:
        """Turn -> its last answer."""
        found: dict[int, TurnSpoken | TurnFailed] = {}
        for event in self.events:
            if isinstance(event, TurnSpoken | TurnFailed):
                known = found.get(event.turn)
                if known is None or event.attempt >= known.attempt:
                    found[event.turn] = event
        return found

    def rulings(self, policy: str = "") -> tuple[RulingMade, ...]:
        """Decisions in order; policy: the beginning of an id, empty for all."""
        return tuple(
            event
            for event in self.events
            if isinstance(event, RulingMade) and event.policy.startswith(policy)
        )


class RecordedRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run with its episodes, in an order that does not depend on the order of reading."""

    episodes: tuple[Recorded, ...]
    """By case, condition, repetition and id."""
    opened: RunOpened | None = None
    started: str = ""
    """Time of the run's first event, ISO 8601."""
    state: str = "not closed"
    """closed, not closed or imported."""

    @property
    def planned(self) -> int:
        """Episodes that the run's first event names; those of the log when there is none."""
        planned = self.opened.episodes if self.opened is not None else 0
        return max(planned, len(self.episodes))

    def where(self, **keys: str) -> tuple[Recorded, ...]:
        """Episodes with these attributes, e.g. condition="fair.en"."""
        read = [(attrgetter(name), value) for name, value in keys.items()]
        return tuple(one for one in self.episodes if all(get(one) == value for get, value in read))


class _Open:
    def __init__(self, opened: EpisodeOpened) -> None:
        self.opened = opened
        self.events: list[Event] = []
        self.digests: dict[int, str] = {}


class RunCollector:
    """Takes the events of one run; never raises.

    judged: (episode, turn) that a judge looked at: their digests are kept.
    """

    def __init__(self, judged: Collection[tuple[str, int]] = ()) -> None:
        self._judged = judged
        self._episodes: dict[str, _Open] = {}
        self._opened: RunOpened | None = None
        self._started = ""
        self._state = "not closed"

    def take(self, envelope: Envelope, stored: bytes) -> None:
        """One more event, in an order that keeps each episode's own."""
        event = envelope.body
        if isinstance(event, EpisodeOpened):
            self._episodes.setdefault(envelope.episode, _Open(event))
        elif isinstance(event, RunOpened):
            self._opened, self._started = event, envelope.time.isoformat()
        elif isinstance(event, RunClosed):
            self._state = "closed"
        elif isinstance(event, ImportCompleted):
            self._state = "imported"
        elif envelope.episode in self._episodes:
            self._take(self._episodes[envelope.episode], envelope.episode, event, stored)

    def _take(self, open_: _Open, episode: str, event: Event, stored: bytes) -> None:
        open_.events.append(event)
        if isinstance(event, TurnSpoken) and (episode, event.turn) in self._judged:
            open_.digests[event.turn] = digest(stored)

    def close(self) -> RecordedRun:
        """All that was taken."""
        return RecordedRun(
            episodes=tuple(sorted(self._recorded(), key=_place)),
            opened=self._opened,
            started=self._started,
            state=self._state,
        )

    def _recorded(self) -> Iterable[Recorded]:
        for episode, one in self._episodes.items():
            last = one.events[-1] if one.events else None
            yield Recorded(
                episode=episode,
                opened=one.opened,
                events=tuple(one.events),
                closed=last if isinstance(last, EpisodeClosed) else None,
                digests=one.digests,
            )


def _place(one: Recorded) -> tuple[str, str, int, str]:
    return (one.case.case_id, one.condition, one.opened.repetition, one.episode)
