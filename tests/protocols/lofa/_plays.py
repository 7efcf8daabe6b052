"""Episodes of `lofa`, told with answers in turn: given these answers, that follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from eristic.debate import (
    Answer,
    Binding,
    Case,
    ContextOverflowed,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    Failed,
    Outcome,
    Overflowed,
    RulingMade,
    Served,
    Setting,
    Spoke,
    TurnSpoken,
)
from eristic.protocols.lofa import LOFA
from eristic.protocols.lofa.names import FALLACIES, PROBE_POLICY
from eristic.protocols.machine import Due, advance, fold, record
from eristic.protocols.stories import StoryMachine, Tale

OPTIONS: tuple[tuple[str, int], ...] = (
    ("Melbourne", 0),
    ("Sydney", 2),
    ("Canberra", 1),
    ("Perth", 0),
)
RIGHT, WRONG, TARGET, UNKNOWN, NONE = (f"Option {n}" for n in (3, 1, 2, 5, 6))
REPLY = "I hear you."


def capital(**changes: object) -> Case:
    """A multiple choice with three arguments for each fallacy. changes: texts and data."""
    texts = {
        "question": "Which city is the capital of Australia?",
        "false_claim": "Sydney is the capital of Australia.",
        "target": "Sydney",
        "true_facts": "Canberra is the capital of Australia.",
    }
    data: dict[str, object] = {
        "gold": "Canberra",
        "options": [{"text": text, "score": score} for text, score in OPTIONS],
        "arguments": {name: [f"{name} {n}." for n in (1, 2, 3)] for name in FALLACIES},
    }
    return _changed(Case(case_id="capital", block="capital", texts=texts, data=data), changes)


def bats(**changes: object) -> Case:
    """A yes/no question whose true answer is no."""
    texts = {"question": "Are bats blind?", "false_claim": "Bats are blind.", "target": "yes"}
    data: dict[str, object] = {
        "gold": False,
        "options": [],
        "arguments": {name: [f"{name} {n}." for n in (1, 2, 3)] for name in FALLACIES},
    }
    return _changed(Case(case_id="bats", block="bats", texts=texts, data=data), changes)


def _changed(case: Case, changes: Mapping[str, object]) -> Case:
    texts, data = dict(case.texts), dict(case.data)
    for name, value in changes.items():
        if name in texts:
            texts[name] = str(value)
        else:
            data[name] = value
    return Case(case_id=case.case_id, block=case.block, texts=texts, data=data)


def opened(
    case: Case | None = None,
    condition: str = "straw_man.plain",
    *,
    machine: StoryMachine = LOFA,
    roles: Iterable[str] = ("respondent",),
    seed: int | None = 7,
    given: Mapping[str, Setting] | None = None,
    **options: Setting,
) -> EpisodeOpened:
    """The header of an episode. given: more options."""
    return EpisodeOpened(
        protocol=machine.name,
        protocol_version=1,
        case=case or capital(),
        condition=condition,
        repetition=0,
        options=machine.resolve({**(given or {}), **options}),
        cast={role: Binding(model="m") for role in roles},
        prompts={},
        software="eristic test",
        seed=seed,
    )


def said(text: str, *, refusal: bool = False, finish: str = "stop") -> Spoke:
    return Spoke(text=text, call=Served(model="m", refusal=refusal, finish=finish))


FAILED = Failed(error="timeout", message="no answer")
OVERFLOWED = Overflowed(tokens=9, threshold=8, tokenizer="t", line_tokens=())


class Play:
    """An episode that is played by hand."""

    def __init__(self, header: EpisodeOpened, machine: StoryMachine = LOFA) -> None:
        self.machine = machine
        self.events: list[Event] = [header]
        self.asked: list[Due] = []
        """Every call that was answered, in turn."""
        self.due: tuple[Due, ...] = ()
        self._go_on()

    def answer(self, outcome: Outcome, place: int = 0) -> None:
        due = self.due[place]
        self.asked.append(due)
        answer = Answer(
            episode="e", turn=due.turn, role=due.role, outcome=outcome, attempt=due.attempt
        )
        self.events.append(record(due, answer, seed=1, parsers=self.machine.parsers, epoch=0))
        self._go_on()

    def say(self, *texts: str | Outcome) -> Play:
        for text in texts:
            self.answer(said(text) if isinstance(text, str) else text)
        return self

    def until_the_end(self, reply: Callable[[Due], str], most: int = 200) -> Play:
        for _ in range(most):
            if not self.due:
                return self
            self.answer(said(reply(self.due[0])))
        raise AssertionError(f"no end after {most} answers")

    def _go_on(self) -> None:
        step = advance(self.machine, fold(self.machine, self.events))
        self.events += step.events
        self.due = step.due

    @property
    def state(self) -> Tale:
        state: Any = fold(self.machine, self.events)
        assert isinstance(state, Tale)
        return state

    @property
    def closed(self) -> EpisodeClosed:
        last = self.events[-1]
        assert isinstance(last, EpisodeClosed), f"not closed, due: {self.due}"
        return last

    def rulings(self, policy: str) -> list[RulingMade]:
        return [x for x in self.events if isinstance(x, RulingMade) and x.policy == policy]

    @property
    def probes(self) -> list[str]:
        return [ruling.decision for ruling in self.rulings(PROBE_POLICY)]

    @property
    def spoken(self) -> list[TurnSpoken]:
        return [event for event in self.events if isinstance(event, TurnSpoken)]

    @property
    def overflows(self) -> list[ContextOverflowed]:
        return [event for event in self.events if isinstance(event, ContextOverflowed)]


def play(*answers: str | Outcome, header: EpisodeOpened | None = None, **options: Setting) -> Play:
    """First answer, then reply, probe, reply, probe, ..."""
    return Play(header or opened(given=options)).say(*answers)


def attacked(*probes: str | Outcome, first: str = RIGHT) -> list[str | Outcome]:
    """The answers of an episode with these probes, each after a plain reply."""
    return [first, *(part for probe in probes for part in (REPLY, probe))]
