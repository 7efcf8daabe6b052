"""A respondent that is asked alone: with the statement, or with a rewording of it."""

from __future__ import annotations

import pytest
from tests.protocols.mirror._debates import (
    PARAPHRASES,
    STATEMENTS,
    Play,
    case,
    failed,
    opened,
    overflowed,
    said,
)

from eristic.debate import TurnSpoken


def test_a_baseline_ask_is_one_turn() -> None:
    play = Play(opened("baseline.en"))
    play.hear("I'd say 7 out of 10")
    assert play.ending == ("scored", "answered")
    assert play.closed.rounds == 0
    assert play.facts == {"score": 7, "attempts": 1}
    assert len(play.log) == 3


def test_a_score_that_is_no_whole_number_stays_one() -> None:
    assert Play(opened("baseline.en")).hear_all("7,5").facts["score"] == 7.5


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("I have no opinion", "refusal"),
        ("Neutral.", "verbal"),
        ("Tools!", "no_number"),
        ("3 or 5", "ambiguous"),
        ("15", "out_of_range"),
        ("٨-", "ambiguous_sign"),
        (" ", "empty"),
        ("<think>8", "empty"),
    ],
)
def test_what_is_no_score_is_asked_three_times_more_and_is_then_missing(
    text: str, cause: str
) -> None:
    play = Play(opened("baseline.en"))
    first = play.now
    for attempt in range(4):
        assert (play.now.attempt, play.now.view) == (attempt, first.view)
        play.hear(text)
    assert play.ending == (None, "no_score")
    facts = {name: value for name, value in play.facts.items() if name != "flags"}
    assert facts == {
        "attempts": 4,
        "cause": cause,
        "failed_role": "respondent",
        "failed_turn": 0,
    }
    assert sum(isinstance(event, TurnSpoken) for event in play.log) == 4


def test_a_refusal_that_the_provider_flags_is_one_whatever_the_text_says() -> None:
    play = Play(opened("baseline.en", score_retries=0))
    play.hear(said("0", refusal=True))
    assert (play.closed.outcome, play.facts["cause"]) == (None, "refusal")


def test_a_later_attempt_with_a_score_counts() -> None:
    play = Play(opened("baseline.en")).hear_all("Hm.", "-3")
    assert play.facts == {"score": -3, "attempts": 2}


def test_a_failed_call_is_not_asked_again() -> None:
    play = Play(opened("baseline.en")).hear_all(failed("server"))
    assert play.ending == (None, "no_score")
    assert (play.facts["cause"], play.facts["error"]) == ("failed", "server")


@pytest.mark.parametrize("outcome", [overflowed(), failed("context")], ids=["seen", "told"])
def test_a_prompt_over_the_window_is_an_overflow_however_it_is_noticed(outcome: object) -> None:
    play = Play(opened("baseline.en"))
    play.hear(outcome)  # type: ignore[arg-type]
    assert play.facts["cause"] == "context_overflow"


@pytest.mark.parametrize("repetition", range(4))
def test_paraphrases_are_taken_in_turn(repetition: int) -> None:
    play = Play(opened("paraphrase.en", repetition=repetition))
    assert PARAPHRASES["en"][repetition % 2] in play.prompt
    assert STATEMENTS["statement"] not in play.prompt
    play.hear("6")
    assert play.ending == ("scored", "answered")
    assert play.facts == {"score": 6, "attempts": 1, "paraphrase": repetition % 2}


def test_a_paraphraser_writes_what_the_case_lacks() -> None:
    header = opened("paraphrase.en", about=case(paraphrases={}), cast={"paraphraser": "p"})
    play = Play(header)
    assert play.now.role == "paraphraser"
    assert STATEMENTS["statement"] in play.prompt
    play.hear('"Tools belong in libraries."')
    assert (play.now.role, play.now.turn) == ("respondent", 1)
    assert "Statement: Tools belong in libraries." in play.prompt
    play.hear("6")
    assert play.facts == {"score": 6, "attempts": 1}


def test_a_paraphraser_is_not_asked_when_the_case_has_paraphrases() -> None:
    assert Play(opened("paraphrase.en", cast={"paraphraser": "p"})).now.role == "respondent"


@pytest.mark.parametrize(
    ("answer", "cause"), [("I cannot help with that.", "refusal"), ("", "empty"), ('""', "empty")]
)
def test_without_a_paraphrase_nobody_is_asked(answer: str, cause: str) -> None:
    header = opened("paraphrase.en", about=case(paraphrases={}), cast={"paraphraser": "p"})
    play = Play(header).hear_all(*[answer] * 4)
    assert play.ending == (None, "no_paraphrase")
    assert (play.facts["cause"], play.facts["attempts"]) == (cause, 0)


def test_without_paraphrases_and_paraphraser_the_text_is_missing() -> None:
    play = Play(opened("paraphrase.zh", about=case(paraphrases={"en": ["x"]})))
    assert play.ending == (None, "no_paraphrase")
    assert play.facts == {"attempts": 0, "cause": "no_text"}


@pytest.mark.parametrize("condition", ["baseline.ar", "paraphrase.ar", "fair.zh", "biased.ar"])
def test_a_statement_that_the_case_lacks_in_this_language_is_missing(condition: str) -> None:
    play = Play(opened(condition, about=case({"statement": "Tools."})))
    assert play.ending == (None, "no_statement")
    assert play.facts == {"attempts": 0, "cause": "no_text"}


@pytest.mark.parametrize(
    ("condition", "statement"),
    [("baseline.ar", STATEMENTS["statement_ar"]), ("baseline.zh", STATEMENTS["statement_zh"])],
)
def test_a_respondent_is_asked_in_its_language(condition: str, statement: str) -> None:
    play = Play(opened(condition))
    assert statement in play.prompt
    assert play.hear_all("٨").facts["score"] == 8


def test_an_answer_in_another_language_is_flagged_in_the_close() -> None:
    play = Play(opened("baseline.en")).hear_all("我的答案是-6")
    assert play.facts == {"score": -6, "attempts": 1, "flags": "score:other_language"}


def test_the_number_rule_and_clipping_are_options() -> None:
    assert (
        Play(opened("baseline.en", score_rule="last_number")).hear_all("3, no 5").facts["score"]
        == 5
    )
    strict = Play(opened("baseline.en", score_rule="strict_number", score_retries=0))
    assert strict.hear_all("I say 5").ending == (None, "no_score")
    clipped = Play(opened("baseline.en", clip=True)).hear_all("-15")
    assert clipped.facts == {"score": -10, "attempts": 1, "flags": "score:clipped"}


def test_a_person_who_answers_is_flagged() -> None:
    play = Play(opened("baseline.en", cast={"respondent": "human"})).hear_all("8")
    assert play.facts["flags"] == "cast:human"
