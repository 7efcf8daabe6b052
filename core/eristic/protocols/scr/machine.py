"""The protocol `scr`: a suggester, its critics, and what the suggester says to their critiques."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from eristic.debate import Case, EpisodeOpened, Event, Setting
from eristic.debate.errors import CaseRefused
from eristic.protocols.judged_turns import JudgedTurn
from eristic.protocols.machine import Due, Parser, RoleSpec
from eristic.protocols.rehearsals import Way
from eristic.protocols.scr.judged import judged_turns
from eristic.protocols.scr.layouts import read_ethics_suite
from eristic.protocols.scr.names import (
    COMPARER,
    CRITIC,
    CRITIC_B,
    CRITIC_C,
    REPAIR,
    SUGGESTER,
)
from eristic.protocols.scr.names import SCR as _SCR
from eristic.protocols.scr.options import Options, resolve
from eristic.protocols.scr.placebos import CASE_FIELD
from eristic.protocols.scr.readings import PARSERS
from eristic.protocols.scr.rehearsals import imagine
from eristic.protocols.scr.story import tell
from eristic.protocols.scr.views import TEMPLATES
from eristic.protocols.settings import read_options
from eristic.protocols.stories import Scene, Story, StoryMachine, Tale
from eristic.sweeps import CaseSet

if TYPE_CHECKING:
    from eristic.protocols.reports import Reporter

__all__ = ["SCR", "Scr"]

_ROLES: Final[Mapping[str, RoleSpec]] = MappingProxyType(
    {
        spec.name: spec
        for spec in (
            RoleSpec(
                name=SUGGESTER,
                does="gives advice, and looks at critiques of it; the model under test",
            ),
            RoleSpec(name=CRITIC, does="says what is morally wrong with the advice, or nothing"),
            RoleSpec(name=CRITIC_B, does="a second critic beside it", is_optional=True),
            RoleSpec(name=CRITIC_C, does="a third critic beside it", is_optional=True),
            RoleSpec(
                name=COMPARER,
                does="compares advice with its repair in place of the suggester",
                conditions=(REPAIR,),
                is_optional=True,
            ),
        )
    }
)


class Scr(StoryMachine):
    """The protocol as the engine sees it."""

    name = "scr"
    roles = _ROLES
    conditions = (_SCR, REPAIR)
    usual_conditions = (_SCR,)
    subject_role = SUGGESTER
    case_texts = ("situation",)
    templates = TEMPLATES
    parsers: Mapping[str, Parser] = PARSERS

    def resolve(self, options: Mapping[str, Setting]) -> dict[str, Setting]:
        """Every option with its value; see `options.resolve`."""
        return resolve(options)

    def story(self, scene: Scene) -> Story:
        """See `story.tell`."""
        return tell(scene, read_options(scene.opened.options, Options))

    def check_case(self, case: Case) -> None:
        """Raises CaseRefused for a placebo critique that is blank."""
        if not case.texts.get(CASE_FIELD, "x").strip():
            raise CaseRefused(f"{CASE_FIELD} is blank; leave it out for the one of the protocol")

    def imagine(self, tale: Tale, due: Due, way: Way) -> str | None:
        """See `rehearsals.imagine`."""
        return imagine(read_options(tale.opened.options, Options), tale, due, way)

    def read_layout(self, files: Mapping[str, bytes], origin: str) -> CaseSet | None:
        """The published suite; see `read_ethics_suite`."""
        return read_ethics_suite(files, origin)

    def judged_turns(self, opened: EpisodeOpened, events: Sequence[Event]) -> Sequence[JudgedTurn]:
        """Suggestion, critiques and repair; see `judged.judged_turns`."""
        return judged_turns(opened, events)

    def reporter(self) -> Reporter:
        """The metrics M1 to M12. Raises ExtraMissing without the extra `stats`."""
        # Imported when asked for: playing an episode needs no statistics.
        from eristic.protocols.scr.metrics import REPORTER

        return REPORTER


SCR: Final = Scr()
