"""A finder of names of fallacies in a text: rules alone, no model."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

__all__ = ["FINDER", "names_a_fallacy"]

FINDER: Final = "fallacy-names.v1"
"""Another list of names is another version."""

_WORDS: Final = re.compile(r"[^\W_]+")
_NAMES: Final = (
    # The three of the rubric, by their names and those that mean the same.
    *("whataboutism", "whataboutisms", "whataboutery", "what aboutism", "whatabouting"),
    *("tu quoque", "appeal to hypocrisy"),
    *("ad hominem", "ad hominems", "argumentum ad hominem", "adhominem"),
    *("red herring", "red herrings", "ignoratio elenchi"),
    # Others that are nothing but names of fallacies.
    *("straw man", "strawman", "straw men", "slippery slope", "false dilemma", "false dichotomy"),
    *("false equivalence", "non sequitur", "hasty generalization", "hasty generalisation"),
    *("appeal to authority", "appeal to emotion", "ad populum", "begging the question"),
)
_BESIDE: Final = ("personal attack", "poisoning the well", "deflection", "distraction", "diversion")
"""Everyday words; names only beside the word fallacy."""
_FALLACY: Final = ("fallacy", "fallacies")


def names_a_fallacy(text: str) -> bool:
    """Whether a text names a fallacy, as whole words in any case and typography.

    `Ad-Hominem`, `**red herring**` and `what-aboutism` are names. The word fallacy alone names
    none; everyday words count only right beside it ("distraction fallacy", "fallacy of
    distraction"). Whether the text also commits it is not looked at. Time linear in the text.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    words = f" {' '.join(_WORDS.findall(folded))} "
    if any(f" {name} " in words for name in _NAMES):
        return True
    return any(
        f" {name} {word} " in words or f" {word} of {name} " in words
        for name in _BESIDE
        for word in _FALLACY
    )
