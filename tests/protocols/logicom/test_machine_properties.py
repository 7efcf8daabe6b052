"""What holds for every debate, whatever the roles answer and in whatever order."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.protocols.logicom._debates import DEFAULTS, Play, failed, opened, overflowed, said
from tests.protocols.logicom._templates import TEMPLATES

from eristic.debate import (
    AnswerRefused,
    Envelope,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    Outcome,
    RulingMade,
    TurnSpoken,
)
from eristic.debate.envelopes import decode, encode
from eristic.debate.prompting import digest, render
from eristic.protocols.logicom import LOGICOM
from eristic.protocols.machine import Due, advance, fold

TEXTS = (
    "",
    "  \n",
    "true",
    "false",
    "stop",
    "off-topic",
    "on-topic",
    "maybe",
    "{claim} %s",
    "\x00",
    "正しい",
)
ANSWERS_AT_MOST = 1_000

headers = st.builds(
    opened,
    st.sampled_from(LOGICOM.conditions),
    fallback=st.sampled_from([(), ("b",), ("b", "c")]),
    profile=st.sampled_from(["paper", "code"]),
    round_limit=st.integers(1, 4),
    memory_policy=st.sampled_from(["earliest_first", "tiers"]),
    force_over_window=st.booleans(),
    moderator_sees_helper=st.booleans(),
)


def answer(due: Due, rng: random.Random, trouble: float) -> Outcome:
    """A usual answer, or with this probability one that is not."""
    if rng.random() >= trouble:
        return said(DEFAULTS[due.role])
    kind = rng.choice(("text", "text", "refusal", "overflow", "overflow", "failure"))
    if kind == "overflow":
        return overflowed(due, tokens=rng.randrange(0, 300), each=rng.randrange(0, 50))
    if kind == "failure" and rng.random() < 0.5:
        return failed(rng.choice(("timeout", "context", "context")))
    return said(rng.choice(TEXTS), refusal=kind == "refusal")


def play_out(header: EpisodeOpened, seed: int, trouble: float) -> tuple[Play, dict[object, Due]]:
    """A whole debate with answers and arrival order from the seed, and all that was asked."""
    rng = random.Random(seed)
    play, asked = Play(header), dict[object, Due]()
    for _ in range(ANSWERS_AT_MOST):
        if play.closed:
            return play, asked
        for due in play.due:
            # Whoever asks again after a crash must ask exactly the same.
            assert asked.setdefault(due.key, due) == due
        due = rng.choice(play.due)
        if rng.random() < 0.05:
            late = AnswerRefused(turn=due.turn, role=due.role, reason="old epoch")
            play = Play(header, [*play.log[1:], late])
        play.hear(due, answer(due, rng, trouble))
    raise AssertionError(f"still open after {ANSWERS_AT_MOST} answers: {play.state}")


def stored(event: Event, position: int) -> bytes:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return encode(
        Envelope(run="r", episode="e", position=position, time=moment, prev="", body=event)
    )


@settings(max_examples=150, deadline=None)
@given(headers, st.integers(0, 2**32), st.sampled_from([0.0, 0.05, 0.3, 0.7, 1.0]))
def test_every_debate_ends(header: EpisodeOpened, seed: int, trouble: float) -> None:
    play, _ = play_out(header, seed, trouble)
    last = play.log[-1]
    assert isinstance(last, EpisodeClosed)
    assert sum(isinstance(event, EpisodeClosed) for event in play.log) == 1
    assert (last.outcome is None) == ("error" in last.facts)
    replies = {e.turn for e in play.log if isinstance(e, TurnSpoken) and e.role == "debater"}
    assert last.rounds <= len(replies)


@settings(max_examples=40, deadline=None)
@given(headers, st.integers(0, 2**32), st.sampled_from([0.0, 0.1, 0.4]))
def test_a_debate_resumed_from_stored_bytes_at_any_event_goes_on_the_same(
    header: EpisodeOpened, seed: int, trouble: float
) -> None:
    play, asked = play_out(header, seed, trouble)
    log = [decode(stored(event, n)).body for n, event in enumerate(play.log)]
    assert log == play.log
    for cut in range(1, len(log) + 1):
        step = advance(LOGICOM, fold(LOGICOM, log[:cut]))
        decided = list(step.events)
        assert decided == log[cut : cut + len(decided)]
        assert step.closed == (cut + len(decided) == len(log))
        assert all(asked[due.key] == due for due in step.due)
    assert fold(LOGICOM, log) == play.state


@settings(max_examples=20, deadline=None)
@given(headers, st.integers(0, 2**32))
def test_every_prompt_can_be_rebuilt_from_the_log(header: EpisodeOpened, seed: int) -> None:
    def digest_of(due: Due) -> str:
        return digest(render(TEMPLATES[due.view.template], due.view, speaker=due.role))

    play, asked = play_out(header, seed, 0.2)
    sent = {key: digest_of(due) for key, due in asked.items()}
    for cut in range(1, len(play.log)):
        step = advance(LOGICOM, fold(LOGICOM, play.log[:cut]))
        assert all(digest_of(due) == sent[due.key] for due in step.due)


def scripted(header: EpisodeOpened, seed: int, pick: Callable[[int], int]) -> Play:
    """A debate in which an answer depends on the ask alone, and `pick` chooses who is first."""
    play = Play(header)
    while not play.closed:
        due = play.due[pick(len(play.due))]
        rng = random.Random(f"{seed} {due.key}")
        play.hear(due, answer(due, rng, 0.25))
    return play


@settings(max_examples=80, deadline=None)
@given(headers, st.integers(0, 2**32), st.integers(0, 2**32))
def test_the_order_in_which_checks_arrive_decides_nothing(
    header: EpisodeOpened, seed: int, order: int
) -> None:
    rng = random.Random(order)
    plays = [
        scripted(header, seed, lambda n: 0),
        scripted(header, seed, lambda n: n - 1),
        scripted(header, seed, rng.randrange),
    ]
    decided = [[e for e in play.log if isinstance(e, RulingMade | EpisodeClosed)] for play in plays]
    # Forced asks are ruled on one by one, as they come; every other ruling has its place.
    decided = [sorted(events, key=repr) for events in decided]
    assert decided[0] == decided[1] == decided[2]
    assert plays[0].state == plays[1].state == plays[2].state


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_the_debater_only_ever_sees_texts_that_stand(seed: int, sees: bool) -> None:
    header = opened("fallacious_helper", moderator_sees_helper=sees, round_limit=4)
    play, asked = play_out(header, seed, 0.2)
    spoken = {event.turn: event for event in play.log if isinstance(event, TurnSpoken)}
    drafts = {
        event.inputs[0]
        for event in play.log
        if isinstance(event, RulingMade) and event.reason == "helper_failed"
    }
    for due in asked.values():
        if due.role != "debater":
            continue
        for line in due.view.history:
            source = spoken[line.turn]
            if source.role == "helper":
                assert source.reading is not None and line.text == source.reading.value
            else:
                assert source.role == "debater" or line.turn in {0, *drafts}
                assert line.text == source.text


@settings(max_examples=60, deadline=None)
@given(headers, st.integers(0, 2**32))
def test_nobody_is_asked_to_answer_what_is_not_there(header: EpisodeOpened, seed: int) -> None:
    _, asked = play_out(header, seed, 0.3)
    for due in asked.values():
        if TEMPLATES[due.view.template].history == "dialogue":
            assert due.view.history[0].turn == 0
            # The published tiers fold the incoming line too, into the summary.
            is_answer = due.view.history[-1].speaker != due.role
            assert is_answer or (header.options["memory_policy"] == "tiers" and due.view.summary)
        render(TEMPLATES[due.view.template], due.view, speaker=due.role)


@pytest.mark.parametrize("seed", range(3))
def test_evolve_takes_any_event_in_any_state(seed: int) -> None:
    pool: list[Event] = []
    for n in range(12):
        header = opened("logical_helper", fallback=("b",), force_over_window=True, round_limit=3)
        pool += play_out(header, 100 * seed + n, 0.4)[0].log
    rng = random.Random(seed)
    for _ in range(40):
        state = LOGICOM.initial(opened("logical_helper", profile=rng.choice(("paper", "code"))))
        for event in rng.choices(pool, k=60):
            if not isinstance(event, EpisodeClosed):
                state = advance(LOGICOM, LOGICOM.evolve(state, event)).state
