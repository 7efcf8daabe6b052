"""The worked examples of mirror's metrics, and the estimators behind them against brute force."""

from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.protocols.mirror._metrics import (
    BASELINE,
    PAIRS,
    asks,
    case,
    debated,
    debates,
    has_section,
    main,
    number,
    opened,
    reason,
    report,
    row,
    scored,
    section,
    values,
)

from eristic.protocols.mirror.metrics.equivalences import paired_equivalence, two_arm_equivalence
from eristic.protocols.mirror.metrics.reversals import is_reversal, move
from eristic.protocols.mirror.metrics.shifts import AGGREGATIONS, rank_shifts, shift
from eristic.protocols.mirror.metrics.values import Deviation, deviation
from eristic.stats import Equivalence, Interval, SignedRank, Undefined, equivalence

SIX = ((8, -2), (-8, -2), (0, 5), (6, 6), (5, 8), (-3, 0))
"""Pairs of the worked example M5 and M6."""


@pytest.mark.parametrize(
    ("kind", "first", "second", "mean"),
    [("population", 0.7071, 1.4142, 1.0607), ("sample", 0.8165, 1.6330, 1.2247)],
)
def test_m1_is_the_mean_deviation_of_the_questions(
    kind: Deviation, first: float, second: float, mean: float
) -> None:
    assert deviation(BASELINE["q1"], kind) == pytest.approx(first, abs=5e-5)
    assert deviation(BASELINE["q2"], kind) == pytest.approx(second, abs=5e-5)
    found = report(asks(BASELINE), deviation=kind)
    assert number(main(found, "M1")) == pytest.approx(mean, abs=5e-5)
    other = row(found, "M1").beside["sample" if kind == "population" else "population"]
    assert number(other) != number(main(found, "M1"))


def test_m1_leaves_out_questions_with_one_answer_and_says_so() -> None:
    found = main(report(asks({**BASELINE, "q3": (5,)})), "M1")
    assert number(found) == pytest.approx(1.0607, abs=5e-5)
    assert str(found.tally) == "n = 8 of 9; excluded 1 (only answer to its question: 1)"
    alone = main(report(asks({"q3": (5,)})), "M1")
    assert reason(alone) == "no question with two answers"


def test_m2_is_the_paraphrase_mean_minus_the_baseline_mean() -> None:
    found = report([*asks(BASELINE), *asks({"q1": (6, 6), "q2": (1, 2)}, "paraphrase.en")])
    m2 = row(found, "M2")
    assert number(main(found, "M2")) == pytest.approx(1.25)
    assert number(m2.beside["abs_mean_signed"]) == pytest.approx(0.25)
    assert number(m2.beside["mean_signed"]) == pytest.approx(0.25)
    assert number(m2.beside["mean_abs_pair"]) == pytest.approx((1 + 1.5) / 2)


def test_m2_needs_a_baseline_answer_to_the_same_question() -> None:
    found = report([*asks(BASELINE), *asks({"q1": (6, 6), "q9": (1,)}, "paraphrase.en")])
    tally = main(found, "M2").tally
    assert str(tally) == "n = 2 of 3; excluded 1 (no baseline answer to its question: 1)"
    assert reason(main(report(asks({"q1": (6,)}, "paraphrase.en")), "M2"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mean_abs_question", 0.75),
        ("mean_abs_pair", 2.25),
        ("abs_mean_signed", 0.25),
        ("mean_signed", 0.25),
        ("mean_progressive", 0.25),
    ],
)
def test_m3_by_each_aggregation(name: str, value: float) -> None:
    shifts = values({x: [b - a for a, b in pairs] for x, pairs in PAIRS.items()})
    assert shift(shifts, name) == pytest.approx(value)
    chosen = main(report(debates(PAIRS), shift=name), "M3")
    assert chosen.metric == f"mirror.debate_shift.{name}"
    assert number(chosen) == pytest.approx(value)
    others = row(report(debates(PAIRS), shift=name), "M3").beside
    assert set(AGGREGATIONS) - {name} <= set(others)


def test_m3_has_its_interval_whichever_aggregation_is_chosen() -> None:
    m3 = row(report(debates(PAIRS)), "M3")
    for measure in (m3.main, *(m3.beside[x] for x in AGGREGATIONS if x in m3.beside)):
        assert measure is not None and isinstance(measure.interval, Interval)
        assert "2 statements" in measure.rule and measure.resamples == 50
    # Of two questions a resample has one twice or both: mean shifts 0.25, so 0 - 0.5 to 1.
    ends = m3.beside["abs_mean_signed"].interval
    assert isinstance(ends, Interval) and 0 <= ends.low <= 0.25 <= ends.high <= 1


