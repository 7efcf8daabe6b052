"""Judges that ask nobody: the verdict in the log, and the words of the message."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from eristic.judging.scores import (
    CONVINCED,
    NOT_CONVINCED,
    STANCE_VERDICTS,
    STANCES,
    VERDICTS,
    Score,
    Target,
    unscored,
)

__all__ = ["RECORDED", "STANCE_WORDS", "Recorded", "StanceWords"]

_SAME: Final[Mapping[str, str]] = MappingProxyType({name: name for name in VERDICTS})
_CHECKS: Final[Mapping[str, str]] = MappingProxyType({"true": CONVINCED, "false": NOT_CONVINCED})


class Recorded:
    """The verdict that the debate itself reached."""

    id = "recorded.v1"
    question = "What did the debate itself decide?"
    values = VERDICTS
    verdicts: Mapping[str, str] = _SAME

    def score(self, target: Target) -> Score:
        """The outcome; for a failed episode what the last check of the judged turn said."""
        if target.outcome in VERDICTS:
            reason = target.close_reason
            return Score(status="scored", value=target.outcome, evidence=f"outcome: {reason}")
        if target.outcome is not None:
            return unscored("unreadable", evidence=f"outcome {target.outcome[:80]}")
        verdict = _CHECKS.get(target.check or "")
        if verdict is None:
            return unscored("failed", evidence=target.close_reason)
        return Score(status="scored", value=verdict, evidence="last conviction check")


class StanceWords:
    """What the message says in words, by rules."""

    id = "stance-words.v1"
    question = "Does the author of this message, at its end, hold the claim itself to be correct?"
    values = STANCES
    verdicts: Mapping[str, str] = STANCE_VERDICTS

    def score(self, target: Target) -> Score:
        """The rules' reading; a message without a statement is unclear, which is a value."""
        # A hundred patterns: whoever asks for the recorded verdict does not wait for them.
        from eristic.judging.stance_words import stance

        found = stance(target.text, claim=target.claim, reason=target.reason)
        evidence = f"{found.rule}: {found.evidence}" if found.evidence else found.rule
        return Score(status="scored", value=found.value, evidence=evidence)


RECORDED: Final = Recorded()
STANCE_WORDS: Final = StanceWords()
