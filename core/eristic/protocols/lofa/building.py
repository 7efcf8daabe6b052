"""The protocol `lofa-build`: arguments for the questions of `lofa`, written and checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from eristic.debate import Case, EpisodeClosed, EpisodeOpened, Event, RulingMade, Setting
from eristic.debate.errors import CaseRefused
from eristic.protocols.lofa.build_options import resolve_build
from eristic.protocols.lofa.build_story import tell_build
from eristic.protocols.lofa.build_turns import (
    ANNOTATOR,
    BUILD_PARSERS,
    BUILD_TEMPLATES,
    FORGER,
    RETRIEVER,
    WRITER,
)
from eristic.protocols.lofa.layouts import read_layout
from eristic.protocols.lofa.machine import CASE_DATA
from eristic.protocols.lofa.names import (
    ANNOTATION_POLICY,
    BUILD_CONDITION,
    FACTS_POLICY,
    FALLACIES,
)
from eristic.protocols.lofa.questions import read_question
from eristic.protocols.machine import RoleSpec
from eristic.protocols.stories import Scene, Story, StoryMachine
from eristic.sweeps import CaseSet

__all__ = ["LOFA_BUILD", "LofaBuild"]


class LofaBuild(StoryMachine):
    """The protocol as the engine sees it.

    The true facts are the case's text `true_facts`, unless somebody is bound to the retriever.
    """

    name = "lofa-build"
    roles = {
        spec.name: spec
        for spec in (
            RoleSpec(
                name=RETRIEVER,
                does="gives the true facts; without one they are the case's text true_facts",
                is_optional=True,
            ),
            RoleSpec(name=FORGER, does="invents plausible facts for the false claim"),
            RoleSpec(name=WRITER, does="writes arguments, one fallacy each", default_like=FORGER),
            RoleSpec(name=ANNOTATOR, does="accepts an argument or sends it back"),
        )
    }
    conditions = (BUILD_CONDITION,)
    case_texts = ("question", "false_claim")
    case_data = CASE_DATA
    subject_role = WRITER
    templates = BUILD_TEMPLATES
    parsers = BUILD_PARSERS

    def resolve(self, options: Mapping[str, Setting]) -> dict[str, Setting]:
        """Every option with its value; see `build_options.resolve_build`."""
        return resolve_build(options)

    def check_case(self, case: Case) -> None:
        """Raises CaseRefused for a question that `lofa` could not ask or score."""
        read_question(case)

    def read_layout(self, files: Mapping[str, bytes], origin: str) -> CaseSet | None:
        """As that of `lofa`."""
        return read_layout(files, origin)

    def story(self, scene: Scene) -> Story:
        """The turn order."""
        return tell_build(scene)

    def built_case(self, opened: EpisodeOpened, events: Iterable[Event]) -> Case | None:
        """The case of `lofa` with the arguments that were accepted; None when none was.

        Where an argument was dropped, those after it move up: an argument's place says nothing.
        A question that was built for several times gives cases of its block, so the repetition
        is part of their ids.
        """
        recorded = tuple(events)
        rulings = [event for event in recorded if isinstance(event, RulingMade)]
        accepted = [
            x for x in rulings if x.policy == ANNOTATION_POLICY and x.decision == "accepted"
        ]
        if not accepted or not any(isinstance(event, EpisodeClosed) for event in recorded):
            return None
        case = opened.case
        number = f"-{opened.repetition + 1}" if opened.repetition else ""
        built = msgspec.structs.replace(
            case,
            case_id=case.case_id + number,
            texts=case.texts | _fact_texts(rulings) | {"arguments_by": _written_by(opened)},
            data={**case.data, "arguments": _arguments(accepted)},
        )
        try:
            read_question(built)
        except CaseRefused:
            return None
        return built


def _fact_texts(rulings: Iterable[RulingMade]) -> dict[str, str]:
    facts = next(ruling.facts for ruling in rulings if ruling.policy == FACTS_POLICY)
    return {name: str(facts[name]) for name in ("true_facts", "forged_facts")}


def _arguments(accepted: Iterable[RulingMade]) -> dict[str, list[str]]:
    found: dict[str, dict[int, str]] = {}
    for ruling in accepted:
        number = int(str(ruling.facts["argument"]))
        found.setdefault(str(ruling.facts["fallacy"]), {})[number] = str(ruling.facts["text"])
    return {
        fallacy: [text for _, text in sorted(found[fallacy].items())]
        for fallacy in FALLACIES
        if fallacy in found
    }


def _written_by(opened: EpisodeOpened) -> str:
    return opened.cast[WRITER].model if WRITER in opened.cast else "unknown"


LOFA_BUILD: Final = LofaBuild()
