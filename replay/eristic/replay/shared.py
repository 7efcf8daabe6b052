"""What a verification says of the beginnings that branches share with their sources."""

from __future__ import annotations

import msgspec

__all__ = ["Shared"]


class Shared(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of the beginnings of branches (counts of episodes)."""

    branches: int = 0
    proven: int = 0
    """The shared events lead to the digest that the lineage names."""
    compared: int = 0
    """The source was read and has that digest at that position."""
    not_compared: int = 0
    """The source is out of reach."""
