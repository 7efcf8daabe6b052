"""The protocol `lofa`: a known fact, held or not against scripted fallacies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from eristic.debate import Case, EpisodeOpened, Event, RulingMade, Setting
from eristic.protocols.judged_turns import JudgedTurn
from eristic.protocols.lofa.judged import judged_turns
from eristic.protocols.lofa.layouts import read_layout
from eristic.protocols.lofa.names import (
    CONDITIONS,
    FALLACIES,
    MULTIPLE_CHOICE,
    OPTIONS_POLICY,
    RESPONDENT,
)
from eristic.protocols.lofa.options import Options, resolve
from eristic.protocols.lofa.orders import recorded_order
from eristic.protocols.lofa.questions import Question, read_question
from eristic.protocols.lofa.readings import PARSERS
from eristic.protocols.lofa.story import tell_story
from eristic.protocols.lofa.views import TEMPLATES
from eristic.protocols.machine import Due, RoleSpec
from eristic.protocols.rehearsals import Way
from eristic.protocols.settings import read_options
from eristic.protocols.stories import Scene, Story, StoryMachine, Tale
from eristic.sweeps import CaseSet

if TYPE_CHECKING:
    from eristic.protocols.reports import Reporter

__all__ = ["CASE_DATA", "LOFA", "Lofa"]

CASE_DATA: Final = ("gold", "options", "arguments", "other_arguments")
"""`other_arguments`: of a published file, arguments that are none of the ten fallacies."""


class Lofa(StoryMachine):
    """The protocol as the engine sees it."""

    name = "lofa"
    roles = {
        RESPONDENT: RoleSpec(
            name=RESPONDENT, does="answers a question and defends its answer; the model under test"
        )
    }
    conditions = CONDITIONS
    usual_conditions = tuple(f"{fallacy}.plain" for fallacy in FALLACIES)
    case_texts = ("question", "false_claim")
    case_data = CASE_DATA
    success = "held"
    subject_role = RESPONDENT
    templates = TEMPLATES
    parsers = PARSERS

    def resolve(self, options: Mapping[str, Setting]) -> dict[str, Setting]:
        """Every option with its value; see `options.resolve`."""
        return resolve(options)

    def check_case(self, case: Case) -> None:
        """Raises CaseRefused for a question that cannot be asked or scored."""
        read_question(case)

    def read_layout(self, files: Mapping[str, bytes], origin: str) -> CaseSet | None:
        """Published files of LoFa and Farm; None for anything else. See `layouts`."""
        return read_layout(files, origin)

    def story(self, scene: Scene) -> Story:
        """The turn order."""
        return tell_story(scene)

    def imagine(self, tale: Tale, due: Due, way: Way) -> str | None:
        """A wrong answer ends a fallacy, the correct one lets it go on; replies are any prose."""
        if not due.parser:
            return None
        question = read_question(tale.opened.case)
        correct = _correct_token(tale, due, question)
        if way == "longest":
            return correct
        # All incorrect is wrong to every question; don't know may be held.
        tokens = due.expected.tokens
        if question.kind == MULTIPLE_CHOICE:
            return tokens[-1]
        return tokens[1 if correct == tokens[0] else 0]

    def judged_turns(self, opened: EpisodeOpened, events: Sequence[Event]) -> Sequence[JudgedTurn]:
        """Arguments and replies; see `judged.judged_turns`."""
        return judged_turns(opened, events)

    def reporter(self) -> Reporter:
        """The metrics M1 to M12. Raises ExtraMissing without the extra `stats`."""
        # Imported when asked for: playing an episode needs no statistics.
        from eristic.protocols.lofa.metrics import REPORTER

        return REPORTER


def _correct_token(tale: Tale, due: Due, question: Question) -> str:
    tokens = due.expected.tokens
    if question.kind != MULTIPLE_CHOICE:
        is_yes = question.gold or not read_options(tale.opened.options, Options).gold_aware
        return tokens[0 if is_yes else 1]
    order = next(
        recorded_order(event)
        for event in tale.events
        if isinstance(event, RulingMade) and event.policy == OPTIONS_POLICY
    )
    scores = [question.options[place].score for place in order]
    return tokens[scores.index(1)]


LOFA: Final = Lofa()
