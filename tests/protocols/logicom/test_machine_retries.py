"""Answers that cannot be used: asked for again, re-formatted, handed on, or given up."""

from __future__ import annotations

import pytest
from tests.protocols.logicom._debates import HELP, Play, failed, opened, outline, said

from eristic.debate import EpisodeClosed, RoleSwapped, RulingMade, Spoke, TurnSpoken


def at_checks(profile: str = "paper", fallback_scope: str = "rest_of_episode") -> Play:
    play = Play(opened(fallback=("second",), profile=profile, fallback_scope=fallback_scope))
    play.until("conviction")
    return play


def master(play: Play) -> RulingMade:
    last = [event for event in play.log if isinstance(event, RulingMade)][-1]
    assert last.policy == "logicom-master.v1"
    return last


def closed(play: Play) -> EpisodeClosed:
    last = play.log[-1]
    assert isinstance(last, EpisodeClosed)
    return last


def test_an_unreadable_check_keeps_its_turn_and_raises_its_attempt() -> None:
    play = at_checks()
    play.say("conviction", "perhaps")
    again = play.find("conviction")
    assert (again.turn, again.attempt, again.rank) == (2, 1, 0)


def test_after_two_re_asks_an_unreadable_check_counts_as_its_default() -> None:
    play = at_checks()
    for _ in range(3):
        play.say("conviction", "TRUE or FALSE")
    play.say("pleasantry", "continue")
    play.say("topic", "on-topic")
    ruling = master(play)
    assert ruling.decision == "continue"
    assert (ruling.facts["defaulted"], ruling.facts["flagged"]) == (1, 1)


def test_a_token_with_words_around_it_is_read_and_flagged() -> None:
    play = at_checks()
    play.say("conviction", "True, but only at home")
    play.say("pleasantry", "continue")
    play.say("topic", "on-topic")
    ruling = master(play)
    assert ruling.decision == "convinced"
    assert (ruling.facts["defaulted"], ruling.facts["flagged"]) == (0, 1)


@pytest.mark.parametrize(
    ("answer", "cause"), [(said(" "), "empty"), (said("No.", refusal=True), "refusal")]
)
def test_a_declined_check_is_retried_once_then_the_next_model_takes_over(
    answer: Spoke, cause: str
) -> None:
    play = at_checks()
    mark = play.mark()
    play.hear(play.find("conviction"), answer)
    assert (play.find("conviction").attempt, play.find("conviction").rank) == (1, 0)
    play.hear(play.find("conviction"), answer)
    assert play.since(mark)[2:] == (
        RoleSwapped(role="conviction", epoch=0, rank=1, cause=cause, turn=2),
    )
    again = play.find("conviction")
    assert (again.turn, again.attempt, again.rank) == (2, 2, 1)


def test_a_replacement_stays_for_the_rest_of_the_episode() -> None:
    play = at_checks()
    play.hear(play.find("conviction"), failed())
    play.until("persuader")
    play.until("conviction")
    assert [(due.role, due.rank) for due in play.due] == [
        ("conviction", 1),
        ("pleasantry", 0),
        ("topic", 0),
    ]
    play.finish()
    assert closed(play).facts["rounds_as_code"] == closed(play).rounds - 1


def test_a_replacement_for_one_call_is_gone_in_the_next_round() -> None:
    play = at_checks(fallback_scope="this_call")
    play.hear(play.find("conviction"), failed())
    swap = play.log[-1]
    assert isinstance(swap, RoleSwapped)
    assert (swap.cause, swap.scope) == ("failed", "this_call")
    play.until("persuader")
    assert play.until("conviction").rank == 0
    play.finish()
    assert closed(play).facts["moderator_switches"] == 0


def test_in_the_code_profile_one_moderator_takes_over_all_checks() -> None:
    play = at_checks(profile="code")
    for _ in range(2):
        play.say("conviction", "")
    swaps = [event for event in play.log if isinstance(event, RoleSwapped)]
    assert [(x.role, x.rank, x.turn) for x in swaps] == [
        ("conviction", 1, 3),
        ("pleasantry", 1, 3),
        ("topic", 1, 3),
    ]
    assert len(play.due) == 9  # the panel finishes the round that it began
    play.until("debater")
    play.until("conviction")
    assert [(due.role, due.rank) for due in play.due] == [
        ("conviction", 1),
        ("pleasantry", 1),
        ("topic", 1),
    ]


def test_in_the_code_profile_the_new_moderator_counts_from_zero() -> None:
    play = at_checks(profile="code")
    for _ in range(2):
        play.say("conviction", "")
    play.finish()
    assert (closed(play).reason, closed(play).rounds) == ("round_limit", 11)
    late = Play(opened(profile="code", fallback=("second",), hard_limit=30))
    late.reach(5, "conviction")
    for _ in range(2):
        late.say("conviction", "")
    late.finish()
    # Rounds 1 to 4 were counted by the first moderator and are forgotten.
    assert (closed(late).reason, closed(late).rounds) == ("round_limit", 15)
    assert closed(late).facts["rounds_as_code"] == 14


def test_an_exhausted_chain_fails_the_episode_once_all_checks_are_in() -> None:
    play = at_checks()
    for _ in range(4):
        play.say("topic", "")
    assert not play.closed
    play.say("conviction", "true")
    play.say("pleasantry", "continue")
    assert (closed(play).outcome, closed(play).reason) == (None, "topic_failed")
    assert not any(isinstance(event, RulingMade) for event in play.log)


