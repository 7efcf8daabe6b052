"""A run in rows: one for each episode, and how many ended how in each condition."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal, assert_never

import msgspec

from eristic.debate import (
    AnswerRefused,
    ContextOverflowed,
    Envelope,
    EpisodeClosed,
    EpisodeOpened,
    HistoryFolded,
    ImportCompleted,
    JudgementMade,
    JudgingOpened,
    RoleSwapped,
    RulingMade,
    RunClosed,
    RunOpened,
    TurnFailed,
    TurnSpoken,
)
from eristic.debate.ids import RUN_CHAIN

__all__ = ["ConditionRow", "EpisodeRow", "RunSummary", "Summarizer", "summarise"]


class EpisodeRow(msgspec.Struct, frozen=True, kw_only=True):
    """One episode in short."""

    number: int
    """Place in the order in which the episodes began, from 1; never changes as a run grows."""
    episode: str
    case_id: str
    condition: str
    repetition: int
    state: Literal["open", "closed", "failed"]
    """failed: closed without an outcome."""
    outcome: str | None
    reason: str
    rounds: int | None
    """Rounds really played; None while open."""
    turns: int
    """Texts so far, templates included (count)."""
    last_turn: int | None
    """Highest turn number so far."""
    tokens_in: int | None
    """Sum of what providers said; None when none said anything."""
    tokens_out: int | None
    turns_uncounted: int
    """Turns of models whose provider gave no token counts."""
    by_default: bool
    """The outcome rests on unreadable verdicts alone, as its protocol says in the closing event."""
    models: tuple[str, ...]
    """As served, each once, sorted; of an imported episode as its source names the cast."""


class ConditionRow(msgspec.Struct, frozen=True, kw_only=True):
    """How the episodes of one condition ended (counts)."""

    condition: str
    episodes: int
    """Begun so far."""
    n: int
    """With an outcome: the denominator of every rate."""
    outcomes: dict[str, int]
    by_default: int
    """Outcomes that rest on unreadable verdicts alone; among the outcomes above, worth nothing."""
    failed: dict[str, int]
    """Cause -> episodes without an outcome; excluded from rates."""
    open: int


class RunSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A run up to now."""

    run: str
    protocol: str
    """Of the first episode; empty while there is none."""
    started: datetime | None
    """Time of the run's first event; None when that is missing."""
    spec: str
    """The resolved experiment as stored."""
    software: str
    planned: int
    """Episodes (count); of an imported run those that its imports brought."""
    is_closed: bool
    imports: int
    """Imports into this run that came to their end (count)."""
    is_imported: bool
    """Every episode came by one of them. Such a run is whole, and may grow with its source."""
    events: int
    rows: tuple[EpisodeRow, ...]
    conditions: tuple[ConditionRow, ...]
    """In the order in which they first appear."""

    def count(self, state: Literal["open", "closed", "failed"]) -> int:
        """Episodes in this state (count); those not begun are in none."""
        return sum(row.state == state for row in self.rows)


class _Episode:
    """One episode being summed up."""

    __slots__ = ("closed", "last_turn", "models", "opened", "tokens", "turns", "uncounted")

    def __init__(self, opened: EpisodeOpened) -> None:
        self.opened = opened
        self.turns = 0
        self.last_turn: int | None = None
        self.tokens: tuple[int, int] | None = None
        self.uncounted = 0
        self.models: set[str] = set()
        self.closed: EpisodeClosed | None = None

    def take(self, event: TurnSpoken) -> None:
        self.turns += 1
        self.saw(event.turn)
        call = event.call
        if call is None:
            return
        self.models.add(call.model)
        if call.tokens_in is None and call.tokens_out is None:
            self.uncounted += 1
            return
        tokens_in, tokens_out = self.tokens or (0, 0)
        self.tokens = tokens_in + (call.tokens_in or 0), tokens_out + (call.tokens_out or 0)

    def saw(self, turn: int) -> None:
        self.last_turn = turn if self.last_turn is None else max(turn, self.last_turn)

    def row(self, number: int, episode: str) -> EpisodeRow:
        opened, closed = self.opened, self.closed
        outcome = closed.outcome if closed is not None else None
        return EpisodeRow(
            number=number,
            episode=episode,
            case_id=opened.case.case_id,
            condition=opened.condition,
            repetition=opened.repetition,
            state="open" if closed is None else "closed" if outcome is not None else "failed",
            outcome=outcome,
            reason=closed.reason if closed is not None else "",
            rounds=closed.rounds if closed is not None else None,
            turns=self.turns,
            last_turn=self.last_turn,
            tokens_in=self.tokens[0] if self.tokens else None,
            tokens_out=self.tokens[1] if self.tokens else None,
            turns_uncounted=self.uncounted,
            by_default=closed is not None and closed.facts.get("by_default") is True,
            models=tuple(sorted(self.models or _as_recorded(opened))),
        )


