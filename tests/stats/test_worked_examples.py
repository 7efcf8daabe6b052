"""Every worked example of the specification's sections S1 to S10, under its own name.

The last tests are the examples of LOGICOM's metrics M1, M3 and M5 that these estimators serve.
"""

from __future__ import annotations

from math import pi

import pytest

from eristic.stats import (
    DIFFERENCE,
    MEAN_RATE,
    RATE,
    RELATIVE_INCREASE,
    TOTAL,
    ChiSquare,
    Equivalence,
    Interval,
    SampleSize,
    SignedRank,
    Tally,
    Undefined,
    block_majorities,
    bootstrap,
    bootstrap_contrast,
    chi_square,
    cohens_h,
    count_ratings,
    equivalence,
    equivalence_pooled,
    gather,
    holm,
    judge_agreement,
    mcnemar,
    measure_rate,
    pair_blocks,
    panel_agreement,
    resampled_values,
    sample_size,
    signed_rank,
    wilson,
)


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [(3, 10, 0.1078, 0.6032), (0, 10, 0, 0.2775), (10, 10, 0.7225, 1), (74, 200, 0.3061, 0.4388)],
)
def test_s1_wilson_intervals(hits: int, n: int, low: float, high: float) -> None:
    found = wilson(hits, n)
    assert isinstance(found, Interval)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)
    assert found.level == 0.95


def test_s1_a_rate_carries_its_numerator_and_its_exclusions() -> None:
    tally = Tally.of(planned=12, used=10, excluded={"failed": 2})
    found = measure_rate(3, tally)
    assert (found.value, found.hits, found.tally.excluded) == (0.3, 3, 2)
    assert found.interval == wilson(3, 10)


@pytest.mark.parametrize(
    ("cells", "raw", "kappa", "ac1"),
    [
        ((40, 10, 5, 45), 0.85, 0.7, 0.7007),
        ((3, 3, 3, 91), 0.94, 0.4681, 0.9324),
        ((96, 2, 2, 0), 0.96, -0.0204, 0.9584),
    ],
)
def test_s2_two_judges(
    cells: tuple[int, int, int, int], raw: float, kappa: float, ac1: float
) -> None:
    a, b, c, d = cells
    found = judge_agreement([[a, b], [c, d]])
    assert found.raw == raw
    assert found.disagreement == pytest.approx(1 - raw)
    assert found.kappa == pytest.approx(kappa, abs=5e-5)
    assert found.ac1 == pytest.approx(ac1, abs=5e-5)
    assert found.tally.used == 100


def test_s2_kappa_is_undefined_for_constant_and_equal_judges() -> None:
    found = judge_agreement([[0, 0], [0, 100]])
    assert isinstance(found.kappa, Undefined)
    assert "one and the same category" in found.kappa.reason
    assert (found.raw, found.ac1) == (1, 1)


def test_s2_three_judges() -> None:
    yes_counts = (3, 3, 2, 0)
    items = [[judge < yes for judge in range(3)] for yes in yes_counts]
    ratings = count_ratings(items, categories=(True, False))
    found = panel_agreement(ratings.counts)
    assert found.raw == pytest.approx(0.8333, abs=5e-5)
    assert found.shares[0] == pytest.approx(0.6667, abs=5e-5)
    assert found.fleiss_kappa == pytest.approx(0.625)
    assert found.ac1 == pytest.approx(0.7)


def test_s3_two_blocks_give_only_their_three_rates() -> None:
    hits = [1] * 4 + [0] * 6 + [1] + [0] * 9
    blocks = gather(["a"] * 10 + ["b"] * 10, hits, [1] * 20)
    values = resampled_values(blocks, RATE, seed=11, resamples=20_000)
    assert set(values.tolist()) == {0.1, 0.25, 0.4}
    assert values.mean() == pytest.approx(0.25, abs=0.005)
    assert bootstrap(blocks, RATE, seed=11).interval == Interval(0.1, 0.4, 0.95)


@pytest.mark.parametrize(
    ("first", "second", "h", "label"),
    [
        (0.9, 0.1, 1.8546, "large"),
        (0.5, 0.4, 0.2014, "small"),
        (1, 0, pi, "large"),
    ],
)
def test_s4_cohens_h(first: float, second: float, h: float, label: str) -> None:
    found, turned = cohens_h(first, second), cohens_h(second, first)
    assert found.h == turned.h == pytest.approx(h, abs=5e-5)
    assert found.label == label
    assert (found.direction, turned.direction) == ("first higher", "second higher")


ARM_1, ARM_2 = (0.24, 0.26, 0.25, 0.25), (0.26, 0.27, 0.25, 0.26)


def test_s5_block_rates_are_equivalent_within_five_points() -> None:
    found = equivalence(ARM_1, ARM_2)
    assert isinstance(found, Equivalence)
    assert found.difference == pytest.approx(-0.01)
    assert found.se == pytest.approx(0.005774, abs=5e-7)
    assert found.df == pytest.approx(6)
    assert found.t_low == pytest.approx(6.928, abs=5e-4)
    assert found.t_high == pytest.approx(-10.392, abs=5e-4)
    assert found.p == pytest.approx(0.000224, abs=5e-7)
    assert found.interval.low == pytest.approx(-0.0212, abs=5e-5)
    assert found.interval.high == pytest.approx(0.0012, abs=5e-5)
    assert found.interval.level == 0.9
    assert found.equivalent


