"""Prompts over the trigger: what is folded, who is asked again, and where it ends."""

from __future__ import annotations

import pytest
from tests.protocols.logicom._debates import Play, failed, opened, outline, overflowed

from eristic.debate import EpisodeClosed, HistoryFolded, Overflowed, RulingMade


def folds(play: Play) -> list[HistoryFolded]:
    return [event for event in play.log if isinstance(event, HistoryFolded)]


def closed(play: Play) -> EpisodeClosed:
    last = play.log[-1]
    assert isinstance(last, EpisodeClosed)
    return last


def test_an_overflow_is_folded_and_the_same_turn_is_asked_again() -> None:
    play = Play(opened())
    due = play.reach(4, "debater")
    lines = due.view.history
    mark = play.mark()
    play.hear(due, overflowed(due))  # 20 tokens over, 10 a line: two lines go
    memory = play.find("memory")
    assert (memory.turn, memory.view.history) == (due.turn + 1, lines[1:3])
    play.say("memory", "Both argued well.")
    again = play.find("debater")
    assert (again.turn, again.attempt) == (due.turn, 1)
    assert again.view.history == (lines[0], *lines[3:])
    assert again.view.summary == "Both argued well."
    assert outline(play.since(mark)) == (
        f"debater@{due.turn}.0",
        f"memory@{due.turn + 1}.0",
        "history.folded",
    )
    assert play.log[-1] == HistoryFolded(
        role="debater",
        folded=tuple(line.turn for line in lines[1:3]),
        summary_turn=due.turn + 1,
        policy="earliest_first",
    )


def test_a_second_fold_refines_the_summary_of_the_first() -> None:
    play = Play(opened())
    for summary in ("One.", "Two."):
        due = play.reach(4, "debater")
        play.hear(due, overflowed(due))
        if summary == "Two.":
            assert play.find("memory").view.summary == "One."
        play.say("memory", summary)
    assert play.find("debater").view.summary == "Two."


def test_each_side_forgets_for_itself() -> None:
    play = Play(opened())
    due = play.reach(4, "persuader")
    play.hear(due, overflowed(due))
    play.say("memory", "Short.")
    play.until("debater")
    assert play.find("debater").view.summary == ""
    assert len(play.find("debater").view.history) == 2 * 4 - 1


def test_folding_never_drops_the_opening_or_the_line_to_answer() -> None:
    play = Play(opened())
    due = play.reach(5, "debater")
    first, last = due.view.history[0], due.view.history[-1]
    play.hear(due, overflowed(due, tokens=10_000))
    play.say("memory", "All of it.")
    assert play.find("debater").view.history == (first, last)


def test_the_helper_shortens_the_persuaders_history() -> None:
    play = Play(opened("logical_helper"))
    due = play.reach(4, "helper")
    play.hear(due, overflowed(due))
    play.say("memory", "Short.")
    assert folds(play)[0].role == "persuader"
    again = play.find("helper")
    assert (again.attempt, again.view.summary) == (1, "Short.")
    assert len(again.view.history) == len(due.view.history) - 2


def test_nothing_left_to_fold_fails_the_episode() -> None:
    play = Play(opened())
    play.hear(play.find("debater"), overflowed(play.find("debater")))
    assert (closed(play).outcome, closed(play).reason) == (None, "context_overflow")
    assert closed(play).facts["failed_role"] == "debater"


@pytest.mark.parametrize("role", ["debater", "conviction"])
def test_nothing_left_to_fold_is_sent_anyway_if_the_options_say_so(role: str) -> None:
    play = Play(opened(force_over_window=True))
    due = play.until(role)
    play.hear(due, overflowed(due))
    assert play.log[-1] == RulingMade(
        policy="logicom-window.v1",
        inputs=(due.turn,),
        decision="send_anyway",
        reason="context_overflow",
        round=1,
    )
    forced = play.find(role)
    assert (forced.turn, forced.attempt, forced.force) == (due.turn, 1, True)
    play.finish(conviction="true")
    assert closed(play).facts["forced"] == 1