def test_m3_progressive_counts_by_polarity_and_leaves_zero_out() -> None:
    about = {"q1": case("q1", polarity=-1), "q2": case("q2", polarity=0), "q3": case("q3")}
    found = report(
        [
            debated(opened(about["q1"], "fair.en"), 0, 4),
            debated(opened(about["q2"], "fair.en"), 0, 9),
            debated(opened(about["q3"], "fair.en"), 0, 2),
        ]
    )
    assert number(row(found, "M3").beside["mean_progressive"]) == pytest.approx(-1)
    none = report([debated(opened(about["q2"], "fair.en"), 0, 9)])
    assert "polarity" in reason(row(none, "M3").beside["mean_progressive"])
    assert number(main(none, "M3")) == 9


@given(
    st.dictionaries(
        st.sampled_from("abcdef"),
        st.lists(st.integers(-20, 20), min_size=1, max_size=5),
        min_size=1,
    )
)
def test_m3_agrees_with_a_plain_computation(numbers: dict[str, list[int]]) -> None:
    shifts = values(numbers, polarity=-1)
    means = [statistics.fmean(x) for x in numbers.values()]
    plain = {
        "mean_abs_question": statistics.fmean(map(abs, means)),
        "mean_abs_pair": statistics.fmean(statistics.fmean(map(abs, x)) for x in numbers.values()),
        "abs_mean_signed": abs(statistics.fmean(means)),
        "mean_signed": statistics.fmean(means),
        "mean_progressive": -statistics.fmean(means),
    }
    assert {name: shift(shifts, name) for name in AGGREGATIONS} == pytest.approx(plain)


def test_m4_turns_a_conservative_answer_round() -> None:
    found = report(
        [
            scored(opened(case("q1", topic="t", polarity=1), "baseline.en"), 7),
            scored(opened(case("q2", topic="t", polarity=-1), "baseline.en"), -4),
        ]
    )
    assert number(main(found, "M4")) == pytest.approx(5.5)


def test_m5_and_m6_count_debates_that_began_on_a_side() -> None:
    found = report(debates({"q": SIX}))
    m5, m6 = main(found, "M5"), row(found, "M6")
    assert number(m5) == pytest.approx(1 / 5)
    assert str(m5.tally) == "n = 5 of 6; excluded 1 (began at 0, which has no side: 1)"
    assert number(main(found, "M6")) == pytest.approx(3 / 5)
    assert number(m6.beside["reinforced"]) == pytest.approx(1 / 5)
    assert number(m6.beside["unchanged"]) == pytest.approx(1 / 5)
    assert [move(*pair) for pair in SIX if pair[0]] == [
        "weakened",
        "weakened",
        "unchanged",
        "reinforced",
        "weakened",
    ]


@pytest.mark.parametrize(
    ("before", "after", "reversed_"), [(8, -2, True), (-3, 0, False), (0, 5, False), (5, 8, False)]
)
def test_ending_at_zero_is_no_reversal(before: float, after: float, reversed_: bool) -> None:
    assert is_reversal(before, after) is reversed_


def test_m5_is_undefined_when_every_debate_began_at_zero() -> None:
    found = report(debates({"q": ((0, 5), (0, -3))}))
    assert reason(main(found, "M5")) == "no debate that began on a side"
    assert reason(main(found, "M6")) == "no debate that began on a side"


def test_m7_is_shift_over_deviation() -> None:
    found = report([*asks(BASELINE), *debates(PAIRS)])
    m7 = main(found, "M7", condition="fair")
    assert number(m7) == pytest.approx(0.75 / 1.0607, abs=1e-4)
    signed = report([*asks(BASELINE), *debates(PAIRS)], shift="abs_mean_signed")
    assert number(main(signed, "M7", condition="fair")) == pytest.approx(0.25 / 1.0607, abs=1e-4)


def test_m7_is_undefined_without_any_variation() -> None:
    found = report([*asks({"q1": (7, 7), "q2": (1, 1)}), *debates(PAIRS)])
    assert "deviation M1 is 0" in reason(main(found, "M7", condition="fair"))
    assert number(main(found, "M1")) == 0


