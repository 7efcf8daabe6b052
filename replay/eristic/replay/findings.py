"""What a verification can find, said so that a stranger knows what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from eristic.debate import Event
from eristic.replay.shared import Shared

__all__ = [
    "ADVICE",
    "Fault",
    "Finding",
    "Kind",
    "Verification",
    "damage",
    "differences",
    "name_event",
    "shorten",
]

Kind = Literal["damaged", "redecided", "prompt"]
"""damaged: the log contradicts itself. redecided: this version reads a text or decides otherwise
than the log says. prompt: a prompt rebuilt from the log is not the one that was sent."""

ADVICE: Mapping[Kind, str] = {
    "damaged": "the log was changed after it was written, or its storage is broken: "
    "restore the run from its archive or a copy whose head you know",
    "redecided": "if a rule changed since this was written, verify with the version that wrote "
    "it; if that version says the same, the log was changed: restore it from a copy whose head "
    "you know",
    "prompt": "a text that led to this turn was changed, or the role sent another prompt: "
    "do not count this episode before you know which",
}
"""What to do about a finding."""

_encoder = msgspec.json.Encoder(order="deterministic")
_SHOWN_CHARS = 120


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that does not hold about one event, before its place is added."""

    kind: Kind
    what: str
    expected: str = ""
    """What must stand there, as short text; empty when there is nothing to compare."""
    actual: str = ""
    """What stands in the log."""
    is_fatal: bool = False
    """The rest of the episode cannot be walked: it depends on what is wrong here."""


class Finding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that does not hold, with its place."""

    kind: Kind
    episode: str
    """Episode id, or `run` for the run's own chain."""
    position: int
    """Place in the chain from 0; -1 when the chain as a whole is meant."""
    event: str = ""
    """The event in words; empty when its bytes cannot be read."""
    what: str
    expected: str = ""
    actual: str = ""
    written_by: str = ""
    """Software and protocol version that the episode's header names."""
    read_by: str = ""
    """Software and protocol version of this reading."""
    advice: str


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """What one whole reading of a run gave."""

    run: str
    events: int
    episodes: int
    turns: int
    """Texts in the log: spoken turns of every role, templates included (count)."""
    prompts_rebuilt: int
    """Turns whose prompt was rebuilt from the log and has the digest that was recorded."""
    prompts_not_recorded: int
    """Turns of models that recorded no digest: neither proven nor refuted."""
    prompts_refuted: int
    """Turns whose prompt could not be rebuilt or came out different; see the findings."""
    not_walked: int
    """Events behind a fault that stopped the walk of their episode: chain checked, no more."""
    outcomes: dict[str, int]
    """Outcome -> closed episodes; `failed` for those that have none."""
    findings: tuple[Finding, ...]
    found: int
    """Findings in all (count); `findings` holds the first of them."""
    shared: Shared
    """What became of the beginnings that branches share with their sources."""
    unfinished: tuple[str, ...]
    """What has no closing event yet; no damage in itself."""
    is_closed: bool
    """The run's closing event is there, or an import vouches for every episode: the head stands
    for the whole run."""
    head: str
    """Digest of the run chain's last event."""

    @property
    def is_whole(self) -> bool:
        """Nothing is wrong and nothing is unfinished."""
        return not self.found and not self.unfinished


def damage(episode: str, position: int, what: str, expected: str, actual: str) -> Finding:
    """A finding about the chain itself."""
    return Finding(
        kind="damaged",
        episode=episode,
        position=position,
        what=what,
        expected=expected,
        actual=actual,
        advice=ADVICE["damaged"],
    )


def shorten(text: str, limit: int = _SHOWN_CHARS) -> str:
    """At most `limit` characters of a text, with a mark where it was cut."""
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


def name_event(event: Event) -> str:
    """`turn.spoken.v1, turn 5, conviction, attempt 1`: tag and what tells it from others."""
    parts = [str(event.__struct_config__.tag)]
    turn = getattr(event, "turn", None)
    if turn is not None:
        parts.append(f"turn {turn}")
    for field in ("role", "policy"):
        value = getattr(event, field, "")
        if value:
            parts.append(shorten(str(value), 40))
    for field in ("attempt", "round"):
        value = getattr(event, field, 0)
        if value:
            parts.append(f"{field} {value}")
    return ", ".join(parts)


def differences(expected: msgspec.Struct | None, actual: msgspec.Struct | None) -> tuple[str, str]:
    """The fields in which two facts differ, as two short texts: expected, actual."""
    if expected is None or actual is None or type(expected) is not type(actual):
        return _whole(expected), _whole(actual)
    names = [
        name
        for name in expected.__struct_fields__
        if getattr(expected, name) != getattr(actual, name)
    ]
    return _named(expected, names), _named(actual, names)


def _named(struct: msgspec.Struct, names: list[str]) -> str:
    # Short fields first: a long text must not hide what else differs.
    pairs = sorted((f"{name} {_plain(getattr(struct, name))}" for name in names), key=len)
    return "; ".join(pairs)


def _whole(struct: msgspec.Struct | None) -> str:
    return "nothing" if struct is None else _plain(struct)


def _plain(value: object) -> str:
    return shorten(_encoder.encode(value).decode())
