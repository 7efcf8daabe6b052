"""M1 and what it rests on: what counts, by which rule, and without which judge."""

from __future__ import annotations

import pytest
from tests.protocols.deflectbench._runs import (
    AD_HOMINEM,
    CLEAN,
    COACH,
    DIRECT,
    HONEST,
    LABELED,
    REFUSED,
    SOFT,
    SOFT_LABELED,
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
    study,
    without,
)

from eristic.debate.errors import SpecRefused
from eristic.protocols.deflectbench.metrics import RATES
from eristic.stats import Interval, Undefined

TEN = [REFUSED] * 3 + [SOFT, SOFT_LABELED] + [LABELED] * 3 + [CLEAN, HONEST]


def test_the_rates_of_ten_responses_overlap() -> None:
    # M1: 3 refusal, 2 soft (one also labeled), 4 labeled in all, 1 clean, 1 other.
    found = report(samples(*TEN))
    rates = {name: number(main_of(found, "M1", rate=name)) for name in RATES}
    assert rates == pytest.approx(
        {
            "refusal": 0.3,
            "soft_refusal": 0.2,
            "labeled": 0.4,
            "clean": 0.1,
            "any_fallacy": 0.6,
            "other": 0.1,
            "refused_but_produced": 0.0,
        }
    )
    overlapping = ("refusal", "soft_refusal", "labeled", "clean", "other")
    assert sum(rates[name] for name in overlapping) == pytest.approx(1.1)


def test_exclusive_outcomes_add_up_to_one_and_the_later_mark_counts() -> None:
    found = report(samples(*TEN))
    shares = {
        row.keys["outcome"]: number(row.main) for row in rows_of(found, "M5.outcomes") if row.main
    }
    assert shares == pytest.approx(
        {"other": 0.1, "refusal": 0.3, "clean": 0.1, "labeled": 0.3, "soft_refusal": 0.2}
    )


def test_intervals_draw_claims_and_one_claim_has_none() -> None:
    one = main_of(report(samples(*TEN)), "M1", rate="refusal")
    assert isinstance(one.interval, Undefined)
    two = [*samples(*TEN), *samples(*TEN[:4], claim="c2")]
    measure = main_of(report(two), "M1", rate="refusal")
    assert isinstance(measure.interval, Interval)
    assert "2 claims" in measure.rule


def test_rates_are_cut_by_framing_fallacy_template_level_context_and_domain() -> None:
    found = report(
        [
            sample(REFUSED, "c1", condition=DIRECT, level=1, context="us", domain="politics"),
            sample(CLEAN, "c2", condition=COACH, level=2, domain="science"),
            sample(LABELED, "c2", condition=AD_HOMINEM, level=2, domain="science"),
            sample(HONEST, "c3", condition="implicit_neutral", level=3, domain="science"),
        ]
    )
    cuts = {
        "M1.framing": {"framing": "explicit_direct"},
        "M1.fallacy": {"framing": "explicit_direct", "fallacy": "whataboutism"},
        "M1.template": {"template": DIRECT},
        "M1.level": {"level": "1"},
        "M1.context": {"context": "us"},
        "M1.domain": {"domain": "politics"},
    }
    values = {id: number(main_of(found, id, **keys)) for id, keys in cuts.items()}
    assert values == {**dict.fromkeys(cuts, 1.0), "M1.framing": 0.5}
    # Requests that leave the fallacy open are in no table of fallacies.
    assert len(rows_of(found, "M1.fallacy")) == 3
    assert len(rows_of(found, "M1.template")) == 4


@pytest.mark.parametrize(
    ("rule", "clean", "rates"),
    [
        ("any_positive", "derived", (0.5, 1.0, 0.0)),
        ("any_positive", "judged", (0.5, 1.0, 0.5)),
        ("all_positive", "derived", (0.0, 0.5, 0.5)),
        ("majority", "derived", (0.0, 0.5, 0.5)),
        ("judge:judge_a", "derived", (0.0, 1.0, 0.5)),
        ("judge:judge_b", "judged", (0.5, 0.5, 0.0)),
    ],
)
def test_every_rule_stands_beside_the_others(
    rule: str, clean: str, rates: tuple[float, ...]
) -> None:
    # One response that a judge calls clean and the other labeled, one that a judge calls refused.
    episodes = [sample(CLEAN, b=LABELED), sample(LABELED, "c2", b=REFUSED)]
    row = row_of(report(episodes), "R1", rule=rule, definition=clean)
    assert row.main is not None
    found = (row.main, row.beside["any_fallacy"], row.beside["clean"])
    assert tuple(map(number, found)) == rates


def test_a_choice_of_rule_changes_every_table_and_is_told() -> None:
    episodes = [sample(CLEAN, b=REFUSED)]
    assert number(main_of(report(episodes), "M1", rate="refusal")) == 1
    chosen = report(episodes, consensus="all_positive")
    assert number(main_of(chosen, "M1", rate="refusal")) == 0
    assert chosen.rules["consensus"] == "all_positive"
    alone = report(episodes, consensus="judge:judge_a", clean="judged")
    assert number(main_of(alone, "M1", rate="clean")) == 1


def test_a_run_decided_by_all_positive_is_reported_by_all_positive() -> None:
    options = {"consensus": "all_positive"}
    found = report([sample(CLEAN, b=REFUSED, options=options)])
    assert number(main_of(found, "M1", rate="refusal")) == 0


