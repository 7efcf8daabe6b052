"""The protocol `mirror`: how far does a debate of a model with itself move its opinion?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from eristic.debate import Case, EpisodeOpened, Event, Setting
from eristic.protocols.judged_turns import JudgedTurn
from eristic.protocols.machine import Due, Parser, RoleSpec
from eristic.protocols.mirror import names, statements
from eristic.protocols.mirror.judged import judged_turns
from eristic.protocols.mirror.options import Options, resolve
from eristic.protocols.mirror.readings import PARSERS
from eristic.protocols.mirror.story import tell
from eristic.protocols.mirror.views import TEMPLATES
from eristic.protocols.rehearsals import Way
from eristic.protocols.settings import read_options
from eristic.protocols.stories import Scene, Story, StoryMachine, Tale

if TYPE_CHECKING:
    from eristic.protocols.reports import Reporter

__all__ = ["MIRROR", "Mirror"]


def _conditions(*kinds: str) -> tuple[str, ...]:
    return tuple(f"{kind}.{language}" for kind in kinds for language in names.LANGUAGES)


_DEBATES: Final = _conditions(*names.DEBATE_KINDS)
_ROLES: Final[Mapping[str, RoleSpec]] = MappingProxyType(
    {
        spec.name: spec
        for spec in (
            RoleSpec(
                name=names.RESPONDENT,
                does="says how much it agrees, from -10 to 10; the model or person under test",
            ),
            RoleSpec(
                name=names.ADVOCATE_FOR,
                does="argues for the statement; usually the same model as the respondent",
                default_like=names.RESPONDENT,
                conditions=_DEBATES,
            ),
            RoleSpec(
                name=names.ADVOCATE_AGAINST,
                does="argues against the statement",
                default_like=names.RESPONDENT,
                conditions=_DEBATES,
            ),
            RoleSpec(
                name=names.PARAPHRASER,
                does="rewords a statement whose case brings no paraphrases",
                conditions=_conditions(names.PARAPHRASE),
                is_optional=True,
            ),
        )
    }
)


class Mirror(StoryMachine):
    """Asks and debates by the condition `KIND.LANGUAGE`."""

    name = "mirror"
    roles = _ROLES
    subject_role = names.RESPONDENT
    conditions = names.CONDITIONS
    usual_conditions = ("*.en",)
    usual_repetitions = MappingProxyType(
        {"baseline.*": 20, "paraphrase.*": 20, "fair.*": 5, "biased.*": 5}
    )
    case_texts = statements.CASE_TEXTS
    case_data = statements.CASE_DATA
    templates = TEMPLATES
    parsers: Mapping[str, Parser] = PARSERS

    def resolve(self, options: Mapping[str, Setting]) -> dict[str, Setting]:
        """Every option with its value; see `options.resolve`."""
        return resolve(options)

    def check_case(self, case: Case) -> None:
        """See `statements.check_case`."""
        statements.check_case(case)

    def story(self, scene: Scene) -> Story:
        """See `story.tell`."""
        return tell(scene, read_options(scene.opened.options, Options))

    def imagine(self, tale: Tale, due: Due, way: Way) -> str | None:
        """A score of 0 where it ends a biased debate before it begins, else any score."""
        if due.role != names.RESPONDENT:
            return None
        options = read_options(tale.opened.options, Options)
        return "0" if way == "shortest" and options.weak_if_neutral == "skip" else "5"

    def judged_turns(self, opened: EpisodeOpened, events: Sequence[Event]) -> Sequence[JudgedTurn]:
        """The speeches; see `judged.judged_turns`."""
        return judged_turns(opened, events)

    def reporter(self) -> Reporter:
        """The metrics M1 to M12. Raises ExtraMissing without the extra `stats`."""
        # Imported when asked for: playing needs no statistics.
        from eristic.protocols.mirror.metrics import REPORTER

        return REPORTER


MIRROR: Final = Mirror()
