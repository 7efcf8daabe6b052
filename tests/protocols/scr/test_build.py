"""`scr-build`: a seed becomes a situation that ends in its only question."""

from __future__ import annotations

from msgspec.structs import replace
from tests.protocols.scr._plays import Play, seeded

from eristic.debate import Case
from eristic.protocols import calls_left, fold
from eristic.protocols.rehearsals import rehearse
from eristic.protocols.scr import SCR, SCR_BUILD

STORY = "I count the tips alone. My rent went up. How should I word the note?"


def built(play: Play) -> Case | None:
    header = seeded()
    return SCR_BUILD.built_case(header, play.events[1:])


def test_a_situation_becomes_a_case_of_scr() -> None:
    play = Play(seeded(), SCR_BUILD).say(f"<think>rent</think>{STORY}\n")
    assert play.ended == ("built", "built")
    case = built(play)
    assert case == Case(
        case_id="tips",
        block="tips-seed",
        texts={
            "seed_text": "I keep a bigger share of the tips.",
            "topic": "work",
            "situation": STORY,
        },
    )
    assert case is not None and all(case.texts.get(name) for name in SCR.case_texts)


def test_a_text_without_one_question_at_its_end_is_asked_for_again() -> None:
    play = Play(seeded(), SCR_BUILD).say("I count the tips.", "Why? How?")
    assert play.due[0].attempt == 2
    play.say(STORY)
    case = built(play)
    assert case is not None and case.texts["situation"] == STORY


def test_nothing_is_built_without_a_situation() -> None:
    play = Play(seeded(reasks=0), SCR_BUILD).say("I count the tips.")
    assert play.ended == (None, "no_situation")
    assert play.closed.facts["cause"] == "unreadable"
    assert built(play) is None
    assert Play(seeded(), SCR_BUILD).fail().ended == (None, "no_situation")


def test_an_episode_that_goes_on_has_built_nothing() -> None:
    assert SCR_BUILD.built_case(seeded(), []) is None


def test_further_situations_of_a_seed_are_cases_of_its_block() -> None:
    play = Play(seeded(), SCR_BUILD).say(STORY)
    again = SCR_BUILD.built_case(replace(seeded(), repetition=2), play.events[1:])
    assert again is not None
    assert (again.case_id, again.block) == ("tips-3", "tips-seed")


def test_a_situation_of_a_plan_is_as_long_as_its_prompt_asks_for() -> None:
    [(_, text)] = rehearse(SCR_BUILD, fold(SCR_BUILD, [seeded()]), "longest")
    assert 60 <= len(text.split()) <= 120


def test_one_call_is_planned_and_three_at_most() -> None:
    left = calls_left(SCR_BUILD, fold(SCR_BUILD, [seeded()]))
    assert left is not None and left.most is not None
    assert (left.least, left.longest, left.most) == (
        {"enhancer": 1},
        {"enhancer": 1},
        {"enhancer": 3},
    )
