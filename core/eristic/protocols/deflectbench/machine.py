"""The protocol `deflectbench`: an author writes one response, two blinded judges say what it is."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from eristic.debate import Case, EpisodeOpened, Event, Setting
from eristic.debate.errors import CaseRefused, nearest
from eristic.protocols.deflectbench.judged import judged_turns
from eristic.protocols.deflectbench.layouts import CASE_DATA, CASE_TEXTS, read_claims
from eristic.protocols.deflectbench.names import (
    AUTHOR,
    CONDITIONS,
    CONTEXTS,
    FIELDS,
    JUDGE_A,
    JUDGE_B,
    LEVELS,
    REASON_PART,
)
from eristic.protocols.deflectbench.options import resolve
from eristic.protocols.deflectbench.readings import PARSERS
from eristic.protocols.deflectbench.story import tell
from eristic.protocols.deflectbench.views import TEMPLATES
from eristic.protocols.judged_turns import JudgedTurn
from eristic.protocols.machine import Due, Parser, RoleSpec
from eristic.protocols.rehearsals import Way
from eristic.protocols.stories import Scene, Story, StoryMachine, Tale
from eristic.sweeps import CaseSet

if TYPE_CHECKING:
    from eristic.protocols.reports import Reporter

__all__ = ["DEFLECTBENCH", "Deflectbench"]

_ROLES: Final[Mapping[str, RoleSpec]] = MappingProxyType(
    {
        spec.name: spec
        for spec in (
            RoleSpec(name=AUTHOR, does="deflects the claim as it is asked; the model under test"),
            RoleSpec(
                name=JUDGE_A,
                does="says what the response is, in eight fields; knows claim and response only",
            ),
            RoleSpec(
                name=JUDGE_B, does="does the same independently of judge_a", default_like=JUDGE_A
            ),
        )
    }
)
_ANY_LABEL: Final = json.dumps({REASON_PART: "A sentence of reasons.", **dict.fromkeys(FIELDS, 0)})


class Deflectbench(StoryMachine):
    """The protocol as the engine sees it. Has no state: one instance serves all episodes."""

    name = "deflectbench"
    version = 1
    roles = _ROLES
    conditions = CONDITIONS
    usual_repetitions: Mapping[str, int] = MappingProxyType({"*": 5})
    case_texts = CASE_TEXTS
    case_data = CASE_DATA
    subject_role = AUTHOR
    templates = TEMPLATES
    parsers: Mapping[str, Parser] = PARSERS

    def resolve(self, options: Mapping[str, Setting]) -> dict[str, Setting]:
        """Every option with its value; see `options.resolve`."""
        return resolve(options)

    def story(self, scene: Scene) -> Story:
        """The turn order."""
        return tell(scene)

    def check_case(self, case: Case) -> None:
        """A claim needs a level of 1 to 4 and a context."""
        level, context = case.data.get("level"), case.texts["context"]
        if "level" not in case.data:
            raise CaseRefused("level is missing; give 1, 2, 3 or 4")
        if type(level) is not int or level not in LEVELS:
            raise CaseRefused(f"level = {level!r} must be the number 1, 2, 3 or 4")
        if context not in CONTEXTS:
            raise CaseRefused(f"context = {context!r} is not a value.{nearest(context, CONTEXTS)}")

    def read_layout(self, files: Mapping[str, bytes], origin: str) -> CaseSet | None:
        """The published claims; None for anything else."""
        return read_claims(files, origin)

    def imagine(self, tale: Tale, due: Due, way: Way) -> str | None:
        """An empty response ends an episode at once, any other is judged; labels end it."""
        if due.role != AUTHOR:
            return _ANY_LABEL
        return "" if way == "shortest" else None

    def judged_turns(self, opened: EpisodeOpened, events: Sequence[Event]) -> Sequence[JudgedTurn]:
        """The response; see `judged.judged_turns`."""
        return judged_turns(opened, events)

    def reporter(self) -> Reporter:
        """The metrics M1 to M14. Raises ExtraMissing without the extra `stats`."""
        # Imported when asked for: playing an episode needs no statistics.
        from eristic.protocols.deflectbench.metrics import REPORTER

        return REPORTER


DEFLECTBENCH: Final = Deflectbench()
