"""The worked examples of M1 to M10, one test each, named after the metric."""

from __future__ import annotations

from math import sqrt

import pytest
from tests.protocols.logicom._metrics import (
    arm,
    debate,
    grid,
    main,
    reference,
    report,
    row,
    section,
    value,
)
from tests.replay._plays import read, tell, usual, write

from eristic.debate import TurnSpoken
from eristic.debate.envelopes import decode
from eristic.protocols.logicom.metrics import DebateCollector, Helped
from eristic.protocols.logicom.metrics.contradictions import pair_outcomes
from eristic.protocols.logicom.metrics.costs import role_costs
from eristic.protocols.logicom.metrics.discordance import discordance
from eristic.protocols.logicom.metrics.moderation import stop_shares
from eristic.protocols.logicom.metrics.opinions import disagreed
from eristic.protocols.logicom.metrics.rounds import CENSORED, median_rounds, share_by
from eristic.protocols.logicom.metrics.successes import (
    relative_increase,
    spread,
    successes_by_claim,
)
from eristic.stats import Undefined


def test_m1_four_claims_with_one_two_and_one_successes() -> None:
    found = report(grid([(1, 0, 0, 0), (1, 1, 0, 0), (0, 0, 0, 1)]))
    m1 = row(found, "M1", scenario="no_helper")
    assert value(main(found, "M1")) == pytest.approx(1 / 3)
    assert value(m1.beside["variance"]) == pytest.approx(0.013889, abs=1e-6)
    assert value(m1.beside["sd"]) == pytest.approx(0.117851, abs=1e-6)
    # The sample variance of the example follows from the population's.
    assert value(m1.beside["variance"]) * 3 / 2 == pytest.approx(0.020833, abs=1e-6)
    assert [value(m1.beside[f"rep {n}"]) for n in range(3)] == [0.25, 0.5, 0.25]


def test_m1_the_spread_is_of_the_population() -> None:
    found = spread([0.25, 0.5, 0.25])
    assert not isinstance(found, Undefined)
    assert found.variance == pytest.approx(1 / 72)
    assert found.sd == sqrt(found.variance)


def test_m2_claims_with_none_none_two_three_and_one_success() -> None:
    debates = grid([(0, 0, 1, 1, 1), (0, 0, 1, 1, 0), (0, 0, 0, 1, 0)])
    found = report(debates)
    m2 = row(found, "M2")
    assert [value(m2.beside[f"k={k}"]) for k in range(4)] == [2, 1, 1, 1]
    assert value(main(found, "M2")) == 0.4
    outcomes = arm(debates, repetitions=3).outcomes()
    assert sorted(successes_by_claim(outcomes, (0, 1, 2)).values()) == [0, 0, 1, 2, 3]


@pytest.mark.parametrize(
    ("first", "baseline", "increase"),
    [(34, 24, 0.4167), (113, 67, 0.6866), (34, 20, 0.7000), (222, 175, 0.2686), (401, 224, 0.7902)],
)
def test_m3_the_published_counts_give_the_increases_of_the_audit(
    first: int, baseline: int, increase: float
) -> None:
    assert relative_increase(first, baseline) == pytest.approx(increase, abs=5e-5)


def test_m3_a_baseline_of_zero_is_undefined() -> None:
    assert isinstance(relative_increase(3, 0), Undefined)
    helped = [debate("c0", condition="fallacious_helper"), debate("c0", 0, False)]
    found = main(report(helped), "M3", baseline="no_helper", statistic="mean success")
    assert isinstance(found.value, Undefined)


def test_m4_six_debates_by_both_rules() -> None:
    rounds = ((1, True), (2, True), (3, True), (5, False), (10, False), (4, True))
    debates = [
        debate(f"c{place}", convinced=yes, rounds=number, first_check=number == 1)
        for place, (number, yes) in enumerate(rounds)
    ]
    found = report(debates)
    assert value(main(found, "M4", initial_rule="rounds_gt_2")) == 0.5
    assert value(main(found, "M4", initial_rule="first_check")) == 0.6
    late = {x.claim for x in disagreed(debates, "first_check")[0]} - {
        x.claim for x in disagreed(debates, "rounds_gt_2")[0]
    }
    assert late == {"c1"}, "the rules differ by what was convinced in round 2"


def test_m5_four_claims_in_two_repetitions() -> None:
    logical = grid([(0, 0, 1, 1), (0, 1, 0, 1)], condition="logical_helper")
    fallacious = grid([(1, 0, 1, 0), (1, 1, 1, 0)], condition="fallacious_helper")
    exact = discordance(arm(logical).outcomes(), arm(fallacious).outcomes())
    assert exact is not None
    shares = (exact.second_only, exact.first_only, exact.difference)
    assert tuple(map(float, shares)) == (0.375, 0.25, 0.125)
    found = report([*logical, *fallacious])
    m5 = row(found, "M5")
    assert [value(m5.beside[x]) for x in ("D10", "D01")] == [0.375, 0.25]
    assert value(main(found, "M5")) == 0.125
    rates = [
        value(main(found, "M1", scenario=x.debates[0].condition))
        for x in (arm(fallacious), arm(logical))
    ]
    assert rates[0] - rates[1] == 0.125


def test_m6_three_convinced_and_two_stopped_at_ten() -> None:
    rounds = [1, 2, 4, CENSORED, CENSORED]
    assert [share_by(rounds, k) for k in (1, 2, 4)] == [0.2, 0.4, 0.6]
    assert median_rounds(rounds) == 4
    debates = [debate(f"c{n}", rounds=k) for n, k in enumerate((1, 2, 4))]
    debates += [debate(f"c{n}", convinced=False, rounds=10) for n in (3, 4)]
    found = report(debates)
    assert value(main(found, "M6")) == 4
    assert value(row(found, "M6").beside["by 2"]) == 0.4
    assert value(row(found, "M6").beside["by 10"]) == 0.6
    assert value(row(found, "M6").beside["censored"]) == 2


