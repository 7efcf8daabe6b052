"""Is what an answer names denied where it stands, or somebody else's word?

`It is not Option 2` names one option and does not choose it. Such an answer is asked for again.
"""

from __future__ import annotations

import re
from typing import Final

from eristic.judging import NEGATIONS

__all__ = ["denies", "is_denied"]

_CLAUSE_END: Final = re.compile(r"[.!?;:,]|\b(?:but|so|because|and|then)\b")
_WORDS_BEFORE: Final = 6
_CHARS_BEFORE: Final = 200
"""So that a long text of nothing but numbers takes no time."""
_REFUSES: Final = frozenset(
    "doubt refuse refused reject rejected deny dispute disagree exclude than except".split()
)
_CALLED_WRONG: Final = re.compile(r"\b(?:wrong|false|incorrect|mistaken?|untrue)\s+(?:that|to)\b")
_AGREES: Final = re.compile(
    r"\b(?:no (?:doubt|question|change)|without (?:a |any )?doubt|not only|"
    r"(?:not|n't|never) (?:going to )?chang\w+)\b"
)
_OF_OTHERS: Final = re.compile(
    r"\b(?:you|they|he|she|people|some|many|others|argument|claim)(?:\s+\w+)?\s+"
    r"(?:say|says|said|claim\w*|suggest\w*|argu\w+|insist\w*|think|thinks|believe\w*|wants?|push\w*|propos\w+)\b"
)
_TAKEN_BACK: Final = re.compile(
    r"[\"')\]}\s]*(?:\([^()]{0,80}\)\s*)?"
    r"(?:(?:is|was|are|would be|seems|sounds|looks)\s+(?:(?!correct|right|true|the)\w+\s+)?"
    r"(?:not|never|wrong|incorrect|false|mistaken|untrue)\b"
    r"|(?:is|was|does|could|would|ca)n't\b|(?:cannot|can not|does not|could not|would not)\b)"
)


def denies(word: str) -> bool:
    """A word that turns what follows."""
    bare = word.strip("\"'()[]")
    return bare.endswith("n't") or bare in NEGATIONS or bare in _REFUSES


def is_denied(text: str, start: int, end: int) -> bool:
    """text: plain. start, end: the place of what is named in it.

    Looked at is the clause before it, and whether it is called wrong right behind.
    """
    clause = _CLAUSE_END.split(text[max(0, start - _CHARS_BEFORE) : start])[-1]
    if _OF_OTHERS.search(clause) or _CALLED_WRONG.search(clause):
        return True
    words = _AGREES.sub(" ", clause).split()[-_WORDS_BEFORE:]
    return any(map(denies, words)) or _TAKEN_BACK.match(text, end) is not None
