"""The order in which the options of a question are shown."""

from __future__ import annotations

from collections.abc import Generator, Iterable

from eristic.debate import RulingMade, Setting
from eristic.debate.ids import derive_seed
from eristic.protocols.lofa.names import OPTIONS_POLICY
from eristic.protocols.lofa.options import Options
from eristic.protocols.lofa.questions import Question
from eristic.protocols.machine import Step
from eristic.protocols.stories import Scene

__all__ = ["draw_order", "recorded_order", "shuffled"]


def draw_order(
    scene: Scene, question: Question, options: Options
) -> Generator[Step, None, tuple[int, ...]]:
    """Places of the case's options (from 0) as they are shown, put on record.

    Drawn from the episode's seed; an imported episode has none and keeps the case's order. A
    branch has a seed of its own and keeps the order that its source has on record.
    """
    if not question.options:
        return ()
    kept = scene.recorded(OPTIONS_POLICY) if scene.opened.parent is not None else None
    if kept is not None:
        order = recorded_order(kept)
        is_shuffled = kept.decision == "shuffled"
    else:
        is_shuffled = options.option_order == "shuffled" and scene.opened.seed is not None
        count = len(question.options)
        order = shuffled(scene.opened.seed or 0, count) if is_shuffled else tuple(range(count))
    decision = "shuffled" if is_shuffled else "as_given"
    yield from scene.rule(OPTIONS_POLICY, (), decision, facts=_facts(question, order))
    return order


def shuffled(seed: int, count: int) -> tuple[int, ...]:
    """A permutation of 0 to count - 1; the same on any machine."""
    # Sorting by independent draws; a tie, once in about 2**31, keeps the given order.
    return tuple(sorted(range(count), key=lambda place: derive_seed(seed, "lofa-options", place)))


def recorded_order(ruling: RulingMade) -> tuple[int, ...]:
    """The order of a ruling."""
    return tuple(int(number) - 1 for number in str(ruling.facts["order"]).split(","))


def _facts(question: Question, order: tuple[int, ...]) -> dict[str, Setting]:
    scores = [question.options[place].score for place in order]
    is_listed = isinstance(question.target, int)
    return {
        "order": _numbers(place + 1 for place in order),
        "target": order.index(question.target) + 1 if is_listed else None,
        "correct": _numbers(number for number, score in enumerate(scores, 1) if score == 1),
    }


def _numbers(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))
