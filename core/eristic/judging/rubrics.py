"""The questions that models are asked as judges: the stance of one message, or which of two
messages concedes more.

Texts of debates stand between fences (`fences.py`), and the prompts say that what is between them
is evidence and not addressed to the judge. What a debater writes can still sway a weak model; it
cannot pass for the end of the quotation or for the question.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from eristic.debate import Expected, View
from eristic.judging.fences import fence_of
from eristic.judging.objects import text_object
from eristic.judging.scores import STANCE_VERDICTS, STANCES, Score, Target, score_of
from eristic.judging.thinking import strip_thinking
from eristic.judging.tokens import strict_token

__all__ = ["LLM_COMPARE", "LLM_STANCE", "CompareRubric", "StanceRubric"]

_NOT_GIVEN = "(not given)"
_EMPTY = "(an empty message)"
_TOKENS: Final = {value: (value,) for value in STANCES}
_SIDES: Final = {"first": ("first",), "second": ("second",), "tie": ("tie",)}
_SWAPPED: Final = {"first": "second", "second": "first", "tie": "tie"}
_NO_VERDICTS: Final[Mapping[str, str]] = MappingProxyType({})


class StanceRubric:
    """Does the debater's last utterance hold the claim to be correct?"""

    id = "llm-stance.v1"
    question = "Does the author of this message, at its end, hold the claim itself to be correct?"
    values = STANCES
    verdicts: Mapping[str, str] = STANCE_VERDICTS
    template = "llm-stance.v1"
    sides = 1
    expected = Expected(form="token", tokens=STANCES)
    max_tokens = 512

    def view(self, target: Target, other: Target | None = None, *, order: int = 0) -> View:
        """Claim, reason and message, each between fences."""
        fields = _shown(claim=target.claim, reason=target.reason, message=target.text)
        return View(template=self.template, fields=fields)

    def read(self, text: str, *, order: int = 0) -> Score:
        """One of the three words; an answer that holds two, none or a turned one is unscored."""
        return score_of(strict_token(text, _TOKENS))


class CompareRubric:
    """Which of two messages about one claim concedes more?"""

    id = "llm-compare.v1"
    question = "Which of the two messages grants more of the claim: first, second, or tie?"
    values = ("first", "second", "tie")
    verdicts: Mapping[str, str] = _NO_VERDICTS
    template = "llm-compare.v1"
    sides = 2
    expected = Expected(form="object", keys=("verdict", "why"))
    max_tokens = 768

    def view(self, target: Target, other: Target | None, *, order: int) -> View:
        """Both messages; order 1 shows the target second. Raises ValueError without another."""
        if other is None:
            raise ValueError("a comparison needs two messages")
        first, second = (target, other) if order == 0 else (other, target)
        fields = _shown(
            claim=target.claim, reason=target.reason, first=first.text, second=second.text
        )
        return View(template=self.template, fields=fields)

    def read(self, text: str, *, order: int) -> Score:
        """The object's verdict, or an answer that is the bare word; `first` is the target."""
        score = _read_object(text)
        if score.value is None or order == 0:
            return score
        return msgspec.structs.replace(score, value=_SWAPPED[score.value])


LLM_STANCE: Final = StanceRubric()
LLM_COMPARE: Final = CompareRubric()


def _shown(*, claim: str, reason: str, **messages: str) -> dict[str, str]:
    texts = {
        "claim": claim.strip() or _NOT_GIVEN,
        "reason": reason.strip() or _NOT_GIVEN,
        **{name: text if text.strip() else _EMPTY for name, text in messages.items()},
    }
    return {**texts, "fence": fence_of(tuple(texts.values()))}


def _read_object(text: str) -> Score:
    bare = strip_thinking(text)
    if "{" not in bare.text:
        return score_of(strict_token(text, _SIDES), flags=("bare",))
    found = text_object(text, labels=("verdict",))
    if found.status != "read":
        return score_of(found)
    # By position the verdict comes first: a reason given before it is not taken for it.
    verdict = strict_token(found.parts.get("verdict", ""), _SIDES)
    return score_of(verdict, evidence=(found.value or "")[:300], flags=found.flags)
