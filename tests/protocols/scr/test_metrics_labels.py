"""M4: precision, recall and F1 from labels of a stratified sample, and agreement of labellers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.protocols.scr._plays import Play
from tests.protocols.scr._runs import (
    ACCEPTED,
    NOTHING,
    REJECTED,
    advised,
    has_section,
    header,
    human,
    kept,
    main,
    number,
    numbers,
    reason,
    reference,
    report,
    row,
    section,
    suggestion_of,
)

from eristic.debate.errors import SpecRefused
from eristic.protocols.reports import Judge, Measure, Recorded
from eristic.stats import DetectionSample as Sample
from eristic.stats import Interval, SampleRefused, Undefined
from eristic.stats import detection as estimate

EXAMPLE = Sample(flagged=80, total=100, tp=8, fp=2, tn=6, fn=4)
"""The worked example."""


def sampled(flagged: int = 8, others: int = 2) -> list[Recorded]:
    """A tenth of the worked example's strata, or others."""
    said = [ACCEPTED] * flagged + [REJECTED, NOTHING] * others
    return [advised(x, f"c{n:03}") for n, x in enumerate(said[: flagged + others])]


def labels(run: list[Recorded], *, tp: int, fp: int, tn: int, fn: int) -> dict[str, str | None]:
    """The first ones of each stratum."""
    strata = [[x for x in run if (x.outcome == "unethical") is flag] for flag in (True, False)]
    wanted = [["unethical"] * tp + ["ethical"] * fp, ["ethical"] * tn + ["unethical"] * fn]
    return {
        suggestion_of(one): value
        for stratum, values in zip(strata, wanted, strict=True)
        for one, value in zip(stratum, values, strict=False)
    }


def test_the_worked_example() -> None:
    found = [estimate(x, EXAMPLE) for x in ("precision", "est. TP", "est. FN", "recall", "F1")]
    assert found == [0.8, 64, 8, pytest.approx(0.8889, abs=5e-5), pytest.approx(0.8421, abs=5e-5)]


def test_the_worked_example_as_a_report() -> None:
    run = sampled(80, 20)
    found = report(run, human(labels(run, tp=8, fp=2, tn=6, fn=4)))
    values = [number(main(found, "M4", estimate=x)) for x in ("precision", "recall", "F1")]
    assert values == pytest.approx([0.8, 0.8889, 0.8421], abs=5e-5)
    counts = row(found, "M4", estimate="precision").beside
    assert numbers(counts, "TP", "FP", "TN", "FN") == [8, 2, 6, 4]
    assert numbers(row(found, "M4", estimate="recall").beside, "A", "N") == [80, 100]
    assert numbers(row(found, "M4", estimate="recall").beside, "est. TP", "est. FN") == [64, 8]
    assert number(row(found, "M4", estimate="F1").beside["unscaled"]) == pytest.approx(16 / 22)
    assert str(main(found, "M4", estimate="F1").tally) == "n = 20"


@pytest.mark.parametrize(
    ("model", "scaled", "unscaled"),
    [("GPT-Neo", 0.8657, 0.775), ("Vicuna", 0.5823, 0.749)],
)
def test_the_scaling_gives_the_printed_f1_and_the_plain_counts_do_not(
    model: str, scaled: float, unscaled: float
) -> None:
    published = reference()
    counts = {
        x.keys["class"]: int(x.value)
        for x in published.find("scr.manual_sample")
        if x.keys.get("suggester") == model
    }
    [accepted] = published.find("scr.counts", suggester=model, count="accepted_critiques")
    sample = Sample(
        flagged=int(accepted.value),
        total=19_804,
        tp=counts["TP"],
        fp=counts["FP"],
        tn=counts["TN"],
        fn=counts["FN"],
    )
    assert estimate("F1", sample) == pytest.approx(scaled, abs=5e-5)
    plain = 2 * sample.tp / (2 * sample.tp + sample.fp + sample.fn)
    assert plain == pytest.approx(unscaled, abs=5e-4)
    [printed] = published.find("scr.estimated_f1", suggester=model)
    assert printed.value == pytest.approx(scaled, abs=0.005)


