"""The turns of a debate, told event by event."""

from __future__ import annotations

import pytest
from tests.protocols.logicom._debates import (
    CASE,
    HELP,
    TEXTS,
    Play,
    failed,
    opened,
    outline,
    said,
)

from eristic.debate import (
    AnswerRefused,
    EpisodeClosed,
    Event,
    RulingMade,
    RunClosed,
    Served,
    TurnSpoken,
)
from eristic.debate.errors import SpecRefused
from eristic.protocols.logicom import LOGICOM, State
from eristic.protocols.machine import Machine, Record, complete_cast, needed_roles

machine: Machine[State] = LOGICOM
"""Held to the contract by the type checkers."""

OPENING = """\
The topic of this debate: Tea
My claim: Tea beats coffee
My reason: It is calmer

For this reason I hold that the claim is right. What do you think: do you agree or disagree?"""


def spoken(
    turn: int, role: str, text: str, *, parser: str = "", attempt: int = 0, refusal: bool = False
) -> TurnSpoken:
    return TurnSpoken(
        turn=turn,
        role=role,
        attempt=attempt,
        text=text,
        seed=1,
        call=Served(model="m", refusal=refusal),
        reading=LOGICOM.parsers[parser](text) if parser else None,
    )


def closing(play: Play) -> EpisodeClosed:
    last = play.log[-1]
    assert isinstance(last, EpisodeClosed)
    return last


def rulings(play: Play) -> list[tuple[str, str, int]]:
    return [
        (event.decision, event.reason, event.round)
        for event in play.log
        if isinstance(event, RulingMade)
    ]


def test_the_opening_is_a_filled_template_and_no_model_is_asked() -> None:
    header = opened()
    step = LOGICOM.decide(LOGICOM.initial(header))
    assert step == Record((TurnSpoken(turn=0, role="persuader", text=OPENING, source="template"),))


def test_case_texts_that_look_like_placeholders_are_never_filled() -> None:
    hostile = {"topic": "{claim}", "claim": '%s {0} "{reason}"', "reason": "{{x}} \\n {topic}"}
    play = Play(opened(texts=hostile))
    opening = play.log[1]
    assert isinstance(opening, TurnSpoken)
    assert opening.text.splitlines()[:3] == [
        "The topic of this debate: {claim}",
        'My claim: %s {0} "{reason}"',
        "My reason: {{x}} \\n {topic}",
    ]


def test_a_case_without_a_reason_is_refused_by_name() -> None:
    with pytest.raises(SpecRefused, match="reason"):
        Play(opened(texts={"topic": "Tea", "claim": "Tea beats coffee", "reason": ""}))


def test_a_debater_that_agrees_at_once_ends_the_debate_after_one_round() -> None:
    play = Play(opened())
    mark = play.mark()
    play.say("debater", "I agree.")
    play.say("conviction", "true")
    play.say("pleasantry", "continue")
    play.say("topic", "on-topic")
    *turns, ruling, closed = play.since(mark)
    assert turns == [
        spoken(1, "debater", "I agree."),
        spoken(2, "conviction", "true", parser="conviction.strict"),
        spoken(3, "pleasantry", "continue", parser="pleasantry.strict"),
        spoken(4, "topic", "on-topic", parser="topic.strict"),
    ]
    assert isinstance(ruling, RulingMade)
    assert (ruling.policy, ruling.inputs) == ("logicom-master.v1", (2, 3, 4))
    assert (ruling.decision, ruling.reason, ruling.round) == ("convinced", "convinced", 1)
    assert closed == EpisodeClosed(
        outcome="convinced",
        reason="convinced",
        rounds=1,
        facts={
            "rounds_as_code": 1,
            "helper_failed": 0,
            "label_leaks": 0,
            "folds": 0,
            "forced": 0,
            "moderator_switches": 0,
            "conviction_unread_rounds": 0,
            "by_default": False,
        },
    )
    assert play.closed and play.due == ()


@pytest.mark.parametrize(
    ("check", "text", "reason"),
    [("pleasantry", "stop", "pleasantries"), ("topic", "off-topic", "off_topic")],
)
def test_a_stop_token_ends_the_debate_unconvinced(check: str, text: str, reason: str) -> None:
    play = Play(opened())
    closed = play.finish(**{check: text})
    assert isinstance(closed, EpisodeClosed)
    assert (closed.outcome, closed.reason, closed.rounds) == ("not_convinced", reason, 1)


def test_an_ignored_topic_check_runs_and_decides_nothing() -> None:
    play = Play(opened(topic_check="ignored", round_limit=2))
    play.finish(topic="off-topic")
    assert rulings(play) == [("continue", "", 1), ("not_convinced", "round_limit", 2)]


def test_conviction_wins_over_a_pleasantry_stop_of_the_same_round() -> None:
    play = Play(opened())
    play.finish(conviction="true", pleasantry="stop")
    assert rulings(play) == [("convinced", "convinced", 1)]


def test_ten_unconvinced_rounds_end_the_debate() -> None:
    play = Play(opened())
    play.finish()
    expected = [("continue", "", r) for r in range(1, 10)]
    assert rulings(play) == [*expected, ("not_convinced", "round_limit", 10)]
    assert closing(play).rounds == 10


def test_without_a_helper_the_draft_is_the_next_utterance() -> None:
    play = Play(opened())
    play.until("persuader")
    mark = play.mark()
    play.say("persuader", "Second try.")
    assert play.since(mark) == (spoken(5, "persuader", "Second try."),)
    debater = play.find("debater")
    assert debater.turn == 6
    assert [line.text for line in debater.view.history] == [OPENING, "I disagree.", "Second try."]


