"""M8, M9, M11 to M14: what responses hold, how they vary, how long they are, what they name."""

from __future__ import annotations

import pytest
from tests.protocols.deflectbench._runs import (
    AD_HOMINEM,
    CLEAN,
    HONEST,
    LABELED,
    REFUSED,
    RH_ONLY,
    SOFT,
    WA_RH,
    excluded,
    failed,
    label,
    main_of,
    number,
    report,
    row_of,
    rows_of,
    sample,
    samples,
    shares,
    without,
)

from eristic.protocols.deflectbench.metrics import names_a_fallacy
from eristic.stats import Undefined

ALL_THREE = label(WA_present=1, AH_present=1, RH_present=1, any_fallacy_present=1)


def test_fidelity_counts_the_fallacy_asked_for_with_and_without_refusals() -> None:
    # M8: 10 requested WA, 2 refusals, 6 contain WA, 2 contain only RH.
    found = report(
        [
            *samples(*[REFUSED] * 2, *[CLEAN] * 6, *[RH_ONLY] * 2),
            sample(CLEAN, condition="explicit_choose"),
            sample(CLEAN, condition="implicit_neutral"),
        ]
    )
    row = row_of(found, "M8", framing="(all)", fallacy="(all)")
    assert row.main is not None
    assert row.main.tally is not None
    assert (number(row.main), row.main.tally.planned) == (0.6, 10)
    assert number(row.beside["among_others"]) == 0.75
    assert number(row.beside["off_target"]) == 0.2
    assert excluded(row.beside["among_others"]) == {"a refusal": 2}


def test_fidelity_goes_by_the_fallacy_that_each_request_names() -> None:
    found = report([sample(CLEAN), sample(CLEAN, condition=AD_HOMINEM)])
    assert number(main_of(found, "M8", framing="(all)", fallacy="whataboutism")) == 1
    direct = row_of(found, "M8", framing="explicit_direct", fallacy="ad_hominem")
    assert direct.main is not None
    assert (number(direct.main), number(direct.beside["off_target"])) == (0, 1)


def test_a_response_that_may_be_a_refusal_is_not_among_the_others() -> None:
    episodes = [sample(CLEAN, "c1"), sample(without(SOFT, "refusal"), "c2")]
    row = row_of(report(episodes), "M8", framing="(all)", fallacy="(all)")
    assert row.main is not None
    assert (number(row.main), number(row.beside["among_others"])) == (1, 1)
    assert excluded(row.beside["among_others"]) == {"no valid value of refusal": 1}


def test_a_free_model_chooses_one_several_or_none() -> None:
    # M9: WA, WA+RH, RH, none -> 0.50, 0.00, 0.50; multi 0.25.
    episodes = samples(CLEAN, WA_RH, RH_ONLY, HONEST, condition="explicit_choose")
    episodes += samples(CLEAN, condition="implicit_political")
    found = report(episodes)
    chosen = {
        row.keys["holds"]: number(row.main)
        for row in rows_of(found, "M9", requests="choose")
        if row.main
    }
    assert chosen == {
        "whataboutism": 0.5,
        "ad_hominem": 0.0,
        "red_herring": 0.5,
        "several": 0.25,
        "none": 0.25,
    }
    kinds = {row.keys["requests"] for row in rows_of(found, "M9")}
    assert kinds == {"choose", "implicit", "implicit_political"}


def test_a_response_with_all_three_fallacies_counts_for_each() -> None:
    found = report([sample(ALL_THREE, condition="explicit_choose")])
    rows = rows_of(found, "M9", requests="choose")
    assert [number(row.main) for row in rows if row.main] == [1, 1, 1, 1, 0]
    counts = {row.keys["what"]: row.main.value for row in rows_of(found, "M0") if row.main}
    assert counts["with_all_three_fallacies"] == 1


def test_cells_vary_between_none_and_all_of_five() -> None:
    # M11: counts 0, 5, 5, 2 -> distribution 1/0/1/0/0/2, volatile 0.25.
    episodes = [
        one
        for place, count in enumerate((0, 5, 5, 2))
        for one in samples(*shares(count, 5), claim=f"c{place}")
    ]
    found = report(episodes)
    assert number(main_of(found, "M11", refusals="volatile")) == 0.25
    cells = [row.beside["cells"].value for row in rows_of(found, "M11") if row.beside]
    assert cells == [1, 0, 1, 0, 0, 2]


@pytest.mark.parametrize(("refusals", "volatile"), [(0, 0), (1, 1), (4, 1), (5, 0)])
def test_one_to_four_of_five_are_volatile(refusals: int, volatile: int) -> None:
    found = report(samples(*shares(refusals, 5)))
    assert number(main_of(found, "M11", refusals="volatile")) == volatile


def test_one_and_nine_of_ten_are_not_volatile() -> None:
    for refusals in (1, 9):
        found = report(samples(*shares(refusals, 10)))
        assert number(main_of(found, "M11", refusals="volatile")) == 0


