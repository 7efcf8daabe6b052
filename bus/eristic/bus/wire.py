"""Asks and answers as bytes: JSON, so that a role may be written in any language.

Unknown fields are ignored: an older role understands a newer director.
"""

from __future__ import annotations

import msgspec

from eristic.debate import Answer, Ask
from eristic.debate.errors import BusError

__all__ = [
    "Lookup",
    "WireDamaged",
    "decode_answer",
    "decode_ask",
    "decode_lookup",
    "encode_answer",
    "encode_ask",
    "encode_lookup",
]


class WireDamaged(BusError):
    """Bytes that are not the message they should be."""


class Lookup(msgspec.Struct, frozen=True, kw_only=True):
    """A server of a role asks its peers whether one of them holds a call."""

    ask: Ask
    reply: str
    """Where the director waits for the answer."""


_encoder = msgspec.json.Encoder()
_asks = msgspec.json.Decoder(Ask)
_answers = msgspec.json.Decoder(Answer)
_lookups = msgspec.json.Decoder(Lookup)


def encode_ask(ask: Ask) -> bytes:
    """Raises WireDamaged for text that is not Unicode (a lone surrogate)."""
    return _encode(ask)


def encode_answer(answer: Answer) -> bytes:
    """Raises WireDamaged for text that is not Unicode (a lone surrogate)."""
    return _encode(answer)


def encode_lookup(lookup: Lookup) -> bytes:
    """Raises WireDamaged for text that is not Unicode (a lone surrogate)."""
    return _encode(lookup)


def decode_ask(payload: bytes) -> Ask:
    """Raises WireDamaged."""
    try:
        return _asks.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _damaged("an ask", payload, error) from error


def decode_answer(payload: bytes) -> Answer:
    """Raises WireDamaged."""
    try:
        return _answers.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _damaged("an answer", payload, error) from error


def decode_lookup(payload: bytes) -> Lookup:
    """Raises WireDamaged."""
    try:
        return _lookups.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _damaged("a peer's lookup", payload, error) from error


def _encode(message: Ask | Answer | Lookup) -> bytes:
    try:
        return _encoder.encode(message)
    except UnicodeEncodeError as error:
        raise WireDamaged(
            f"a text of this {type(message).__name__.lower()} is not Unicode ({error.reason}); "
            "replace lone surrogates before it is sent"
        ) from error


def _damaged(what: str, payload: bytes, error: Exception) -> WireDamaged:
    # The error names the field, not its text: replies of models do not belong in messages.
    return WireDamaged(f"{len(payload)} bytes are not {what}: {error}")