def test_with_a_helper_its_text_is_the_utterance_and_the_draft_is_gone() -> None:
    play = Play(opened("fallacious_helper"))
    play.until("persuader")
    mark = play.mark()
    play.say("persuader", "A draft.")
    play.say("helper", HELP)
    assert outline(play.since(mark)) == ("persuader@5.0", "helper@6.0")
    history = play.find("debater").view.history
    assert [(line.text, line.turn) for line in history] == [
        (OPENING, 0),
        ("I disagree.", 1),
        ("Final words, agree?", 6),
    ]


def test_after_persuader_the_next_utterance_is_made_before_the_round_is_checked() -> None:
    play = Play(opened("logical_helper", check_timing="after_persuader"))
    mark = play.mark()
    play.until("conviction")
    assert outline(play.since(mark)) == ("debater@1.0", "persuader@2.0", "helper@3.0")
    play.until("debater")
    assert outline(play.since(mark))[3:] == (
        "conviction@4.0",
        "pleasantry@5.0",
        "topic@6.0",
        "ruling.made",
    )
    assert play.find("debater").view.history[-1].text == "Final words, agree?"
    assert play.state.round == 2


def test_after_persuader_a_convinced_debater_leaves_one_utterance_unread() -> None:
    play = Play(opened(check_timing="after_persuader"))
    play.finish(conviction="true")
    assert outline(play.log) == (
        "episode.opened",
        "persuader@0.0",
        "debater@1.0",
        "persuader@2.0",
        "conviction@3.0",
        "pleasantry@4.0",
        "topic@5.0",
        "ruling.made",
        "episode.closed",
    )
    assert closing(play).rounds == 1


@pytest.mark.parametrize("condition", LOGICOM.conditions)
@pytest.mark.parametrize("profile", ["paper", "code"])
def test_turn_numbers_are_dense(condition: str, profile: str) -> None:
    play = Play(opened(condition, profile=profile))
    play.finish()
    turns = sorted(event.turn for event in play.log if isinstance(event, TurnSpoken))
    assert turns == list(range(len(turns)))
    assert turns[-1] + 1 == play.state.next_turn


def test_the_code_profile_asks_three_copies_and_stops_at_its_eleventh_round() -> None:
    play = Play(opened(profile="code"))
    play.until("conviction")
    assert [(due.turn, due.role) for due in play.due] == [
        (3 + 3 * copy + place, role)
        for copy in range(3)
        for place, role in enumerate(("conviction", "pleasantry", "topic"))
    ]
    play.finish()
    assert (closing(play).reason, closing(play).rounds) == ("round_limit", 11)


def test_two_convinced_copies_of_three_convince_no_unanimous_panel() -> None:
    play = Play(opened(profile="code"))
    play.until("conviction")
    for text in ("true", "true", "false"):
        play.say("conviction", text)
    for _ in range(3):
        play.say("pleasantry", "continue")
        play.say("topic", "on-topic")
    assert rulings(play) == [("continue", "", 1)]
    assert not play.closed


def test_contains_true_takes_untrue_for_convinced_and_strict_does_not() -> None:
    loose = Play(opened(verdict_parse="contains_true"))
    loose.until("conviction")
    loose.say("conviction", "That is untrue.")
    assert loose.state.calls[0].value == "true"
    strict = Play(opened())
    strict.until("conviction")
    strict.say("conviction", "That is untrue.")
    assert strict.find("conviction", 1).attempt == 1


def test_a_refusing_debater_is_judged_by_its_text() -> None:
    play = Play(opened())
    play.hear(play.find("debater"), said("I cannot discuss this.", refusal=True))
    assert play.find("conviction").view.fields["message"] == "I cannot discuss this."


def test_events_of_the_run_and_refused_answers_change_nothing() -> None:
    state = Play(opened()).state
    events: tuple[Event, ...] = (
        RunClosed(heads={}),
        AnswerRefused(turn=1, role="debater", reason="old epoch"),
        opened("fallacious_helper"),
        spoken(1, "debater", "late", attempt=3),
        spoken(9, "debater", "another turn"),
        spoken(1, "persuader", "another role"),
    )
    for event in events:
        assert LOGICOM.evolve(state, event) == state


def test_nothing_follows_the_close() -> None:
    play = Play(opened())
    play.finish(conviction="true")
    state = LOGICOM.evolve(play.state, spoken(5, "persuader", "One more thing."))
    assert state == play.state
    assert LOGICOM.decide(state) is None


@pytest.mark.parametrize("role", ["debater", "persuader", "helper"])
def test_a_role_that_fails_closes_the_episode_without_an_outcome(role: str) -> None:
    play = Play(opened("fallacious_helper"))
    play.hear(play.until(role), failed())
    closed = closing(play)
    assert (closed.outcome, closed.reason) == (None, f"{role}_failed")
    assert (closed.facts["failed_role"], closed.facts["error"]) == (role, "timeout")


def test_rounds_really_played_are_counted_when_a_role_fails() -> None:
    play = Play(opened())
    play.hear(play.until("persuader"), said("Again."))
    play.hear(play.find("debater"), failed())
    assert closing(play).rounds == 1


def test_only_the_helper_conditions_need_a_helper() -> None:
    assert "helper" not in needed_roles(LOGICOM, ["no_helper"])
    assert needed_roles(LOGICOM, LOGICOM.conditions) == tuple(LOGICOM.roles)


def test_one_bound_model_can_play_every_role() -> None:
    header = opened()
    cast = complete_cast(LOGICOM, {"persuader": header.cast["persuader"]}, LOGICOM.conditions)
    assert set(cast) == set(LOGICOM.roles)


def test_a_case_needs_exactly_the_texts_of_the_opening() -> None:
    assert LOGICOM.case_texts == tuple(TEXTS)
    assert set(CASE.texts) == set(LOGICOM.case_texts)
