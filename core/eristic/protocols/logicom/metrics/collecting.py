"""From the events of a run to plain facts of its debates."""

from __future__ import annotations

from collections import Counter

import msgspec

from eristic.debate import (
    Envelope,
    EpisodeClosed,
    EpisodeOpened,
    HistoryFolded,
    RoleSwapped,
    RulingMade,
    RunClosed,
    RunOpened,
    TurnFailed,
    TurnSpoken,
)
from eristic.debate.envelopes import digest
from eristic.debate.ids import RUN_CHAIN
from eristic.judging import CONVINCED, normalise_label
from eristic.protocols.logicom.metrics.facts import Calls, Debate, Helped, Spoken
from eristic.protocols.logicom.moderation import MASTER
from eristic.protocols.logicom.state import CONVICTION, DEBATER, HELPER, PERSUADER

__all__ = ["NO_VERDICT", "OPEN", "DebateCollector", "RunFacts"]

OPEN = "open: not finished"
NO_VERDICT = "outcome by default: no conviction check could be read"
_BRANCH = "branch of another debate of this run"
_NOT_SAID = frozenset({"unsent", "placeholder"})


class RunFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What was run."""

    opened: RunOpened | None
    started: str
    is_closed: bool
    debates: tuple[Debate, ...]
    """In order of id, whatever the order of reading."""
    layouts: tuple[str, ...]
    """Importers that brought debates in."""
    absent: tuple[str, ...]
    """What their sources lack."""
    casts: dict[str, dict[str, int]]
    """Role -> model as bound -> debates."""
    options: dict[str, dict[str, int]]
    """Option -> value -> debates."""
    swaps: dict[str, int]
    """Role -> replacements while running, fallbacks and swaps by an operator."""


class _Pending(msgspec.Struct):
    """The persuader's next text, on its way to the debater."""

    words: int
    turn: int
    label: str | None = None
    by_helper: bool = False
    digest: str = ""


class _Episode:
    """One debate on the way to its facts."""

    def __init__(self, episode: str, run: str, opened: EpisodeOpened) -> None:
        self.episode, self.run, self.opened = episode, run, opened
        self.shared = opened.parent.shared if opened.parent is not None else 0
        """Last position of the beginning that a branch took over, where it was paid for."""
        self.pending: _Pending | None = None
        self.debater = self.persuader = Spoken()
        self.helped: list[Helped] = []
        self.last: tuple[int, str] | None = None
        self.checks = self.read = self.folds = 0
        self.first: bool | None = None
        self.calls: dict[str, Counter[str]] = {}
        self.served: dict[str, set[str]] = {}
        self.closed: EpisodeClosed | None = None

    def spoken(self, event: TurnSpoken, mark: str) -> None:
        if event.role == CONVICTION:
            self.checks += 1
            self.read += event.reading is not None and event.reading.status == "read"
        elif event.role == DEBATER:
            self._replied(event, mark)
        elif event.role in (PERSUADER, HELPER) and event.turn:
            self._drafted(event, mark)

    def called(self, event: TurnSpoken) -> None:
        call = event.call
        if call is None:
            return
        self.served.setdefault(event.role, set()).add(call.model)
        is_uncounted = call.tokens_in is None and call.tokens_out is None
        self.calls.setdefault(event.role, Counter()).update(
            calls=1,
            failed=len(call.failed),
            tokens_in=call.tokens_in or 0,
            tokens_out=call.tokens_out or 0,
            uncounted=int(is_uncounted),
        )

    def _replied(self, event: TurnSpoken, mark: str) -> None:
        if not event.text.strip() or not _NOT_SAID.isdisjoint(event.remarks):
            return
        words = len(event.text.split())
        self.debater = Spoken(self.debater.utterances + 1, self.debater.words + words)
        self.last = event.turn, mark
        sent, self.pending = self.pending, None
        if sent is None:
            return
        self.persuader = Spoken(self.persuader.utterances + 1, self.persuader.words + sent.words)
        if sent.by_helper:
            self.helped.append(
                Helped(
                    turn=sent.turn,
                    label=sent.label,
                    reply=self.debater.utterances,
                    digest=sent.digest,
                )
            )

    def _drafted(self, event: TurnSpoken, mark: str) -> None:
        """A draft, or the helper's text in its place. What no reply follows was never sent."""
        if event.role == PERSUADER:
            if event.text.strip():
                self.pending = _Pending(len(event.text.split()), event.turn)
            return
        reading = event.reading
        if reading is not None and reading.value is not None and reading.value.strip():
            label = reading.parts.get("label")
            self.pending = _Pending(
                len(reading.value.split()),
                event.turn,
                label=normalise_label(label) if label is not None else None,
                by_helper=True,
                digest=mark,
            )

    def failed(self, event: TurnFailed) -> None:
        self.calls.setdefault(event.role, Counter()).update(failed=max(1, len(event.failed)))

    def ruled(self, event: RulingMade) -> None:
        if event.policy == MASTER and event.round == 1 and self.first is None:
            reasons = str(event.facts.get("reasons", "")).split()
            votes = [reason == "convinced" for reason in reasons]
            rule = str(self.opened.options.get("panel_rule", "single"))
            self.first = _panel(votes, rule) if votes and self.read else None

    def facts(self) -> Debate:
        opened, closed, imported = self.opened, self.closed, self.opened.imported
        cause = self._cause()
        bound = opened.cast.get(DEBATER)
        outcome = closed.outcome if closed is not None else None
        recorded = closed.facts.get("recorded_rounds") if closed is not None else None
        rounds = closed.rounds if closed is not None else None
        unread = closed.facts.get("conviction_unread_rounds") if closed is not None else 0
        return Debate(
            episode=self.episode,
            model=bound.model if bound is not None else "",
            claim=opened.case.case_id,
            pair=opened.case.block,
            condition=opened.condition,
            repetition=opened.repetition,
            convinced=None if cause or outcome is None else outcome == CONVINCED,
            cause=cause,
            reason=closed.reason if closed is not None else "",
            rounds=rounds,
            rounds_counted=recorded if isinstance(recorded, int) else rounds,
            first_check=self.first,
            unread_rounds=unread if isinstance(unread, int) else 0,
            folds=self.folds if imported is None else None,
            debater=self.debater,
            persuader=self.persuader,
            helped=tuple(self.helped),
            last_turn=self.last[0] if self.last else None,
            last_digest=self.last[1] if self.last else "",
            calls={role: Calls(**counts) for role, counts in sorted(self.calls.items())},
            served={role: tuple(sorted(ids)) for role, ids in sorted(self.served.items())},
            is_imported=imported is not None,
        )

    def _cause(self) -> str:
        opened, closed = self.opened, self.closed
        if opened.parent is not None and opened.parent.run == self.run:
            return _BRANCH
        if closed is None:
            return OPEN
        if closed.outcome is None:
            error = closed.facts.get("error")
            why = f" ({error})" if error and error != closed.reason else ""
            return f"failed: {closed.reason}{why}"
        if opened.imported is not None:
            return ""
        # Logs from before the closing event said so tell it by their checks.
        return NO_VERDICT if closed.facts.get("by_default", not self.read) else ""


