"""A log grows with what is new, not with the length of the history."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.protocols.logicom._debates import Play, opened

from eristic.debate import Event, Served, Spoke, TurnSpoken
from eristic.journal import Chain, extend

CALL = Served(model="gpt-4o-2024-08-06", prompt="a" * 64, tokens_in=1200, tokens_out=250)


def long_debate(condition: str) -> list[Event]:
    """Forty rounds whose every speech has 1,000 characters of its own."""
    play = Play(opened(condition, round_limit=40))
    while not play.closed:
        due = play.due[0]
        text = {"conviction": "false", "pleasantry": "continue", "topic": "on-topic"}.get(due.role)
        speech = f"{due.role} {due.turn}: ".ljust(1000, "x")
        if due.role == "helper":
            speech = f'{{"label": "straw man", "passage": "p", "text": "{speech}"}}'
        play.hear(due, Spoke(text=text or speech, call=CALL))
    return play.log


@pytest.mark.parametrize("condition", ["no_helper", "fallacious_helper"])
def test_a_long_debate_is_stored_in_less_than_three_times_its_text(condition: str) -> None:
    events = long_debate(condition)
    spoken = {event.text for event in events if isinstance(event, TurnSpoken)}
    stored, _ = extend(
        Chain.empty(run="r", episode="e"), events, time=datetime(2026, 1, 1, tzinfo=UTC)
    )
    assert sum(isinstance(event, TurnSpoken) for event in events) >= 200
    assert sum(map(len, stored)) < 3 * sum(map(len, spoken))


def test_the_second_half_of_a_debate_costs_what_the_first_half_cost() -> None:
    stored, _ = extend(
        Chain.empty(run="r", episode="e"),
        long_debate("no_helper")[1:-1],
        time=datetime(2026, 1, 1, tzinfo=UTC),
    )
    half = len(stored) // 2
    first, second = sum(map(len, stored[:half])), sum(map(len, stored[half : 2 * half]))
    assert abs(second - first) < 0.05 * first
