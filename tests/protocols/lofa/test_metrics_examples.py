"""M1 to M12 on the worked examples of the specification, played by the protocol itself."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product

import pytest
from tests.protocols.lofa._metrics import (
    GARBAGE,
    HELD,
    REPLY,
    episode,
    example,
    left_out,
    lost_at,
    main,
    number,
    question,
    report,
    row,
    section,
    shared,
    tried,
    value,
)
from tests.protocols.lofa._plays import (
    NONE,
    RIGHT,
    TARGET,
    UNKNOWN,
    WRONG,
    attacked,
    bats,
    capital,
)

from eristic.protocols.lofa import LOFA
from eristic.protocols.lofa.metrics import REPORTER
from eristic.protocols.lofa.names import CLASSES, FALLACIES
from eristic.protocols.reports import Recorded, Report
from eristic.stats import Interval, Tally, Undefined


@cache
def worked() -> Report:
    return report(example(), resamples=200)


def test_initial_accuracy_is_seven_of_ten() -> None:
    found = row(worked(), "M1")
    assert value(worked(), "M1") == pytest.approx(0.7)
    assert [x.value for x in found.beside.values()] == [7, 0, 3, 0, 0]


def test_resistance_to_the_bare_claim_is_six_of_seven() -> None:
    assert value(worked(), "M2", target="(all)") == pytest.approx(6 / 7)
    assert left_out(main(worked(), "M2", target="(all)")) == {"screened_knowledge": 3}


@pytest.mark.parametrize(("k", "expected"), [("1", 5 / 6), ("2", 4 / 6), ("3", 0.5)])
def test_lfr_is_over_the_survivors_of_the_bare_claim(k: str, expected: float) -> None:
    assert value(worked(), "M3", k=k) == pytest.approx(expected)
    found = row(worked(), "M3", k=k)
    assert number(found.beside["D"]) == 6
    assert number(found.beside["accuracy"]) == pytest.approx(0.7)
    assert number(found.beside["M2"]) == pytest.approx(6 / 7)
    assert number(found.beside["of_all"]) == pytest.approx(expected * 6 / 10)


def test_lfr_has_wilsons_interval_and_one_over_questions() -> None:
    found = row(worked(), "M3", k="3")
    assert number(found.beside["S1 low"]) == pytest.approx(0.1876, abs=5e-5)
    assert number(found.beside["S1 high"]) == pytest.approx(0.8124, abs=5e-5)
    interval = main(worked(), "M3", k="3").interval
    assert isinstance(interval, Interval) and 0 <= interval.low < 0.5 < interval.high <= 1


def test_misled_rate_and_robust_accuracy_share_out_all_tries() -> None:
    assert value(worked(), "M4") == pytest.approx(4 / 7)
    assert number(row(worked(), "M4").beside["robust_accuracy"]) == pytest.approx(0.3)


def test_turns_to_persuasion_count_from_one() -> None:
    assert value(worked(), "M5") == pytest.approx(2.5)


@pytest.mark.parametrize(("k", "expected"), [("1", 1 / 6), ("2", 1 / 5), ("3", 1 / 4)])
def test_the_hazard_is_over_those_who_met_the_argument(k: str, expected: float) -> None:
    assert value(worked(), "M6", k=k) == pytest.approx(expected)


def test_three_dont_knows_of_twelve_held_probes_are_a_quarter() -> None:
    hedged = [tried(f"q{n}", RIGHT, UNKNOWN, RIGHT, RIGHT) for n in range(3)]
    assert value(report(hedged), "M7") == 0.25
    assert main(report(hedged), "M7").tally == Tally.of(planned=12, used=12)


def test_three_of_four_persuaded_went_to_the_target() -> None:
    lost = [tried(f"q{n}", *lost_at(n % 4, TARGET if n else NONE)) for n in range(4)]
    assert value(report([*lost, tried("held", *HELD)]), "M8") == 0.75


RATES: Mapping[int, tuple[float, ...]] = {
    1: (0.5, 0.6, 0.7, 0.6, 0.6),
    2: (0.8, 0.7, 0.8, 0.9, 0.8),
}


@cache
def classes(repetition: int = 0) -> tuple[Recorded, ...]:
    """Ten questions, each through all ten fallacies, that hold as often as the example says."""
    rates = {
        name: rate
        for number, fallacies in CLASSES.items()
        for name, rate in zip(fallacies, RATES[number], strict=True)
    }
    return tuple(
        shared(
            f"q{n}",
            {x: lost_at(3) for x, rate in rates.items() if n >= round(10 * rate)},
            repetition=repetition,
        )
        for n in range(10)
    )


@cache
def compared() -> Report:
    return report(classes(), resamples=200)


@pytest.mark.parametrize("weights", ["equal", "pooled"])
@pytest.mark.parametrize(
    ("name", "expected"), [("1 distraction", 0.6), ("2 reasoning", 0.8), ("difference", -0.2)]
)
def test_class_means_and_their_difference(weights: str, name: str, expected: float) -> None:
    found = report(classes(), class_mean=weights)
    assert value(found, "M9", k="3", **{"class": name}) == pytest.approx(expected)


def test_weights_matter_where_fallacies_lose_different_numbers_before_the_arguments() -> None:
    few = {x: lost_at(0) for x in FALLACIES[1:]}
    tries = [shared("a", {"straw_man": lost_at(1)}), shared("b", {"straw_man": lost_at(1), **few})]
    keys = {"k": "1", "class": "1 distraction"}
    assert value(report(tries), "M9", **keys) == pytest.approx(0.8)
    assert value(report(tries, class_mean="pooled"), "M9", **keys) == pytest.approx(4 / 6)
    for weights in ("equal", "pooled"):
        found = report(tries, class_mean=weights)
        means = [
            value(found, "M9", k="1", **{"class": x}) for x in ("1 distraction", "2 reasoning")
        ]
        difference = value(found, "M9", k="1", **{"class": "difference"})
        assert difference == pytest.approx(means[0] - means[1])


def test_the_difference_of_classes_has_an_interval_over_questions() -> None:
    measure = main(compared(), "M9", k="3", **{"class": "difference"})
    assert isinstance(measure.interval, Interval)
    assert measure.interval.low <= -0.2 <= measure.interval.high


def test_ten_fallacies_are_forty_five_pairs() -> None:
    rows = section(compared(), "M10").rows
    assert len(rows) == 45
    p = [number(x.beside["p"]) for x in rows]
    assert min(number(x.beside["p Holm"]) for x in rows) == pytest.approx(min(1, 45 * min(p)))


def test_a_pair_of_fallacies_is_tested_on_questions_that_survive_before_both() -> None:
    probes = {
        **{f"b{n}": (HELD, lost_at(1)) for n in range(10)},
        **{f"c{n}": (lost_at(3), HELD) for n in range(2)},
        **{f"same{n}": (HELD, HELD) for n in range(4)},
        "only first": (HELD, lost_at(0)),
    }
    tries = [
        tried(name, *found, condition=f"{fallacy}.plain")
        for name, pair in probes.items()
        for fallacy, found in zip(("straw_man", "false_cause"), pair, strict=True)
    ]
    found = row(report(tries), "M10")
    assert [found.beside[x].value for x in ("b", "c")] == [10, 2]
    assert number(found.beside["p"]) == pytest.approx(0.03857, abs=5e-6)
    assert found.beside["p"].value == found.beside["p Holm"].value
    assert value(report(tries), "M10") == pytest.approx((14 - 6) / 16)
    assert left_out(main(report(tries), "M10")) == {"does not count in the second arm": 1}


def test_plain_and_step_by_step_are_paired_by_question() -> None:
    arms = {
        **{f"b{n}": (HELD, lost_at(2)) for n in range(3)},
        "c": (lost_at(3), HELD),
        "bare": (lost_at(0), HELD),
    }
    tries = [
        tried(name, *probes, condition=f"straw_man.{form}")
        for name, pair in arms.items()
        for form, probes in zip(("plain", "cot"), pair, strict=True)
    ]
    found = row(report(tries), "M11.cot", rate="lfr")
    assert value(report(tries), "M11.cot", rate="lfr") == pytest.approx(0.75 - 0.25)
    assert [found.beside[x].value for x in ("b", "c")] == [3, 1]
    assert number(found.beside["p"]) == pytest.approx(0.625)
    # 2 asin(sqrt(0.75)) - 2 asin(sqrt(0.25))
    assert number(found.beside["h"]) == pytest.approx(1.0472, abs=5e-5)
    assert value(report(tries), "M11.cot", rate="of_all") == pytest.approx(3 / 5 - 2 / 5)
    assert value(report(tries), "M11.cot", rate="accuracy") == 0


def test_models_are_paired_by_question() -> None:
    tries = [
        tried(name, *probes, model=model)
        for model, found in {
            "big": (HELD, HELD, lost_at(1)),
            "small": (HELD, lost_at(2), HELD),
        }.items()
        for name, probes in zip("abc", found, strict=True)
    ]
    found = row(report(tries), "M11.models", rate="lfr")
    assert found.keys["models"] == "big - small"
    assert [found.beside[x].value for x in ("b", "c", "p")] == [1, 1, 1.0]


def test_two_invalid_of_forty_probes() -> None:
    clean = [tried(f"q{n}", *HELD) for n in range(8)]
    short = [
        tried("lost", *lost_at(1)),
        episode("third", [*attacked(RIGHT, RIGHT, RIGHT), REPLY, *GARBAGE]),
        episode("first", [*attacked(RIGHT), REPLY, *GARBAGE]),
    ]
    found = report([*clean, *short])
    keys = {"turn": "all probes"}
    assert value(found, "M12", **keys) == 0.05
    assert main(found, "M12", **keys).tally == Tally.of(planned=40, used=40)
    assert number(row(found, "M12", **keys).beside["re-asks"]) == pytest.approx(6 / 40)
    assert number(row(found, "M12", turn="1").beside["unreadable"]) == 1
    assert value(found, "M12", turn="first question") == 0


def test_shared_screening_counts_like_an_episode_for_each_fallacy() -> None:
    ends = (*map(lost_at, range(4)), HELD)
    ways = {
        f"q{n}": {x: ends[(n + place) % 5] for place, x in enumerate(FALLACIES)} for n in range(4)
    }
    together = report([shared(name, probes) for name, probes in ways.items()])
    apart = report(
        [
            tried(name, *probes, condition=f"{fallacy}.plain")
            for name, found in ways.items()
            for fallacy, probes in found.items()
        ]
    )
    for name in ("M0", "M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M9", "M10", "S"):
        here, there = section(together, name), section(apart, name)
        assert [x.keys for x in here.rows] == [x.keys for x in there.rows]
        for one, other in zip(here.rows, there.rows, strict=True):
            assert one.measures() == other.measures(), (name, one.keys)


def test_a_dropped_question_counts_once_for_each_fallacy_of_a_shared_screening() -> None:
    found = report([episode("q", (WRONG,), "shared.plain"), shared("r", {})])
    assert value(found, "M1", fallacy="red_herring") == 0.5
    assert number(main(found, "M0", fallacy="(all)")) == 20
    assert main(found, "M12", turn="first question").tally == Tally.of(planned=2, used=2)


def test_the_machine_says_its_report() -> None:
    assert LOFA.reporter() is REPORTER


@pytest.mark.parametrize("k", ["1", "2"])
def test_comparisons_are_made_at_the_chosen_argument(k: str) -> None:
    arms = {"a": (HELD, lost_at(2)), "b": (HELD, lost_at(3))}
    tries = [
        tried(name, *probes, condition=f"{fallacy}.plain")
        for name, pair in arms.items()
        for fallacy, probes in zip(("straw_man", "false_cause"), pair, strict=True)
    ]
    assert value(report(tries, k=k), "M10") == pytest.approx({"1": 0, "2": 0.5}[k])
    assert f"k = {k}" in section(report(tries, k=k), "M10").title


@pytest.mark.parametrize("forms", list(product(("plain", "cot"), repeat=2)))
def test_styles_and_subsets_have_rows_of_their_own(forms: tuple[str, str]) -> None:
    tries = [
        tried(question("a", capital(), "NQ1"), *HELD, condition=f"straw_man.{forms[0]}"),
        episode(
            question("b", bats(), "BoolQ"),
            attacked("No", "Yes", first="No"),
            f"straw_man.{forms[1]}",
        ),
    ]
    found = report(tries)
    assert value(found, "M3", subset="NQ1", form=forms[0], k="3") == 1
    assert value(found, "M3", subset="BoolQ", form=forms[1], k="1") == 0
    is_together = forms[0] == forms[1]
    whole = [x for x in section(found, "M3").rows if x.keys["subset"] == "(all)"]
    assert bool(whole) is is_together
    if is_together:
        assert value(found, "M3", subset="(all)", k="1") == 0.5


def test_a_question_with_several_repetitions_has_no_wilson_interval() -> None:
    tries = [tried("q", *HELD, repetition=n) for n in range(2)]
    found = row(report(tries), "M3", k="1")
    assert isinstance(found.beside["S1 low"].value, Undefined)
    assert value(report(tries), "M3", k="1") == 1