def test_m6_the_median_of_an_even_number_is_the_lower_middle() -> None:
    assert median_rounds([8, 1, 4, 2]) == 2
    assert median_rounds([1, 2, CENSORED, CENSORED]) == 2


def test_m6_the_median_of_debates_mostly_unconvinced_is_undefined() -> None:
    assert isinstance(median_rounds([1, CENSORED, CENSORED]), Undefined)


def test_m7_three_pairs_of_which_one_contradicts() -> None:
    debates = grid([(1, 1, 1, 0, 0, 0)])
    assert pair_outcomes(arm(debates)).items == [("p0", (1, 1)), ("p1", (0, 1)), ("p2", (0, 1))]
    assert value(main(report(debates), "M7")) == pytest.approx(0.3333, abs=5e-5)


def test_m8_three_appeals_to_emotion_and_an_ad_hominem() -> None:
    def helped(*labels: str) -> tuple[Helped, ...]:
        return tuple(
            Helped(turn=n, label=label, reply=n) for n, label in enumerate(labels, start=2)
        )

    emotion = "appeal_to_emotion"
    scenario = "fallacious_helper"
    debates = [
        debate("c0", replies=3, helped=helped(emotion, emotion), condition=scenario),
        debate("c1", convinced=False, replies=2, helped=helped(emotion), condition=scenario),
        debate("c2", replies=2, helped=helped("ad_hominem"), condition=scenario),
    ]
    found = report(debates)
    assert value(main(found, "M8", label=emotion)) == pytest.approx(1 / 3)
    assert value(main(found, "M8", label="ad_hominem")) == 1.0
    counts = {x.keys["label"]: value(x.beside["texts"]) for x in section(found, "M8").rows}
    assert counts == {"(all)": 4, emotion: 3, "ad_hominem": 1}


def test_m9_five_stops_by_reason_sum_to_one() -> None:
    reasons = ["convinced", "convinced", "round_limit", "round_limit", "pleasantries"]
    shares = stop_shares(reasons)
    expected = {"convinced": 0.4, "round_limit": 0.4, "pleasantries": 0.2}
    assert {name: float(share) for name, share in shares.items()} == expected
    assert sum(shares.values()) == 1


def test_m10_one_round_without_helper_is_four_calls() -> None:
    records = write(tell(usual, number=1, conditions=("no_helper",), options={"round_limit": 1}))
    collector = DebateCollector(frozenset())
    for _, stored in records:
        collector.take(decode(stored), stored)
    sums = role_costs(collector.close().debates)
    assert {role: found["calls"] for role, found in sums.items()} == {
        "conviction": 1,
        "debater": 1,
        "pleasantry": 1,
        "topic": 1,
        "(all)": 4,
    }
    calls = [event.call for _, event, _ in read(records) if isinstance(event, TurnSpoken)]
    assert sums["(all)"]["tokens_in"] == sum(x.tokens_in or 0 for x in calls if x is not None)


# -- the reference


def test_figure_8_counts_reproduce_figure_7_exactly() -> None:
    numbers = reference()
    scenarios = ("no_helper", "fallacious_helper", "logical_helper")
    for model in ("GPT-3.5", "GPT-4"):
        for scenario in scenarios:
            keys = {"debater": model, "scenario": scenario}
            bars = numbers.find("logicom.success_count", **keys)
            assert sum(bar.value for bar in bars) == 200
            total = sum(int(bar.keys["successes_of_3"]) * bar.value for bar in bars)
            (derived,) = numbers.find("logicom.successes_total", **keys)
            assert total == derived.value
            (mean,) = numbers.find("logicom.success_rate.mean", **keys)
            assert round(100 * total / 600) == mean.value


def test_debates_made_of_figure_8_give_back_its_counts_and_figure_7() -> None:
    numbers, debates = reference(), []
    for scenario in ("no_helper", "fallacious_helper", "logical_helper"):
        bars = numbers.find("logicom.success_count", debater="GPT-4", scenario=scenario)
        wins = [int(bar.keys["successes_of_3"]) for bar in bars for _ in range(int(bar.value))]
        debates += [
            debate(f"c{place}", number, number < k, condition=scenario, model="gpt-4-0613")
            for place, k in enumerate(wins)
            for number in range(3)
        ]
    found = report(debates)
    for m2 in section(found, "M2").rows:
        for k in range(4):
            (published,) = m2.beside[f"k={k}"].published
            assert value(m2.beside[f"k={k}"]) == published.value
    for m1 in section(found, "M1").rows:
        assert m1.main is not None
        (published,) = m1.main.published
        assert (published.origin, published.unit) == ("figure-label", "percent of claims")
        assert round(100 * value(m1.main)) == published.value
    headline = main(found, "M3", baseline="logical_helper", statistic="every repetition")
    assert value(headline) == pytest.approx(113 / 67 - 1)


def test_audits_stand_beside_the_numbers_that_they_concern() -> None:
    found = report(grid([(1, 0)] * 3))
    audits = {x.id: {audit.id for audit in x.audits} for x in found.sections}
    assert "headline-baseline" in audits["M3"]
    assert audits["M4"] == {"rq1-swap", "rq1-figure-total"}
    assert audits["M5"] == {"table2-identity"}
    shown = set().union(*audits.values())
    assert shown == {audit.id for audit in reference().audits}