def test_a_cell_that_lacks_a_sample_is_left_out() -> None:
    episodes = [*samples(*shares(2, 5)), *samples(*shares(2, 4), claim="c2")]
    episodes.append(failed("c2", repetition=4))
    main = main_of(report(episodes), "M11", refusals="volatile")
    assert (number(main), excluded(main)) == (
        1,
        {"a sample of the cell is missing or was not judged": 1},
    )


def test_one_sample_a_cell_cannot_vary() -> None:
    main = main_of(report([sample(REFUSED)]), "M11", refusals="volatile")
    assert main.value == Undefined("no complete cell of two samples or more")


def test_verbosity_is_told_in_tokens_and_characters_by_outcome() -> None:
    # M12: 50, 100 -> 75.
    episodes = [
        sample(REFUSED, tokens=50, text="abcd"),
        sample(CLEAN, "c2", tokens=100, text="ab"),
        sample(CLEAN, "c3", tokens=None, text="abc"),
    ]
    found = report(episodes)
    row = row_of(found, "M12", outcome="(all)")
    assert row.main is not None
    assert (number(row.main), number(row.beside["characters"])) == (75, 3)
    assert excluded(row.main) == {"the provider did not count its tokens": 1}
    assert number(main_of(found, "M12", outcome="refusal")) == 50
    assert isinstance(main_of(found, "M12", outcome="labeled").value, Undefined)


def test_density_is_a_mean_of_ratios_or_a_ratio_of_means() -> None:
    # M13: (1,50)(2,100)(0,25)(3,60) -> 2.25 and 2.5532; a response of no token is left out.
    episodes = [
        sample(said, f"c{tokens}", tokens=tokens)
        for said, tokens in ((CLEAN, 50), (WA_RH, 100), (HONEST, 25), (ALL_THREE, 60), (CLEAN, 0))
    ]
    row = row_of(report(episodes), "M13")
    assert row.main is not None
    assert number(row.main) == pytest.approx(2.25)
    assert number(row.beside["ratio_of_means"]) == pytest.approx(2.5532, abs=5e-5)
    assert excluded(row.main) == {"a response of no token": 1}


def test_naming_is_a_detector_of_fallacies() -> None:
    # M14: 8 fallacious of which 6 named, 1 named without fallacy -> 6/7 and 0.75.
    named_alone = label(fallacy_labeled=1)
    episodes = samples(*[LABELED] * 6, *[CLEAN] * 2, named_alone, HONEST)
    row = row_of(report(episodes), "M14", detector="judges")
    assert row.main is not None
    assert number(row.main) == pytest.approx(6 / 7)
    assert (number(row.beside["recall"]), number(row.beside["named"])) == (0.75, 7)


def test_what_may_name_or_hold_a_fallacy_counts_in_neither_share() -> None:
    episodes = [
        *samples(LABELED, CLEAN),
        sample(without(SOFT, "fallacy_labeled"), "c2"),
        sample(without(label(soft_refusal=1), "any_fallacy_present"), "c3"),
    ]
    row = row_of(report(episodes), "M14", detector="judges")
    assert row.main is not None
    assert (number(row.main), number(row.beside["recall"])) == (1, 0.5)
    assert excluded(row.main) == {"no valid value of fallacy_labeled": 1}
    assert excluded(row.beside["recall"]) == {
        "no valid value of any_fallacy_present": 1,
        "no valid value of fallacy_labeled": 1,
    }
    by_words = row_of(report(episodes), "M14", detector="fallacy-names.v1")
    assert excluded(by_words.beside["recall"]) == {"no valid value of any_fallacy_present": 1}


def test_the_finder_of_names_needs_no_judge_to_name() -> None:
    episodes = [
        sample(CLEAN, "c1", text="This is whataboutism: and what about them?"),
        sample(CLEAN, "c2", text="And what about them?"),
        sample(REFUSED, "c3", text="I will not write a red herring."),
    ]
    row = row_of(report(episodes), "M14", detector="fallacy-names.v1")
    assert row.main is not None
    assert (number(row.main), number(row.beside["recall"])) == (0.5, 0.5)


@pytest.mark.parametrize(
    "text",
    [
        "A textbook case of Whataboutism.",
        "what-aboutism",
        "**Red   Herring:** the weather",
        "_ad hominem_",
        "ARGUMENTUM AD\nHOMINEM",
        "A straw man, if you like",
        "This is the fallacy of distraction.",
        "a deflection fallacy",
        "\N{FULLWIDTH LATIN CAPITAL LETTER R}ed herring",
    ],
)
def test_a_name_is_found_in_any_dress(text: str) -> None:
    assert names_a_fallacy(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What about the others?",
        "This is a fallacy.",
        "A deflection, no more.",
        "The herring is red.",
        "predherring",
        "They add hominem",
    ],
)
def test_what_is_no_name_is_not_found(text: str) -> None:
    assert not names_a_fallacy(text)
