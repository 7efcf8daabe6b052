"""Episodes of protocols that say themselves which of their turns judges may look at."""

from __future__ import annotations

from typing import NamedTuple

from eristic.debate import EpisodeClosed, EpisodeOpened, Event, TurnSpoken
from eristic.debate.envelopes import decode, digest
from eristic.debate.errors import NameRefused
from eristic.judging import Target
from eristic.protocols import find_protocol
from eristic.protocols.judged_turns import Judgeable, JudgedTurn, judgeable

__all__ = ["NOT_SAID", "Found", "WholeEpisodes"]

NOT_SAID = frozenset({"unsent", "placeholder"})
"""Remarks on turns of an import that were never spoken to anybody, or stand for none."""


class Found(NamedTuple):
    """What can be judged, and what cannot."""

    targets: tuple[Target, ...]
    pairs: tuple[tuple[Target, Target], ...]
    open: tuple[str, ...]
    silent: tuple[str, ...]


class _Judged(NamedTuple):
    """What there is to be judged of one closed episode."""

    targets: tuple[Target, ...]
    pairs: tuple[tuple[Target, Target], ...]


class _Whole:
    """One episode: all of it until it closes, then only what is judged."""

    __slots__ = ("episode", "events", "found", "machine", "opened", "spoken")

    def __init__(self, episode: str, machine: Judgeable, opened: EpisodeOpened) -> None:
        self.episode = episode
        self.machine = machine
        self.opened = opened
        self.events: list[Event] = []
        self.spoken: dict[int, tuple[TurnSpoken, str]] = {}
        """Turn -> its last text and the digest of its stored event."""
        self.found: _Judged | None = None
        """None while it is open."""

    def take(self, stored: bytes) -> None:
        if self.found is not None:
            return
        event = decode(stored).body
        self.events.append(event)
        if isinstance(event, TurnSpoken):
            self.spoken[event.turn] = (event, digest(stored))
        elif isinstance(event, EpisodeClosed):
            self.found = self._judged(event)
            # A run may have more episodes than memory has room for.
            self.events, self.spoken = [], {}

    def _judged(self, closed: EpisodeClosed) -> _Judged:
        """Turns that were said; a protocol may name one that failed in the end."""
        targets: list[Target] = []
        pairs: list[tuple[Target, Target]] = []
        for judged in self.machine.judged_turns(self.opened, self.events):
            target = self._target(judged, judged.turn, closed)
            if target is None:
                continue
            if judged.other is None:
                targets.append(target)
            elif other := self._target(judged, judged.other, closed):
                pairs.append((target, other))
        return _Judged(tuple(targets), tuple(pairs))

    def _target(self, judged: JudgedTurn, turn: int, closed: EpisodeClosed) -> Target | None:
        spoken, mark = self.spoken.get(turn, (None, ""))
        if spoken is None or not NOT_SAID.isdisjoint(spoken.remarks):
            return None
        opened, parent = self.opened, self.opened.parent
        bound = opened.cast.get(spoken.role)
        names = (bound.model if bound else "", spoken.call.model if spoken.call else "")
        return Target(
            episode=self.episode,
            turn=turn,
            digest=mark,
            text=spoken.text,
            outcome=closed.outcome,
            close_reason=closed.reason,
            models=tuple(dict.fromkeys(filter(None, names))),
            case_id=opened.case.case_id,
            condition=opened.condition,
            repetition=opened.repetition,
            parent=f"{parent.run}/{parent.episode}" if parent is not None else "",
            facts=opened.imported.facts if opened.imported is not None else {},
            kind=judged.kind,
            fields=judged.fields,
        )


class WholeEpisodes:
    """Takes the records of such episodes in log order."""

    def __init__(self) -> None:
        self._machines: dict[str, Judgeable | None] = {}
        self._episodes: dict[str, _Whole] = {}

    def holds(self, episode: str) -> bool:
        """True for an episode that was begun here."""
        return episode in self._episodes

    def begin(self, episode: str, protocol: str, stored: bytes) -> bool:
        """An episode's header; False when its protocol does not say what is judged."""
        if protocol not in self._machines:
            try:
                self._machines[protocol] = judgeable(find_protocol(protocol))
            except NameRefused:
                # A run of a protocol that is not installed can still be read for its last words.
                self._machines[protocol] = None
        machine = self._machines[protocol]
        opened = decode(stored).body if machine is not None else None
        if machine is None or not isinstance(opened, EpisodeOpened):
            return False
        self._episodes[episode] = _Whole(episode, machine, opened)
        return True

    def take(self, episode: str, stored: bytes) -> None:
        """One more record. Raises LogDamaged, LogTooNew as `decode` does."""
        self._episodes[episode].take(stored)

    def close(self) -> Found:
        """What was found."""
        closed = {name: x.found for name, x in self._episodes.items() if x.found is not None}
        return Found(
            targets=tuple(target for x in closed.values() for target in x.targets),
            pairs=tuple(pair for x in closed.values() for pair in x.pairs),
            open=tuple(name for name in self._episodes if name not in closed),
            silent=tuple(name for name, x in closed.items() if not x.targets and not x.pairs),
        )
