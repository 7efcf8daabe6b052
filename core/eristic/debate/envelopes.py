"""Stored bytes: one event in its envelope, chained by digest to the one before it."""

from __future__ import annotations

import hashlib
from datetime import datetime

import msgspec

from eristic.debate.errors import LogDamaged, LogTooNew
from eristic.debate.events import Event, ImportCompleted, RunClosed
from eristic.debate.upcasting import UPCASTERS, known_tags, older_tags

__all__ = [
    "Envelope",
    "Kept",
    "decode",
    "digest",
    "encode",
    "genesis",
    "keep",
    "place",
    "seal",
    "seal_holds",
]


class Envelope(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Where and when an event stands. Encoded field by field in this order."""

    run: str
    episode: str
    position: int
    """Dense from 0 within the episode."""
    time: datetime
    """UTC, when the event was decided; no decision depends on it."""
    prev: str
    """SHA-256 (hex) of the stored bytes of the event before, or the genesis of the chain."""
    body: Event


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """An event that another chain takes over: its body byte for byte, and when it happened."""

    time: datetime
    body: msgspec.Raw


class _Raw(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    run: str
    episode: str
    position: int
    time: datetime
    prev: str
    body: msgspec.Raw


class _Tag(msgspec.Struct, frozen=True, gc=False):
    type: str


_encoder = msgspec.json.Encoder(order="deterministic")
_decoder = msgspec.json.Decoder(Envelope)
_raw_decoder = msgspec.json.Decoder(_Raw)
_tag_decoder = msgspec.json.Decoder(_Tag)
_body_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def encode(envelope: Envelope) -> bytes:
    """Canonical bytes: JSON in UTF-8, fields in declared order, mappings sorted, defaults left out.

    Raises UnicodeEncodeError for a lone surrogate; adapters clean texts before they get here.
    """
    return _encoder.encode(envelope)


def digest(stored: bytes) -> str:
    """SHA-256 over stored bytes, as 64 hex digits."""
    return hashlib.sha256(stored).hexdigest()


def genesis(*, run: str, episode: str) -> str:
    """`prev` of a chain's first event: binds the chain to its run and episode."""
    return hashlib.sha256(f"eristic {run}/{episode}".encode()).hexdigest()


def keep(stored: bytes) -> Kept:
    """What another chain takes over of a stored event. Raises LogDamaged for other bytes."""
    try:
        raw = _raw_decoder.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise LogDamaged(f"not an event: {error}; first bytes {stored[:60]!r}") from error
    return Kept(time=raw.time, body=raw.body)


def place(kept: Kept, *, run: str, episode: str, position: int, prev: str) -> bytes:
    """Stored bytes of a kept event at a place of a chain; at its old place, its old bytes."""
    return _encoder.encode(
        _Raw(
            run=run,
            episode=episode,
            position=position,
            time=kept.time,
            prev=prev,
            body=kept.body,
        )
    )


def seal(envelope: Envelope) -> Envelope:
    """The envelope of a closing event with its seal; any other envelope as it is.

    An import's last event closes as long as no other import follows.
    """
    if not isinstance(envelope.body, RunClosed | ImportCompleted):
        return envelope
    return _with_seal(
        envelope, envelope.body, digest(encode(_with_seal(envelope, envelope.body, "")))
    )


def seal_holds(envelope: Envelope, stored: bytes) -> bool:
    """True unless this is a closing event whose bytes are not the ones that were sealed."""
    if not isinstance(envelope.body, RunClosed | ImportCompleted):
        return True
    return encode(seal(envelope)) == stored


def _with_seal(envelope: Envelope, body: RunClosed | ImportCompleted, value: str) -> Envelope:
    return msgspec.structs.replace(envelope, body=msgspec.structs.replace(body, seal=value))


def decode(stored: bytes) -> Envelope:
    """The envelope in stored bytes, older events brought to today's shape.

    Raises LogTooNew for an event tag no version up to this one wrote, LogDamaged for bytes that
    are not an event. Only data is decoded, never code.
    """
    try:
        return _decoder.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError) as failure:
        return _decode_slowly(stored, failure)


def _decode_slowly(stored: bytes, failure: Exception) -> Envelope:
    try:
        raw = _raw_decoder.decode(stored)
        tag = _tag_decoder.decode(raw.body).type
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise LogDamaged(
            f"not an event: {error}; first bytes {stored[:60]!r}. "
            "Run `eristic verify` to see how far the damage goes"
        ) from error
    where = f"event {raw.episode}@{raw.position} of run {raw.run}"
    if tag in older_tags():
        try:
            body = UPCASTERS[tag](msgspec.json.decode(raw.body))
        except (msgspec.ValidationError, KeyError, TypeError, ValueError) as error:
            raise LogDamaged(f"{where}: {tag} cannot be read: {error}") from error
        return Envelope(
            run=raw.run,
            episode=raw.episode,
            position=raw.position,
            time=raw.time,
            prev=raw.prev,
            body=body,
        )
    if tag not in known_tags():
        raise LogTooNew(
            f"{where} has type {tag!r}, which this version does not know; "
            "the log was written by a newer Eristic: upgrade with `pip install -U eristic`"
        ) from failure
    raise LogDamaged(f"{where}: {tag} cannot be read: {failure}") from failure
