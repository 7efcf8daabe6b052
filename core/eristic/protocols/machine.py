"""The shape of every protocol: a pure machine, and the generic step that drives it.

A protocol knows three functions. `initial(opened)` gives the state of a new episode,
`evolve(state, event)` gives the state after one more event, `decide(state)` says what is due:
calls to roles, facts to record, or nothing more. All three are pure. The engine asks the roles,
appends what came of it and folds it in; it knows no protocol by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from eristic.debate import (
    Answer,
    AnswerRefused,
    Cast,
    ContextOverflowed,
    EpisodeOpened,
    Event,
    Expected,
    Failed,
    Overflowed,
    Reading,
    Refused,
    Setting,
    Spoke,
    TurnFailed,
    TurnSpoken,
    View,
)

__all__ = [
    "Due",
    "Machine",
    "Parser",
    "Record",
    "RoleSpec",
    "Step",
    "Advance",
    "Wait",
    "advance",
    "complete_cast",
    "fold",
    "needed_roles",
    "playing_roles",
    "record",
]

S = TypeVar("S")

Parser = Callable[[str], Reading]
"""A text as a model gave it -> what it means. Pure and versioned by the reading's parser id."""


class Due(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A role must act: what the engine turns into an ask."""

    turn: int
    role: str
    view: View
    attempt: int = 0
    rank: int = 0
    expected: Expected = Expected()
    parser: str = ""
    """Name in the protocol's `parsers`; empty when the text stands as it is."""
    memory_trigger: int | None = None
    force: bool = False
    params: dict[str, Setting] = {}
    """Sampling that the protocol sets for this turn; what the binding says goes before it."""
    tries: int = 1
    """Times that this turn may be asked for, of all models together (count); 1: unknown."""

    @property
    def key(self) -> tuple[int, str, int]:
        """What tells this call from all others of its episode."""
        return self.turn, self.role, self.attempt


class Wait(msgspec.Struct, frozen=True, gc=False):
    """These calls are due now, all of them, in any order. Those already asked are not repeated."""

    calls: tuple[Due, ...]


class Record(msgspec.Struct, frozen=True, gc=False):
    """These facts follow from the log: append them and decide again."""

    events: tuple[Event, ...]


Step = Wait | Record | None
"""None: the episode is closed."""


class RoleSpec(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A role of a protocol."""

    name: str
    does: str
    """One line for `eristic run --help` and error messages."""
    default_like: str | None = None
    """Role whose binding is used when none is given."""
    conditions: tuple[str, ...] = ()
    """Conditions in which the role plays; empty = in all."""
    is_optional: bool = False
    """It plays only when somebody is bound to it by name; `all` does not bind it."""


class Machine(Protocol[S]):
    """A protocol. One folder holds it: machine, prompts, parsers, policies, starter cases."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> int: ...
    @property
    def roles(self) -> Mapping[str, RoleSpec]: ...
    @property
    def conditions(self) -> tuple[str, ...]: ...
    @property
    def case_texts(self) -> tuple[str, ...]:
        """Texts that a case must have, none of them empty."""
        ...

    @property
    def templates(self) -> tuple[str, ...]:
        """Ids of the prompt files; `id.toml` lies in the folder `prompts` of the protocol."""
        ...

    @property
    def parsers(self) -> Mapping[str, Parser]: ...

    def resolve(self, options: Mapping[str, Setting]) -> dict[str, Setting]:
        """Every option with its value, from a profile and overrides.

        Raises SpecRefused for an unknown option or value, with the nearest name.
        """
        ...

    def initial(self, opened: EpisodeOpened) -> S: ...
    def evolve(self, state: S, event: Event) -> S: ...
    def decide(self, state: S) -> Step: ...


class Advance(msgspec.Struct, Generic[S], frozen=True, gc=False):
    """Where an episode stands after its newest events."""

    state: S
    events: tuple[Event, ...]
    """Facts to append that follow from what was already there; already folded in."""
    due: tuple[Due, ...]
    """Calls to make once the events are durable."""
    closed: bool


def fold(machine: Machine[S], events: Iterable[Event]) -> S:
    """The state after these events; the first must be EpisodeOpened.

    Raises ValueError for a chain that does not begin with EpisodeOpened.
    """
    stream = iter(events)
    first = next(stream, None)
    if not isinstance(first, EpisodeOpened):
        raise ValueError("an episode begins with episode.opened; this chain does not")
    state = machine.initial(first)
    for event in stream:
        state = machine.evolve(state, event)
    return state


def advance(machine: Machine[S], state: S) -> Advance[S]:
    """Decide until a role must act or the episode is closed."""
    events: list[Event] = []
    while True:
        step = machine.decide(state)
        if isinstance(step, Record):
            for event in step.events:
                state = machine.evolve(state, event)
            events += step.events
            continue
        calls = step.calls if step is not None else ()
        closed = step is None
        return Advance(state=state, events=tuple(events), due=calls, closed=closed)


def record(
    due: Due, answer: Answer, *, seed: int, parsers: Mapping[str, Parser], epoch: int
) -> Event:
    """The event that an answer becomes. The text is parsed here, once, by the named parser."""
    outcome = answer.outcome
    match outcome:
        case Spoke():
            return TurnSpoken(
                turn=due.turn,
                role=due.role,
                attempt=due.attempt,
                epoch=epoch,
                rank=due.rank,
                text=outcome.text,
                seed=seed,
                call=outcome.call,
                reading=parsers[due.parser](outcome.text) if due.parser else None,
                source=outcome.source,
            )
        case Overflowed():
            return ContextOverflowed(
                turn=due.turn,
                role=due.role,
                attempt=due.attempt,
                tokens=outcome.tokens,
                threshold=outcome.threshold,
                tokenizer=outcome.tokenizer,
                line_tokens=outcome.line_tokens,
            )
        case Failed():
            return TurnFailed(
                turn=due.turn,
                role=due.role,
                attempt=due.attempt,
                epoch=epoch,
                rank=due.rank,
                error=outcome.error,
                message=outcome.message,
                failed=outcome.failed,
            )
        case Refused():
            return AnswerRefused(
                turn=due.turn,
                role=due.role,
                attempt=due.attempt,
                epoch=answer.epoch,
                reason=outcome.reason,
            )


def needed_roles(machine: Machine[Any], conditions: Iterable[str]) -> tuple[str, ...]:
    """Roles that play in at least one of these conditions, in the protocol's order; without the
    optional ones."""
    return tuple(
        name for name in playing_roles(machine, conditions) if not machine.roles[name].is_optional
    )


def playing_roles(machine: Machine[Any], conditions: Iterable[str]) -> tuple[str, ...]:
    """As `needed_roles`, and the optional ones."""
    wanted = set(conditions)
    return tuple(
        name
        for name, spec in machine.roles.items()
        if not spec.conditions or wanted.intersection(spec.conditions)
    )


def complete_cast(machine: Machine[Any], given: Cast, conditions: Iterable[str]) -> Cast:
    """The cast of these conditions: given bindings, and defaults taken from like roles.

    An optional role that nobody is bound to is left out. Raises KeyError with the first role for
    which nothing is bound.
    """
    cast: Cast = {}
    for role in playing_roles(machine, conditions):
        if machine.roles[role].is_optional and role not in given:
            continue
        like: str | None = role
        while like is not None and like not in given:
            like = machine.roles[like].default_like
        if like is None:
            raise KeyError(role)
        cast[role] = given[like]
    return cast
