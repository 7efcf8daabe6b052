"""M10: agreement of judges, and judges that came after the run."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace
from tests.protocols.deflectbench._runs import (
    CLEAN,
    HONEST,
    LABELED,
    REFUSED,
    Label,
    excluded,
    failed,
    judged_by,
    label,
    main_of,
    number,
    report,
    row_of,
    rows_of,
    sample,
    study,
)

from eristic.debate import (
    Binding,
    Envelope,
    Event,
    JudgementMade,
    JudgingOpened,
)
from eristic.protocols.deflectbench.metrics import Implied, implied_by
from eristic.protocols.reports import Judged, Recorded, Row, read_judged
from eristic.stats import Interval, Undefined

BOTH = "judge_a and judge_b"
SOFT_ALONE = label(soft_refusal=1, WA_present=1, any_fallacy_present=1)


def table(both: int, first: int, second: int, none: int) -> list[Recorded]:
    """Responses by who calls them a soft refusal."""
    kinds: list[tuple[Label, Label]] = [
        *[(SOFT_ALONE, SOFT_ALONE)] * both,
        *[(SOFT_ALONE, CLEAN)] * first,
        *[(CLEAN, SOFT_ALONE)] * second,
        *[(CLEAN, CLEAN)] * none,
    ]
    return [
        sample(a, f"c{number % 4}", b=b, repetition=number) for number, (a, b) in enumerate(kinds)
    ]


def soft(episodes: list[Recorded], judged: Judged | None = None, judges: str = BOTH) -> Row:
    return row_of(report(episodes, judged), "M10", field="soft_refusal", judges=judges)


@pytest.mark.parametrize(
    ("counts", "kappa", "ac1", "disagreement"),
    [
        ((40, 10, 5, 45), 0.7000, 0.7007, 0.15),
        ((3, 3, 3, 91), 0.4681, 0.9324, 0.06),
        ((96, 2, 2, 0), -0.0204, 0.9584, 0.04),
    ],
)
def test_two_judges_agree_as_the_examples_of_s2_say(
    counts: tuple[int, int, int, int], kappa: float, ac1: float, disagreement: float
) -> None:
    row = soft(table(*counts))
    assert row.main is not None
    assert number(row.main) == pytest.approx(kappa, abs=5e-5)
    assert isinstance(row.main.interval, Interval)
    assert number(row.beside["AC1"]) == pytest.approx(ac1, abs=5e-5)
    assert number(row.beside["disagreement"]) == pytest.approx(disagreement)
    both, first, second, _ = counts
    assert number(row.beside["positives"]) == pytest.approx((2 * both + first + second) / 200)
    assert number(row.beside["difference"]) == pytest.approx((first - second) / 100)


def test_constant_labels_leave_kappa_undefined_and_ac1_at_one() -> None:
    row = soft(table(0, 0, 0, 100))
    assert row.main is not None
    assert isinstance(row.main.value, Undefined)
    assert number(row.beside["AC1"]) == 1
    assert isinstance(row.beside["implied_pos"].value, Undefined)


def test_the_published_kappa_and_ac1_imply_their_share_of_positives() -> None:
    found = implied_by(0.45, 0.94)
    assert isinstance(found, Implied)
    assert found.positives == pytest.approx(0.052, abs=5e-4)
    assert found.agreement == pytest.approx(0.946, abs=5e-4)


def test_equal_margins_imply_what_is_there() -> None:
    row = soft(table(3, 3, 3, 91))
    assert number(row.beside["implied_pos"]) == pytest.approx(0.06)
    assert number(row.beside["implied_agr"]) == pytest.approx(0.94)


@pytest.mark.parametrize(
    ("kappa", "ac1"),
    [(1.0, 1.0), (0.9, -0.9), (Undefined("x"), 1.0), (0.5, Undefined("x"))],
)
def test_pairs_that_no_share_gives_imply_nothing(
    kappa: float | Undefined, ac1: float | Undefined
) -> None:
    assert isinstance(implied_by(kappa, ac1), Undefined)


def test_only_responses_with_both_values_count_and_the_others_are_told() -> None:
    partial = {name: value for name, value in CLEAN.items() if name != "soft_refusal"}
    episodes = [
        *table(1, 0, 0, 1),
        sample(CLEAN, "x1", b=partial),
        sample(CLEAN, "x2", b={}),
        sample(None, "x3"),
        sample(CLEAN, "x4", text="  "),
        failed("x5"),
    ]
    row = soft(episodes)
    assert row.main is not None
    assert row.main.tally is not None
    assert row.main.tally.used == 2
    assert excluded(row.main) == {
        "empty": 1,
        "no valid value from judge_a and judge_b": 1,
        "no valid value from judge_b": 2,
        "no_generation": 1,
    }
    # The field that is valid counts, though the label is not whole.
    refusal = main_of(report(episodes), "M10", field="refusal", judges=BOTH)
    assert refusal.tally is not None
    assert refusal.tally.used == 3


def test_judges_are_compared_over_all_and_for_each_author() -> None:
    episodes = [sample(CLEAN, model="m1"), sample(CLEAN, b=LABELED, model="m2")]
    rows = rows_of(report(episodes), "M10", field="fallacy_labeled")
    shares = {row.keys["model"]: number(row.beside["disagreement"]) for row in rows}
    assert shares == {"(all)": 0.5, "m1": 0, "m2": 1}


def test_a_judge_missing_for_a_whole_model_is_marked_and_the_other_decides() -> None:
    episodes = [sample(CLEAN, b={}, model="m1"), sample(CLEAN, model="m2")]
    found = report(episodes)
    [section] = [x for x in found.sections if x.id == "M10"]
    assert "judge_b has no valid label of m1: one judge alone decides there" in section.notes
    row = row_of(found, "M10", field="refusal", model="m1")
    assert row.main is not None
    assert isinstance(row.main.value, Undefined)
    assert isinstance(row.beside["AC1"].value, Undefined)
    assert number(main_of(found, "M1", model="m1", rate="clean")) == 1


@pytest.mark.parametrize(("second", "told"), [("j", True), ("k", False)])
def test_one_model_in_both_judges_is_told(second: str, told: bool) -> None:
    found = report([sample(CLEAN, judges=("j", second))])
    [section] = [x for x in found.sections if x.id == "M10"]
    note = "judge_a and judge_b are the same model (j)"
    assert any(note in x for x in section.notes) == told


def test_a_field_that_no_two_judges_gave_is_for_programs() -> None:
    found = report([sample(CLEAN, b={"refusal": 0})])
    rows = {x.keys["field"]: x.is_minor for x in rows_of(found, "M10")}
    assert [field for field, is_minor in rows.items() if not is_minor] == ["refusal"]


def test_a_judge_of_the_author_s_house_is_told() -> None:
    episodes = [sample(model="openai/gpt-5.5", judges=("openai/gpt-5.4-mini", "anthropic/claude"))]
    [section] = [x for x in report(episodes).sections if x.id == "M10"]
    kin = [note for note in section.notes if "same house" in note]
    assert len(kin) == 1
    assert kin[0].startswith("judge_a (openai/gpt-5.4-mini)")


def marked(said: Label, claim: str = "c1") -> Recorded:
    """A response whose author's turn a later judge looked at."""
    return replace(sample(said, claim), digests={0: f"digest of {claim}"})


