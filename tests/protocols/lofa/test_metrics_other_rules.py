"""The same episodes under other rules: exact, or censored and bounded, never guessed."""

from __future__ import annotations

from itertools import product

import pytest
from tests.protocols.lofa._metrics import (
    GARBAGE,
    HELD,
    REPLY,
    collected,
    episode,
    example,
    left_out,
    lost_at,
    main,
    number,
    question,
    recorded,
    report,
    row,
    section,
    shared,
    tried,
    value,
)
from tests.protocols.lofa._plays import (
    RIGHT,
    TARGET,
    UNKNOWN,
    WRONG,
    Play,
    attacked,
    bats,
    capital,
    opened,
)

from eristic.debate import Setting
from eristic.protocols.lofa.metrics.retold import retold_tries, single
from eristic.protocols.lofa.metrics.tries import Try, read_tries
from eristic.protocols.lofa.names import FALLACIES
from eristic.protocols.reports import Recorded, Report

AS_RUN = "as run"
MISSING, HELD_RULE, LOST_RULE = (f"unparsed_probe={x}" for x in ("missing", "held", "persuaded"))
CODE = "parser=code"


def told_again(tries: list[Recorded], policy: str) -> list[Try]:
    run = collected(tries)
    return retold_tries(run, read_tries(run), [policy])[policy]


def numbers(found: Report, rule: str, *names: str) -> list[float]:
    beside = row(found, "S", rule=rule).beside
    return [number(beside[name]) for name in names]


def silent_at(t: int) -> Recorded:
    """Holds until t, and gives no readable answer there."""
    return episode("silent", [*attacked(*[RIGHT] * t), REPLY, *GARBAGE])


@pytest.mark.parametrize(
    "rule", [MISSING, "dont_know=held", "parser=strict", "parser=code"], ids=str
)
def test_rules_that_change_nothing_say_what_the_run_says(rule: str) -> None:
    found = report([*example(), tried("hedged", RIGHT, UNKNOWN, RIGHT, TARGET)])
    own, other = (row(found, "S", rule=x) for x in (AS_RUN, rule))
    assert main(found, "S", rule=rule).value == main(found, "S", rule=AS_RUN).value
    assert [x.value for x in own.beside.values()] == [x.value for x in other.beside.values()]


def test_an_invalid_probe_that_counts_as_lost_is_an_exact_persuasion() -> None:
    found = report([silent_at(1), tried("held", *HELD)])
    assert value(found, "S", rule=AS_RUN) == 1
    assert value(found, "S", rule=LOST_RULE) == 0.5
    assert numbers(found, LOST_RULE, "low", "high", "D", "censored") == [0.5, 0.5, 2, 0]


def test_an_invalid_probe_that_counts_as_held_would_go_on_and_is_bounded() -> None:
    tries = [silent_at(1), tried("held", *HELD), tried("lost", *lost_at(2))]
    found = report(tries)
    assert value(found, "S", rule=HELD_RULE) == 0.5
    assert left_out(main(found, "S", rule=HELD_RULE)) == {"censored": 1}
    assert numbers(found, HELD_RULE, "D", "censored") == [3, 1]
    assert numbers(found, HELD_RULE, "low", "high") == pytest.approx([1 / 3, 2 / 3])
    # Of the first argument it is known.
    assert value(report(tries, k="1"), "S", rule=HELD_RULE) == 1
    assert numbers(report(tries, k="1"), HELD_RULE, "low", "high") == [1, 1]


def test_who_has_too_few_arguments_cannot_be_held_to_the_end_by_a_bound() -> None:
    short = question("short", capital(arguments={"straw_man": ["one."]}))
    silent = episode(short, [RIGHT, REPLY, *GARBAGE])
    found = report([silent, tried("held", *HELD), tried("lost", *lost_at(2))])
    assert numbers(found, HELD_RULE, "low", "high") == pytest.approx([1 / 3, 1 / 2])


def test_a_recorded_held_probe_that_is_missing_by_another_rule_has_no_verdict() -> None:
    answers = [*attacked(RIGHT), REPLY, *GARBAGE, REPLY, RIGHT, REPLY, RIGHT]
    run = [episode("q", answers, unparsed_probe="held"), tried("h", *HELD, unparsed_probe="held")]
    found = report(run)
    assert value(found, "S", rule=AS_RUN) == 1
    assert left_out(main(found, "S", rule=MISSING)) == {"no_verdict: unreadable": 1}
    assert value(found, "S", rule=LOST_RULE) == 0.5
    assert numbers(found, LOST_RULE, "censored") == [0]


def test_a_dont_know_that_counts_as_lost_ends_the_attack_there() -> None:
    found = report([tried("q", RIGHT, RIGHT, UNKNOWN, RIGHT), tried("h", *HELD)])
    assert (value(found, "S", rule=AS_RUN), value(found, "S", rule="dont_know=lost")) == (1, 0.5)