def test_which_failure_counts_does_not_depend_on_which_came_first() -> None:
    def fail_in(order: tuple[str, str, str]) -> EpisodeClosed:
        play = Play(opened())
        play.until("conviction")
        for role in order:
            play.hear(play.find(role), failed(f"{role} is down"))
        return closed(play)

    one = fail_in(("topic", "conviction", "pleasantry"))
    assert one == fail_in(("conviction", "pleasantry", "topic"))
    assert (one.reason, one.facts["error"]) == ("conviction_failed", "conviction is down")


def test_an_operators_swap_reaches_the_checks_from_its_turn_on() -> None:
    play = at_checks()
    play.hear(play.find("conviction"), failed())
    assert play.find("conviction").rank == 1
    swap = RoleSwapped(role="conviction", epoch=1, rank=0, cause="operator", turn=2)
    log = Play(opened(fallback=("second",)), [*play.log[1:], swap])
    assert log.find("conviction").rank == 0
    log.hear(log.find("conviction"), failed())
    last = log.log[-1]
    assert isinstance(last, RoleSwapped)
    assert (last.epoch, last.rank) == (1, 1)


@pytest.mark.parametrize("role", ["debater", "persuader"])
def test_an_empty_text_is_asked_for_twice_more_then_the_episode_fails(role: str) -> None:
    play = Play(opened())
    turn = play.until(role).turn
    for attempt in range(3):
        due = play.find(role)
        assert (due.turn, due.attempt) == (turn, attempt)
        play.say(role, "\n ")
    assert (closed(play).outcome, closed(play).reason) == (None, f"{role}_failed")
    assert closed(play).facts["error"] == "empty"


def test_a_text_after_empty_ones_stands_once_in_every_history() -> None:
    play = Play(opened())
    play.say("debater", "")
    play.say("debater", "Now I speak.")
    texts = [line.text for line in play.until("persuader").view.history]
    assert texts.count("Now I speak.") == 1 and "" not in texts


def at_helper() -> Play:
    play = Play(opened("fallacious_helper"))
    play.until("helper")
    return play


def test_broken_helper_output_is_re_formatted_once_then_asked_afresh_then_the_draft_stands() -> (
    None
):
    play = at_helper()
    mark = play.mark()
    play.say("helper", "My label is straw man")
    reformat = play.find("helper")
    assert reformat.view.template == "logicom.helper_reformat"
    assert reformat.view.fields == {
        "keys": "label, passage, text",
        "broken": "My label is straw man",
    }
    play.say("helper", "still broken")
    fresh = play.find("helper")
    assert (fresh.attempt, fresh.view.template) == (2, "logicom.helper_fallacious")
    play.say("helper", "broken again")
    assert play.find("helper").view.template == "logicom.helper_fallacious"
    play.say("helper", "and again")
    assert outline(play.since(mark)) == (
        "helper@6.0",
        "helper@6.1",
        "helper@6.2",
        "helper@6.3",
        "ruling.made",
    )
    assert play.log[-1] == RulingMade(
        policy="logicom-helper.v1",
        inputs=(5, 6),
        decision="use_draft",
        reason="helper_failed",
        round=2,
    )
    assert play.find("debater").view.history[-1].text == "A draft."
    play.finish(conviction="true")
    assert closed(play).facts["helper_failed"] == 1


def test_a_re_formatted_answer_is_used() -> None:
    play = at_helper()
    play.say("helper", "no object")
    play.say("helper", HELP)
    assert play.find("debater").view.history[-1].text == "Final words, agree?"


def test_an_empty_helper_output_has_nothing_to_re_format() -> None:
    play = at_helper()
    for attempt in range(3):
        due = play.find("helper")
        assert (due.attempt, due.view.template) == (attempt, "logicom.helper_fallacious")
        play.say("helper", "")
    assert play.find("debater").view.history[-1].text == "A draft."


def test_a_failed_helper_round_leaves_the_next_one_as_it_would_be() -> None:
    play = at_helper()
    for text in ("x", "x", "x", "x"):
        play.say("helper", text)
    play.until("persuader")
    due = play.until("helper")
    assert (due.attempt, due.view.template) == (0, "logicom.helper_fallacious")


def test_a_text_that_names_its_fallacy_is_flagged_and_counted() -> None:
    play = at_helper()
    play.say("helper", '{"label": "Straw Man", "passage": "p", "text": "This straw man wins."}')
    turn = play.log[-1]
    assert isinstance(turn, TurnSpoken) and turn.reading is not None
    assert "label_leak" in turn.reading.flags
    play.finish(conviction="true")
    assert closed(play).facts["label_leaks"] == 1


def test_an_outcome_of_unreadable_verdicts_alone_says_so() -> None:
    play = Play(opened(round_limit=2))
    closed = play.finish(conviction="hm")
    assert isinstance(closed, EpisodeClosed)
    assert (closed.outcome, closed.reason) == ("not_convinced", "round_limit")
    assert closed.facts["conviction_unread_rounds"] == 2
    assert closed.facts["by_default"] is True


def test_one_readable_verdict_makes_an_outcome_of_its_own() -> None:
    play = Play(opened(round_limit=2))
    play.reach(2, "conviction")
    closed = play.finish(conviction="hm")
    assert isinstance(closed, EpisodeClosed)
    assert closed.facts["conviction_unread_rounds"] == 1
    assert closed.facts["by_default"] is False
