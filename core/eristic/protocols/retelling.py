"""Any story told again with other options, on the turns that were recorded.

A story is a protocol whose rules are options, so a policy is a set of options: `rounds=2`, or
several at once, `rounds=2,judge=single`. The record is told twice. Told with the episode's own
options it says what every role was shown. Told with the changed ones it says what every role would
have been shown, and where that is the same, and the same model was asked with the same sampling,
the recorded answer is what would have been answered. It is read by the parser that the changed
options name, and a recorded failure stays one.

A call that was never made ends it: the episode would have gone on. A call that was made and would
have shown something else ends it as well, for nobody knows the answer to that. An earlier end is
exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from eristic.debate import (
    ContextOverflowed,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    RulingMade,
    Setting,
    TurnFailed,
    TurnSpoken,
)
from eristic.debate.errors import CaseRefused, SpecRefused, nearest
from eristic.protocols.machine import Due, Record
from eristic.protocols.recomputing import (
    GOES_ON,
    NOT_RECORDED,
    Decided,
    PolicyNote,
    Prepared,
)
from eristic.protocols.stories import Scene, Story, StoryMachine, Tale
from eristic.sweeps import parse_override
from eristic.sweeps.bindings import read_setting

__all__ = ["OWN_RULES", "Retold", "StoryRecomputer"]

OWN_RULES: Final = "own-rules"
"""The policy that changes nothing."""
_PROFILE: Final = "profile"

Options = Mapping[str, Setting]
_Key = tuple[int, str, int]
_Answer = TurnSpoken | TurnFailed | ContextOverflowed
_Found = _Answer | str
"""An answer, or why there is none: a cause of censoring."""


class Retold(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A story told again, with all that was decided on the way."""

    decided: Decided
    rulings: tuple[RulingMade, ...]
    """In order; of a censored episode those up to there, which are exact."""


class StoryRecomputer:
    """See Recomputer. Has no state but the protocol."""

    def __init__(self, machine: StoryMachine) -> None:
        self._machine = machine

    @property
    def protocol(self) -> str:
        """See Recomputer."""
        return self._machine.name

    @property
    def success(self) -> str:
        """See Recomputer."""
        return self._machine.success

    @property
    def notes(self) -> Sequence[PolicyNote]:
        """The options that can be changed, with their usual values."""
        own = PolicyNote(form=OWN_RULES, does="the episode's own options")
        usual = self._machine.resolve({}).items()
        changes = (PolicyNote(form=f"{x}=VALUE", does=f"usually {_plain(y)}") for x, y in usual)
        return own, *changes

    def retell(
        self, opened: EpisodeOpened, events: Iterable[Event], policies: Sequence[str]
    ) -> tuple[Retold, ...]:
        """One episode under each policy. events: after the header. Raises as `prepare`, `hear`."""
        hearing = self._prepare(policies, {}).hear(opened)
        for event in events:
            hearing.take(event)
        return hearing.retell()

    def prepare(self, policies: Sequence[str], parsers: Mapping[str, str]) -> Prepared:
        """See Recomputer. Values are checked with every episode, whose other options they join."""
        return self._prepare(policies, parsers)

    def _prepare(self, policies: Sequence[str], parsers: Mapping[str, str]) -> _Prepared:
        known = self._machine.resolve({})
        if parsers:
            raise SpecRefused(
                f"{self.protocol} has no parsers to name: how answers are read is an option. Use "
                f"--policy OPTION=VALUE with one of {', '.join(known)}"
            )
        mark = f"{self.protocol}.v{self._machine.version}:"
        found: dict[str, Options] = {}
        for text in policies or (OWN_RULES,):
            changes = _changes(text.strip().removeprefix(mark), known, self.protocol)
            said = ",".join(f"{name}={_plain(value)}" for name, value in changes.items())
            # The same policy twice would be the same column twice.
            found[mark + (said or OWN_RULES)] = changes
        return _Prepared(self._machine, found)


def _changes(text: str, known: Options, protocol: str) -> Options:
    """Option -> value. A piece without `=` belongs to the value before it: `order=a,b,rounds=2`."""
    if text == OWN_RULES:
        return {}
    pieces: list[str] = []
    for piece in text.split(","):
        if "=" in piece or not pieces:
            pieces.append(piece)
        else:
            pieces[-1] += f",{piece}"
    changes: dict[str, Setting] = {}
    for piece in pieces:
        name, equals, _ = piece.partition("=")
        name = name.strip()
        if name not in known:
            hint = nearest(name, [*known, OWN_RULES])
            raise SpecRefused(f"policy {text!r}: {protocol} has no option {name!r}.{hint}")
        if not equals:
            raise SpecRefused(f"policy {text!r}: write {name}=VALUE")
        if name in changes:
            raise SpecRefused(f"policy {text!r}: {name} is given twice; keep one of them")
        try:
            changes[name] = read_setting(parse_override(piece).value)
        except SpecRefused as error:
            raise SpecRefused(f"policy {text!r}: {name}: {error}") from error
    return changes


def _plain(value: Setting) -> str:
    """As it is typed."""
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


