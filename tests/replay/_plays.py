"""Runs for the tests of reading: real machine, scripted roles, and the bytes a director writes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec.structs import replace

from eristic.agents.prompts import load_prompts
from eristic.debate import (
    Answer,
    Binding,
    Case,
    EpisodeOpened,
    Event,
    Failed,
    Outcome,
    Overflowed,
    RunClosed,
    RunOpened,
    Served,
    Setting,
    Spoke,
)
from eristic.debate.envelopes import decode
from eristic.debate.ids import RUN_CHAIN, derive_seed
from eristic.debate.prompting import digest, parse_template, render
from eristic.journal import Chain, extend
from eristic.journal.memory import MemoryLog
from eristic.protocols import Due, Machine, advance, record
from eristic.protocols.logicom import LOGICOM
from eristic.protocols.plans import PlannedEpisode, plan, settle
from eristic.sweeps import Experiment, canonical_spec, case_set, cases_digest

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
PROMPTS = load_prompts(LOGICOM)
TEMPLATES = {name: parse_template(text) for name, text in PROMPTS.items()}
HELP = '{"label": "straw man", "passage": "You hate calm.", "text": "Final words, agree?"}'
TIP = '{"label": "reason", "tip": "Stay calm", "text": "Sound words, agree?"}'

Records = list[tuple[str, bytes]]
Told = list[tuple[str, Event, datetime]]
"""A run as events, to be changed and written again."""
Answers = Callable[[Due], Outcome]


def spoke(due: Due, text: str, *, refusal: bool = False) -> Spoke:
    """What a role sends back: the text, and the digest of the prompt it made from its view."""
    messages = render(TEMPLATES[due.view.template], due.view, speaker=due.role)
    call = Served(
        model=f"made-up-{due.rank}",
        prompt=digest(messages),
        tokens_in=100 + due.turn,
        tokens_out=10,
        refusal=refusal,
        latency_s=0.25,
    )
    return Spoke(text=text, call=call)


def usual(due: Due) -> Outcome:
    """Nobody gives in."""
    text = {
        "persuader": f"Draft of turn {due.turn}.",
        "debater": f"I disagree, says turn {due.turn}.",
        "helper": HELP if "fallacious" in due.view.template else TIP,
        "conviction": "false",
        "pleasantry": "continue",
        "topic": "on-topic",
        "memory": f"Summary of turn {due.turn}.",
    }[due.role]
    return spoke(due, text)


def troubled(due: Due) -> Outcome:
    """Everything that can go wrong does: overflows, refusals, broken objects, failed calls."""
    chance = random.Random(f"{due.key}{due.rank}").random()
    is_check = due.role in ("conviction", "pleasantry", "topic")
    if due.role in ("persuader", "debater") and len(due.view.history) > 4 and not due.force:
        lines = (10,) * len(due.view.history)
        over = due.memory_trigger or 80
        return Overflowed(tokens=over + 15, threshold=over, tokenizer="made-up", line_tokens=lines)
    if due.role == "helper" and chance < 0.5:
        return spoke(due, '{"label": "straw man", "text": ')
    if is_check and chance < 0.1:
        return spoke(due, "", refusal=True)
    if is_check and chance < 0.2 and due.rank == 0:
        return Failed(error="timeout", message="no answer")
    if is_check and chance < 0.4:
        return spoke(due, "true or false? <think>stop</think>")
    if due.role == "conviction" and due.turn > 30:
        return spoke(due, "True.")
    return usual(due)


def cases(number: int) -> tuple[Case, ...]:
    return tuple(
        Case(
            case_id=f"case-{n}",
            block=f"pair-{n // 2}",
            texts={"topic": "Tea", "claim": f"Claim {n} holds", "reason": f"Reason {n}: calm é"},
        )
        for n in range(number)
    )


def planned(
    *,
    number: int = 2,
    repetitions: int = 1,
    conditions: tuple[str, ...] = (),
    options: Mapping[str, Setting] | None = None,
) -> tuple[RunOpened, tuple[PlannedEpisode, ...]]:
    """A sweep of logicom, as `eristic run` plans it."""
    moderator = Binding(model="made-up-2", fallback=("made-up-3",))
    asked = Experiment(
        run="r",
        protocol="logicom",
        seed=11,
        repetitions=repetitions,
        conditions=conditions,
        options=dict(options or {}),
        roles={
            "all": Binding(model="made-up-1", params={"temperature": 1.0}),
            **dict.fromkeys(("conviction", "pleasantry", "topic"), moderator),
        },
    )
    used = case_set(cases(number))
    settled = settle(asked, LOGICOM)
    episodes = plan(settled, used, LOGICOM, prompts=PROMPTS, software="eristic 0.0.9")
    opened = RunOpened(
        spec=canonical_spec(settled, cases_digest(used)),
        prompts=PROMPTS,
        episodes=len(episodes),
        software="eristic 0.0.9",
    )
    return opened, episodes


class Player:
    """Plays one episode the way the director does: several answers may come before it decides."""

    def __init__(self, episode: str, opened: EpisodeOpened, answers: Answers, seed: int) -> None:
        self.machine: Machine[Any] = LOGICOM
        self.episode, self.opened, self.answers = episode, opened, answers
        self.state = LOGICOM.initial(opened)
        self.sent: dict[tuple[int, str, int], Due] = {}
        self.closed = False
        self.chance = random.Random(seed)

    def step(self) -> list[Event]:
        """What the next append holds."""
        events: list[Event] = []
        for key in self._arrived():
            due = self.sent.pop(key)
            event = self._record(due)
            self.state = self.machine.evolve(self.state, event)
            events.append(event)
        step = advance(self.machine, self.state)
        self.state, self.closed = step.state, step.closed
        for due in step.due:
            self.sent.setdefault(due.key, due)
        return events + list(step.events)

    def _arrived(self) -> list[tuple[int, str, int]]:
        keys = list(self.sent)
        self.chance.shuffle(keys)
        return keys[: self.chance.randint(1, len(keys))] if keys else []

    def _record(self, due: Due) -> Event:
        outcome = self.answers(due)
        answer = Answer(
            episode=self.episode,
            turn=due.turn,
            role=due.role,
            attempt=due.attempt,
            rank=due.rank,
            outcome=outcome,
        )
        seed = derive_seed(self.opened.seed or 0, due.role, due.turn, due.attempt, due.rank)
        return record(due, answer, seed=seed, parsers=self.machine.parsers, epoch=0)


def tell(
    answers: Answers = usual,
    *,
    steps: int | None = None,
    closed: bool = True,
    **sweep: Any,
) -> Told:
    """A run as told, its episodes interleaved; steps cuts every episode after so many appends."""
    opened, episodes = planned(**sweep)
    told: Told = [(RUN_CHAIN, opened, NOON)]
    players = [
        Player(item.episode, item.opened, answers, number) for number, item in enumerate(episodes)
    ]
    told += [(player.episode, player.opened, NOON) for player in players]
    count = 0
    while any(not player.closed for player in players) and (steps is None or count < steps):
        count += 1
        for player in players:
            if not player.closed:
                moment = NOON + timedelta(seconds=count)
                told += [(player.episode, event, moment) for event in player.step()]
    if closed and steps is None:
        told.append((RUN_CHAIN, RunClosed(heads={}), NOON + timedelta(seconds=count + 1)))
    return told


def write(told: Told) -> Records:
    """Stored bytes with all digests, heads and the seal computed anew: what an attacker can do."""
    records: Records = []
    chains: dict[str, Chain] = {}
    for episode, event, moment in told:
        chain = chains.get(episode) or Chain.empty(run="r", episode=episode)
        if isinstance(event, RunClosed):
            heads = {name: end.head for name, end in chains.items() if name != RUN_CHAIN}
            event = replace(event, heads=heads)
        stored, chains[episode] = extend(chain, [event], time=moment)
        records.append((episode, stored[0]))
    return records


def read(records: Iterable[tuple[str, bytes]]) -> Told:
    """Stored bytes as told."""
    envelopes = [(episode, decode(stored)) for episode, stored in records]
    return [(episode, envelope.body, envelope.time) for episode, envelope in envelopes]


async def logged(records: Sequence[tuple[str, bytes]]) -> MemoryLog:
    """A log that holds these records."""
    log = MemoryLog()
    lengths: dict[str, int] = {}
    for episode, stored in records:
        position = lengths.get(episode, 0)
        await log.append(episode, [stored], expected=position)
        lengths[episode] = position + 1
    return log
