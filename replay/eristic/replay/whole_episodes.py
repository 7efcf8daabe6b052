"""Episodes of protocols that say themselves which of their turns judges may look at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from eristic.debate import EpisodeClosed, EpisodeOpened, Event, TurnSpoken
from eristic.debate.envelopes import decode, digest
from eristic.debate.errors import NameRefused
from eristic.judging import Target
from eristic.protocols import find_protocol
from eristic.protocols.judged_turns import Judgeable, JudgedTurn, judgeable

__all__ = ["Found", "WholeEpisodes"]


class Found(NamedTuple):
    """What can be judged, and what cannot."""

    targets: tuple[Target, ...]
    pairs: tuple[tuple[Target, Target], ...]
    open: tuple[str, ...]
    silent: tuple[str, ...]


class _Whole:
    """One episode, all of it."""

    __slots__ = ("closed", "digests", "events", "machine", "opened")

    def __init__(self, machine: Judgeable, opened: EpisodeOpened) -> None:
        self.machine = machine
        self.opened = opened
        self.events: list[Event] = []
        self.digests: dict[int, tuple[TurnSpoken, str]] = {}
        """Turn -> its last text and the digest of its stored event."""
        self.closed: EpisodeClosed | None = None

    def take(self, stored: bytes) -> None:
        event = decode(stored).body
        self.events.append(event)
        if isinstance(event, TurnSpoken):
            self.digests[event.turn] = (event, digest(stored))
        elif isinstance(event, EpisodeClosed):
            self.closed = event

    def judged(self) -> Iterator[JudgedTurn]:
        """Turns that were spoken; a protocol may name one that failed in the end."""
        for judged in self.machine.judged_turns(self.opened, self.events):
            if judged.turn in self.digests:
                yield judged

    def target(self, episode: str, judged: JudgedTurn, turn: int) -> Target:
        spoken, mark = self.digests[turn]
        opened, closed, parent = self.opened, self.closed, self.opened.parent
        bound = opened.cast.get(spoken.role)
        names = (bound.model if bound else "", spoken.call.model if spoken.call else "")
        return Target(
            episode=episode,
            turn=turn,
            digest=mark,
            text=spoken.text,
            outcome=closed.outcome if closed is not None else None,
            close_reason=closed.reason if closed is not None else "",
            models=tuple(dict.fromkeys(filter(None, names))),
            case_id=opened.case.case_id,
            condition=opened.condition,
            repetition=opened.repetition,
            parent=f"{parent.run}/{parent.episode}" if parent is not None else "",
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
        self._episodes[episode] = _Whole(machine, opened)
        return True

    def take(self, episode: str, stored: bytes) -> None:
        """One more record. Raises LogDamaged, LogTooNew as `decode` does."""
        self._episodes[episode].take(stored)

    def close(self) -> Found:
        """What was found."""
        targets: list[Target] = []
        pairs: list[tuple[Target, Target]] = []
        silent: list[str] = []
        for name, whole in self._episodes.items():
            judged = list(whole.judged()) if whole.closed is not None else []
            if whole.closed is not None and not judged:
                silent.append(name)
            for one in judged:
                target = whole.target(name, one, one.turn)
                if one.other is None:
                    targets.append(target)
                elif one.other in whole.digests:
                    pairs.append((target, whole.target(name, one, one.other)))
        return Found(
            targets=tuple(targets),
            pairs=tuple(pairs),
            open=tuple(name for name, whole in self._episodes.items() if whole.closed is None),
            silent=tuple(silent),
        )
