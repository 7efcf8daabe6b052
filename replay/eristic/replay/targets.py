"""The turns of a run that a judge looks at: one pass over its log that decodes no more than needed.

A protocol that says what there is to be judged (`Judgeable`) is asked, with its whole episodes. For
others a judge looks at what the debater said last before the episode closed. Imported episodes can
hold turns that were never spoken to anybody (`unsent`) or stand for none (`placeholder`); those are
not what was said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from eristic.debate import Lineage, Setting
from eristic.debate.envelopes import decode, digest, encode
from eristic.debate.ids import RUN_CHAIN
from eristic.debate.upcasting import known_tags
from eristic.judging import Target
from eristic.replay.whole_episodes import NOT_SAID, WholeEpisodes

__all__ = ["JUDGED_ROLE", "TargetReader", "Targets", "read_targets"]

JUDGED_ROLE = "debater"
"""Whose utterance is judged."""

_CHECK_ROLE = "conviction"
_READ_TAGS = {"episode.opened.v1", "turn.spoken.v1", "episode.closed.v1"}


class _Part(msgspec.Struct, frozen=True, gc=False, tag_field="type"):
    """The part of an event that is read here."""


class _Case(msgspec.Struct, frozen=True, gc=False):
    case_id: str
    texts: dict[str, str]


class _Binding(msgspec.Struct, frozen=True, gc=False):
    model: str


class _Import(msgspec.Struct, frozen=True, gc=False):
    facts: dict[str, Setting] = {}


class _Opened(_Part, frozen=True, gc=False, tag="episode.opened.v1"):
    protocol: str
    case: _Case
    condition: str
    repetition: int
    cast: dict[str, _Binding] = {}
    parent: Lineage | None = None
    imported: _Import | None = None


class _Reading(msgspec.Struct, frozen=True, gc=False):
    value: str | None = None


class _Call(msgspec.Struct, frozen=True, gc=False):
    model: str


class _Spoken(_Part, frozen=True, gc=False, tag="turn.spoken.v1"):
    turn: int
    role: str
    text: str
    reading: _Reading | None = None
    call: _Call | None = None
    remarks: tuple[str, ...] = ()


class _Closed(_Part, frozen=True, gc=False, tag="episode.closed.v1"):
    reason: str
    outcome: str | None = None


def _decoder() -> msgspec.json.Decoder[Any]:
    """Reads the body of a record; of all other events no more than their tag."""
    kinds: Any = _Opened | _Spoken | _Closed
    for number, tag in enumerate(sorted(known_tags() - _READ_TAGS)):
        name = f"_Other{number}"
        kinds |= msgspec.defstruct(name, [], tag=tag, tag_field="type", frozen=True, gc=False)
    record = msgspec.defstruct("_Record", [("body", kinds)], frozen=True, gc=False)
    return msgspec.json.Decoder(record)


class _Episode:
    """One episode on the way to its target."""

    __slots__ = ("check", "closed", "opened", "spoken", "stored")

    def __init__(self, opened: _Opened) -> None:
        self.opened = opened
        self.spoken: _Spoken | None = None
        self.stored = b""
        self.check: str | None = None
        self.closed: _Closed | None = None

    def take(self, spoken: _Spoken, stored: bytes) -> None:
        if spoken.role == _CHECK_ROLE:
            if spoken.reading is not None and spoken.reading.value is not None:
                self.check = spoken.reading.value
        elif spoken.role == JUDGED_ROLE:
            if spoken.text.strip() and NOT_SAID.isdisjoint(spoken.remarks):
                self.spoken, self.stored, self.check = spoken, stored, None

    def target(self, episode: str) -> Target | None:
        spoken, closed, opened = self.spoken, self.closed, self.opened
        if spoken is None or closed is None:
            return None
        texts, parent = opened.case.texts, opened.parent
        bound = opened.cast.get(JUDGED_ROLE)
        names = (bound.model if bound else "", spoken.call.model if spoken.call else "")
        return Target(
            episode=episode,
            turn=spoken.turn,
            digest=digest(self.stored),
            text=spoken.text,
            claim=texts.get("claim", ""),
            reason=texts.get("reason", ""),
            outcome=closed.outcome,
            close_reason=closed.reason,
            check=self.check,
            models=tuple(dict.fromkeys(filter(None, names))),
            case_id=opened.case.case_id,
            condition=opened.condition,
            repetition=opened.repetition,
            parent=f"{parent.run}/{parent.episode}" if parent is not None else "",
            facts=opened.imported.facts if opened.imported is not None else {},
        )


class Targets(msgspec.Struct, frozen=True, kw_only=True):
    """What can be judged of a run, and what cannot."""

    targets: tuple[Target, ...]
    """In the order in which the episodes began; of one episode perhaps several."""
    pairs: tuple[tuple[Target, Target], ...] = ()
    """Turns that are compared within their episode."""
    open: tuple[str, ...]
    """Episodes without a closing event: not judged yet."""
    silent: tuple[str, ...]
    """Closed episodes in which nothing was said that a judge looks at."""


class TargetReader:
    """Takes the records of one run in log order."""

    def __init__(self) -> None:
        self._decoder = _decoder()
        self._episodes: dict[str, _Episode] = {}
        self._whole = WholeEpisodes()

    def take(self, episode: str, stored: bytes) -> None:
        """One more record. Raises LogDamaged, LogTooNew as `decode` does."""
        if self._whole.holds(episode):
            self._whole.take(episode, stored)
            return
        try:
            event = self._decoder.decode(stored).body
        except (msgspec.DecodeError, UnicodeDecodeError):
            event = _decode_slowly(self._decoder, stored)
        known = self._episodes.get(episode)
        if isinstance(event, _Spoken):
            if known is not None and known.closed is None:
                known.take(event, stored)
        elif isinstance(event, _Opened):
            if known is None and episode != RUN_CHAIN:
                if self._whole.begin(episode, event.protocol, stored):
                    return
                self._episodes[episode] = _Episode(event)
        elif isinstance(event, _Closed) and known is not None:
            known.closed = event

    def close(self) -> Targets:
        """What was found."""
        whole = self._whole.close()
        episodes = self._episodes.items()
        return Targets(
            targets=(*self._found(), *whole.targets),
            pairs=whole.pairs,
            open=(*(name for name, x in episodes if x.closed is None), *whole.open),
            silent=(
                *(name for name, x in episodes if x.closed and x.spoken is None),
                *whole.silent,
            ),
        )

    def _found(self) -> Iterator[Target]:
        for name, episode in self._episodes.items():
            target = episode.target(name)
            if target is not None:
                yield target


def read_targets(records: Iterable[tuple[str, bytes]]) -> Targets:
    """The targets of a run whose records are all there."""
    reader = TargetReader()
    for episode, stored in records:
        reader.take(episode, stored)
    return reader.close()


def _decode_slowly(decoder: msgspec.json.Decoder[Any], stored: bytes) -> object:
    """An older event by way of its upcaster; whatever is no event is refused with its reason."""
    return decoder.decode(encode(decode(stored))).body
