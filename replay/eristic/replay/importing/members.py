"""One file of a source, whatever holds it."""

from __future__ import annotations

import os
from collections.abc import Callable

import msgspec

__all__ = ["MEMBER_BYTES", "Member", "NotReadable", "check_size", "plain"]

MEMBER_BYTES = 8 << 20
"""Of one file; published debates have up to 50 kB."""


class NotReadable(Exception):
    """Why the bytes of one file cannot be had; told to the user, the other files go on."""


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """A file of a source, not read yet."""

    names: tuple[str, ...]
    """From the outermost folder known down to its own name, as text."""
    read: Callable[[], bytes] | None
    """Gives its bytes or raises NotReadable; None for a link and whatever else is no file."""
    is_lost: bool = False
    """It stands for files whose names are not known: a folder that may not be opened."""


def check_size(size: int) -> None:
    """Raises NotReadable for a file that is too large to be a debate."""
    if size > MEMBER_BYTES:
        raise NotReadable(f"has {size:,} bytes; at most {MEMBER_BYTES:,} are read")


def plain(name: str) -> str:
    """A file's name as storable text: bytes that are no UTF-8 become U+FFFD."""
    return os.fsencode(name).decode("utf-8", "replace")
