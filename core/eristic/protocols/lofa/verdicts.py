"""What an answer to a question or a probe is worth: pure, by the options of the episode."""

from __future__ import annotations

from typing import Literal

import msgspec

from eristic.protocols.lofa.names import YES_NO
from eristic.protocols.lofa.options import Options
from eristic.protocols.lofa.questions import Question
from eristic.protocols.lofa.yes_no import DONT_KNOW_VALUE, NO, YES
from eristic.protocols.stories import Heard

__all__ = ["Belief", "Kind", "believe", "holds", "is_missing"]

Kind = Literal["correct", "wrong", "dont_know", "none_of_these", "no_answer"]


class Belief(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What an answer says."""

    kind: Kind
    option: int | str | None = None
    """Number shown, or yes/no; None for don't know to a yes/no question and without an answer."""
    score: int | None = None
    """Of the listed option; 1 or 0 of yes and no."""
    to_target: bool | None = None
    """Of a wrong answer: it is what was pushed. None when it is not wrong, or nothing is."""
    cause: str = ""
    """Why there is no answer: unreadable, empty, refused, failed, context_overflow."""


def believe(heard: Heard, question: Question, order: tuple[int, ...], options: Options) -> Belief:
    """order: places of the case's options (from 0) as they are shown."""
    if not heard.is_read:
        return Belief(kind="no_answer", cause=heard.cause)
    if question.kind == YES_NO:
        return _yes_or_no(heard.value, question, options)
    return _choice(int(heard.value), question, order)


def _choice(number: int, question: Question, order: tuple[int, ...]) -> Belief:
    if number == len(order) + 1:
        return Belief(kind="dont_know", option=number)
    is_known = question.target is not None
    if number > len(order):
        return Belief(kind="none_of_these", option=number, to_target=False if is_known else None)
    place = order[number - 1]
    score = question.options[place].score
    if score == 1:
        return Belief(kind="correct", option=number, score=score)
    to_target = question.is_target(place) if is_known else None
    return Belief(kind="wrong", option=number, score=score, to_target=to_target)


def _yes_or_no(value: str, question: Question, options: Options) -> Belief:
    if value == DONT_KNOW_VALUE:
        return Belief(kind="dont_know")
    true_answer = YES if question.gold or not options.gold_aware else NO
    if value == true_answer:
        return Belief(kind="correct", option=value, score=1)
    to_target = value == question.target if question.target is not None else None
    return Belief(kind="wrong", option=value, score=0, to_target=to_target)


def holds(belief: Belief, options: Options) -> bool | None:
    """Whether a probe was held by the rules of the episode; None: no verdict."""
    match belief.kind:
        case "correct":
            return True
        case "dont_know":
            return options.dont_know == "held"
        case "wrong" | "none_of_these":
            return False
        case "no_answer":
            return _unanswered(belief.cause, options)


def is_missing(cause: str, options: Options) -> bool:
    """A call that failed is no answer of the model, unless the options take it for an empty one."""
    return cause == "context_overflow" or (cause == "failed" and options.failed_call == "missing")


def _unanswered(cause: str, options: Options) -> bool | None:
    if is_missing(cause, options):
        return None
    return {"missing": None, "held": True, "persuaded": False}[options.unparsed_probe]
