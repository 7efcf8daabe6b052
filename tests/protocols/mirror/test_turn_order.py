"""A debate: a first score, four speeches, a second score."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.protocols.mirror._debates import (
    SPEECHES,
    Play,
    case,
    debate,
    failed,
    opened,
    overflowed,
    said,
)

from eristic.debate import EpisodeOpened, Lineage, Outcome
from eristic.protocols.machine import Record, Wait, fold
from eristic.protocols.mirror import MIRROR

FOR, AGAINST = "advocate_for", "advocate_against"


def speakers(header: EpisodeOpened, pre: str = "8") -> list[str]:
    """Who gives the four speeches."""
    play = Play(header).hear_all(pre)
    found = []
    for text in SPEECHES:
        found.append(play.now.role)
        play.hear(text)
    return found


@pytest.mark.parametrize(
    ("pre", "post", "outcome"),
    [
        ("8", "10", "rose"),
        ("-8", "-2", "rose"),
        ("8", "-2", "fell"),
        ("0", "0", "unmoved"),
        ("7.5", "7.25", "fell"),
    ],
)
def test_a_debate_ends_as_the_second_score_stands_to_the_first(
    pre: str, post: str, outcome: str
) -> None:
    play = debate(pre, post)
    assert play.ending == (outcome, "debated")
    assert (play.facts["pre"], play.facts["post"]) == (float(pre), float(post))
    assert play.closed.rounds == 4


def test_the_six_turns_have_their_order() -> None:
    play = Play(opened())
    found = []
    for text in ("8", *SPEECHES, "3"):
        found.append((play.now.turn, play.now.role))
        play.hear(text)
    assert found == [
        (0, "respondent"),
        (1, AGAINST),
        (2, FOR),
        (3, AGAINST),
        (4, FOR),
        (5, "respondent"),
    ]
    facts = dict(play.facts)
    assert len(str(facts.pop("transcript"))) == 64
    assert facts == {
        "pre": 8,
        "post": 3,
        "first_side": "against",
        "quoted": "+8",
        "attempts": 2,
    }


def test_no_debate_is_held_without_a_first_score() -> None:
    play = Play(opened()).hear_all(*["I have no opinion"] * 4)
    assert play.ending == (None, "no_pre")
    assert play.facts["cause"] == "refusal"
    assert "pre" not in play.facts


@pytest.mark.parametrize("number", range(1, 5))
@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("I cannot argue against this group", "refusal"),
        (said("Well.", refusal=True), "refusal"),
        ("", "empty"),
    ],
    ids=["declined", "provider", "empty"],
)
def test_a_speech_that_is_declined_four_times_ends_the_debate(
    number: int, text: Outcome | str, cause: str
) -> None:
    play = Play(opened()).hear_all("8", *SPEECHES[: number - 1], *[text] * 4)
    assert play.ending == (None, "no_debate")
    assert (play.facts["speech"], play.facts["cause"]) == (number, cause)
    assert (play.facts["pre"], play.closed.rounds) == (8, number - 1)
    assert play.facts["failed_role"] == (FOR if number % 2 == 0 else AGAINST)


def test_a_speech_for_the_other_side_is_asked_for_again_and_then_missing() -> None:
    play = Play(opened()).hear_all("8")
    switched = "I support this statement, for tools are dear."
    play.hear_all(switched)
    assert (play.now.turn, play.now.attempt) == (1, 1)
    play.hear_all(*[switched] * 3)
    assert play.ending == (None, "no_debate")
    assert play.facts["cause"] == "switched_sides"
    kept = Play(opened(side_check="off")).hear_all("8", switched)
    assert kept.now.turn == 2


def test_a_speech_that_comes_at_the_second_attempt_goes_on() -> None:
    play = Play(opened()).hear_all("8", "I cannot help with that.", *SPEECHES, "3")
    assert play.ending == ("fell", "debated")


def test_both_sides_in_one_speech_are_kept_and_flagged() -> None:
    both = "For: tools are dear.\nAgainst: tools break."
    play = Play(opened()).hear_all("8", SPEECHES[0], both, *SPEECHES[2:], "3")
    assert play.facts["flags"] == "speech_2:both_sides"


@pytest.mark.parametrize("outcome", [overflowed(), failed("context")], ids=["seen", "told"])
def test_a_transcript_over_the_window_ends_without_a_second_score(outcome: Outcome) -> None:
    play = Play(opened()).hear_all("8", *SPEECHES, outcome)
    assert play.ending == (None, "no_post")
    assert play.facts["cause"] == "context_overflow"
    assert play.facts["pre"] == 8


@pytest.mark.parametrize("outcome", [overflowed(), failed()], ids=["overflow", "failed"])
def test_a_speech_that_cannot_be_asked_for_ends_the_debate(outcome: Outcome) -> None:
    play = Play(opened()).hear_all("8", outcome)
    assert play.ending == (None, "no_debate")
    assert play.facts["speech"] == 1


def test_no_second_score_after_four_attempts_is_missing() -> None:
    play = Play(opened()).hear_all("8", *SPEECHES, *["Both were good."] * 4)
    assert play.ending == (None, "no_post")
    assert (play.facts["cause"], play.facts["attempts"]) == ("no_number", 5)


@pytest.mark.parametrize(
    ("rule", "repetition", "first"),
    [
        ("against", 1, AGAINST),
        ("for", 0, FOR),
        ("counterbalanced", 0, AGAINST),
        ("counterbalanced", 1, FOR),
        ("counterbalanced", 2, AGAINST),
    ],
)
def test_who_speaks_first_is_an_option(rule: str, repetition: int, first: str) -> None:
    header = opened(repetition=repetition, first_side=rule)
    second = FOR if first == AGAINST else AGAINST
    assert speakers(header) == [first, second, first, second]


def test_a_drawn_order_is_that_of_the_seed_and_on_record() -> None:
    firsts = set()
    for seed in range(40):
        play = Play(opened(seed=seed, first_side="random")).hear_all("8")
        draw = play.sides.facts["first_draw"]
        assert isinstance(draw, float) and 0 <= draw < 1
        assert play.sides.facts["first_side"] == ("for" if draw < 0.5 else "against")
        assert play.now.role == f"advocate_{play.sides.decision}"
        firsts.add(play.sides.decision)
    assert firsts == {"for", "against"}


def test_a_branch_keeps_what_its_source_drew_whatever_its_own_seed() -> None:
    parent = Lineage(run="r", episode="e", position=4, digest="0" * 64)
    for seed in range(10):
        source = Play(opened(seed=seed, first_side="random")).hear_all("8", SPEECHES[0])
        header = replace(opened(seed=1000 + seed, first_side="random"), parent=parent)
        branch = fold(MIRROR, [header, *source.log[1:]])
        step = MIRROR.decide(branch)
        assert isinstance(step, Wait) and step.calls[0].role == source.now.role
        # And whoever goes through it again, step by step, comes to the same.
        begun = fold(MIRROR, [header, source.log[1]])
        assert MIRROR.decide(begun.given(source.sides)) == Record((source.sides,))


def test_an_imported_episode_without_a_seed_has_a_draw_too() -> None:
    plays = [
        Play(opened(seed=None, repetition=n, first_side="random")).hear_all("8") for n in range(20)
    ]
    assert len({play.sides.facts["first_draw"] for play in plays}) == 20


@pytest.mark.parametrize(("pre", "weak"), [("8", "for"), ("-8", "against"), ("0.5", "for")])
def test_the_side_of_the_first_opinion_is_told_to_argue_badly(pre: str, weak: str) -> None:
    play = Play(opened("biased.en")).hear_all(pre)
    assert play.sides.facts == {
        "first_rule": "against",
        "first_side": "against",
        "pre": float(pre),
        "weak_rule": "pre_sign",
        "weak_side": weak,
    }
    assert play.sides.inputs == (0,)
    for text in SPEECHES:
        is_weak = play.now.role == f"advocate_{weak}"
        assert ("Debate badly" in play.prompt) == is_weak
        play.hear(text)
    assert play.hear_all("1").facts["weak_side"] == weak


def test_nobody_is_told_to_argue_badly_in_a_fair_debate() -> None:
    play = Play(opened()).hear_all("8")
    assert play.sides.facts == {"first_rule": "against", "first_side": "against"}
    for text in SPEECHES:
        assert "badly" not in play.prompt
        play.hear(text)
    assert "weak_side" not in play.hear_all("1").facts


@pytest.mark.parametrize(
    ("means", "repetition", "weak", "rule"),
    [
        ({"en": 2.5}, 1, "for", "baseline_sign"),
        ({"en": -2.5}, 0, "against", "baseline_sign"),
        ({"en": 0}, 0, "for", "alternate"),
        ({"en": 0}, 1, "against", "alternate"),
        ({"zh": 2.5}, 1, "against", "alternate"),
        ({}, 2, "for", "alternate"),
    ],
)
def test_a_neutral_first_score_leaves_it_to_the_baseline_and_then_to_the_repetition(
    means: dict[str, float], repetition: int, weak: str, rule: str
) -> None:
    header = opened("biased.en", about=case(baseline_mean=means), repetition=repetition)
    facts = Play(header).hear_all("0").sides.facts
    assert (facts["weak_side"], facts["weak_rule"]) == (weak, rule)
    assert facts.get("baseline_mean") == means.get("en")


def test_alternating_does_not_look_at_the_baseline() -> None:
    about = case(baseline_mean={"en": 2.5})
    header = opened("biased.en", about=about, repetition=1, weak_if_neutral="alternate")
    assert Play(header).hear_all("0").sides.facts["weak_side"] == "against"


def test_alternating_sides_and_alternating_order_do_not_go_together() -> None:
    found = set()
    for repetition in range(4):
        header = opened(
            "biased.en",
            repetition=repetition,
            weak_if_neutral="alternate",
            first_side="counterbalanced",
        )
        play = Play(header).hear_all("0")
        found.add((play.sides.decision, play.sides.facts["weak_side"]))
    assert len(found) == 4


def test_a_neutral_first_score_may_end_the_episode_without_a_debate() -> None:
    play = Play(opened("biased.en", weak_if_neutral="skip")).hear_all("0")
    assert play.ending == (None, "skipped_neutral")
    assert play.facts == {"pre": 0, "attempts": 1}
    assert play.sides.decision == "skip"
    fair = Play(opened("fair.en", weak_if_neutral="skip")).hear_all("0")
    assert fair.now.role == AGAINST


def test_a_cast_that_is_not_as_meant_is_flagged() -> None:
    other = {FOR: "x", AGAINST: "x"}
    assert "flags" not in debate().facts
    assert debate(header=opened(cast=other)).facts["flags"] == "cast:not_same_model"
    meant = opened(cast=other, debaters="another_model")
    assert "flags" not in debate(header=meant).facts
    same = opened(debaters="another_model")
    assert debate(header=same).facts["flags"] == "cast:not_another_model"