def test_s5_the_same_rates_are_not_shown_equivalent_within_one_point() -> None:
    found = equivalence(ARM_1, ARM_2, margin=0.01)
    assert isinstance(found, Equivalence)
    assert found.p == pytest.approx(0.5)
    assert not found.equivalent
    assert found.p_different > 0.05, "not equivalent is not the same as different"


def test_s5_pooled() -> None:
    found = equivalence_pooled(240, 1000, 250, 1000)
    assert isinstance(found, Equivalence)
    assert found.t_low == pytest.approx(2.080, abs=5e-4)
    assert found.t_high == pytest.approx(-3.120, abs=5e-4)
    assert found.p == pytest.approx(0.0188, abs=5e-5)
    assert isinstance(found.df, Undefined)


def test_s6_chi_square() -> None:
    found = chi_square([[30, 10, 10], [10, 20, 20]])
    assert isinstance(found, ChiSquare)
    assert found.statistic == pytest.approx(16.6667, abs=5e-5)
    assert (found.df, found.n, found.few_expected) == (2, 100, 0)
    assert found.p == pytest.approx(0.000240, abs=5e-7)
    assert found.cramers_v == pytest.approx(0.4082, abs=5e-5)


def test_s7_mcnemar() -> None:
    found = mcnemar(10, 2)
    assert found.p == pytest.approx(0.03857, abs=5e-6)
    assert found.statistic == pytest.approx(4.0833, abs=5e-5)
    assert found.p_large_sample == pytest.approx(0.0433, abs=5e-5)
    assert mcnemar(3, 3).p == 1
    assert mcnemar(0, 0).p == 1


def test_s8_signed_rank() -> None:
    found = signed_rank([1, 2, 3, 4, 5, -6])
    assert isinstance(found, SignedRank)
    assert (found.w, found.p, found.method, found.n) == (6, 0.4375, "exact", 6)


@pytest.mark.parametrize(
    ("first", "second", "per_arm"), [(0.29, 0.37, 541), (0.37, 0.67, 43), (0.30, 0.37, 712)]
)
def test_s9_sample_size(first: float, second: float, per_arm: int) -> None:
    found = sample_size(first, second)
    assert isinstance(found, SampleSize)
    assert found.per_arm == found.per_arm_rho_0 == found.blocks_per_arm == per_arm
    assert found.design_effect == 1


def test_s10_holm() -> None:
    found = holm([0.01, 0.04, 0.03], family="three scenarios")
    assert found.adjusted == pytest.approx((0.03, 0.06, 0.06))
    assert (found.name, found.tested) == ("three scenarios", 3)


def test_logicom_m1_success_rate_is_the_mean_over_repetitions() -> None:
    successes = ([1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 0, 0])
    columns = [column for hits in successes for column in (hits, [1] * 4)]
    found = bootstrap(gather(["p1", "p1", "p2", "p2"], *columns), MEAN_RATE, seed=1)
    assert found.value == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("fallacious", "baseline", "increase"),
    [
        (34, 24, 0.4167),
        (113, 67, 0.6866),
        (34, 20, 0.7000),
        (222, 175, 0.2686),
        (401, 224, 0.7902),
    ],
)
def test_logicom_m3_relative_increase(fallacious: int, baseline: int, increase: float) -> None:
    arms = [gather(["p1", "p2"], [count, 0]) for count in (fallacious, baseline)]
    found = bootstrap_contrast(arms[0], arms[1], TOTAL, RELATIVE_INCREASE, seed=1)
    assert found.value == pytest.approx(increase, abs=5e-5)


def test_logicom_m5_discordance_is_the_difference_of_success_rates() -> None:
    claims = ["c1", "c2", "c3", "c4"] * 2
    logical, fallacious = [0, 0, 1, 1, 0, 1, 0, 1], [1, 0, 1, 0, 1, 1, 1, 0]
    pairs = list(zip(fallacious, logical, strict=True))
    d10, d01 = pairs.count((1, 0)) / 8, pairs.count((0, 1)) / 8
    found = bootstrap_contrast(
        gather(claims, fallacious, [1] * 8), gather(claims, logical, [1] * 8), RATE, seed=3
    )
    assert (d10, d01, found.contrast) == (0.375, 0.25, DIFFERENCE.name)
    assert found.value == pytest.approx(d10 - d01) == pytest.approx(0.125)


def test_logicom_m5_majorities_pair_claims_for_mcnemar() -> None:
    claims = ["c1", "c2", "c3"] * 3
    logical = block_majorities(claims, [False, True, False] * 3)
    fallacious = block_majorities(claims, [True, True, False, True, True, True, False, True, True])
    pairs = pair_blocks(fallacious.values, logical.values)
    assert (pairs.both, pairs.first_only, pairs.second_only, pairs.neither) == (1, 2, 0, 0)
    assert mcnemar(pairs.first_only, pairs.second_only).p == 0.5
