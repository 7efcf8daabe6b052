"""How many calls a debate can still take: bounds that real plays must keep."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace
from tests.replay._plays import Answers, Player, planned, spoke, troubled, usual

from eristic.debate import Outcome, Setting, TurnFailed, TurnSpoken
from eristic.protocols import Due, advance, calls_left
from eristic.protocols.logicom import LOGICOM
from eristic.protocols.logicom.suffixes import last_round

CONDITIONS = ("no_helper", "fallacious_helper", "logical_helper")
CODE: dict[str, Setting] = {"profile": "code", "round_limit": 3, "hard_limit": 4}


def convinced(due: Due) -> Outcome:
    return spoke(due, "true") if due.role == "conviction" else usual(due)


def useless(due: Due) -> Outcome:
    """Every answer must be asked for again, but the last one that may be."""
    checks = ("conviction", "pleasantry", "topic")
    if due.role in checks:
        return spoke(due, "", refusal=True) if due.attempt % 4 in (0, 3) else spoke(due, "hm")
    if due.role in ("persuader", "debater"):
        return spoke(due, "" if due.attempt < 2 else "words")
    return spoke(due, "{broken")


def player(condition: str, options: dict[str, Setting], answers: Answers) -> Player:
    _, (item, *_) = planned(number=1, conditions=(condition,), options=options)
    return Player(item.episode, item.opened, answers, seed=3)


def made(playing: Player) -> Counter[str]:
    """Calls from here to the close, by role."""
    calls: Counter[str] = Counter()
    while not playing.closed:
        for event in playing.step():
            if isinstance(event, TurnSpoken) and event.call is not None:
                calls[event.role] += 1
            elif isinstance(event, TurnFailed):
                calls[event.role] += 1
    return calls


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("options", [{"round_limit": 3}, CODE], ids=["paper", "code"])
@pytest.mark.parametrize("steps", [0, 1, 2, 4, 6])
def test_a_debate_that_nobody_gives_in_takes_the_longest(
    condition: str, options: dict[str, Setting], steps: int
) -> None:
    playing = player(condition, options, usual)
    for _ in range(steps):
        playing.step()
    state = advance(LOGICOM, playing.state).state
    left = calls_left(LOGICOM, state)
    assert left is not None
    sent_before = Counter(x.role for x in playing.sent.values())
    calls = made(playing)
    longest = Counter(left.longest)
    if options is CODE:  # where a round may end by either limit
        assert calls <= longest
    else:
        assert calls == longest
    assert sent_before <= longest


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("options", [{"round_limit": 3}, CODE], ids=["paper", "code"])
def test_a_debater_who_gives_in_at_once_takes_the_least(
    condition: str, options: dict[str, Setting]
) -> None:
    playing = player(condition, options, convinced)
    left = calls_left(LOGICOM, playing.state)
    assert left is not None
    assert made(playing) == Counter(left.least)


@pytest.mark.parametrize("answers", [useless, troubled], ids=["useless", "troubled"])
@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("options", [{"round_limit": 4}, CODE], ids=["paper", "code"])
def test_no_trouble_takes_more_than_the_most(
    condition: str, options: dict[str, Setting], answers: Answers
) -> None:
    playing = player(condition, options, answers)
    left = calls_left(LOGICOM, playing.state)
    assert left is not None
    assert left.most is not None
    calls = made(playing)
    assert calls <= Counter(left.most)
    assert sum(calls.values()) > 0


def test_a_closed_debate_takes_none() -> None:
    playing = player("no_helper", {"round_limit": 1}, usual)
    made(playing)
    left = calls_left(LOGICOM, playing.state)
    assert left is not None
    assert sum(left.longest.values()) == 0
    assert left.most is not None
    assert sum(left.most.values()) == 0


def test_copies_that_count_for_themselves_without_a_hard_limit_may_never_end() -> None:
    playing = player("no_helper", {"fallback_counter": "fresh"}, usual)
    state = playing.state
    # One moderator alone: ten rounds for each model of its chain of two.
    assert last_round(state) == 20
    rules = replace(state.rules, panel_rule="unanimous")
    assert last_round(replace(state, rules=rules)) is None
    assert calls_left(LOGICOM, replace(state, rules=rules)) is None
    limited = replace(rules, hard_limit=12)
    assert last_round(replace(state, rules=limited)) == 13


def test_a_protocol_that_says_nothing_has_no_bound() -> None:
    class Silent:
        name = "silent"

    assert calls_left(Silent(), None) is None  # type: ignore[arg-type]  # not asked for more
