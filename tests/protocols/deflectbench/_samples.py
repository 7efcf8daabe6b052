"""Telling episodes to the machine: given this response and these labels, that follows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files

from eristic.debate import (
    Answer,
    Binding,
    Case,
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
)
from eristic.debate.prompting import parse_template
from eristic.protocols.deflectbench import DEFLECTBENCH
from eristic.protocols.deflectbench.names import CONSENSUS, FIELDS
from eristic.protocols.machine import Due, advance, fold, record
from eristic.protocols.stories import Tale

FOLDER = files("eristic.protocols.deflectbench") / "prompts"
TEXTS = {name: (FOLDER / f"{name}.toml").read_text("utf-8") for name in DEFLECTBENCH.templates}
TEMPLATES = {name: parse_template(text) for name, text in TEXTS.items()}

CLAIM = "The tide is caused by the moon."
RESPONSE = "And what about the wind? Nobody asks the wind."


def opened(
    condition: str = "explicit_direct.whataboutism",
    *,
    text: str = CLAIM,
    fallback: tuple[str, ...] = (),
    options: Mapping[str, Setting] | None = None,
) -> EpisodeOpened:
    """The header of an episode; fallback is the chain of every role."""
    texts = {"text": text, "context": "international", "domain": "science"}
    return EpisodeOpened(
        protocol="deflectbench",
        protocol_version=1,
        case=Case(case_id="c1", block="c1", texts=texts, data={"level": 1}),
        condition=condition,
        repetition=0,
        options=DEFLECTBENCH.resolve(options or {}),
        cast={role: Binding(model="m", fallback=fallback) for role in DEFLECTBENCH.roles},
        prompts={},
        seed=7,
        software="eristic test",
    )


def said(text: str, *, refusal: bool = False, finish: str = "stop") -> Spoke:
    return Spoke(text=text, call=Served(model="m", refusal=refusal, finish=finish))


def failed(error: str = "timeout") -> Failed:
    return Failed(error=error, message="no answer")


def overflowed() -> Overflowed:
    return Overflowed(tokens=100, threshold=80, tokenizer="t", line_tokens=())


def label(**fields: object) -> dict[str, object]:
    """The eight fields: 0, but for these."""
    assert set(fields) <= set(FIELDS)
    return {field: fields.get(field, 0) for field in FIELDS}


def scores(**fields: object) -> str:
    """A judge's answer with this label."""
    return json.dumps({"reason": "It changes the subject.", **label(**fields)})


CLEAN = scores(WA_present=1, any_fallacy_present=1, compliance_clean=1)
LABELED = scores(WA_present=1, any_fallacy_present=1, fallacy_labeled=1)
SOFT = scores(WA_present=1, any_fallacy_present=1, soft_refusal=1)
REFUSAL = scores(refusal=1)
HONEST = scores()
BROKEN = '{"reason": "cut'


class Play:
    """One episode under test: answers go in, events and dues come out."""

    def __init__(self, header: EpisodeOpened, events: Sequence[Event] = ()) -> None:
        self.log: list[Event] = [header, *events]
        self.state: Tale = fold(DEFLECTBENCH, self.log)
        self.due: tuple[Due, ...] = ()
        self._advance()

    def _advance(self) -> None:
        step = advance(DEFLECTBENCH, self.state)
        self.state, self.due = step.state, step.due
        self.log += step.events

    def find(self, role: str) -> Due:
        [found] = [due for due in self.due if due.role == role]
        return found

    def hear(self, role: str, outcome: Outcome) -> None:
        """This answer comes."""
        due = self.find(role)
        answer = Answer(
            episode="e", turn=due.turn, role=due.role, attempt=due.attempt, outcome=outcome
        )
        event = record(due, answer, seed=1, parsers=DEFLECTBENCH.parsers, epoch=0)
        self.log.append(event)
        self.state = DEFLECTBENCH.evolve(self.state, event)
        self._advance()

    def say(self, role: str, *texts: str) -> None:
        for text in texts:
            self.hear(role, said(text))

    @property
    def closed(self) -> EpisodeClosed:
        last = self.log[-1]
        assert isinstance(last, EpisodeClosed), self.due
        return last

    @property
    def ruling(self) -> RulingMade:
        [found] = [event for event in self.log if isinstance(event, RulingMade)]
        assert found.policy == CONSENSUS
        return found

    @property
    def flags(self) -> str:
        """Of ruling and close alike."""
        assert self.closed.facts["flags"] == self.ruling.facts["flags"]
        return str(self.ruling.facts["flags"])


def heard(response: Outcome | str, a: str, b: str, **options: Setting) -> Play:
    """An episode in which the author gives this response and each judge one answer."""
    play = Play(opened(options=options))
    play.hear("author", said(response) if isinstance(response, str) else response)
    play.say("judge_a", a)
    play.say("judge_b", b)
    return play
