"""What each fallacy is, in the words that writers and annotators are given."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

__all__ = ["DEFINITIONS"]

DEFINITIONS: Final = MappingProxyType(
    {
        "straw_man": "The other side's position is replaced by a weaker or absurd one that nobody "
        "holds, and that one is refuted.",
        "equivocation": "A word is used in two senses, and the argument works only because the "
        "sense changes on the way.",
        "ad_hominem": "A claim is rejected because of who makes it: character, motive or "
        "circumstances, not reasons.",
        "false_cause": "Two things happen together or one after the other, and one is therefore "
        "declared the cause of the other.",
        "red_herring": "Another, more striking matter is brought up, and the conclusion is drawn "
        "as if that matter had settled the question.",
        "hasty_generalization": "A general rule is concluded from too few cases, or from cases "
        "that are not typical.",
        "slippery_slope": "A first step is said to lead through a chain of ever worse steps to a "
        "disaster, without showing that any step follows.",
        "false_dilemma": "Only two choices are offered although there are more, and one of the "
        "two is made impossible.",
        "appeal_to_authority": "A claim is held to be true because a famous or important person "
        "or body says so, although that is no evidence here.",
        "circular_reasoning": "The conclusion is already assumed among the reasons, said in other "
        "words.",
    }
)
"""Fallacy -> definition."""
