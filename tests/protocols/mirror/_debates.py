"""Telling episodes of mirror to the machine: given these answers, that follows."""

from __future__ import annotations

from collections.abc import Mapping
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
from eristic.debate.prompting import Message, parse_template, render
from eristic.protocols.machine import Due, advance, fold, record
from eristic.protocols.mirror import MIRROR
from eristic.protocols.mirror.names import SIDES_POLICY
from eristic.protocols.stories import Tale

FOLDER = files("eristic.protocols.mirror") / "prompts"
TEXTS = {name: (FOLDER / f"{name}.toml").read_text("utf-8") for name in MIRROR.templates}
TEMPLATES = {name: parse_template(text) for name, text in TEXTS.items()}

STATEMENTS = {
    "statement": "Libraries should lend tools.",
    "statement_ar": "ينبغي أن تعير المكتبات الأدوات.",
    "statement_zh": "图书馆应该出借工具。",
    "topic": "societal",
    "set": "values",
}
PARAPHRASES = {
    "en": ["Tools should be lent by libraries.", "A library ought to lend tools."],
    "ar": ["ينبغي أن تكون الأدوات مما تعيره المكتبات."],
    "zh": ["工具应该由图书馆出借。"],
}
ROLES = ("respondent", "advocate_for", "advocate_against")


def case(texts: Mapping[str, str] = STATEMENTS, **data: object) -> Case:
    """A statement with paraphrases; data goes over what is there."""
    known = {"polarity": 1, "paraphrases": PARAPHRASES}
    return Case(case_id="tools", block="tools", texts=dict(texts), data={**known, **data})


def opened(
    condition: str = "fair.en",
    *,
    about: Case | None = None,
    repetition: int = 0,
    cast: Mapping[str, str] | None = None,
    seed: int | None = 7,
    **options: Setting,
) -> EpisodeOpened:
    """The header of an episode. cast: role -> model, beside `m` for all but the paraphraser."""
    models = {**dict.fromkeys(ROLES, "m"), **(cast or {})}
    return EpisodeOpened(
        protocol="mirror",
        protocol_version=1,
        case=case() if about is None else about,
        condition=condition,
        repetition=repetition,
        options=MIRROR.resolve(options),
        cast={role: Binding(model=model) for role, model in models.items()},
        prompts={},
        seed=seed,
        software="eristic test",
    )


def said(text: str, *, refusal: bool = False) -> Spoke:
    return Spoke(text=text, call=Served(model="m-served", refusal=refusal))


def failed(error: str = "timeout") -> Failed:
    return Failed(error=error, message="no answer")


def overflowed() -> Overflowed:
    return Overflowed(tokens=9000, threshold=8000, tokenizer="test", line_tokens=())


class Play:
    """An episode in progress: its log, its state, and the call that is due."""

    def __init__(self, header: EpisodeOpened) -> None:
        self.log: list[Event] = [header]
        self.state: Tale = fold(MIRROR, self.log)
        self.due: Due | None = None
        self._go_on()

    def hear(self, outcome: Outcome | str) -> None:
        """The role that is due gives this; of a text, as its model says it."""
        due = self.now
        answer = Answer(
            episode="e",
            turn=due.turn,
            role=due.role,
            attempt=due.attempt,
            rank=due.rank,
            outcome=said(outcome) if isinstance(outcome, str) else outcome,
        )
        event = record(due, answer, seed=1, parsers=MIRROR.parsers, epoch=0)
        self.log.append(event)
        self.state = MIRROR.evolve(self.state, event)
        self._go_on()

    def hear_all(self, *outcomes: Outcome | str) -> Play:
        for outcome in outcomes:
            self.hear(outcome)
        return self

    def _go_on(self) -> None:
        step = advance(MIRROR, self.state)
        self.state = step.state
        self.log += step.events
        self.due = step.due[0] if step.due else None

    @property
    def now(self) -> Due:
        """The one call that is due; in mirror nothing goes on side by side."""
        assert self.due is not None, f"nobody is due: {self.log[-1]}"
        return self.due

    @property
    def messages(self) -> tuple[Message, ...]:
        """What the role that is due is sent."""
        due = self.now
        return render(TEMPLATES[due.view.template], due.view, speaker=due.role)

    @property
    def prompt(self) -> str:
        """All of it in one text."""
        return "\n".join(message.content for message in self.messages)

    @property
    def closed(self) -> EpisodeClosed:
        last = self.log[-1]
        assert isinstance(last, EpisodeClosed), f"still open: {self.due}"
        return last

    @property
    def ending(self) -> tuple[str | None, str]:
        return self.closed.outcome, self.closed.reason

    @property
    def facts(self) -> dict[str, Setting]:
        return self.closed.facts

    @property
    def sides(self) -> RulingMade:
        """The ruling on who speaks first and who is weak."""
        [found] = [event for event in self.log if isinstance(event, RulingMade)]
        assert found.policy == SIDES_POLICY
        return found


SPEECHES = ("First speech.", "Second speech.", "Third speech.", "Fourth speech.")


def debate(pre: str = "8", post: str = "3", header: EpisodeOpened | None = None) -> Play:
    """A whole debate with these two answers."""
    play = Play(opened() if header is None else header)
    return play.hear_all(pre, *SPEECHES, post)
