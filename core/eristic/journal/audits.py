"""Is this log whole? Every record of a run held against its chains and what closes it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from eristic.debate import (
    EpisodeClosed,
    EpisodeOpened,
    Event,
    ImportCompleted,
    RunClosed,
    RunOpened,
)
from eristic.debate.envelopes import decode, digest, genesis, seal_holds
from eristic.debate.errors import LogDamaged, LogTooNew
from eristic.debate.ids import RUN_CHAIN
from eristic.journal.chains import misfit

__all__ = ["Audit", "Finding", "Ledger", "audit"]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that does not hold."""

    episode: str
    position: int
    """Place in the chain, counted by reading it; -1 when the chain as a whole is meant."""
    what: str


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """What a whole reading of a run gave."""

    findings: tuple[Finding, ...]
    """Damage. Empty: every event is the one that was written, in its place."""
    unfinished: tuple[str, ...]
    """Episodes (or the run) that have no closing event yet; no damage in itself, but an end
    that was cut off a chain of an unclosed run looks the same."""
    events: int
    episodes: int
    head: str
    """Digest of the run chain's last event: the one value that stands for the whole run once
    it is closed."""

    @property
    def is_whole(self) -> bool:
        """No damage and nothing unfinished."""
        return not self.findings and not self.unfinished


class _Place:
    __slots__ = ("broken", "closed", "head", "length")

    def __init__(self, head: str) -> None:
        self.head = head
        self.length = 0
        self.closed = False
        self.broken = False


class Ledger:
    """Takes the records of one run in log order and keeps book of what does not hold."""

    def __init__(self, run: str) -> None:
        self._run = run
        self._places: dict[str, _Place] = {}
        self._findings: list[Finding] = []
        self._events = 0
        self._opened: RunOpened | None = None
        self._heads: dict[str, str] | None = None
        self._imported: dict[str, str] | None = None
        """Heads that imports vouched for; None for a run that nothing was imported into."""

    def take(self, episode: str, stored: bytes) -> Event | None:
        """Check one record; gives its event, or None when it cannot be trusted."""
        self._events += 1
        place = self._places.get(episode)
        if place is None:
            place = _Place(genesis(run=self._run, episode=episode))
            self._places[episode] = place
        event = self._check(episode, place, stored)
        place.length += 1
        place.head = digest(stored)
        return event

    def _check(self, episode: str, place: _Place, stored: bytes) -> Event | None:
        try:
            envelope = decode(stored)
        except (LogDamaged, LogTooNew) as error:
            self._report(episode, place, str(error))
            return None
        fault = misfit(
            envelope,
            run=self._run,
            episode=episode,
            position=place.length,
            head=place.head,
        )
        if fault is None:
            fault = self._out_of_order(episode, place, envelope.body)
        if fault is None and not seal_holds(envelope, stored):
            fault = "is not the closing event that was sealed"
        if fault is not None:
            self._report(episode, place, fault)
            return None
        self._note(place, envelope.body)
        return envelope.body

    def _out_of_order(self, episode: str, place: _Place, event: Event) -> str | None:
        if place.closed:
            return "follows the closing event"
        first = RunOpened if episode == RUN_CHAIN else EpisodeOpened
        if (place.length == 0) != isinstance(event, first):
            return f"{type(event).__name__} cannot stand at position {place.length}"
        return None

    def _note(self, place: _Place, event: Event) -> None:
        if isinstance(event, RunOpened):
            self._opened = event
        elif isinstance(event, RunClosed):
            self._heads = event.heads
            place.closed = True
        elif isinstance(event, ImportCompleted):
            self._imported = {**event.heads, **(self._imported or {})}
        elif isinstance(event, EpisodeClosed):
            place.closed = True

    def _report(self, episode: str, place: _Place, what: str) -> None:
        # One broken link makes every later link of the chain look broken: say it once.
        if not place.broken:
            self._findings.append(Finding(episode=episode, position=place.length, what=what))
        place.broken = True

    def close(self) -> Audit:
        """What the whole reading gave."""
        findings = [*self._findings, *self._against_heads()]
        unfinished = [
            name
            for name, place in self._places.items()
            if not (place.closed or (name == RUN_CHAIN and self._is_imported_whole()))
        ]
        chains = [name for name in self._places if name != RUN_CHAIN]
        if self._opened is None:
            missing = Finding(episode=RUN_CHAIN, position=0, what="run.opened is missing")
            findings += [] if any(f.episode == RUN_CHAIN for f in findings) else [missing]
        elif len(chains) < self._opened.episodes:
            unfinished.append(f"{self._opened.episodes - len(chains)} episodes not begun")
        run_place = self._places.get(RUN_CHAIN)
        return Audit(
            findings=tuple(findings),
            unfinished=tuple(unfinished),
            events=self._events,
            episodes=len(chains),
            head=run_place.head if run_place else "",
        )

    def _is_imported_whole(self) -> bool:
        """Every episode that is there was vouched for by an import that came to its end."""
        imported = self._imported
        return imported is not None and self._places.keys() <= imported.keys() | {RUN_CHAIN}

    def _against_heads(self) -> Iterable[Finding]:
        for episode, head in {**(self._imported or {}), **(self._heads or {})}.items():
            place = self._places.get(episode)
            if place is None:
                yield Finding(episode=episode, position=-1, what="the whole chain is missing")
            elif place.head != head and not place.broken:
                yield Finding(
                    episode=episode,
                    position=place.length,
                    what="ends otherwise than the run's closing event says: "
                    "events at its end are missing or were added",
                )
        if self._heads is None:
            return
        for episode in self._places.keys() - self._heads.keys() - {RUN_CHAIN}:
            yield Finding(episode=episode, position=-1, what="is not in the run's closing event")


def audit(run: str, records: Iterable[tuple[str, bytes]]) -> Audit:
    """Read the records of a run in log order and say what does not hold."""
    ledger = Ledger(run)
    for episode, stored in records:
        ledger.take(episode, stored)
    return ledger.close()