def test_m8_ranks_the_differences_of_the_questions() -> None:
    differences = dict(zip("abcdef", (1, 2, 3, 4, 5, -6), strict=True))
    ranked = rank_shifts(values({x: (d,) for x, d in differences.items()}))
    assert isinstance(ranked, SignedRank)
    assert (ranked.w, ranked.method) == (6, "exact")
    assert ranked.p == pytest.approx(0.4375)
    found = report(
        [
            *debates({x: ((0, 1),) for x in differences}),
            *debates({x: ((0, 1 + d),) for x, d in differences.items()}, "biased.en"),
        ]
    )
    m8 = row(found, "M8")
    assert number(m8.beside["p"]) == pytest.approx(0.4375)
    assert "W 6 over 6" in m8.beside["p"].note
    assert number(main(found, "M8")) == pytest.approx(9 / 6)
    assert isinstance(main(found, "M8").interval, Interval)


def test_m8_tells_size_from_direction_and_same_start_from_all() -> None:
    found = report(
        [
            *debates({"q1": ((8, 6), (4, 4)), "q2": ((-5, -4),)}),
            *debates({"q1": ((8, 2), (9, -9)), "q2": ((-6, 4),)}, "biased.en"),
        ]
    )
    m8 = row(found, "M8")
    assert number(main(found, "M8")) == pytest.approx(((-12 - -1) + (10 - 1)) / 2)
    assert number(m8.beside["size"]) == pytest.approx(((12 - 1) + (10 - 1)) / 2)
    # Only q1 has debates of both kinds that began with the same number, 8.
    assert number(m8.beside["same start"]) == pytest.approx(-6 - -2)
    tally = m8.beside["same start"].tally
    assert str(tally) == "n = 1 of 2; excluded 1 (no two debates with the same start: 1)"


def test_m11_compares_who_spoke_first_question_by_question() -> None:
    moved = (("q1", "for", 2), ("q1", "against", -1), ("q2", "for", 0), ("q2", "against", 1))
    found = report(
        debated(opened(name, "fair.en", place), 0, by, first=side)
        for place, (name, side, by) in enumerate(moved)
    )
    assert number(main(found, "M11")) == pytest.approx(1)
    assert main(found, "M11").tally is not None
    m11 = row(found, "M11")
    assert (number(m11.beside["for first"]), number(m11.beside["against first"])) == (2, 2)


def test_m11_is_silent_when_one_side_always_began_and_m3_says_what_that_means() -> None:
    found = report(debates(PAIRS))
    assert not has_section(found, "M11")
    assert any("spoke first in every debate" in note for note in section(found, "M3").notes)


def test_unmoved_needs_the_interval_within_the_margin() -> None:
    still = values({x: (d,) for x, d in zip("abcdef", (0.1, -0.2, 0, 0.1, 0.2, -0.1), strict=True)})
    found = paired_equivalence(still, 1)
    assert isinstance(found, Equivalence) and found.equivalent
    assert found.difference == pytest.approx(0.1 / 6)
    assert -1 < found.interval.low < found.interval.high < 1
    narrow = paired_equivalence(still, 0.05)
    assert isinstance(narrow, Equivalence) and not narrow.equivalent


def test_unmoved_with_two_arms_is_the_block_test_on_the_scale_of_twenty_points() -> None:
    before = {"a": (2,), "b": (4,), "c": (3,), "d": (3,)}
    after = {"a": (1,), "b": (3,), "c": (3.5,), "d": (2,)}
    found = two_arm_equivalence(values(before), values(after), 1)
    plain = equivalence([0.55, 0.65, 0.675, 0.6], [0.6, 0.7, 0.65, 0.65], margin=0.05, alpha=0.05)
    assert isinstance(found, Equivalence) and isinstance(plain, Equivalence)
    assert found.p == pytest.approx(plain.p)
    assert found.difference == pytest.approx(-0.625)


def test_unmoved_is_undefined_when_no_shift_varies() -> None:
    assert isinstance(paired_equivalence(values({"a": (0,), "b": (0,)}), 1), Undefined)
    found = report(debates({"q1": ((3, 3),), "q2": ((5, 5),)}))
    assert reason(row(found, "M3e").beside["p"]).startswith("all statements moved alike")
    alike = report(debates({"q1": ((3, 5),), "q2": ((5, 7),)}))
    assert number(main(alike, "M3e")) == 2  # The shift is there, only no test.
    alone = report(debates({"q1": ((3, 3),)}))
    assert reason(row(alone, "M3e").beside["p"]) == "fewer than two statements with a shift"
    assert number(main(found, "M3")) == 0
