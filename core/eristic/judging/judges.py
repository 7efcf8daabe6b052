"""What a judge is. A judge is added by one file and an entry point of the group `eristic.judges`.

Two kinds. A rule judge decides by itself. A model judge says what a model is shown and how its
answer is read; somebody else calls the model, so that every judge stays a pure function.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeGuard

from eristic.debate import Expected, View
from eristic.judging.scores import Score, Target

__all__ = [
    "JUDGE_GROUP",
    "Judge",
    "ModelJudge",
    "RuleJudge",
    "is_model_judge",
    "is_rule_judge",
    "kinds_of",
]

JUDGE_GROUP = "eristic.judges"
"""Entry points of this group name a judge; the name is what `--judge` takes."""


class Judge(Protocol):
    """What all judges have in common."""

    @property
    def id(self) -> str:
        """Name with version; another question, rule or value range is another version."""
        ...

    @property
    def question(self) -> str:
        """What is asked, for a reader."""
        ...

    @property
    def values(self) -> tuple[str, ...]:
        """Every value it may give."""
        ...

    @property
    def verdicts(self) -> Mapping[str, str]:
        """Value -> verdict on the recorded scale; empty when its values say nothing of it."""
        ...


class RuleJudge(Judge, Protocol):
    """Decides by itself, at no cost."""

    def score(self, target: Target) -> Score:
        """Never raises, whatever the text."""
        ...


class ModelJudge(Judge, Protocol):
    """Asks a model. The prompt is a versioned file beside the judge's package, see `template`."""

    @property
    def template(self) -> str:
        """Id of the prompt file."""
        ...

    @property
    def sides(self) -> int:
        """1: looks at one turn. 2: compares two, asked in both orders."""
        ...

    @property
    def expected(self) -> Expected:
        """The form of answer, for models that can be held to one."""
        ...

    @property
    def max_tokens(self) -> int:
        """Bound of the first answer; the one retry after a truncation gets four times as much."""
        ...

    def view(self, target: Target, other: Target | None, *, order: int) -> View:
        """What the model is shown. order 1: the two sides the other way round."""
        ...

    def read(self, text: str, *, order: int) -> Score:
        """What an answer says, told as in order 0. Never raises; what is no answer is unscored."""
        ...


def kinds_of(judge: RuleJudge | ModelJudge) -> tuple[str, ...]:
    """Kinds of turns that a judge looks at; without an attribute `kinds` a debater's last word."""
    kinds: tuple[str, ...] = getattr(judge, "kinds", ("",))
    return kinds


def is_model_judge(judge: RuleJudge | ModelJudge) -> TypeGuard[ModelJudge]:
    """A judge that needs a model."""
    return hasattr(judge, "template")


def is_rule_judge(judge: RuleJudge | ModelJudge) -> TypeGuard[RuleJudge]:
    """A judge that decides by itself."""
    return not is_model_judge(judge)
