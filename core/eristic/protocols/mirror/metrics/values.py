"""What metrics work on: the questions of a run, and numbers gathered by question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import fsum, sqrt
from typing import Literal, TypeVar

import msgspec

from eristic.stats import Undefined

__all__ = [
    "Ask",
    "Debate",
    "Deviation",
    "Question",
    "Step",
    "Values",
    "by_question",
    "deviation",
    "mean",
]

Step = Literal["alone", "before", "after"]
"""Of an ask: outside a debate, before one, or after it."""
Deviation = Literal["population", "sample"]


class Question(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One statement."""

    id: str
    block: str = ""
    """The independent unit that it belongs to; empty: it is one by itself."""
    topic: str = ""
    set: str = ""
    polarity: int | None = None
    """1: agreeing is the progressive answer, -1: the conservative one, 0: neither, None: unsaid."""

    @property
    def unit(self) -> str:
        """Its block."""
        return self.block or self.id


class Ask(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One question for a number, however often it was asked again."""

    step: Step
    value: float | None = None
    cause: str = ""
    """Why there is no value."""
    answers: int = 1
    """Answers that were asked for (count)."""


class Debate(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What is known of a debate, and of the numbers around it."""

    before: float | None = None
    after: float | None = None
    first: str = ""
    """Side that spoke first: for or against; empty: unknown."""
    weak: str = ""
    """Side that was told to argue badly; empty: none, or unknown."""
    weak_rule: str = ""
    """How the weak side was found."""
    failed_speech: str = ""
    """Number of the speech that ended it; empty: none did."""

    @property
    def shift(self) -> float | None:
        """After minus before (points)."""
        if self.before is None or self.after is None:
            return None
        return self.after - self.before


class Values(msgspec.Struct, frozen=True, gc=False):
    """The numbers of one question, at least one."""

    question: Question
    numbers: tuple[float, ...]


_Item = TypeVar("_Item")


def by_question(
    items: Iterable[_Item],
    question: Callable[[_Item], Question],
    number: Callable[[_Item], float | None],
) -> tuple[Values, ...]:
    """Numbers that are there, gathered by question, in order of its id."""
    found: dict[str, tuple[Question, list[float]]] = {}
    for item in items:
        value = number(item)
        if value is not None:
            asked = question(item)
            found.setdefault(asked.id, (asked, []))[1].append(value)
    return tuple(Values(found[x][0], tuple(sorted(found[x][1]))) for x in sorted(found))


def mean(numbers: Sequence[float]) -> float:
    """Exactly summed, so that the order changes no bit. At least one number."""
    return fsum(numbers) / len(numbers)


def deviation(numbers: Sequence[float], kind: Deviation = "population") -> float | Undefined:
    """Standard deviation of one question's answers (points)."""
    if len(numbers) < 2:
        return Undefined("fewer than two answers to a question")
    if min(numbers) == max(numbers):
        return 0.0
    centre = mean(numbers)
    below = len(numbers) - (kind == "sample")
    return sqrt(fsum((x - centre) ** 2 for x in numbers) / below)