@given(
    st.integers(1, 9),
    st.integers(0, 9),
    st.integers(1, 9),
    st.integers(0, 9),
    st.integers(0, 30),
    st.integers(0, 30),
)
def test_with_all_labelled_the_estimates_are_those_of_the_table(
    tp: int, fp: int, tn: int, fn: int, more_flagged: int, more_others: int
) -> None:
    whole = Sample(flagged=tp + fp, total=tp + fp + tn + fn, tp=tp, fp=fp, tn=tn, fn=fn)
    assert estimate("precision", whole) == pytest.approx(tp / (tp + fp))
    assert estimate("recall", whole) == pytest.approx(tp / (tp + fn))
    assert estimate("F1", whole) == pytest.approx(2 * tp / (2 * tp + fp + fn))
    flagged, total = tp + fp + more_flagged, tp + fp + tn + fn + more_flagged + more_others
    larger = Sample(flagged=flagged, total=total, tp=tp, fp=fp, tn=tn, fn=fn)
    found = estimate("recall", larger)
    assert not isinstance(found, Undefined) and 0 < found <= 1


@pytest.mark.parametrize(
    ("sample", "name", "expected"),
    [
        (Sample(flagged=5, total=10), "precision", "no label of a flagged item"),
        (Sample(flagged=5, total=10, tp=2), "est. FN", "no label of an unflagged item"),
        (
            Sample(flagged=5, total=10, tp=2),
            "recall",
            "no label in a stratum, or no positive label",
        ),
        (
            Sample(flagged=5, total=10, fp=2, tn=2),
            "F1",
            "no label in a stratum, or no positive label",
        ),
        (Sample(flagged=5, total=5, tp=2, fp=2), "recall", 1.0),
        (Sample(flagged=0, total=5, tn=2, fn=2), "recall", 0.0),
        (Sample(flagged=0, total=5, tn=2, fn=2), "precision", "no label of a flagged item"),
    ],
)
def test_an_estimate_without_its_labels_is_undefined(
    sample: Sample, name: str, expected: float | str
) -> None:
    found = estimate(name, sample)
    assert (found.reason if isinstance(found, Undefined) else found) == expected


def test_more_labels_than_suggestions_are_refused() -> None:
    with pytest.raises(SampleRefused):
        estimate("F1", Sample(flagged=1, total=2, tp=2))


def _interval(measure: Measure) -> Interval:
    assert isinstance(measure.interval, Interval), measure.interval
    return measure.interval


def test_strata_are_resampled_apart() -> None:
    run = sampled(20, 20)
    said = human(labels(run, tp=20, fp=0, tn=5, fn=5))
    found = report(run, said, resamples=300)
    assert _interval(main(found, "M4", estimate="precision")) == Interval(1, 1, 0.95)
    recall = main(found, "M4", estimate="recall")
    low, high = _interval(recall).low, _interval(recall).high
    assert number(recall) == pytest.approx(2 / 3)
    assert 0.5 < low < 0.65 and 0.7 < high <= 1
    assert "by stratum over 30 seeds" in recall.rule


def test_without_labels_the_estimates_are_undefined_and_the_file_is_described() -> None:
    found = report(sampled())
    assert reason(main(found, "M4", estimate="F1")) == "no labelled suggestion"
    about = section(found, "M4").about
    for word in ("--values unethical,ethical", "kind suggestion", "field.frame", "human:NAME"):
        assert word in about


def test_labels_are_counted_even_when_they_cannot_be_used() -> None:
    run = [
        *sampled(3, 1),
        kept(Play(header("lost")).say("advice", "", "", "")),
    ]
    one, two, three, other, lost = (suggestion_of(x) for x in run)
    ann = human({one: "unethical", two: "ethical", three: None, other: "ethical", lost: "ethical"})
    bob = human({one: "unethical", two: "unethical"}, name="bob")
    tally = main(report(run, ann, bob), "M4", estimate="F1").tally
    assert str(tally) == (
        "n = 2 of 5; excluded 3 (label blank: 1, labellers disagree: 1, "
        "no_verdict (critique: empty): 1)"
    )


def test_most_of_three_labellers_decide() -> None:
    run = sampled(1, 0)
    said = ["unethical", "ethical", "unethical"]
    judges = [human({suggestion_of(run[0]): x}, name=f"n{n}") for n, x in enumerate(said)]
    found = report(run, *judges)
    assert number(row(found, "M4", estimate="precision").beside["TP"]) == 1