def _panel(votes: list[bool], rule: str) -> bool:
    """What the copies of the moderator said together; as the master joins them."""
    if rule == "unanimous":
        return all(votes)
    return 2 * sum(votes) > len(votes) if rule == "majority" else votes[0]


class DebateCollector:
    """Takes the envelopes of one run and keeps no texts."""

    def __init__(self, turns: frozenset[tuple[str, int]]) -> None:
        self._turns = turns
        self._opened: RunOpened | None = None
        self._started = ""
        self._is_closed = False
        self._episodes: dict[str, _Episode] = {}
        self._swaps: Counter[str] = Counter()

    def take(self, envelope: Envelope, stored: bytes) -> None:
        """One more event; those of an episode without a header count nowhere."""
        event, name = envelope.body, envelope.episode
        if isinstance(event, EpisodeOpened):
            if name not in self._episodes and name != RUN_CHAIN and event.protocol == "logicom":
                self._episodes[name] = _Episode(name, envelope.run, event)
            return
        if isinstance(event, RunOpened):
            self._opened, self._started = event, f"{envelope.time:%Y-%m-%d %H:%M} UTC"
        elif isinstance(event, RunClosed):
            self._is_closed = True
        elif (episode := self._episodes.get(name)) is not None and episode.closed is None:
            self._take(episode, event, envelope, stored)

    def _take(self, episode: _Episode, event: object, envelope: Envelope, stored: bytes) -> None:
        is_own = envelope.position > episode.shared
        if isinstance(event, TurnSpoken):
            is_judged = (envelope.episode, event.turn) in self._turns
            if is_own:
                episode.called(event)
            episode.spoken(event, digest(stored) if is_judged else "")
        elif isinstance(event, RulingMade):
            episode.ruled(event)
        elif isinstance(event, TurnFailed) and is_own:
            episode.failed(event)
        elif isinstance(event, HistoryFolded):
            episode.folds += 1
        elif isinstance(event, RoleSwapped):
            self._swaps[event.role] += 1
        elif isinstance(event, EpisodeClosed):
            episode.closed = event

    def close(self) -> RunFacts:
        """The facts of what was taken so far."""
        episodes = [self._episodes[name] for name in sorted(self._episodes)]
        casts: dict[str, Counter[str]] = {}
        options: dict[str, Counter[str]] = {}
        origins = [x.opened.imported for x in episodes if x.opened.imported is not None]
        for episode in episodes:
            for role, binding in episode.opened.cast.items():
                casts.setdefault(role, Counter())[binding.model] += 1
            for option, value in episode.opened.options.items():
                options.setdefault(option, Counter())[str(value)] += 1
        return RunFacts(
            opened=self._opened,
            started=self._started,
            is_closed=self._is_closed,
            debates=tuple(episode.facts() for episode in episodes),
            layouts=tuple(sorted({origin.layout for origin in origins})),
            absent=tuple(sorted({name for origin in origins for name in origin.absent})),
            casts={role: dict(sorted(x.items())) for role, x in sorted(casts.items())},
            options={name: dict(sorted(x.items())) for name, x in sorted(options.items())},
            swaps=dict(sorted(self._swaps.items())),
        )
