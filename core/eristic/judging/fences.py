"""Marks around quoted texts that the texts cannot hold themselves."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

__all__ = ["fence_of"]

_HEX = 16
_encoder = msgspec.json.Encoder()


def fence_of(texts: Sequence[str]) -> str:
    """A mark that none of these texts contains: `QUOTE-` and 16 hex digits.

    A digest of all the texts, so the same texts give the same prompt, and whoever writes a text
    would have to know a digest of what is being written to close the quotation. Should a text
    hold the mark all the same, the digest is taken anew.
    """
    seed = b"eristic fence"
    while True:
        seed = hashlib.sha256(seed + _encoder.encode(texts)).digest()
        fence = f"QUOTE-{seed.hex()[:_HEX]}"
        if not any(fence in text for text in texts):
            return fence
