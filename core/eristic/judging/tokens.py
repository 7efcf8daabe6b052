from __future__ import annotations

from collections.abc import Mapping

from eristic.debate import Reading

__all__ = ["NEGATIONS", "contains_true", "strict_token"]

NEGATIONS: tuple[str, ...] = ()


def strict_token(
    text: str,
    tokens: Mapping[str, tuple[str, ...]],
    *,
    parser: str = "strict-token.v1",
    negations: tuple[str, ...] = NEGATIONS,
) -> Reading:
    """tokens: value -> spellings, e.g. {"true": ("true",), "false": ("false",)}."""
    raise NotImplementedError


def contains_true(text: str) -> Reading:
    raise NotImplementedError
