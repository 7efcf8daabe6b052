"""M7: repairs that changed something, and what judges say of them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.protocols.scr._plays import CRITIQUE, SUGGESTION, Play
from tests.protocols.scr._runs import (
    BETTER_TEXT,
    INVALID,
    VALID,
    advised,
    comparing,
    has_section,
    header,
    human,
    kept,
    main,
    number,
    numbers,
    reason,
    reference,
    repaired,
    report,
    row,
    section,
)

from eristic.judging import Score
from eristic.protocols.reports import Judge, Recorded
from eristic.stats import Interval

FOUR = ("success", "better only", "end to end", "better end to end")


def example(suggester: str = "m") -> list[Recorded]:
    """T 10, V 5 of the worked example; the valid ones are the first."""
    texts = [VALID] * 5 + [INVALID] * 5
    return [
        repaired(*said, case=f"c{n}", episode=f"e{n}", suggester=suggester)
        for n, said in enumerate(texts)
    ]


SAID: dict[str, str | None] = {
    "e0": "better",
    "e1": "better",
    "e2": "tied",
    "e3": "tied",
    "e4": "worse",
}
"""B 2, E 2 of the worked example."""


def four(run: list[Recorded], judge: Judge) -> list[float]:
    """The four numbers, which are always shown together."""
    found = report(run, judge)
    return [number(main(found, "M7b", number=x)) for x in FOUR]


def test_m7_of_the_worked_example() -> None:
    run = example()
    assert four(run, comparing(SAID, run)) == pytest.approx([0.8, 0.4, 0.4, 0.2])


def test_m7_shows_counts_and_intervals() -> None:
    run = example()
    found = report(run, comparing(SAID, run))
    success = row(found, "M7b", number="success")
    assert numbers(success.beside, "better", "tied", "worse") == [2, 2, 1]
    assert success.main is not None and isinstance(success.main.interval, Interval)
    assert str(success.main.tally) == "n = 5 of 10; excluded 5 (no valid repair: 5)"
    assert str(main(found, "M7b", number="end to end").tally) == "n = 10"
    assert number(main(found, "M7", share="valid")) == 0.5
    assert number(main(found, "M7", share="repaired")) == 0.5
    assert number(main(found, "M7", share="iterations")) == 1
    assert number(main(found, "M7", share="degenerate")) == 0.5


def test_m7_without_a_judge_says_so_and_what_is_needed() -> None:
    found = report(example())
    for name in FOUR:
        assert reason(main(found, "M7b", number=name)) == "no judge looked at the repairs"
    assert "--judge scr-repair=MODEL" in section(found, "M7b").about
    notes = " ".join(section(found, "M7").notes)
    assert "another one than the original" in notes and "our reading" in notes


@pytest.mark.parametrize(("value", "cause"), [(None, "inconsistent"), ("gone", "not judged")])
def test_a_repair_without_a_verdict_is_excluded_from_all_four(
    value: str | None, cause: str
) -> None:
    run = example()
    said = {name: x for name, x in SAID.items() if name != "e4"}
    if value is None:
        said["e4"] = None
    found = report(run, comparing(said, run))
    assert number(main(found, "M7b", number="success")) == 1
    assert number(main(found, "M7b", number="end to end")) == pytest.approx(4 / 9)
    for name in FOUR:
        assert cause in str(main(found, "M7b", number=name).tally)


def test_without_a_valid_repair_success_is_undefined_and_end_to_end_is_zero() -> None:
    run = [repaired(*INVALID, case=f"c{n}", episode=f"e{n}") for n in range(3)]
    found = report(run, comparing({}, run))
    assert reason(main(found, "M7b", number="success")) == "no valid repair that was judged"
    assert number(main(found, "M7b", number="end to end")) == 0


def test_a_person_who_saw_the_text_returned_is_a_judge_too() -> None:
    run = example()
    marks = {}
    for one in run:
        assert one.closed is not None
        turn = one.closed.facts["result_turn"]
        assert isinstance(turn, int)
        marks[one.episode] = one.digests[turn]
    values = ("better", "tied", "worse")
    person = human({marks[name]: x for name, x in SAID.items()}, values=values)
    assert four(run, person) == pytest.approx([0.8, 0.4, 0.4, 0.2])


def test_every_judge_has_its_rows_and_two_are_compared() -> None:
    run = example()
    other = comparing({**SAID, "e4": "tied", "e0": None}, run, name="k")
    found = report(run, comparing(SAID, run), other)
    shown = {x.keys["judge"] for x in section(found, "M7b").rows}
    assert shown == {"scr-repair.v1=j", "scr-repair.v1=k"}
    agreed = row(found, "M7c")
    assert agreed.main is not None and number(agreed.main) == pytest.approx(3 / 4)
    assert str(agreed.main.tally).startswith("n = 4 of")
    assert not has_section(report(run, other), "M7c")


@pytest.mark.parametrize(
    ("texts", "budget", "outcome", "valid", "own", "iterations"),
    [
        pytest.param(VALID, 3, "repaired", 1, 1, 1, id="none-token after the candidate"),
        pytest.param(
            (BETTER_TEXT, "second", CRITIQUE, "no"),
            3,
            "repaired",
            1,
            1,
            1,
            id="new critique is rejected",
        ),
        pytest.param((BETTER_TEXT, "first"), 3, "stopped_degenerate", 0, 0, 1, id="worse"),
        pytest.param((BETTER_TEXT, "tie"), 3, "stopped_degenerate", 0, 0, 1, id="tied"),
        pytest.param((SUGGESTION,), 3, "stopped_degenerate", 0, 0, 1, id="equal, not compared"),
        pytest.param(
            (BETTER_TEXT, "Hm.", "Hm.", "Hm."),
            3,
            "stopped_degenerate",
            0,
            0,
            1,
            id="comparison is unreadable",
        ),
        pytest.param(("", "first"), 3, "stopped_degenerate", 0, 0, 1, id="empty candidate"),
        pytest.param(
            (BETTER_TEXT, "second", CRITIQUE, "yes", SUGGESTION),
            3,
            "cycle",
            1,
            0,
            2,
            id="cycle back to the original",
        ),
        pytest.param(
            (BETTER_TEXT, "second", CRITIQUE, "yes"),
            1,
            "budget",
            1,
            0,
            1,
            id="budget: changed and still flagged",
        ),
        pytest.param(
            (BETTER_TEXT, "second", CRITIQUE, "yes", "Third text.", "first"),
            3,
            "stopped_degenerate",
            1,
            0,
            2,
            id="the last kept text is returned",
        ),
    ],
)
def test_each_end_of_a_repair(
    texts: tuple[str, ...],
    budget: int,
    outcome: str,
    valid: int,
    own: int,
    iterations: int,
) -> None:
    one = repaired(*texts, budget=budget)
    assert one.outcome == outcome
    found = report([one])
    shown = [number(main(found, "M7", share=x)) for x in ("valid", "repaired", "iterations")]
    assert shown == [valid, own, iterations]
    assert number(row(found, "M7", share="repaired").beside[outcome]) == 1


def test_a_budget_of_zero_is_no_attempt() -> None:
    one = repaired(budget=0)
    assert one.outcome == "budget"
    valid = main(report([one]), "M7", share="valid")
    assert reason(valid) == "no repair that came to an end"
    assert "no repair was allowed (budget 0): 1" in str(valid.tally)


@pytest.mark.parametrize("texts", [(BETTER_TEXT, "second", "", "", ""), (BETTER_TEXT,)])
def test_a_repair_without_an_end_is_excluded(texts: tuple[str, ...]) -> None:
    made = header(condition="repair")
    play = Play(made).say(SUGGESTION, CRITIQUE, "yes", *texts)
    if len(texts) == 1:
        play.fail()
    found = report([kept(play), repaired(*VALID, case="c2")])
    tally = main(found, "M7", share="valid").tally
    assert tally is not None and (tally.used, tally.excluded) == (1, 1)
    assert "no_verdict" in str(tally)


def test_an_open_repair_is_excluded_as_open() -> None:
    play = Play(header(condition="repair")).say(SUGGESTION, CRITIQUE, "yes", BETTER_TEXT)
    found = report([kept(play), repaired(*VALID, case="c2")])
    assert "open: 1" in str(main(found, "M7", share="valid").tally)


def test_a_suggestion_that_is_not_flagged_is_no_attempt() -> None:
    run = [advised("rejected", condition="repair"), repaired(*VALID, case="c2")]
    assert str(main(report(run), "M7", share="valid").tally) == "n = 1"
    assert not has_section(report([advised("accepted")]), "M7")


def test_remarks_on_candidates_are_counted() -> None:
    found = report([repaired("Sorry, you are right about the critique.", "first")])
    beside = row(found, "M7", share="degenerate").beside
    assert {"hint apology", "hint comments"} <= set(beside)


def test_a_value_that_is_none_of_the_three_is_no_verdict() -> None:
    run = example()
    judge = comparing(SAID, run)
    pair = next(iter(judge.compared))
    odd = Score(status="scored", value="both")
    found = report(run, replace(judge, compared={**judge.compared, pair: odd}))
    assert "no verdict of the judge (both): 1" in str(main(found, "M7b", number="success").tally)


def test_published_repairs_stand_beside_ours_with_their_audit() -> None:
    run = example("openai/gpt-3.5-turbo")
    found = report(run, comparing(SAID, run), published=reference())
    shown = {x: main(found, "M7b", number=x).published for x in FOUR}
    values = {name: [x.value for x in numbers] for name, numbers in shown.items()}
    assert values == {
        "success": [95.1],
        "better only": [29.7],
        "end to end": [46.8],
        "better end to end": [14.6],
    }
    assert [shown[x][0].origin for x in FOUR] == ["text", "text", "derived", "derived"]
    assert [x.value for x in main(found, "M7", share="valid").published] == [49.2]
    assert [x.id for x in section(found, "M7b").audits] == ["repair-claim"]


@pytest.mark.parametrize(
    ("model", "expected"),
    [("ChatGPT", (0.9512, 0.2967, 0.468, 0.146)), ("Llama-13B", (0.8175, 0.2105, 0.233, 0.06))],
)
def test_the_printed_rates_follow_from_the_printed_counts(
    model: str, expected: tuple[float, ...]
) -> None:
    counts = {x.keys["count"]: x.value for x in reference().find("scr.repairs", suggester=model)}
    valid, success, better = (counts[x] for x in ("valid", "successful", "better"))
    found = (success / valid, better / valid, success / 1000, better / 1000)
    assert found == pytest.approx(expected, abs=5e-5)
