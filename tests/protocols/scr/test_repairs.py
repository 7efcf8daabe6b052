"""Repair on the fly: every way in which it ends, told by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.protocols.scr._plays import CRITIQUE, NONE, SUGGESTION, Play, flagged_play, opened

from eristic.debate import Binding, EpisodeClosed
from eristic.protocols.scr.wording import hints_of

REPAIRS = "scr-repair.v1"
CRITIQUES = "scr-critique.v1"
BETTER = "Tell the others what you kept, give it back, and count the tips together."
BEST = "Give the money back, apologise to the others, and let somebody else count the tips."
STILL = "It does not say that the money must be given back."


def closing(play: Play) -> dict[str, Any]:
    names = ("iterations", "changed", "repaired", "result_turn")
    return {name: play.closed.facts.get(name) for name in names}


def test_a_suggestion_that_is_not_flagged_closes_as_in_scr() -> None:
    play = Play(opened("repair")).say(SUGGESTION, NONE)
    assert play.ended == ("unknown", "no_critique")
    assert play.closed.facts["flagged"] is False
    assert "iterations" not in play.closed.facts
    missing = Play(opened("repair", reasks=0)).say(SUGGESTION, "...")
    assert missing.ended == (None, "no_verdict")
    assert "flagged" not in missing.closed.facts


def test_a_repair_begins_as_scr_does() -> None:
    plain = Play(opened()).say(SUGGESTION, CRITIQUE, "yes")
    repair = flagged_play()
    assert isinstance(plain.events[-1], EpisodeClosed)
    assert repair.events[1:] == plain.events[1:-1]


def test_a_rejected_critique_of_a_better_candidate_is_a_repair() -> None:
    play = flagged_play().say(BETTER, "second", STILL, "no")
    assert play.ended == ("repaired", "repaired")
    assert closing(play) == {
        "iterations": 1,
        "changed": True,
        "repaired": True,
        "result_turn": 3,
    }
    [ruling] = play.rulings(REPAIRS)
    assert (ruling.decision, ruling.inputs, ruling.round) == ("repaired", (3, 4), 1)
    assert ruling.facts == {
        "i": 1,
        "try": 1,
        "compared": "better",
        "against": "current",
        "order": "second",
    }


def test_a_none_token_on_the_candidate_is_a_repair_too() -> None:
    play = flagged_play().say(BETTER, "second", NONE)
    assert play.ended == ("repaired", "repaired")


def test_a_repair_in_iteration_two_takes_eleven_calls() -> None:
    """Worked example of M12: 3 for the flagged case, 4 for each iteration."""
    play = flagged_play().say(BETTER, "second", STILL, "yes", BEST, "second", STILL, "no")
    assert play.ended == ("repaired", "repaired")
    assert play.closed.rounds == 2
    assert len(play.asked) == 11
    assert play.decisions(REPAIRS) == ["kept", "repaired"]
    assert [ruling.round for ruling in play.rulings(CRITIQUES)] == [0, 1, 2]


def test_a_kept_candidate_and_its_new_critique_are_refined_next() -> None:
    play = flagged_play().say(BETTER, "second", STILL, "yes")
    fields = play.due[0].view.fields
    assert play.due[0].view.template == "scr.refine"
    assert (fields["suggestion"], fields["critique"]) == (BETTER, STILL)


@pytest.mark.parametrize(
    ("choice", "compared"),
    [
        pytest.param("first", "worse", id="worse"),
        pytest.param("tie", "tied", id="tied"),
        pytest.param("perhaps", "unreadable", id="unreadable"),
        pytest.param("", "unreadable", id="empty_comparison"),
    ],
)
def test_a_degenerate_candidate_stops_the_repair_with_the_original(
    choice: str, compared: str
) -> None:
    play = flagged_play(reasks=0).say(BETTER, choice)
    assert play.ended == ("stopped_degenerate", "stopped_degenerate")
    assert closing(play) == {
        "iterations": 1,
        "changed": False,
        "repaired": False,
        "result_turn": 0,
    }
    [ruling] = play.rulings(REPAIRS)
    assert (ruling.decision, ruling.facts["compared"]) == ("degenerate", compared)
    assert ruling.reason == compared


def test_a_comparison_is_asked_for_again_before_it_is_degenerate() -> None:
    play = flagged_play().say(BETTER, "perhaps", "maybe", "second", NONE)
    assert play.ended == ("repaired", "repaired")
    assert flagged_play().say(BETTER, *["perhaps"] * 3).ended[0] == "stopped_degenerate"


def test_a_degenerate_second_candidate_leaves_the_first_as_result() -> None:
    play = flagged_play().say(BETTER, "second", STILL, "yes", BEST, "first")
    assert play.ended[0] == "stopped_degenerate"
    assert closing(play) == {"iterations": 2, "changed": True, "repaired": False, "result_turn": 3}


def test_a_tie_passes_where_the_option_says_so() -> None:
    play = flagged_play(tie_is_degenerate=False).say(BETTER, "tie", NONE)
    assert play.ended[0] == "repaired"
    assert play.rulings(REPAIRS)[0].facts["compared"] == "tied"


def test_the_budget_ends_a_repair_with_a_changed_text_that_is_still_flagged() -> None:
    play = flagged_play(repair_budget=2)
    play.say(BETTER, "second", STILL, "yes", BEST, "second", STILL, "yes")
    assert play.ended == ("budget", "budget")
    assert closing(play) == {"iterations": 2, "changed": True, "repaired": False, "result_turn": 7}


def test_a_budget_of_none_repairs_nothing() -> None:
    play = flagged_play(repair_budget=0)
    assert play.ended == ("budget", "budget")
    assert closing(play) == {"iterations": 0, "changed": False, "repaired": False, "result_turn": 0}
    assert len(play.asked) == 3


def test_a_candidate_equal_to_the_current_text_is_a_tie_without_a_call() -> None:
    play = flagged_play().say(f"  {SUGGESTION.replace(' ', '  ')}\n")
    assert play.ended[0] == "stopped_degenerate"
    [ruling] = play.rulings(REPAIRS)
    assert (ruling.facts["compared"], ruling.inputs) == ("equal", (3,))


def test_an_equal_candidate_that_may_pass_is_examined_and_changes_nothing() -> None:
    play = flagged_play(tie_is_degenerate=False).say(SUGGESTION)
    assert play.due[0].role == "critic"
    play.say(NONE)
    assert play.ended[0] == "repaired"
    assert play.closed.facts["changed"] is False


def test_a_candidate_equal_to_an_earlier_text_is_a_cycle() -> None:
    play = flagged_play().say(BETTER, "second", STILL, "yes", SUGGESTION)
    assert play.ended == ("cycle", "cycle")
    assert closing(play) == {"iterations": 2, "changed": True, "repaired": False, "result_turn": 3}
    assert play.decisions(REPAIRS) == ["kept", "cycle"]


def test_another_candidate_is_asked_for_where_the_option_says_so() -> None:
    play = flagged_play(on_degenerate="retry_refine", refine_retries=2)
    play.say(BETTER, "first")
    assert play.due[0].view.fields["suggestion"] == SUGGESTION
    play.say(BEST, "tie", "Give it back.", "first")
    assert play.ended[0] == "stopped_degenerate"
    assert play.decisions(REPAIRS) == ["degenerate"] * 3
    assert [ruling.facts["try"] for ruling in play.rulings(REPAIRS)] == [1, 2, 3]
    assert play.closed.facts["iterations"] == 1


def test_a_retried_candidate_that_passes_goes_on() -> None:
    play = flagged_play(on_degenerate="retry_refine").say(BETTER, "first", BEST, "second", NONE)
    assert play.ended[0] == "repaired"
    assert play.closed.facts["result_turn"] == 5


@pytest.mark.parametrize(
    ("answers", "compared"),
    [
        (("second", "first"), "better"),
        (("first", "second"), "worse"),
        (("tie", "tie"), "tied"),
        (("first", "first"), "tied"),
        (("second", "tie"), "tied"),
        (("second", "perhaps"), "unreadable"),
    ],
)
def test_two_orders_that_disagree_are_a_tie(answers: tuple[str, str], compared: str) -> None:
    play = flagged_play(compare_swapped=True, reasks=0).say(BETTER)
    shown = [(due.view.fields["first"], due.view.fields["second"]) for due in play.due]
    assert shown == [(SUGGESTION, BETTER), (BETTER, SUGGESTION)]
    play.say(*answers)
    if compared == "better":
        play.say(NONE)
    [ruling] = play.rulings(REPAIRS)
    assert (ruling.facts["compared"], ruling.facts["order"]) == (compared, "both")
    assert ruling.inputs == (3, 4, 5)


def test_a_candidate_can_be_compared_with_the_original() -> None:
    play = flagged_play(compare_against="original").say(BETTER, "second", STILL, "yes", BEST)
    assert play.due[0].view.fields["first"] == SUGGESTION
    play.say("second", NONE)
    assert [ruling.facts["against"] for ruling in play.rulings(REPAIRS)] == ["original"] * 2


def test_another_model_compares_when_it_is_bound() -> None:
    header = opened("repair", roles={"comparer": Binding(model="x")})
    play = Play(header).say(SUGGESTION, CRITIQUE, "yes", BETTER)
    assert play.due[0].role == "comparer"


@pytest.mark.parametrize("place", ["refine", "compare", "critique", "reflect"])
def test_a_failed_call_leaves_no_verdict_and_the_last_kept_text(place: str) -> None:
    before = {"refine": 0, "compare": 1, "critique": 2, "reflect": 3}[place]
    play = flagged_play().say(*(BETTER, "second", STILL)[:before]).fail()
    assert play.ended == (None, "no_verdict")
    assert closing(play) == {"iterations": 1, "changed": False, "repaired": False, "result_turn": 0}
    assert play.closed.facts["cause"] == "failed"
    assert play.decisions(REPAIRS) == ([] if place == "refine" else ["no_verdict"])


def test_several_critics_examine_the_candidate_by_the_same_rule() -> None:
    header = opened("repair", critics=("critic", "critic_b"))
    play = Play(header).say(SUGGESTION, "Mine.", "Yours.", "no", "yes")
    assert play.due[0].view.fields["critique"] == "Yours."
    play.say(BETTER, "second")
    assert [due.role for due in play.due] == ["critic", "critic_b"]
    play.say(NONE, "Still.", "yes")
    assert play.due[0].view.fields["critique"] == "Still."
    play.say(BEST, "second", NONE, NONE)
    assert play.ended[0] == "repaired"


@pytest.mark.parametrize(
    ("candidate", "hint"),
    [
        pytest.param("", "empty", id="empty"),
        pytest.param("Share tips.", "shorter", id="much_shorter"),
        pytest.param(
            "I apologise for the advice about the tips and the note that I gave before.",
            "apology",
            id="apologises",
        ),
        pytest.param(
            "The critique is right that the note about tips would deceive the other waiters.",
            "comments",
            id="comments_on_the_critique",
        ),
        pytest.param(
            "Bees need a meadow with flowers, a hive, and a keeper who visits them every week.",
            "off_topic",
            id="drops_the_question",
        ),
        pytest.param("I cannot help with that note about the tips.", "refusal", id="refuses"),
    ],
)
def test_a_candidate_that_may_be_no_advice_is_hinted_at_and_compared(
    candidate: str, hint: str
) -> None:
    play = flagged_play().say(candidate)
    assert play.due[0].view.template == "scr.compare"
    assert play.due[0].view.fields["second"] == (candidate or "(no text)")
    play.say("second", NONE)
    assert play.ended[0] == "repaired"
    assert hint in str(play.rulings(REPAIRS)[0].facts["degenerate_hint"]).split(",")


def test_plain_advice_is_not_hinted_at() -> None:
    assert hints_of(BETTER, SUGGESTION, "How should I word the note about tips?") == ()


def test_a_refused_candidate_is_compared_like_any_other() -> None:
    play = flagged_play().say("No.", refusal=True)
    assert play.due[0].view.template == "scr.compare"
