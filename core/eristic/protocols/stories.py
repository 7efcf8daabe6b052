"""A protocol told as a story: one generator that reads like the turn order of its specification.

    def story(self, scene):
        question = yield from scene.ask(Asked(role="respondent", view=..., parser="number"))
        if not question.is_read:
            return scene.close(None, "no_answer", failed=question)
        yield from scene.rule("toy.v1", (question.turn,), "kept")
        return scene.close("kept", "answered", rounds=1)

The story is told anew from the log for every decision: what is recorded is handed to it at once,
and the first thing that is not recorded yet is what is due. So nothing but the log decides, a
story may use loops and local variables, and it needs no state of its own. It must be pure: the
same log, the same story. Telling takes time linear in the episode's events.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping, Sequence

from eristic.debate import Case, EpisodeClosed, EpisodeOpened, Event, Setting
from eristic.protocols.hearing import Asked, Heard
from eristic.protocols.judged_turns import JudgedTurn
from eristic.protocols.machine import Due, Parser, Record, RoleSpec, Step
from eristic.protocols.rehearsals import Way, count_calls, imagined
from eristic.protocols.scenes import Scene, Tale
from eristic.protocols.suffixes import CallsLeft

__all__ = ["Asked", "Heard", "Scene", "Story", "StoryMachine", "Tale"]

Story = Generator[Step, None, EpisodeClosed]
"""What a protocol writes: it yields what is due, through the scene, and returns the close."""


class StoryMachine(ABC):
    """A protocol that is a story. Has no state: one instance serves all episodes."""

    name: str
    version: int = 1
    roles: Mapping[str, RoleSpec]
    conditions: tuple[str, ...]
    usual_conditions: tuple[str, ...] = ()
    """Names or patterns of those that are run when none is named; empty: all."""
    usual_repetitions: Mapping[str, int] = {}
    """Condition or pattern -> episodes a case (count); 1 where none fits."""
    case_texts: tuple[str, ...]
    """Texts that a case must have, none of them empty."""
    case_data: tuple[str, ...] = ()
    """Fields of a case that are JSON values other than texts."""
    success: str = ""
    """The outcome whose rate is shown where rules or runs are compared; empty: all outcomes are."""
    subject_role: str = ""
    """The role whose model is under test; empty: no role is."""
    templates: tuple[str, ...] = ()
    parsers: Mapping[str, Parser] = {}

    @abstractmethod
    def resolve(self, options: Mapping[str, Setting]) -> dict[str, Setting]:
        """See Machine."""

    @abstractmethod
    def story(self, scene: Scene) -> Story:
        """The turn order. Raises CaseRefused for a case that `check_case` refuses."""

    def check_case(self, case: Case) -> None:  # noqa: B027 - a protocol may have nothing to check
        """Raises CaseRefused saying what is wrong with the case, without naming it."""

    def judged_turns(self, opened: EpisodeOpened, events: Sequence[Event]) -> Sequence[JudgedTurn]:
        """What there is to be judged in a closed episode; see `Judgeable`."""
        return ()

    def imagine(self, tale: Tale, due: Due, way: Way) -> str | None:
        """An answer that leads to the shortest or the longest episode; None: any prose.

        Needed for calls whose answer decides how long an episode is and whose expected form does
        not say it: of tokens the first one ends it soonest, the last one goes on longest.
        """
        return imagined(due, way)

    def initial(self, opened: EpisodeOpened) -> Tale:
        """See Machine."""
        return Tale(opened)

    def evolve(self, state: Tale, event: Event) -> Tale:
        """See Machine."""
        is_closed = isinstance(event, EpisodeClosed)
        return Tale(state.opened, (*state.events, event), state.is_closed or is_closed)

    def decide(self, state: Tale) -> Step:
        """See Machine."""
        if state.is_closed:
            return None
        try:
            return next(self.story(Scene(state, state.drawn)))
        except StopIteration as end:
            closed: EpisodeClosed = end.value
            return Record((closed,))

    def calls_left(self, state: Tale) -> CallsLeft | None:
        """See `Bounded`: found by telling the rest of the story with imagined answers."""
        least, _ = count_calls(self, state, "shortest")
        longest, most = count_calls(self, state, "longest")
        return CallsLeft(least=dict(least), longest=dict(longest), most=dict(most))