def test_a_label_of_the_other_stratum_is_not_used() -> None:
    run = sampled(2, 1)
    marks = {x: suggestion_of(one) for x, one in zip("abc", run, strict=True)}
    frames = {marks["a"]: "accepted", marks["b"]: "not_accepted", marks["c"]: "not_accepted"}
    said = human(
        dict.fromkeys(marks.values(), "unethical"),
        fields={mark: {"frame": frame, "seed": 7} for mark, frame in frames.items()},
    )
    tally = main(report(run, said), "M4", estimate="F1").tally
    assert str(tally) == "n = 2 of 3; excluded 1 (drawn from the other stratum: 1)"


def test_a_third_value_is_no_label() -> None:
    run = sampled(2, 0)
    said = human(
        {suggestion_of(run[0]): "unclear", suggestion_of(run[1]): "ethical"},
        values=("unethical", "ethical", "unclear"),
    )
    tally = main(report(run, said), "M4", estimate="precision").tally
    assert str(tally) == "n = 1 of 2; excluded 1 (labelled unclear: 1)"


def test_labels_on_another_scale_are_none() -> None:
    run = sampled(2, 0)
    said = human({suggestion_of(run[0]): "agrees"}, values=("agrees", "disagrees"))
    assert reason(main(report(run, said), "M4", estimate="F1")) == "no labelled suggestion"


def _model(run: list[Recorded], value: str) -> Judge:
    person = human(dict.fromkeys(map(suggestion_of, run), value), name="gpt")
    return Judge(
        chain="severity-gpt",
        id="severity.v1",
        model="gpt",
        values=person.values,
        scores=person.scores,
    )


def test_a_judge_takes_the_place_of_people_only_when_it_is_named() -> None:
    run = sampled(3, 1)
    said = human(labels(run, tp=2, fp=1, tn=1, fn=0))
    judge = _model(run, "unethical")
    people = main(report(run, said, judge), "M4", estimate="precision")
    instead = main(report(run, said, judge, labels="severity"), "M4", estimate="precision")
    assert [number(people), number(instead)] == pytest.approx([2 / 3, 1])


def test_a_judge_that_is_not_there_is_refused_with_the_names_that_are() -> None:
    with pytest.raises(SpecRefused, match="severity=gpt|no judge of that name"):
        report(sampled(), labels="severty")


def test_two_labellers_are_compared_as_in_s2() -> None:
    cells = {("unethical", "unethical"): 4, ("unethical", "ethical"): 1, ("ethical", "ethical"): 5}
    pairs = [pair for pair, count in cells.items() for _ in range(count)]
    run = sampled(len(pairs), 1)
    marks = [suggestion_of(one) for one in run]
    ann = human(dict(zip(marks, (x for x, _ in pairs), strict=False)))
    bob = human(
        {**dict(zip(marks, (y for _, y in pairs), strict=False)), marks[-1]: "ethical"}, name="bob"
    )
    found = row(report(run, ann, bob), "M4b")
    assert found.main is not None and number(found.main) == pytest.approx(0.9)
    assert number(found.beside["kappa"]) == pytest.approx(0.8)
    assert number(found.beside["AC1"]) == pytest.approx((0.9 - 0.495) / 0.505)
    assert str(found.main.tally) == "n = 10 of 11; excluded 1 (no label of both: 1)"
    assert isinstance(found.main.interval, Interval)
    assert not has_section(report(run, ann), "M4b")


def test_published_f1_and_precision_stand_beside_ours_with_their_audits() -> None:
    run = [advised(ACCEPTED, suggester="vicuna-7b"), advised(REJECTED, suggester="other")]
    found = report(run, published=reference())
    f1 = main(found, "M4", estimate="F1", suggester="vicuna-7b").published
    assert [(x.value, x.origin) for x in f1] == [(0.58, "text")]
    precision = main(found, "M4", estimate="precision", suggester="vicuna-7b").published
    assert [(x.value, x.origin) for x in precision] == [(73.0, "derived")]
    assert len(main(found, "M4", estimate="F1", suggester="other").published) == 6
    assert [x.id for x in section(found, "M4").audits] == ["f1-weighting", "table1-header"]
