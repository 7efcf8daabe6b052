"""The protocol `logicom`: a persuader, a debater, perhaps a helper, and a moderator's checks.

Decide and evolve are pure; everything they depend on is in the episode's events.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from eristic.debate import EpisodeOpened, Event, Setting
from eristic.protocols.logicom.decisions import decide
from eristic.protocols.logicom.evolution import evolve
from eristic.protocols.logicom.options import resolve
from eristic.protocols.logicom.readings import PARSERS
from eristic.protocols.logicom.state import (
    CONDITIONS,
    CONVICTION,
    DEBATER,
    FALLACIOUS_HELPER,
    HELPER,
    LOGICAL_HELPER,
    MEMORY,
    PERSUADER,
    PLEASANTRY,
    TOPIC,
    State,
    initial,
)
from eristic.protocols.logicom.suffixes import calls_left
from eristic.protocols.logicom.views import TEMPLATES
from eristic.protocols.machine import Parser, RoleSpec, Step
from eristic.protocols.suffixes import CallsLeft
from eristic.sweeps import CaseSet, is_table, read_logicom_csv

if TYPE_CHECKING:
    from eristic.protocols.reports import Reporter

__all__ = ["LOGICOM", "Logicom"]

_ROLES: Final[Mapping[str, RoleSpec]] = MappingProxyType(
    {
        spec.name: spec
        for spec in (
            RoleSpec(name=PERSUADER, does="argues for the claim until the debater agrees"),
            RoleSpec(
                name=DEBATER,
                does="examines the claim and says whether it agrees; the model under test",
                default_like=PERSUADER,
            ),
            RoleSpec(
                name=HELPER,
                does="rewrites the persuader's draft, with a fallacy or with sound reasons",
                default_like=PERSUADER,
                conditions=(FALLACIOUS_HELPER, LOGICAL_HELPER),
            ),
            RoleSpec(
                name=CONVICTION,
                does="moderator: does the debater now hold the claim to be true?",
                default_like=PERSUADER,
            ),
            RoleSpec(
                name=PLEASANTRY,
                does="moderator: are both sides only greeting and thanking?",
                default_like=CONVICTION,
            ),
            RoleSpec(
                name=TOPIC,
                does="moderator: have both sides left the topic?",
                default_like=CONVICTION,
            ),
            RoleSpec(
                name=MEMORY,
                does="folds old messages into a summary when a prompt is over its trigger",
                default_like=PERSUADER,
            ),
        )
    }
)


class Logicom:
    """The protocol as the engine sees it. Has no state: one instance serves all episodes."""

    name = "logicom"
    version = 1
    roles = _ROLES
    conditions = CONDITIONS
    case_texts = ("topic", "claim", "reason")
    templates = TEMPLATES
    parsers: Mapping[str, Parser] = PARSERS

    def resolve(self, options: Mapping[str, Setting]) -> dict[str, Setting]:
        """Every option with its value; see `options.resolve`."""
        return resolve(options)

    def read_layout(self, files: Mapping[str, bytes], origin: str) -> CaseSet | None:
        """The table of claims that comes with the paper; None for anything else."""
        [content, *others] = files.values()
        if others or not is_table(content, origin=origin):
            return None
        return read_logicom_csv(content, origin=origin)

    def initial(self, opened: EpisodeOpened) -> State:
        """A new episode."""
        return initial(opened)

    def evolve(self, state: State, event: Event) -> State:
        """The state after one more event."""
        return evolve(state, event)

    def decide(self, state: State) -> Step:
        """What is due now."""
        return decide(state)

    def calls_left(self, state: State) -> CallsLeft | None:
        """Calls from this state to the close at least and at most; see `suffixes.calls_left`."""
        return calls_left(state)

    def reporter(self) -> Reporter:
        """The metrics M1 to M10. Raises ExtraMissing without the extra `stats`."""
        # Imported when asked for: playing a debate needs no statistics.
        from eristic.protocols.logicom.metrics import REPORTER

        return REPORTER


LOGICOM: Final = Logicom()
