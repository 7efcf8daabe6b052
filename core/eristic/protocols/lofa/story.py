"""An episode: screen the knowledge, then attack it with one fallacy or with all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from typing import Final

import msgspec

from eristic.debate import EpisodeClosed, Line, Setting
from eristic.protocols.lofa.attacks import Endurance, Stage, attack, rule_endurance
from eristic.protocols.lofa.controls import arguments_for
from eristic.protocols.lofa.names import (
    PROBER,
    RESPONDENT,
    SCREEN_POLICY,
    SHARED,
    fallacies_of,
    form_of,
)
from eristic.protocols.lofa.options import Options
from eristic.protocols.lofa.orders import draw_order
from eristic.protocols.lofa.questions import read_question
from eristic.protocols.lofa.verdicts import Belief, is_missing
from eristic.protocols.lofa.views import template_of
from eristic.protocols.machine import Step
from eristic.protocols.settings import read_options
from eristic.protocols.stories import Heard, Scene, Story

__all__ = ["tell_story"]

_NO_ARGUMENTS: Final = "no_arguments"


class Screening(msgspec.Struct, frozen=True, kw_only=True):
    """What the first questions came to."""

    history: tuple[Line, ...]
    """The first question and its answer."""
    belief: Belief
    """Of the answer that decided."""
    heard: Heard


def tell_story(scene: Scene) -> Story:
    """The turn order. Raises CaseRefused for a case that cannot be used."""
    options = read_options(scene.opened.options, Options)
    question = read_question(scene.case)
    fallacies = fallacies_of(scene.condition)
    if not any(arguments_for(question, fallacy) for fallacy in fallacies):
        ends = tuple(_without_arguments(fallacy) for fallacy in fallacies)
        for end in ends:
            yield from rule_endurance(scene, question, end)
        return _close(scene, ends)
    order = yield from draw_order(scene, question, options)
    stage = Stage(
        scene=scene,
        question=question,
        order=order,
        options=options,
        template=template_of(form_of(scene.condition), question, options),
    )
    screening = yield from _screen(stage)
    is_known = screening.belief.kind == "correct"
    found: list[Endurance] = []
    for fallacy in fallacies:
        if is_known and arguments_for(question, fallacy):
            found.append((yield from attack(stage, fallacy, screening.history)))
        else:
            found.append(_not_attacked(stage, fallacy, screening))
            yield from rule_endurance(scene, question, found[-1])
    return _close(scene, found)


def _screen(stage: Stage) -> Generator[Step, None, Screening]:
    """Ask the question in as many fresh conversations as the options say."""
    first: Screening | None = None
    for number in range(1, stage.options.screen_repeats + 1):
        screening = yield from _ask_once(stage, number)
        first = first or screening
        is_correct = screening.belief.kind == "correct"
        if not is_correct and (number == 1 or stage.options.screen_rule == "all"):
            return screening
    assert first is not None, "screen_repeats is 1 or more"
    return first


def _ask_once(stage: Stage, number: int) -> Generator[Step, None, Screening]:
    text = stage.question_text
    asked = yield from stage.scene.tell(PROBER, text)
    question = Line(PROBER, text, asked)
    heard = yield from stage.ask((question,), is_first=True)
    belief = stage.believe(heard)
    yield from stage.scene.rule(
        SCREEN_POLICY,
        (asked, heard.turn),
        belief.kind,
        facts={
            "number": number,
            "option": belief.option,
            "score": belief.score,
            "attempts": heard.attempts,
            "cause": belief.cause,
        },
    )
    history = (question, Line(RESPONDENT, heard.text, heard.turn))
    return Screening(history=history, belief=belief, heard=heard)


def _not_attacked(stage: Stage, fallacy: str, screening: Screening) -> Endurance:
    arguments = len(arguments_for(stage.question, fallacy))
    if not arguments:
        return _without_arguments(fallacy)
    belief = screening.belief
    if belief.kind == "no_answer" and is_missing(belief.cause, stage.options):
        return Endurance(
            fallacy=fallacy,
            decision="no_verdict",
            reason="no_verdict",
            arguments=arguments,
            screened=screening.heard.turn,
            failed=screening.heard,
        )
    return Endurance(
        fallacy=fallacy,
        decision="screened_knowledge",
        reason=belief.kind,
        arguments=arguments,
        screened=screening.heard.turn,
    )


def _without_arguments(fallacy: str) -> Endurance:
    return Endurance(fallacy=fallacy, decision=_NO_ARGUMENTS, reason=_NO_ARGUMENTS)


def _close(scene: Scene, ends: Sequence[Endurance]) -> EpisodeClosed:
    rounds = sum(len(end.probes) for end in ends)
    if not scene.condition.startswith(f"{SHARED}."):
        [end] = ends
        outcome = None if end.decision in ("no_verdict", _NO_ARGUMENTS) else end.decision
        # Of a missing turn the close says the cause itself.
        said = {name: value for name, value in end.facts().items() if name != "cause"}
        return scene.close(outcome, end.reason, rounds=rounds, facts=said, failed=end.failed)
    counts = Counter(end.decision for end in ends)
    facts: dict[str, Setting] = dict(sorted(counts.items()))
    tried = {name for name in counts if name != _NO_ARGUMENTS}
    if not tried:
        return scene.close(None, _NO_ARGUMENTS, facts=facts)
    if tried == {"no_verdict"}:
        failed = next(end.failed for end in ends if end.failed is not None)
        return scene.close(None, "no_verdict", rounds=rounds, facts=facts, failed=failed)
    if tried == {"screened_knowledge"}:
        [reason] = {end.reason for end in ends if end.decision == "screened_knowledge"}
        return scene.close("screened_knowledge", reason, facts=facts)
    return scene.close("tested", "all_fallacies", rounds=rounds, facts=facts)
