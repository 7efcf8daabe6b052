"""M10 to M12: aspects and topics, the placebo control, cost by phase; verdicts that change."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.protocols.scr._plays import CRITIQUE, NONE, SUGGESTION, Play
from tests.protocols.scr._runs import (
    ACCEPTED,
    BETTER_TEXT,
    NOTHING,
    REJECTED,
    UNREADABLE,
    advised,
    has_section,
    header,
    kept,
    main,
    number,
    numbers,
    reason,
    reference,
    report,
    row,
    section,
)

from eristic.debate import Lineage, Served, Spoke, TurnSpoken
from eristic.protocols.reports import Recorded
from eristic.stats import Interval, Undefined, chi_square


def of_aspects(**verdicts: list[str]) -> list[Recorded]:
    """Aspect -> what came of its cases."""
    return [
        advised(said, f"{aspect}{n}", texts={"aspect": aspect})
        for aspect, group in verdicts.items()
        for n, said in enumerate(group)
    ]


def test_m10_has_the_rate_of_each_aspect_with_its_interval() -> None:
    run = of_aspects(justice=[ACCEPTED, ACCEPTED, NOTHING, REJECTED], virtue=[REJECTED, NOTHING])
    found = report(run)
    justice = row(found, "M10", cases="justice")
    assert justice.main is not None and number(justice.main) == 0.5
    assert isinstance(justice.main.interval, Interval)
    assert numbers(justice.beside, "critique", "acceptance") == pytest.approx([0.75, 2 / 3])
    assert number(main(found, "M10", cases="virtue")) == 0


def test_m10_tests_the_table_of_aspects_as_in_s6() -> None:
    run = of_aspects(justice=[ACCEPTED] * 6 + [NOTHING] * 2, virtue=[ACCEPTED] * 2 + [NOTHING] * 4)
    found = row(report(run), "M10b", by="aspect")
    expected = chi_square([[6, 2], [2, 4]])
    assert not isinstance(expected, Undefined)
    assert numbers(found.beside, "X2", "df", "p", "expected below 5") == pytest.approx(
        [expected.statistic, 1, expected.p, expected.few_expected]
    )
    assert "expected count below 5" in found.beside["X2"].note
    assert found.main is not None and number(found.main) == pytest.approx(expected.cramers_v)
    assert isinstance(found.main.interval, Interval)


def test_m10_without_a_difference_in_verdicts_is_undefined() -> None:
    found = row(report(of_aspects(justice=[ACCEPTED], virtue=[ACCEPTED])), "M10b")
    assert found.main is not None and isinstance(found.main.value, Undefined)
    assert isinstance(found.beside["p"].value, Undefined)


def test_m10_calls_an_unknown_source_other_and_has_topics_as_minor_rows() -> None:
    run = [
        advised(ACCEPTED, "c1", texts={"topic": "work"}),
        advised(ACCEPTED, "c2", texts={"aspect": "justice", "topic": "money"}),
    ]
    rows = section(report(run), "M10").rows
    assert [(x.keys["by"], x.keys["cases"], x.is_minor) for x in rows] == [
        ("aspect", "justice", False),
        ("aspect", "other", False),
        ("topic", "money", True),
        ("topic", "work", True),
    ]


def test_m10_needs_more_than_one_aspect_or_topic() -> None:
    found = report([advised(ACCEPTED)])
    assert not has_section(found, "M10") and not has_section(found, "M10b")


def test_m10_sets_length_against_acceptance() -> None:
    run = [
        advised(ACCEPTED, "c1", suggestion="one two three four"),
        advised(ACCEPTED, "c2", suggestion="one two"),
        advised(REJECTED, "c3", suggestion="one two"),
        advised(NOTHING, "c4", suggestion="one two three four five six"),
    ]
    found = report(run)
    assert number(main(found, "M10c", critique="accepted")) == 3
    assert number(main(found, "M10c", critique="rejected")) == 2
    assert number(main(found, "M10c", critique="longer if accepted")) == 0.75
    one_sided = main(report(run[:2]), "M10c", critique="longer if accepted")
    assert reason(one_sided) == "no critique that is accepted, or none that is rejected"


def placebo_run(errors: int, accepted: int, n: int = 10) -> list[Recorded]:
    """So many of n critiques are accepted, and of n placebos."""
    return [
        advised(
            ACCEPTED if place < errors else REJECTED,
            f"c{place}",
            placebo=[ACCEPTED if place >= n - accepted else REJECTED],
            options={"placebo": "empty"},
        )
        for place in range(n)
    ]


def test_m11_of_the_worked_example() -> None:
    found = row(report(placebo_run(8, 7)), "M11")
    assert found.main is not None and number(found.main) == pytest.approx(0.1)
    assert isinstance(found.main.interval, Interval)
    assert numbers(found.beside, "error rate", "placebo accepted") == pytest.approx([0.8, 0.7])


def test_m11_of_a_suggester_that_says_yes_to_everything_is_zero() -> None:
    assert number(main(report(placebo_run(10, 10)), "M11")) == 0


def test_m11_keeps_kinds_apart_and_leaves_out_what_was_not_answered() -> None:
    both = {"placebo": "both"}
    run = [
        advised(ACCEPTED, "c1", placebo=[ACCEPTED, REJECTED], options=both),
        advised(ACCEPTED, "c2", placebo=[UNREADABLE, REJECTED], options=both),
        advised(UNREADABLE, "c3", placebo=[ACCEPTED, ACCEPTED], options=both),
    ]
    found = report(run)
    empty = main(found, "M11", placebo="empty of content")
    assert str(empty.tally) == (
        "n = 1 of 3; excluded 2 (no_verdict (reflect: unreadable): 1, no_verdict on the placebo: 1)"
    )
    assert number(empty) == 0
    assert number(main(found, "M11", placebo="about another case")) == 1


def test_m11_without_a_placebo_says_nothing() -> None:
    assert not has_section(report([advised(ACCEPTED)]), "M11")


def test_placebos_decide_nothing() -> None:
    assert number(main(report(placebo_run(0, 10)), "M1", rate="error")) == 0


FLAGGED = (SUGGESTION, CRITIQUE, "yes")
TWICE = (BETTER_TEXT, "second", CRITIQUE, "yes", "A third text.", "second", CRITIQUE, "no")


def called(*texts: str, condition: str = "repair", seconds: float = 1.0) -> Recorded:
    """An episode whose calls all took so long and gave as many tokens as texts have letters."""
    play = Play(header(condition=condition))
    for place, text in enumerate(texts):
        call = Served(
            model="m",
            tokens_in=10,
            tokens_out=len(text),
            latency_s=seconds,
            finish="length" if place == 0 else "stop",
        )
        play.hear(Spoke(text=text, call=call))
    return kept(play)


def test_m12_of_the_worked_example_is_eleven_calls() -> None:
    found = report([called(*FLAGGED, *TWICE)])
    assert number(main(found, "M12b", calls_of="until the verdict")) == 3
    assert number(main(found, "M12b", calls_of="repair")) == 8
    assert number(main(found, "M12b", calls_of="one iteration")) == 4
    assert number(main(found, "M12b", calls_of="episode")) == 11


@pytest.mark.parametrize(
    ("texts", "condition", "what", "calls"),
    [
        ((SUGGESTION, NONE), "scr", "until the verdict", 2),
        (FLAGGED, "scr", "until the verdict", 3),
        ((*FLAGGED, BETTER_TEXT, "second", NONE), "repair", "one iteration", 3),
        ((*FLAGGED, BETTER_TEXT, "first"), "repair", "repair", 2),
        ((*FLAGGED, SUGGESTION), "repair", "repair", 1),
        ((SUGGESTION, "", CRITIQUE, "Well.", "yes"), "scr", "until the verdict", 5),
    ],
)
def test_m12_counts_calls(texts: tuple[str, ...], condition: str, what: str, calls: int) -> None:
    found = report([called(*texts, condition=condition)])
    assert number(main(found, "M12b", calls_of=what)) == calls


def test_m12_tells_asking_again_from_turns() -> None:
    found = row(report([called(SUGGESTION, "", CRITIQUE, "Well.", "yes", condition="scr")]), "M12b")
    assert numbers(found.beside, "turns", "all") == [3, 5]


def test_m12_sums_each_phase() -> None:
    found = report([called(*FLAGGED, *TWICE, seconds=2.0)])
    shown = {x.keys["phase"]: number(x.beside["calls"]) for x in section(found, "M12").rows}
    assert shown == {
        "suggest": 1,
        "critique": 1,
        "reflect": 1,
        "refine": 2,
        "compare": 2,
        "critique again": 2,
        "reflect again": 2,
    }
    refine = row(found, "M12", phase="refine")
    assert refine.main is not None and number(refine.main) == 2
    letters = len(BETTER_TEXT) + len("A third text.")
    assert numbers(refine.beside, "tokens_in", "tokens_out", "seconds", "failed") == [
        20,
        letters,
        4,
        0,
    ]
    assert number(row(found, "M12", phase="suggest").beside["cut"]) == 1


def test_m12_has_a_phase_of_its_own_for_the_placebo() -> None:
    found = report(placebo_run(1, 1, n=2))
    assert number(row(found, "M12", phase="reflect on placebo").beside["calls"]) == 2
    assert number(main(found, "M12b", calls_of="until the verdict")) == 3
    assert number(main(found, "M12b", calls_of="episode")) == 4


def test_m12_counts_failed_calls_in_their_phase() -> None:
    play = Play(header(condition="repair")).say(*FLAGGED).fail()
    found = row(report([kept(play)]), "M12", phase="refine")
    assert numbers(found.beside, "calls", "failed") == [0, 1]
    assert found.main is not None and "failed call: 1" in str(found.main.tally)


def test_m12_of_an_open_episode_knows_phases_without_rulings() -> None:
    play = Play(header(condition="repair")).say(*FLAGGED, BETTER_TEXT, "second", CRITIQUE)
    found = report([kept(play)])
    shown = {x.keys["phase"]: number(x.beside["calls"]) for x in section(found, "M12").rows}
    assert shown["compare"] == shown["critique again"] == shown["refine"] == 1
    until = main(found, "M12b", calls_of="until the verdict")
    assert isinstance(until.value, Undefined)
    assert "open: 1" in str(until.tally)


def test_m12_without_measured_times_is_undefined_and_no_zero() -> None:
    found = report([advised(ACCEPTED)])
    suggest = row(found, "M12", phase="suggest")
    assert suggest.main is not None
    assert reason(suggest.main) == "no call whose time was measured"
    assert reason(suggest.beside["tokens_in"]) == "nobody said the tokens_in"


def test_m12_does_not_pay_again_for_what_a_branch_took_over() -> None:
    made = called(*FLAGGED, BETTER_TEXT, "second", NONE)
    last = max(
        place for place, x in enumerate(made.events) if isinstance(x, TurnSpoken) and x.turn == 2
    )
    parent = Lineage(run="base", episode="c1", position=last + 1, digest="d")
    branch = replace(made, opened=replace(made.opened, parent=parent))
    found = report([branch])
    assert {x.keys["phase"] for x in section(found, "M12").rows} == {
        "refine",
        "compare",
        "critique again",
    }
    assert isinstance(main(found, "M12b", calls_of="until the verdict").value, Undefined)
    assert number(main(found, "M12b", calls_of="one iteration")) == 3


def test_m12_shows_published_seconds_and_dollars() -> None:
    run = [replace_model(called(*FLAGGED, condition="scr"), "Llama-13B-alpaca")]
    found = report(run, published=reference())
    seconds = main(found, "M12", phase="suggest").published
    assert [x.value for x in seconds] == [8, 12]
    assert [x.value for x in main(found, "M12", phase="reflect").published] == [1, 2]
    assert any("30 US dollars" in x for x in section(found, "M12").notes)


def replace_model(one: Recorded, model: str) -> Recorded:
    cast = one.opened.cast
    bound = {**cast, "suggester": replace(cast["suggester"], model=model)}
    return replace(one, opened=replace(one.opened, cast=bound))


def test_t1_counts_cases_whose_verdict_changes() -> None:
    run = [
        *(advised(x, "c1", repetition=n) for n, x in enumerate((ACCEPTED, REJECTED))),
        *(advised(x, "c2", repetition=n) for n, x in enumerate((REJECTED, NOTHING))),
        *(advised(x, "c3", repetition=n) for n, x in enumerate((ACCEPTED, UNREADABLE))),
    ]
    found = main(report(run), "T1")
    assert number(found) == 0.5
    assert str(found.tally) == "n = 2 of 3; excluded 1 (fewer than two verdicts: 1)"
    assert not has_section(report([advised(ACCEPTED)]), "T1")


def test_t2_counts_refusals_kinds_and_remarks() -> None:
    run = [
        kept(Play(header("c1")).say("I cannot help with that.", "<None> But it lies.", "no")),
        kept(Play(header("c2")).say(SUGGESTION, SUGGESTION, "no")),
        advised(NOTHING, "c3"),
        advised(UNREADABLE, "c4"),
    ]
    shown = {
        (x.keys["about"], x.keys["what"]): number(x.main)
        for x in section(report(run), "T2").rows
        if x.main is not None
    }
    assert shown == {
        ("critique of x", "critique"): 2,
        ("critique of x", "mixed"): 1,
        ("critique of x", "none"): 1,
        ("critique of x", "remark copy"): 1,
        ("missing", "no_verdict (reflect: unreadable)"): 1,
        ("suggestion", "refusal"): 1,
    }
