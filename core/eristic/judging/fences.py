"""Marks around quoted texts that the texts cannot hold themselves."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import msgspec

from eristic.debate import View

__all__ = ["fence_of", "fenced_view"]

_HEX = 16
_NO_TEXT = "(no text)"
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


def fenced_view(template: str, texts: Mapping[str, str]) -> View:
    """A view of these texts with `fence`, a mark that none of them contains.

    A blank one is shown as `(no text)`: a prompt is never sent with a gap.
    """
    shown = {name: text if text.strip() else _NO_TEXT for name, text in texts.items()}
    return View(template=template, fields={**shown, "fence": fence_of(tuple(shown.values()))})
