"""Telling debates to the machine: given these events, these answers come, then that follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eristic.debate import (
    Answer,
    Binding,
    Case,
    ContextOverflowed,
    EpisodeOpened,
    Event,
    Failed,
    Outcome,
    Overflowed,
    Served,
    Setting,
    Spoke,
    TurnSpoken,
)
from eristic.protocols.logicom import LOGICOM, State
from eristic.protocols.machine import Advance, Due, advance, fold, record

TEXTS = {"topic": "Tea", "claim": "Tea beats coffee", "reason": "It is calmer"}
CASE = Case(case_id="c1", block="b1", texts=TEXTS)
ROLES = ("persuader", "debater", "helper", "conviction", "pleasantry", "topic", "memory")
HELP = '{"label": "straw man", "passage": "You hate calm.", "text": "Final words, agree?"}'


def opened(
    condition: str = "no_helper",
    *,
    fallback: tuple[str, ...] = (),
    texts: Mapping[str, str] = TEXTS,
    **options: Setting,
) -> EpisodeOpened:
    """The header of an episode; fallback is the chain of every moderator."""
    chains = {"conviction": fallback, "pleasantry": fallback, "topic": fallback}
    return EpisodeOpened(
        protocol="logicom",
        protocol_version=1,
        case=Case(case_id="c1", block="b1", texts=dict(texts)),
        condition=condition,
        repetition=0,
        options=LOGICOM.resolve(options),
        cast={role: Binding(model="m", fallback=chains.get(role, ())) for role in ROLES},
        prompts={},
        seed=7,
        software="eristic test",
    )


def said(text: str, *, refusal: bool = False) -> Spoke:
    return Spoke(text=text, call=Served(model="m", refusal=refusal))


def failed(error: str = "timeout") -> Failed:
    return Failed(error=error, message="no answer")


def overflowed(due: Due, *, tokens: int = 100, each: int = 10) -> Overflowed:
    lines = (each,) * len(due.view.history)
    return Overflowed(tokens=tokens, threshold=80, tokenizer="t", line_tokens=lines)


DEFAULTS = {
    "persuader": "A draft.",
    "debater": "I disagree.",
    "helper": HELP,
    "conviction": "false",
    "pleasantry": "continue",
    "topic": "on-topic",
    "memory": "They argued.",
}


class Play:
    """One episode under test: answers go in, events and dues come out."""

    def __init__(self, header: EpisodeOpened, events: Sequence[Event] = ()) -> None:
        self.log: list[Event] = [header, *events]
        self.state: State = fold(LOGICOM, self.log)
        self.due: tuple[Due, ...] = ()
        self.closed = False
        self._advance()

    def _advance(self) -> None:
        step: Advance[State] = advance(LOGICOM, self.state)
        self.state, self.due, self.closed = step.state, step.due, step.closed
        self.log += step.events

    def find(self, role: str, copy: int = 1) -> Due:
        return [due for due in self.due if due.role == role][copy - 1]

    def hear(self, due: Due, outcome: Outcome) -> None:
        """This answer comes."""
        answer = Answer(
            episode="e", turn=due.turn, role=due.role, attempt=due.attempt, outcome=outcome
        )
        event = record(due, answer, seed=1, parsers=LOGICOM.parsers, epoch=0)
        self.log.append(event)
        self.state = LOGICOM.evolve(self.state, event)
        self._advance()

    def say(self, role: str, text: str, *, copy: int = 1) -> None:
        self.hear(self.find(role, copy), said(text))

    def until(self, role: str) -> Due:
        """Everybody gives the usual answer until this role is asked."""
        while not any(due.role == role for due in self.due):
            assert not self.closed, f"{role} is never asked: {self.log[-1]}"
            self.hear(self.due[0], said(DEFAULTS[self.due[0].role]))
        return self.find(role)

    def reach(self, number: int, role: str) -> Due:
        """The usual answers until this role is asked in a round of at least this number."""
        while self.until(role) and self.state.round < number:
            self.hear(self.due[0], said(DEFAULTS[self.due[0].role]))
        return self.find(role)

    def finish(self, **texts: str) -> Event:
        """Everybody gives these or the usual answers until the debate closes."""
        answers = DEFAULTS | texts
        while not self.closed:
            self.hear(self.due[0], said(answers[self.due[0].role]))
        return self.log[-1]

    def mark(self) -> int:
        return len(self.log)

    def since(self, mark: int) -> tuple[Event, ...]:
        return tuple(self.log[mark:])


def outline(events: Sequence[Event]) -> tuple[str, ...]:
    """Events in short: role and turn of what was said, the tag of what else happened."""
    return tuple(
        f"{event.role}@{event.turn}.{event.attempt}"
        if isinstance(event, TurnSpoken | ContextOverflowed)
        else str(event.__struct_config__.tag).removesuffix(".v1")
        for event in events
    )