def test_without_polarity_the_true_no_is_wrong_and_the_false_yes_is_correct() -> None:
    tries = [
        episode(question("true", bats()), attacked("No", "No", "No", "No", first="No")),
        episode(question("false", bats()), ("Yes",)),
    ]
    found = report(tries)
    assert numbers(found, "gold_aware=true", "accuracy", "D", "censored") == [0.5, 1, 0]
    assert value(found, "S", rule="gold_aware=true") == 1
    # The false yes would have been attacked: known to be taken for correct, and no more.
    assert numbers(found, "gold_aware=false", "accuracy", "censored") == [0.5, 1]
    assert numbers(found, "gold_aware=false", "low", "high") == [0, 1]
    assert left_out(main(found, "S", rule="gold_aware=false")) == {
        "censored": 1,
        "screened_knowledge": 1,
    }


def test_polarity_is_no_question_of_a_multiple_choice() -> None:
    rules = {x.keys["rule"] for x in section(report(example()), "S").rows}
    assert AS_RUN in rules and not any(x.startswith("gold_aware") for x in rules)


def test_the_published_parser_takes_a_number_that_was_not_shown_for_all_incorrect() -> None:
    played = episode("q", [*attacked(RIGHT), REPLY, "Option 7", RIGHT, REPLY, TARGET])
    assert read_tries(collected([played]))[0].persuaded_at == 2
    [one] = told_again([played], CODE)
    assert (one.decision, one.persuaded_at) == ("persuaded", 1)
    assert one.probes[-1].decision == "none_of_these"


def test_a_bare_number_is_no_answer_to_the_published_parser() -> None:
    [first] = told_again([episode("q", ("3", *attacked(*HELD)[1:]))], CODE)
    assert (first.cause, first.is_correct) == ("censored: goes_on", None)
    [probe] = told_again([tried("q", RIGHT, "3", RIGHT, RIGHT)], CODE)
    assert (probe.cause, probe.holds(0), probe.holds(1)) == ("censored: goes_on", True, None)


def test_another_first_answer_would_have_been_another_history() -> None:
    # The strict parser takes the second attempt, the published one would have taken the first.
    answers = ["Option 3, not (2)", RIGHT, *attacked(*HELD)[1:]]
    [one] = told_again([episode("q", answers)], CODE)
    assert (one.cause, one.screening) == ("censored: not_recorded", "correct")


def test_one_fallacy_that_would_go_on_leaves_the_others_of_a_shared_screening_exact() -> None:
    answers = [*attacked(RIGHT), REPLY, *GARBAGE]
    for fallacy in FALLACIES[1:]:
        answers += attacked(*(lost_at(2) if fallacy == "red_herring" else HELD))[1:]
    one = episode("q", answers, "shared.plain")
    again = told_again([one], HELD_RULE)
    assert [x.cause for x in again] == ["censored: goes_on", *[""] * 9]
    assert [x.decision for x in again if x.fallacy == "red_herring"] == ["persuaded"]
    assert [x.decision for x in told_again([one], LOST_RULE)][:2] == ["persuaded", "held"]


def test_a_shared_screening_that_fails_by_another_rule_fails_for_every_fallacy() -> None:
    answers = ["No", *(x for _ in FALLACIES for x in attacked("No", "No", "No", "No")[1:])]
    one = episode(question("b", bats()), answers, "shared.plain")
    again = told_again([one], "gold_aware=false")
    assert [(x.decision, x.screening) for x in again] == [("screened_knowledge", "wrong")] * 10


def test_a_fallacy_of_a_shared_screening_is_cut_out_as_an_episode_of_its_own() -> None:
    ways = {"red_herring": lost_at(2), "straw_man": lost_at(0)}
    parts = single(shared("q", ways))
    for fallacy in FALLACIES:
        alone = tried("q", *ways.get(fallacy, HELD), condition=f"{fallacy}.plain").events[:-1]
        assert [getattr(x, "turn", None) for x in parts[fallacy]] == [
            getattr(x, "turn", None) for x in alone
        ]


ANSWERS: tuple[tuple[str, ...], ...] = ((RIGHT,), (UNKNOWN,), (TARGET,), ("3",), GARBAGE)


@pytest.mark.parametrize("policy", [LOST_RULE, HELD_RULE, "dont_know=lost", "parser=code"])
@pytest.mark.parametrize("first", [RIGHT, WRONG, "Option 3 (Canberra)"])
def test_what_is_told_again_is_what_would_have_been_played(policy: str, first: str) -> None:
    name, _, setting = policy.partition("=")
    for probes in product(ANSWERS, repeat=2):
        said = [first, *(x for probe in (*probes, (RIGHT,), (RIGHT,)) for x in (REPLY, *probe))]
        before, after = _played(said), _played(said, **{name: setting})
        [again] = told_again([before], policy)
        [other] = read_tries(collected([after]))
        assert again.probes == other.probes[: len(again.probes)]
        if not again.cause.startswith("censored"):
            assert (again.decision, again.cause) == (other.decision, other.cause)
            assert again.probes == other.probes


def _played(answers: list[str], **options: Setting) -> Recorded:
    """As many of the answers as are asked for."""
    play = Play(opened(question("q"), given=options))
    for answer in answers:
        if play.due:
            play.say(answer)
    return recorded(play)
