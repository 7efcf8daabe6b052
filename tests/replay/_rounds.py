"""Debates told round by round for the tests of deciding again, and what came of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.replay._plays import NOON, Answers, Records, Told, spoke, tell, usual, write

from eristic.debate import (
    Binding,
    Case,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    Import,
    Outcome,
    RunOpened,
    TurnSpoken,
)
from eristic.debate.ids import RUN_CHAIN, episode_id
from eristic.protocols import Due
from eristic.replay import Effect, Recomputation, Replayer

Said = str | Outcome
Texts = tuple[Said, ...]
"""What a check answers, attempt after attempt; the last answer is given for ever."""
Copy = Mapping[str, Texts]
"""Check -> its answers; a check that is not named lets the debate go on."""

CALM: Copy = {}
SURE: Copy = {"conviction": ("true",)}
POLITE: Copy = {"pleasantry": ("stop",)}
ASTRAY: Copy = {"topic": ("off-topic",)}
SURE_AND_POLITE: Copy = {**SURE, **POLITE}
FIRST = episode_id(case_id="case-0", condition="no_helper", repetition=0)

_CHECKS = ("conviction", "pleasantry", "topic")


def says(*texts: Said) -> Copy:
    """The conviction check answers this, attempt after attempt."""
    return {"conviction": texts}


def rounds(*told: Copy | Sequence[Copy], first: int = 1) -> Answers:
    """Answers of a debate without helper; a round is one copy or one mapping for each copy.

    Rounds beyond the last are like it. first: turn of the debater's first reply.
    """
    panels = [[x] if isinstance(x, Mapping) else list(x) for x in told]
    width = 2 + 3 * len(panels[0])

    def answer(due: Due) -> Outcome:
        if due.role not in _CHECKS:
            return usual(due)
        number, place = divmod(due.turn - first, width)
        panel = panels[min(number, len(panels) - 1)]
        texts = panel[(place - 1) // 3].get(due.role)
        if texts is None:
            return usual(due)
        said = texts[min(due.attempt, len(texts) - 1)]
        return spoke(due, said) if isinstance(said, str) else said

    return answer


def one(*told: Copy | Sequence[Copy], **options: Any) -> Records:
    """The records of a run of one debate."""
    return write(played(*told, **options))


def played(*told: Copy | Sequence[Copy], steps: int | None = None, **options: Any) -> Told:
    """A run of one debate as told."""
    return tell(rounds(*told), number=1, conditions=("no_helper",), options=options, steps=steps)


def again(
    records: Records, *policies: str, parsers: Mapping[str, str] | None = None
) -> Recomputation:
    """The records decided again."""
    replayer = Replayer("r", policies=policies, parsers=parsers)
    for episode, stored in records:
        replayer.take(episode, stored)
    return replayer.close()


def ends(found: Recomputation) -> list[str]:
    """How the only episode ends by each policy: `convinced, convinced @3`, `goes_on @2`."""
    (episode,) = found.episodes
    return [
        f"{x.censored} @{x.round}" if x.censored else f"{x.outcome}, {x.reason} @{x.round}"
        for x in episode.decided
    ]


def whole(found: Recomputation, policy: str) -> Effect:
    """The row of all episodes for a policy of this name."""
    (effect,) = [x for x in found.effects if not x.condition and x.policy.startswith(policy)]
    return effect


def tale(
    played: int,
    outcome: str,
    reason: str,
    *,
    case: str = "case-0",
    model: str = "GPT-4",
    condition: str = "no_helper",
    layout: str = "logicom-published.v1",
) -> tuple[str, list[Event]]:
    """An imported debate of so many rounds: its id and its events."""
    opened = EpisodeOpened(
        protocol="logicom",
        protocol_version=1,
        case=Case(case_id=case, block="", texts={"topic": "t", "claim": "c", "reason": "r"}),
        condition=condition,
        repetition=1,
        options={},
        cast={"debater": Binding(model=model), "persuader": Binding(model="GPT-3.5")},
        prompts={},
        software="eristic test",
        imported=Import(layout=layout, path="p", sha256="0" * 64),
    )
    turns = [
        TurnSpoken(
            turn=turn,
            role="debater" if turn % 2 else "persuader",
            text=f"Text {turn}.",
            source="imported",
        )
        for turn in range(2 * played + 1)
    ]
    closed = EpisodeClosed(outcome=outcome, reason=reason, rounds=played)
    name = episode_id(case_id=f"{case}/{model}", condition=condition, repetition=1)
    return name, [opened, *turns, closed]


def imported(*tales: tuple[str, Sequence[Event]]) -> Records:
    """The records of an imported run."""
    opened = RunOpened(spec="{}", prompts={}, episodes=0, software="eristic test")
    told: Told = [(RUN_CHAIN, opened, NOON)]
    told += [(name, event, NOON) for name, events in tales for event in events]
    return write(told)