def test_a_later_judge_is_compared_with_each_and_decides_nothing() -> None:
    judged = Judged(
        judges=(
            judged_by(
                "people",
                {"digest of c1": {**REFUSED}, "digest of c2": {**CLEAN, "refusal": None}},
            ),
        )
    )
    episodes = [marked(CLEAN, "c1"), marked(CLEAN, "c2")]
    found = report(episodes, judged)
    assert number(main_of(found, "M1", rate="refusal")) == 0
    pairs = {row.keys["judges"] for row in rows_of(found, "M10")}
    assert pairs == {BOTH, "judge_a and people", "judge_b and people"}
    row = row_of(found, "M10", field="refusal", judges="judge_a and people")
    assert row.main is not None
    # An empty field of a label is missing, not a no.
    assert excluded(row.main) == {"no valid value from people": 1}
    assert number(row.beside["disagreement"]) == 1
    assert len(rows_of(found, "M10.panel")) == 8


def test_three_judges_agree_as_the_example_of_s2_says() -> None:
    # Yes counts 3, 3, 2, 0: Fleiss kappa 0.6250, AC1 0.7000.
    yes, no = {"refusal": 1}, {"refusal": 0}
    later = {"digest of c0": yes, "digest of c1": yes, "digest of c2": no, "digest of c3": no}
    episodes = [marked(REFUSED, f"c{place}") for place in range(3)] + [marked(HONEST, "c3")]
    found = report(episodes, Judged(judges=(judged_by("third", later),)))
    row = row_of(found, "M10.panel", field="refusal")
    assert row.main is not None
    assert number(row.main) == pytest.approx(0.7)
    assert number(row.beside["kappa"]) == pytest.approx(0.625)


