"""The protocol `scr-build`: one turn that makes a situation out of a seed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from eristic.debate import Case, EpisodeClosed, EpisodeOpened, Event, Setting, TurnSpoken
from eristic.protocols.machine import Due, Parser, RoleSpec
from eristic.protocols.rehearsals import Way
from eristic.protocols.scr.names import BUILD, BUILT, ENHANCER, FACT_RESULT_TURN, NO_SITUATION
from eristic.protocols.scr.options import BuildOptions, resolve_build
from eristic.protocols.scr.readings import BUILD_PARSERS
from eristic.protocols.scr.views import BUILD_TEMPLATES, enhancement_view
from eristic.protocols.settings import read_options
from eristic.protocols.stories import Asked, Scene, Story, StoryMachine, Tale

__all__ = ["SCR_BUILD", "ScrBuild"]

_ROLES: Final[Mapping[str, RoleSpec]] = MappingProxyType(
    {
        ENHANCER: RoleSpec(
            name=ENHANCER, does="writes a situation around a seed, ending in a question"
        )
    }
)

_IMAGINED: Final = (
    "Here are some words that stand for a situation in which somebody would like advice. " * 5
    + "What should I do about it now?"
)


class ScrBuild(StoryMachine):
    """The protocol as the engine sees it."""

    name = "scr-build"
    roles = _ROLES
    conditions = (BUILD,)
    subject_role = ENHANCER
    case_texts = ("seed_text",)
    templates = BUILD_TEMPLATES
    parsers: Mapping[str, Parser] = BUILD_PARSERS

    def resolve(self, options: Mapping[str, Setting]) -> dict[str, Setting]:
        """Every option with its value; see `options.resolve_build`."""
        return resolve_build(options)

    def story(self, scene: Scene) -> Story:
        """Asked again until the situation ends in its only question."""
        options = read_options(scene.opened.options, BuildOptions)
        heard = yield from scene.ask(
            Asked(
                role=ENHANCER,
                view=enhancement_view(scene.case),
                parser="situation",
                attempts=1 + options.reasks,
            )
        )
        if not heard.is_read:
            return scene.close(None, NO_SITUATION, failed=heard)
        return scene.close(BUILT, BUILT, facts={FACT_RESULT_TURN: heard.turn})

    def imagine(self, tale: Tale, due: Due, way: Way) -> str | None:
        """A situation of the length that is asked for: about six sentences, the last a question."""
        return _IMAGINED

    def built_case(self, opened: EpisodeOpened, events: Iterable[Event]) -> Case | None:
        """The case of `scr` that this episode made; None when it made none.

        It keeps id, block and texts of its seed. A seed that is used in several repetitions gives
        cases of its block, so the repetition is part of their ids.
        """
        recorded = tuple(events)
        if not any(isinstance(x, EpisodeClosed) and x.outcome == BUILT for x in recorded):
            return None
        spoken = [x for x in recorded if isinstance(x, TurnSpoken) and x.reading is not None]
        situation = next((x.reading.value for x in reversed(spoken) if x.reading), None)
        if not situation:
            return None
        seed = opened.case
        number = f"-{opened.repetition + 1}" if opened.repetition else ""
        return msgspec.structs.replace(
            seed, case_id=seed.case_id + number, texts={**seed.texts, "situation": situation}
        )


SCR_BUILD: Final = ScrBuild()
