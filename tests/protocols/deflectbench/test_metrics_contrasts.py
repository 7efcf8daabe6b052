"""M2 to M7: how far rates differ over claims, framings, fallacies, models, levels and contexts."""

from __future__ import annotations

import pytest
from tests.protocols.deflectbench._runs import (
    AD_HOMINEM,
    CLEAN,
    COACH,
    DIRECT,
    HONEST,
    LABELED,
    MANIPULATION,
    RED_HERRING,
    REFUSED,
    excluded,
    main_of,
    number,
    report,
    row_of,
    rows_of,
    sample,
    samples,
    shares,
)

from eristic.protocols.reports import Recorded
from eristic.stats import Interval, Undefined


def test_91_and_58_refusals_of_300_spread_by_11_points() -> None:
    # M2
    episodes = [
        *samples(*shares(91, 300), claim="c1"),
        *samples(*shares(58, 300), claim="c2"),
    ]
    [row, *claims] = rows_of(report(episodes, None, 200), "M2")
    assert row.main is not None
    assert number(row.main) == pytest.approx(0.11)
    assert number(row.beside["min"]) == pytest.approx(58 / 300)
    assert number(row.beside["max"]) == pytest.approx(91 / 300)
    assert [number(x.main) for x in claims if x.main] == pytest.approx([91 / 300, 58 / 300])
    assert 0 < number(row.beside["expected"]) < number(row.beside["expected_high"]) < 0.11
    assert number(row.beside["p"]) < 0.05


def test_a_difference_of_templates_is_no_spread_of_claims() -> None:
    episodes = [
        sample(said, claim, condition=condition)
        for claim in ("c1", "c2")
        for condition, said in ((DIRECT, CLEAN), (MANIPULATION, REFUSED))
    ]
    row = rows_of(report(episodes), "M2")[0]
    assert row.main is not None
    assert (number(row.main), number(row.beside["expected"])) == (0, 0)
    assert number(row.beside["p"]) == 1


def framings() -> list[Recorded]:
    """Refusal under coach 0.00, direct 0.40, manipulation 0.98."""
    return [
        *samples(*shares(0, 50), condition=COACH),
        *samples(*shares(20, 50), condition=DIRECT),
        *samples(*shares(49, 50), condition=MANIPULATION),
    ]


def test_the_framing_swing_is_the_largest_difference_of_framings() -> None:
    # M3: 0.98, h(0.98, 0) = 2.8578.
    row = row_of(report(framings()), "M3", rate="refusal")
    assert row.main is not None
    assert number(row.main) == pytest.approx(0.98)
    assert number(row.beside["h"]) == pytest.approx(2.8578, abs=5e-5)
    assert row.main.note == "from explicit_coach to explicit_manipulation"


def test_pairs_of_framings_have_their_difference_h_and_adjusted_p() -> None:
    episodes = [
        sample(said, f"c{claim}", condition=condition)
        for claim in range(8)
        for condition, said in (
            (COACH, LABELED),
            (MANIPULATION, REFUSED if claim else LABELED),
            (DIRECT, LABELED),
        )
    ]
    rows = rows_of(report(episodes), "M3.pairs", rate="refusal")
    assert [(x.keys["first"], x.keys["second"]) for x in rows] == [
        ("explicit_direct", "explicit_coach"),
        ("explicit_direct", "explicit_manipulation"),
        ("explicit_coach", "explicit_manipulation"),
    ]
    assert rows[2].main is not None
    assert number(rows[2].main) == pytest.approx(-7 / 8)
    assert isinstance(rows[2].main.interval, Interval)
    p = number(rows[2].beside["p"])
    assert number(rows[2].beside["p_holm"]) == pytest.approx(2 * p)
    assert isinstance(rows[0].beside["p"].value, Undefined)
    assert number(rows[0].beside["h"]) == 0
    # Only large effects are shown to people; programs get all.
    assert [x.is_minor for x in rows] == [True, False, False]
    assert rows[2].beside["h"].note == "large, second higher"


def test_a_swing_stands_on_claims_that_have_every_framing() -> None:
    episodes = [
        *framings(),
        *samples(*shares(10, 10), claim="c2", condition=COACH),
    ]
    main = main_of(report(episodes), "M3", rate="refusal")
    assert number(main) == pytest.approx(0.98)
    assert excluded(main) == {"of a claim that is not in every group": 10}


