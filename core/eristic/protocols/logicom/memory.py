from __future__ import annotations

import msgspec

__all__ = ["FoldPlan", "fold_plan"]


class FoldPlan(msgspec.Struct, frozen=True, kw_only=True):
    kept: tuple[int, ...]
    folded: tuple[int, ...]
    """Empty: nothing is left to fold (context_overflow)."""
    flags: tuple[str, ...] = ()


def fold_plan(policy: str, *, line_tokens: tuple[int, ...], excess: int, speaker: str) -> FoldPlan:
    """policy: earliest_first or tiers; speaker: persuader or debater."""
    raise NotImplementedError
