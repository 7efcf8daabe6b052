"""One episode gone through again: would this version have written the same log?

The walk does what the director did. It decides after every event, keeps the calls that are out,
and expects the facts that follow. Nothing is asked again: the answers are those of the log.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from eristic.debate import (
    AnswerRefused,
    ContextOverflowed,
    EpisodeOpened,
    Event,
    RoleSwapped,
    RulingMade,
    TurnFailed,
    TurnSpoken,
)
from eristic.debate.errors import SpecRefused
from eristic.debate.ids import ask_seed
from eristic.debate.prompting import Template, digest, render
from eristic.protocols import Due, Machine, Record, Wait
from eristic.protocols.stories import Tale
from eristic.replay.findings import Fault, differences, name_event, shorten

__all__ = ["Proof", "Walk"]

_Key = tuple[int, str, int]
_Answer = TurnSpoken | TurnFailed | ContextOverflowed
Proof = Literal["rebuilt", "not_recorded", "refuted"]
"""What became of a turn's prompt."""


class Walk:
    """The walk through one open episode.

    templates: those of the run's templates that are the ones the header names.
    Raises whatever the machine raises for a header it cannot begin with.
    """

    def __init__(
        self,
        machine: Machine[Any],
        opened: EpisodeOpened,
        templates: Mapping[str, Template],
    ) -> None:
        self._machine = machine
        self._opened = opened
        self._templates = templates
        self._state: Any = machine.initial(opened)
        # More than one form of a call: it was due, then a swap changed it before its answer came.
        self._out: dict[_Key, tuple[Due, ...]] = {}
        self._asked: set[_Key] = set()
        self._ready: tuple[Event, ...] = ()
        """Facts that follow now. Answers that were already on their way may stand before them."""
        self._is_kept = False
        """The event taken last stands in the beginning that a branch shares."""
        self._begun: deque[Event] = deque()
        """The rest of facts of which the first is in the log: they were written together."""
        self._epochs = {role: {binding.epoch} for role, binding in opened.cast.items()}
        self._is_closed = False
        self._kept = opened.parent.shared if opened.parent is not None else 0
        """Events still to come that a branch took over."""
        self.proof: Proof | None = None
        """What became of the prompt of the event taken last; None when it has none."""
        self._decide()

    @property
    def opened(self) -> EpisodeOpened:
        """The episode's header."""
        return self._opened

    def take(self, event: Event) -> list[Fault]:
        """Go on by one event; what does not hold about it."""
        self._is_kept = self._kept > 0
        self._kept -= self._is_kept
        self.proof = None
        if self._is_kept and isinstance(event, TurnSpoken) and event.source == "imported":
            return self._take_told(event)
        if self._begun:
            return self._take_fact(event)
        if isinstance(event, TurnSpoken | TurnFailed | ContextOverflowed):
            key = (event.turn, event.role, event.attempt)
            if key in self._out:
                return self._take_answer(event, self._out.pop(key))
        elif isinstance(event, AnswerRefused):
            return self._take_refused(event)
        elif isinstance(event, RoleSwapped) and event.cause == "operator":
            return self._take_swap(event)
        if self._ready:
            self._begun, self._ready = deque(self._ready), ()
            return self._take_fact(event)
        return [self._not_due(event)]

    def _decide(self) -> None:
        step = self._machine.decide(self._state)
        if isinstance(step, Record):
            self._ready = step.events
            return
        self._ready = ()
        if isinstance(step, Wait):
            for call in step.calls:
                forms = self._out.get(call.key, ())
                if call not in forms:
                    self._out[call.key] = (*forms, call)
                    self._asked.add(call.key)
        else:
            self._is_closed = True

    def _fold(self, event: Event) -> None:
        self._state = self._machine.evolve(self._state, event)

    def _take_fact(self, event: Event) -> list[Fault]:
        due = self._begun.popleft()
        if event != due and self._is_kept:
            due = self._told_from(event) or due
        if event != due:
            expected, actual = differences(due, event)
            what = f"this version decides {name_event(due)}"
            if type(due) is type(event):
                what = "decided differently by this version"
            return [
                Fault(
                    kind="redecided",
                    what=what,
                    expected=expected,
                    actual=actual,
                    is_fatal=True,
                )
            ]
        self._fold(event)
        if not self._begun:
            self._decide()
            # Until the machine waits, all facts were written in one go.
            self._begun, self._ready = deque(self._ready), ()
        return []

    def _told_from(self, kept: Event) -> Event | None:
        """What a story decides when a draw of its source stands in the beginning it shares: the
        branch has another seed. None when there is nothing to draw."""
        if not isinstance(kept, RulingMade) or not isinstance(self._state, Tale):
            return None
        step = self._machine.decide(self._state.given(kept))
        return step.events[0] if isinstance(step, Record) else None

    def _take_told(self, event: TurnSpoken) -> list[Fault]:
        """A turn that was said elsewhere follows from nothing; what was due before it is not."""
        self.proof = None if "template" in event.remarks else "not_recorded"
        self._out.clear()
        self._fold(event)
        self._decide()
        return []

    def _not_due(self, event: Event) -> Fault:
        waits = ", ".join(f"turn {t} of {role} (attempt {n})" for t, role, n in self._out)
        if self._is_closed:
            waits = "nothing: the episode is closed"
        is_answer = isinstance(event, TurnSpoken | TurnFailed | ContextOverflowed)
        return Fault(
            kind="damaged" if is_answer else "redecided",
            what="answers no call that was due" if is_answer else "does not follow from the log",
            expected=shorten(waits),
            actual=name_event(event),
            is_fatal=True,
        )

    def _take_answer(self, event: _Answer, forms: tuple[Due, ...]) -> list[Fault]:
        rank = getattr(event, "rank", None)
        call = next((form for form in forms if rank in (None, form.rank)), forms[-1])
        faults = self._call_faults(event, call)
        if isinstance(event, TurnSpoken):
            faults += self._turn_faults(event, call)
        self._fold(event)
        self._decide()
        return faults

    def _call_faults(self, event: _Answer, call: Due) -> list[Fault]:
        faults = []
        if isinstance(event, ContextOverflowed):
            trigger = call.memory_trigger
            if call.force:
                faults.append(_damaged("overflow of a call that was forced", "no overflow", event))
            elif trigger is not None and event.threshold != trigger:
                faults.append(_damaged("threshold", trigger, event.threshold))
            return faults
        if event.rank != call.rank:
            faults.append(_damaged("rank of the model", call.rank, event.rank))
        epochs = self._epochs.get(event.role, {0})
        if event.epoch not in epochs:
            faults.append(_damaged("epoch", sorted(epochs), event.epoch))
        return faults

    def _turn_faults(self, event: TurnSpoken, call: Due) -> list[Fault]:
        faults = []
        parse = self._machine.parsers[call.parser] if call.parser else None
        reading = parse(event.text) if parse is not None else None
        if reading != event.reading:
            expected, actual = differences(reading, event.reading)
            faults.append(
                Fault(
                    kind="redecided",
                    what="decided differently by this version: the text is read otherwise",
                    expected=expected,
                    actual=actual,
                )
            )
        if event.source in ("model", "human"):
            faults += self._model_faults(event, call)
        return faults

    def _model_faults(self, event: TurnSpoken, call: Due) -> list[Fault]:
        if event.call is None:
            return [_damaged("call of a model's turn", "the facts of the call", "none")]
        faults = []
        # The kept turns' seeds derive from the header that the branch comes from.
        if not self._is_kept and event.seed != (seed := self._seed(call)):
            faults.append(_damaged("seed", seed, event.seed))
        if not event.call.prompt:
            self.proof = "not_recorded"
            return faults
        fault = self._prompt_fault(event.call.prompt, call)
        self.proof = "rebuilt" if fault is None else "refuted"
        # A template that is not the header's is said once for the run, not for each of its turns.
        is_said = call.view.template not in self._templates
        if fault is not None and not (is_said and call.view.template in self._opened.prompts):
            faults.append(fault)
        return faults

    def _prompt_fault(self, said: str, call: Due) -> Fault | None:
        template = self._templates.get(call.view.template)
        if template is None:
            return Fault(kind="prompt", what="its template is not in the log")
        try:
            rebuilt = digest(render(template, call.view, speaker=call.role))
        except SpecRefused as error:
            return Fault(kind="prompt", what=f"its prompt cannot be rebuilt: {error}")
        if rebuilt == said:
            return None
        return Fault(
            kind="prompt",
            what="the prompt rebuilt from the log is not the one that was sent",
            expected=rebuilt,
            actual=shorten(said),
        )

    def _seed(self, call: Due) -> int | None:
        if self._opened.seed is None:
            return None
        # As the director derives it for every ask; a test holds the two together.
        return ask_seed(
            self._opened.seed,
            role=call.role,
            turn=call.turn,
            attempt=call.attempt,
            rank=call.rank,
        )

    def _take_refused(self, event: AnswerRefused) -> list[Fault]:
        key = (event.turn, event.role, event.attempt)
        self._fold(event)
        self._decide()
        return [] if key in self._asked else [self._not_due(event)]

    def _take_swap(self, event: RoleSwapped) -> list[Fault]:
        """An operator's swap follows from no log; it need only be possible."""
        epochs = self._epochs.get(event.role)
        if epochs is None or event.epoch <= max(epochs):
            newest = "no such role" if epochs is None else f"an epoch above {max(epochs)}"
            return [_damaged("swapped epoch", newest, event.epoch)]
        epochs.add(event.epoch)
        self._fold(event)
        self._decide()
        return []


def _damaged(what: str, expected: object, actual: object) -> Fault:
    if isinstance(actual, msgspec.Struct):
        actual = "an overflow"
    return Fault(
        kind="damaged",
        what=f"{what}: the log contradicts itself",
        expected=str(expected),
        actual=shorten(str(actual)),
    )