def test_where_there_is_nothing_to_compare_no_section_compares() -> None:
    found = report([sample(REFUSED)])
    assert {x.id for x in found.sections}.isdisjoint(
        {"M3", "M3.pairs", "M4", "M5", "M6", "M7", "M9", "M0.labels"}
    )
    freely = report([sample(REFUSED, condition="implicit_neutral")])
    assert {x.id for x in freely.sections}.isdisjoint({"M1.fallacy", "M4", "M8"})


@pytest.mark.parametrize(
    ("conditions", "told"),
    [
        ((DIRECT, COACH), False),
        ((DIRECT, AD_HOMINEM, COACH), True),
        ((DIRECT, "explicit_choose"), False),
    ],
)
def test_framings_that_ask_for_other_fallacies_are_compared_with_a_flag(
    conditions: tuple[str, ...], told: bool
) -> None:
    found = report([sample(CLEAN, condition=x) for x in conditions])
    for name in ("M3", "M3.pairs"):
        [section] = [x for x in found.sections if x.id == name]
        assert any("do not ask for the same fallacies" in x for x in section.notes) == told


def test_a_framing_without_a_judged_response_leaves_the_swing_open() -> None:
    row = row_of(report([sample(REFUSED), sample({}, condition=COACH)]), "M3", rate="refusal")
    assert row.main is not None
    assert row.main.value == Undefined("no claim with a judged response in every group")


def test_the_fallacy_swing_leaves_free_requests_out() -> None:
    # M4: 0.85, 0.05, 0.02 -> 0.83.
    episodes = [
        *samples(*shares(85, 100), condition=DIRECT),
        *samples(*shares(5, 100), condition=AD_HOMINEM),
        *samples(*shares(2, 100), condition=RED_HERRING),
        *samples(*shares(20, 20), condition="explicit_choose"),
        *samples(*shares(20, 20), condition="implicit_neutral"),
    ]
    found = report(episodes)
    for framing in ("explicit", "explicit_direct"):
        assert number(main_of(found, "M4", framing=framing, rate="refusal")) == pytest.approx(0.83)
    assert {x.keys["framing"] for x in rows_of(found, "M4")} == {"explicit", "explicit_direct"}
    [section] = [x for x in found.sections if x.id == "M4"]
    assert any("speaker" in note for note in section.notes)


def test_models_with_different_outcomes_have_a_signature() -> None:
    # M5 and the example of S6: 30, 10, 10 against 10, 20, 20 gives 16.6667, p 0.000240, V 0.4082.
    counts = {"m1": (30, 10, 10), "m2": (10, 20, 20)}
    episodes = [
        sample(said, f"c{number % 5}", repetition=number, model=model, condition=DIRECT)
        for model, table in counts.items()
        for number, said in enumerate(
            said
            for said, count in zip((REFUSED, CLEAN, LABELED), table, strict=True)
            for _ in range(count)
        )
    ]
    row = row_of(report(episodes), "M5", lines="models")
    assert row.main is not None
    assert number(row.main) == pytest.approx(0.4082, abs=5e-5)
    assert isinstance(row.main.interval, Interval)
    assert number(row.beside["statistic"]) == pytest.approx(16.6667, abs=5e-5)
    assert number(row.beside["df"]) == 2
    assert number(row.beside["p"]) == pytest.approx(0.000240, abs=5e-7)
    assert row.beside["p"].note == "without the outcomes that never came: other, soft_refusal"
    assert row.beside["p"].published[0].value == 0.001


def test_one_model_has_no_signature_test_but_its_framings_have() -> None:
    found = report(framings())
    assert rows_of(found, "M5", lines="models") == []
    framed = row_of(found, "M5", lines="framings").beside["p"]
    assert number(framed) < 0.001


def leveled(rates: dict[int, tuple[int, ...]], n: int = 100) -> list[Recorded]:
    """Level -> refusals of each claim among n samples."""
    return [
        sample(said, f"{level}-{place}", repetition=number, level=level)
        for level, hits in rates.items()
        for place, count in enumerate(hits)
        for number, said in enumerate(shares(count, n))
    ]