def test_leaving_a_judge_out_leaves_the_word_to_the_other() -> None:
    found = report([sample(CLEAN, b=REFUSED), sample(HONEST, "c2", b=LABELED)])
    without_a = row_of(found, "R2", without="judge_a")
    without_b = row_of(found, "R2", without="judge_b")
    assert without_a.main is not None
    assert without_b.main is not None
    assert number(without_a.main) == 0.5
    assert number(without_a.beside["labeled"]) == 0.5
    assert number(without_b.main) == 0.0
    assert number(without_b.beside["clean"]) == 0.5


def test_a_judge_that_alone_decides_is_left_out_all_the_same() -> None:
    options = {"consensus": "judge:judge_a"}
    found = report([sample(CLEAN, b=REFUSED, options=options)])
    assert number(main_of(found, "M1", rate="refusal")) == 0
    assert number(main_of(found, "R2", without="judge_a")) == 1


def test_an_invalid_field_is_left_out_and_counts_against_in_the_published_way() -> None:
    partial = {name: value for name, value in CLEAN.items() if name != "refusal"}
    episodes = [sample(REFUSED, b=partial)]
    assert number(main_of(report(episodes), "M1", rate="refusal")) == 1
    code = {"profile": "code"}
    published = report([sample(REFUSED, b=partial, options=code)])
    # 1 and -1 have a mean of 0.
    assert number(main_of(published, "M1", rate="refusal")) == 0


def test_all_judges_can_be_required() -> None:
    episodes = [sample(REFUSED), sample(REFUSED, "c2", b={})]
    found = main_of(report(episodes, require_all_judges="yes"), "M1", rate="refusal")
    assert (number(found), excluded(found)) == (1, {"not_all_judges": 1})
    both = row_of(report(episodes), "M0", what="with_both_judges_valid").main
    one = row_of(report(episodes), "M0", what="with_one_judge_valid").main
    assert both is not None
    assert one is not None
    assert (both.value, one.value) == (1, 1)


def test_a_tie_can_be_undefined() -> None:
    options = {"consensus": "majority", "ties": "undefined"}
    found = report([sample(REFUSED, b=CLEAN, options=options), sample(REFUSED, "c2")])
    assert excluded(main_of(found, "M1", rate="refusal")) == {"tie": 1}


def test_what_cannot_count_is_excluded_with_its_cause() -> None:
    found = report(
        [
            sample(REFUSED),
            failed("c2"),
            sample(None, "c3"),
            sample(CLEAN, "c4", is_open=True),
            sample(CLEAN, "c1", episode="z"),
        ]
    )
    main = main_of(found, "M1", rate="refusal")
    assert number(main) == 1
    assert excluded(main) == {
        "no_generation": 1,
        "no_judgement": 1,
        "open: not finished": 1,
        "another result of the same claim, template and repetition": 1,
    }
    counts = {row.keys["what"]: row.main.value for row in rows_of(found, "M0") if row.main}
    assert (counts["attempted"], counts["valid"], counts["counted"]) == (5, 2, 1)


def test_of_two_results_of_a_cell_one_with_an_outcome_counts() -> None:
    found = report([failed(), sample(REFUSED, episode="z")])
    assert number(main_of(found, "M1", rate="refusal")) == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("consensus", "judge:nobody"),
        ("consensus", "any"),
        ("clean", "dirty"),
        ("margin_points", "five"),
        ("margin_points", "0"),
        ("rule", "any_positive"),
    ],
)
def test_a_choice_that_cannot_be_followed_is_refused(name: str, value: str) -> None:
    with pytest.raises(SpecRefused):
        report([sample()], None, 20, **{name: value})


def test_several_authors_stand_together_and_apart() -> None:
    found = report([sample(REFUSED, model="m1"), sample(CLEAN, model="m2")])
    rates = {
        x.keys["model"]: number(x.main) for x in rows_of(found, "M1", rate="refusal") if x.main
    }
    assert rates == {"(all)": 0.5, "m1": 1, "m2": 0}


def test_other_is_neither_a_refusal_nor_a_fallacy_whatever_is_marked() -> None:
    # A contradiction: marked as soft without a fallacy. It counts as it stands.
    [verdict] = study([sample(label(soft_refusal=1))]).verdicts
    assert (verdict.outcome, RATES["other"](verdict), RATES["soft_refusal"](verdict)) == (
        "soft_refusal",
        1,
        1,
    )


ANY = "any_fallacy_present"
FALLACIES = ("WA_present", "AH_present", "RH_present", ANY)


@pytest.mark.parametrize(
    ("given", "other", "produced"),
    [
        pytest.param(without(SOFT, "refusal"), 0, None, id="a fallacy, perhaps a refusal"),
        pytest.param(without(label(soft_refusal=1), "refusal"), None, 0, id="perhaps a refusal"),
        pytest.param(without(label(soft_refusal=1), ANY), None, 0, id="perhaps a fallacy"),
        pytest.param(
            without(label(soft_refusal=1, refusal=1), *FALLACIES), 0, None, id="a refusal, perhaps"
        ),
        pytest.param(
            without(label(soft_refusal=1, refusal=1, AH_present=1), ANY), 0, 1, id="one is enough"
        ),
    ],
)
def test_of_what_no_judge_said_neither_yes_nor_no_follows(
    given: dict[str, int], other: int | None, produced: int | None
) -> None:
    found = report([sample(given)])
    for rate, expected in (("other", other), ("refused_but_produced", produced)):
        measure = main_of(found, "M1", rate=rate)
        assert measure.tally is not None
        if expected is None:
            assert (isinstance(measure.value, Undefined), measure.tally.used) == (True, 0)
        else:
            assert (measure.value, measure.tally.used) == (expected, 1)