class _Prepared:
    """See Prepared."""

    parsers: Mapping[str, str] = {}
    decides_failures = True

    def __init__(self, machine: StoryMachine, changes: Mapping[str, Options]) -> None:
        self._machine = machine
        self._changes = changes
        self.policies = tuple(changes)

    def subject(self, opened: EpisodeOpened) -> str:
        """See Prepared."""
        bound = opened.cast.get(self._machine.subject_role)
        return bound.model if bound is not None else ""

    def hear(self, opened: EpisodeOpened) -> _Hearing:
        """See Prepared."""
        changed = [self._changed(opened, *change) for change in self._changes.items()]
        return _Hearing(self._machine, opened, changed)

    def _changed(self, opened: EpisodeOpened, policy: str, changes: Options) -> EpisodeOpened:
        if not changes:
            return opened
        try:
            own = self._machine.resolve(opened.options)
        except SpecRefused as error:
            raise ValueError(f"its options are none of {self._machine.name}: {error}") from error
        # A profile names the whole set; every other option is laid over the recorded ones.
        base = {} if _PROFILE in changes else own
        try:
            return replace(opened, options=self._machine.resolve({**base, **changes}))
        except SpecRefused as error:
            raise SpecRefused(f"policy {policy}: {error}") from error


class _Hearing:
    """See Hearing."""

    def __init__(
        self, machine: StoryMachine, opened: EpisodeOpened, changed: Sequence[EpisodeOpened]
    ) -> None:
        self._machine = machine
        self._opened = opened
        self._changed = changed
        self._answers: dict[_Key, _Answer] = {}
        self._drawn: list[RulingMade] = []
        """Of a branch alone: it has a seed of its own, and may keep what its source drew."""

    def take(self, event: Event) -> None:
        """See Hearing."""
        if isinstance(event, TurnSpoken) and event.source == "template":
            return
        if isinstance(event, TurnSpoken | TurnFailed | ContextOverflowed):
            self._answers.setdefault((event.turn, event.role, event.attempt), event)
        elif isinstance(event, RulingMade) and self._opened.parent is not None:
            self._drawn.append(event)

    def decide(self) -> tuple[Decided, ...]:
        """See Hearing."""
        return tuple(told.decided for told in self.retell())

    def retell(self) -> tuple[Retold, ...]:
        """The same with every ruling."""
        asked: dict[_Key, Due] = {}

        def recorded(due: Due) -> _Found:
            asked[due.key] = due
            return self._answers.get(due.key, GOES_ON)

        own = self._tell(self._opened, recorded)
        found = self._reader(asked)
        return tuple(
            own if opened is self._opened else self._tell(opened, found) for opened in self._changed
        )

    def _tell(self, opened: EpisodeOpened, answer: Callable[[Due], _Found]) -> Retold:
        """How the story ends with these answers. Raises ValueError for a header without a story."""
        scene = Scene(Tale(opened), self._drawn)
        try:
            return _told(self._machine.story(scene), scene, answer)
        except (CaseRefused, LookupError) as error:
            raise ValueError(f"{self._machine.name} cannot tell of its case: {error}") from error

    def _reader(self, asked: Mapping[_Key, Due]) -> Callable[[Due], _Found]:
        def found(due: Due) -> _Found:
            answer, before = self._answers.get(due.key), asked.get(due.key)
            if answer is None:
                return GOES_ON
            if before is None or not self._is_same_call(before, due):
                return NOT_RECORDED
            if not isinstance(answer, TurnSpoken) or before.parser == due.parser:
                return answer
            parser = self._machine.parsers.get(due.parser)
            return replace(answer, reading=parser(answer.text) if parser is not None else None)

        return found

    def _is_same_call(self, before: Due, due: Due) -> bool:
        """The same model would have been sent the same."""
        if (before.view, before.rank) != (due.view, due.rank):
            return False
        binding = self._opened.cast.get(due.role)
        bound = binding.params if binding is not None else {}
        is_held = binding is not None and binding.constrain != "none"
        # What the binding says goes before what the protocol says; a form that no model is held
        # to reaches no model.
        return {**before.params, **bound} == {**due.params, **bound} and (
            not is_held or before.expected == due.expected
        )


def _told(story: Story, scene: Scene, answer: Callable[[Due], _Found]) -> Retold:
    """Told once, from its beginning, which takes time linear in the episode."""
    rulings: list[RulingMade] = []
    heard: list[int] = []
    while True:
        try:
            step = next(story)
        except StopIteration as end:
            inputs = rulings[-1].inputs if rulings else ()
            return Retold(decided=_ended(end.value, inputs or heard), rulings=tuple(rulings))
        if isinstance(step, Record):
            rulings += (x for x in step.events if isinstance(x, RulingMade))
            events: Sequence[Event] = step.events
        else:
            calls = step.calls if step is not None else ()
            found = [answer(due) for due in calls]
            causes = {x for x in found if isinstance(x, str)}
            if causes:
                # What was made and cannot be used is nearer than what was never made.
                cause = NOT_RECORDED if NOT_RECORDED in causes else GOES_ON
                number = 1 + (rulings[-1].round if rulings else 0)
                lost = Decided(outcome=None, reason="", round=number, censored=cause)
                return Retold(decided=lost, rulings=tuple(rulings))
            heard += (due.turn for due in calls)
            events = [x for x in found if not isinstance(x, str)]
        for event in events:
            scene.take(event)


def _ended(closed: EpisodeClosed, inputs: Sequence[int]) -> Decided:
    return Decided(
        outcome=closed.outcome,
        reason=closed.reason,
        round=closed.rounds,
        inputs=tuple(sorted(set(inputs))),
        by_default=closed.facts.get("by_default") is True,
    )