def test_levels_are_equivalent_when_every_pair_is() -> None:
    # M6 and the example of S5.
    found = report(leveled({1: (24, 26, 25, 25), 2: (26, 27, 25, 26)}))
    [row, overall] = [x for x in rows_of(found, "M6", rate="refusal") if "domain" not in x.keys]
    assert row.main is not None
    assert number(row.main) == pytest.approx(-0.01)
    assert isinstance(row.main.interval, Interval)
    assert (row.main.interval.low, row.main.interval.high) == pytest.approx(
        (-0.0212, 0.0012), abs=5e-5
    )
    assert row.main.interval.level == pytest.approx(0.9)
    assert number(row.beside["p"]) == pytest.approx(0.000224, abs=5e-7)
    assert number(overall.beside["p"]) == number(row.beside["p"])
    assert number(overall.beside["equivalent"]) == number(overall.beside["pairs"]) == 1
    assert number(overall.beside["margin"]) == 0.05
    assert overall.beside["margin"].published[0].value == 5


def test_a_narrower_margin_shows_no_equivalence() -> None:
    found = report(leveled({1: (24, 26, 25, 25), 2: (26, 27, 25, 26)}), margin_points="1")
    row = next(x for x in rows_of(found, "M6", rate="refusal") if x.keys["levels"] == "1 and 2")
    assert number(row.beside["p"]) == pytest.approx(0.5, abs=5e-3)


def test_the_pooled_version_takes_responses_for_independent() -> None:
    # S5: 240/1000 against 250/1000 gives p 0.0188.
    found = report(leveled({1: (120, 120), 2: (124, 126)}, n=500))
    row = next(x for x in rows_of(found, "M6", rate="refusal") if x.keys["levels"] == "1 and 2")
    assert number(row.beside["p_pooled"]) == pytest.approx(0.0188, abs=5e-5)


def test_four_levels_have_six_pairs_and_one_untestable_pair_leaves_the_whole_open() -> None:
    found = report(leveled({1: (2, 3), 2: (2, 3), 3: (2, 3), 4: (2,)}, n=10))
    rows = [x for x in rows_of(found, "M6", rate="refusal") if "domain" not in x.keys]
    assert len(rows) == 7
    assert isinstance(rows[-1].beside["p"].value, Undefined)


def test_levels_are_compared_within_a_domain_that_has_both() -> None:
    episodes = [
        *(
            sample(said, f"{domain}{level}{place}", level=level, domain=domain)
            for domain in ("science", "history")
            for level in (1, 2)
            for place, said in enumerate((REFUSED, CLEAN))
        ),
        sample(CLEAN, "x", level=3, domain="sports"),
    ]
    rows = rows_of(report(episodes), "M6", rate="refusal")
    domains = [(x.keys["domain"], x.keys["levels"]) for x in rows if "domain" in x.keys]
    assert ("science", "1 and 2") in domains
    assert "sports" not in {domain for domain, _ in domains}


def test_a_claim_without_a_level_is_left_out_of_levels_alone() -> None:
    found = report([*leveled({1: (5, 6), 2: (5, 7)}, n=10), sample(REFUSED, "x", level=None)])
    row = next(x for x in rows_of(found, "M6", rate="refusal") if x.keys["levels"] == "1 and 2")
    assert row.main is not None
    assert excluded(row.main) == {"the claim has no level from 1 to 4": 1}
    assert number(main_of(found, "M1", rate="refusal")) == pytest.approx(24 / 41)
    assert main_of(found, "M1.level", level="(not stated)").value == 1


def test_contexts_differ_within_levels_that_weigh_the_same() -> None:
    # M7: +0.02, 0, -0.01, +0.03 -> +0.01.
    us = {1: 52, 2: 50, 3: 49, 4: 53}
    episodes = [
        sample(said, f"{level}-{context}", repetition=number, level=level, context=context)
        for level, hits in us.items()
        for context, count in (("us", hits), ("international", 50))
        for number, said in enumerate(shares(count, 100))
    ]
    found = report(episodes)
    main = main_of(found, "M7", rate="refusal", level="all alike")
    assert number(main) == pytest.approx(0.01)
    assert isinstance(main.interval, Interval | Undefined)
    by_level = [number(main_of(found, "M7", rate="refusal", level=str(x))) for x in us]
    assert by_level == pytest.approx([0.02, 0, -0.01, 0.03])


def test_a_level_with_one_context_says_nothing_of_contexts() -> None:
    episodes = [
        sample(REFUSED, "a", context="us"),
        sample(HONEST, "b"),
        sample(REFUSED, "c", level=2),
        sample(REFUSED, "d", context="moon"),
    ]
    main = main_of(report(episodes), "M7", rate="refusal", level="all alike")
    assert number(main) == 1
    assert excluded(main) == {
        "of a level with one context only": 1,
        "the claim is neither us nor international": 1,
    }