def test_a_forced_prompt_that_is_refused_again_fails_the_episode() -> None:
    play = Play(opened(force_over_window=True))
    for _ in range(2):
        play.hear(play.find("debater"), overflowed(play.find("debater")))
    assert closed(play).reason == "context_overflow"


def test_a_check_over_the_window_waits_for_the_others_before_it_fails() -> None:
    play = Play(opened())
    due = play.until("topic")
    play.hear(due, overflowed(due))
    assert not play.closed
    play.say("conviction", "true")
    play.say("pleasantry", "continue")
    assert closed(play).reason == "context_overflow"


def test_a_memory_over_its_own_window_takes_fewer_lines_at_a_time() -> None:
    play = Play(opened())
    due = play.reach(5, "debater")
    play.hear(due, overflowed(due, tokens=10_000))
    whole = play.find("memory").view.history
    play.hear(play.find("memory"), overflowed(play.find("memory")))
    half = play.find("memory")
    assert (half.attempt, half.view.history) == (1, whole[: len(whole) // 2])
    play.say("memory", "Half.")
    assert folds(play)[0].folded == tuple(line.turn for line in half.view.history)


def test_an_empty_summary_is_asked_for_twice_more_then_the_episode_fails() -> None:
    play = Play(opened())
    due = play.reach(3, "debater")
    play.hear(due, overflowed(due))
    for attempt in range(3):
        assert play.find("memory").attempt == attempt
        play.say("memory", "")
    assert closed(play).reason == "memory_failed"


def test_a_memory_that_fails_closes_the_episode() -> None:
    play = Play(opened())
    due = play.reach(3, "debater")
    play.hear(due, overflowed(due))
    play.hear(play.find("memory"), failed())
    assert closed(play).reason == "memory_failed"


def test_a_role_that_counts_other_lines_than_it_was_given_cannot_break_the_plan() -> None:
    play = Play(opened())
    due = play.reach(3, "debater")
    wrong = Overflowed(tokens=5, threshold=900, tokenizer="t", line_tokens=(1,) * 40)
    play.hear(due, wrong)
    assert play.find("memory").view.history == due.view.history[1:-1]


def test_the_tiers_of_the_code_fold_by_the_number_of_messages() -> None:
    play = Play(opened(memory_policy="tiers", memory_trigger=4050))
    due = play.reach(5, "debater")
    assert due.memory_trigger == 4050
    assert len(due.view.history) == 9
    play.hear(due, overflowed(due))
    play.say("memory", "Earlier.")
    assert len(play.find("debater").view.history) == 1 + 4


def test_only_debater_and_persuader_have_the_trigger() -> None:
    play = Play(opened("logical_helper", memory_trigger=500))
    triggers = {"debater": 500, "persuader": 500, "helper": None, "conviction": None}
    for role, trigger in triggers.items():
        assert play.until(role).memory_trigger == trigger


def test_a_provider_that_finds_the_prompt_too_long_makes_room_as_well() -> None:
    play = Play(opened())
    due = play.reach(4, "debater")
    play.hear(due, failed("context"))
    play.say("memory", "Short.")
    again = play.find("debater")
    assert (again.turn, again.attempt, again.force) == (due.turn, 1, False)
    assert again.view.history == (due.view.history[0], due.view.history[-1])
    play.hear(again, failed("context"))
    assert (closed(play).outcome, closed(play).reason) == (None, "context_overflow")


def test_a_single_line_too_long_for_the_memory_ends_the_folding() -> None:
    play = Play(opened(force_over_window=True))
    due = play.reach(2, "debater")
    play.hear(due, overflowed(due))
    assert len(play.find("memory").view.history) == 1
    play.hear(play.find("memory"), overflowed(play.find("memory")))
    assert play.find("memory").force
    play.hear(play.find("memory"), failed("context"))
    assert closed(play).reason == "context_overflow"
