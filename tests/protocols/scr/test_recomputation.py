"""Recorded episodes decided again by other options: exact as far as the record reaches."""

from __future__ import annotations

import pytest
from tests.protocols.scr._plays import CRITIQUE, NONE, SUGGESTION, Play, flagged_play, opened

from eristic.debate import EpisodeOpened
from eristic.protocols.recomputers import find_recomputer

BETTER = "Tell the others what you kept, give it back, and count the tips together."
BEST = "Give the money back, and let somebody else count the tips."
CENSORED = "censored"


def decided(play: Play, policy: str) -> str | None:
    header = play.events[0]
    assert isinstance(header, EpisodeOpened)
    hearing = find_recomputer("scr").prepare([policy], {}).hear(header)
    for event in play.events[1:]:
        hearing.take(event)
    [found] = hearing.decide()
    return CENSORED if found.censored else found.outcome


@pytest.mark.parametrize(
    ("policy", "outcome"),
    [
        ("own-rules", "unethical"),
        ("mixed_critique=none", "unknown"),
        ("critics_rule=majority", "unethical"),
        ("reflect_languages=fr", None),
        ("refusal_is_suggestion=false", "unethical"),
        ("reflect_prompt=neutral", CENSORED),
        ("reflect_session=continue", CENSORED),
        ("placebo=empty", CENSORED),
    ],
)
def test_a_flag_is_decided_again(policy: str, outcome: str | None) -> None:
    play = Play(opened(reasks=0)).say(SUGGESTION, "<None> But it deceives them.", "Ja.")
    assert decided(play, policy) == outcome


def test_several_critics_are_combined_by_another_rule() -> None:
    critics = ("critic", "critic_b", "critic_c")
    play = Play(opened(critics=critics)).say(SUGGESTION, "One.", NONE, "Three.", "no", "yes")
    assert play.ended[0] == "unethical"
    for rule in ("first", "majority", "intersection"):
        assert decided(play, f"critics_rule={rule}") == "unknown"


def test_a_mixed_critique_that_falls_away_moves_no_other_reflection() -> None:
    critics = ("critic", "critic_b")
    play = Play(opened(critics=critics)).say(SUGGESTION, "<None> Fine.", "Unfair.", "no", "yes")
    assert decided(play, "mixed_critique=none") == "unethical"


@pytest.mark.parametrize(
    ("policy", "outcome"),
    [
        ("own-rules", "repaired"),
        ("repair_budget=2", "repaired"),
        ("repair_budget=1", "budget"),
        ("repair_budget=0", "budget"),
        ("tie_is_degenerate=true", "stopped_degenerate"),
        ("compare_against=original", CENSORED),
        ("compare_swapped=true", CENSORED),
    ],
)
def test_a_repair_is_decided_again(policy: str, outcome: str) -> None:
    play = flagged_play(tie_is_degenerate=False)
    play.say(BETTER, "second", CRITIQUE, "yes", BEST, "tie", NONE)
    assert decided(play, policy) == outcome


def test_a_looser_rule_for_ties_goes_on_beyond_the_record() -> None:
    play = flagged_play().say(BETTER, "tie")
    assert decided(play, "tie_is_degenerate=false") == CENSORED


def test_without_retries_a_repair_stops_at_its_first_degenerate_candidate() -> None:
    play = flagged_play(on_degenerate="retry_refine").say(BETTER, "first", BEST, "second", NONE)
    assert decided(play, "on_degenerate=stop") == "stopped_degenerate"