def _as_recorded(opened: EpisodeOpened) -> set[str]:
    """Models of an imported episode, which has no calls."""
    if opened.imported is None:
        return set()
    return {binding.model for binding in opened.cast.values()}


class Summarizer:
    """Takes the envelopes of one run in log order."""

    def __init__(self, run: str) -> None:
        self._run = run
        self._events = 0
        self._opened: RunOpened | None = None
        self._started: datetime | None = None
        self._is_closed = False
        self._episodes: dict[str, _Episode] = {}
        self._imports = 0
        self._vouched: set[str] = set()

    def take(self, envelope: Envelope) -> None:
        """One more event. Events of an episode that has no header are counted and no more."""
        self._events += 1
        event, known = envelope.body, self._episodes.get(envelope.episode)
        match event:
            case EpisodeOpened():
                if known is None and envelope.episode != RUN_CHAIN:
                    self._episodes[envelope.episode] = _Episode(event)
            case TurnSpoken():
                if known is not None:
                    known.take(event)
            case TurnFailed() | ContextOverflowed():
                if known is not None:
                    known.saw(event.turn)
            case EpisodeClosed():
                if known is not None:
                    known.closed = event
            case RunOpened():
                self._opened, self._started = event, envelope.time
            case RunClosed():
                self._is_closed = True
            case ImportCompleted():
                self._vouched |= event.heads.keys()
                self._imports += 1
            case HistoryFolded() | RoleSwapped() | RulingMade() | AnswerRefused():
                pass
            case JudgingOpened() | JudgementMade():
                pass
            case _:
                assert_never(event)

    def close(self) -> RunSummary:
        """The summary of what was taken so far."""
        rows = tuple(
            episode.row(number, name)
            for number, (name, episode) in enumerate(self._episodes.items(), start=1)
        )
        first = next(iter(self._episodes.values()), None)
        opened = self._opened
        return RunSummary(
            run=self._run,
            protocol=first.opened.protocol if first is not None else "",
            started=self._started,
            spec=opened.spec if opened is not None else "",
            software=opened.software if opened is not None else "",
            planned=max(opened.episodes if opened is not None else 0, len(rows)),
            is_closed=self._is_closed,
            imports=self._imports,
            is_imported=self._imports > 0 and self._episodes.keys() <= self._vouched,
            events=self._events,
            rows=rows,
            conditions=_by_condition(rows),
        )


def _by_condition(rows: tuple[EpisodeRow, ...]) -> tuple[ConditionRow, ...]:
    grouped: dict[str, list[EpisodeRow]] = {}
    for row in rows:
        grouped.setdefault(row.condition, []).append(row)
    return tuple(
        ConditionRow(
            condition=condition,
            episodes=len(group),
            n=sum(row.outcome is not None for row in group),
            outcomes=_counted(row.outcome for row in group if row.outcome is not None),
            by_default=sum(row.by_default for row in group),
            failed=_counted(row.reason for row in group if row.state == "failed"),
            open=sum(row.state == "open" for row in group),
        )
        for condition, group in grouped.items()
    )


def _counted(names: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return dict(sorted(counts.items()))


def summarise(run: str, envelopes: Iterable[Envelope]) -> RunSummary:
    """A run's events in log order, summed up."""
    summarizer = Summarizer(run)
    for envelope in envelopes:
        summarizer.take(envelope)
    return summarizer.close()