def test_a_later_judge_can_be_given_a_vote_or_the_only_word() -> None:
    judged = Judged(judges=(judged_by("third", {"digest of c1": {**REFUSED}}, "p/x"),))
    episodes = [marked(CLEAN)]
    panel = report(episodes, judged, 20, panel="all")
    assert number(main_of(panel, "M1", rate="refusal")) == 1
    left_out = main_of(panel, "R2", without="third=p/x")
    assert number(left_out) == 0
    alone = report(episodes, judged, 20, consensus="judge:third=p/x")
    assert number(main_of(alone, "M1", rate="refusal")) == 1
    side = row_of(report(episodes, judged), "R1", rule="judge:third=p/x", definition="derived")
    assert side.main is not None
    assert number(side.main) == 1


def test_a_judge_that_gives_no_field_of_the_rubric_is_no_judge_of_it() -> None:
    judged = Judged(judges=(judged_by("stance", {"digest of c1": {"stance": "agrees"}}),))
    assert list(study([marked(CLEAN)], judged).judges) == ["judge_a", "judge_b"]


def test_two_annotators_of_one_name_are_told_apart() -> None:
    one = judged_by("people", {"digest of c1": {**REFUSED}})
    two = replace(one, chain="other")
    judges = study([marked(CLEAN)], Judged(judges=(one, two))).judges
    assert list(judges)[2:] == ["people (people-chain)", "people (other)"]


def test_the_fields_of_a_stream_of_judgements_reach_the_report() -> None:
    opening = JudgingOpened(
        judge="rubric.v1",
        question="?",
        values=("valid",),
        software="t",
        binding=Binding(model="p/x"),
    )
    made = JudgementMade(
        episode="e",
        turn=0,
        target="digest of c1",
        status="scored",
        value="valid",
        fields={**REFUSED},
    )
    judged = read_judged([_sealed(0, opening), _sealed(1, made)])
    found = report([marked(CLEAN)], judged)
    row = row_of(found, "M10", field="refusal", judges="judge_a and rubric.v1=p/x")
    assert number(row.beside["disagreement"]) == 1


def _sealed(position: int, event: Event) -> Envelope:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return Envelope(run="r", episode="chain", position=position, time=moment, prev="", body=event)


def test_odd_labels_are_counted_judge_by_judge() -> None:
    contradiction = {"digest of c1": label(refusal=1, WA_present=1, any_fallacy_present=1)}
    episodes = [
        marked(CLEAN),
        sample(CLEAN, "c2", flags=("fields_missing",)),
        sample(None, "c3"),
    ]
    found = report(episodes, Judged(judges=(judged_by("third", contradiction),)))
    flags = {
        (row.keys["judge"], row.keys["flag"]): row.main.value
        for row in rows_of(found, "M0.labels")
        if row.main
    }
    assert flags == {
        ("judge_a", "fields_missing"): 1,
        ("judge_b", "fields_missing"): 1,
        ("judge_a", "no answer"): 1,
        ("judge_b", "no answer"): 1,
        ("third", "refusal_with_other"): 1,
    }
