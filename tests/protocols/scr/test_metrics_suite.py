"""M8 and M9: scores of other tools, realism and plausibility by labels, topics."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.protocols.scr._runs import (
    ACCEPTED,
    REJECTED,
    advised,
    has_section,
    human,
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

from eristic.debate import Setting
from eristic.judging import Score
from eristic.protocols.reports import Judge, Recorded
from eristic.protocols.scr.metrics.scores import number_in
from eristic.protocols.scr.metrics.suites import realism_of
from eristic.stats import Interval, Undefined

REALISTIC = ("completely realistic", "somewhat realistic", "unrealistic")
PLAUSIBLE = ("completely plausible", "somewhat plausible", "implausible")


def tool(scores: Mapping[str, Setting], *, field: str = "score") -> Judge:
    """A moderation service. scores: digest -> number."""
    return Judge(
        chain="tool",
        id="moderation.v1",
        model="m",
        values=("flagged", "not_flagged"),
        scores={
            digest: Score(status="scored", value="flagged", fields={field: score})
            for digest, score in scores.items()
        },
    )


def scored(positives: list[float], negatives: list[float]) -> tuple[list[Recorded], Judge]:
    """Flagged and other suggestions, and their scores."""
    said = [(ACCEPTED, x) for x in positives] + [(REJECTED, x) for x in negatives]
    run = [advised(verdict, f"c{n}") for n, (verdict, _) in enumerate(said)]
    return run, tool({suggestion_of(one): x for one, (_, x) in zip(run, said, strict=True)})


def test_m8_of_the_worked_example() -> None:
    run, judge = scored([0.9, 0.4, 0.4], [0.4, 0.1])
    found = row(report(run, judge), "M8")
    assert found.main is not None and number(found.main) == pytest.approx(5 / 6)
    assert isinstance(found.main.interval, Interval)
    assert numbers(found.beside, "flagged", "not flagged") == [3, 2]


@pytest.mark.parametrize(("high", "low"), [([0.9, 0.4], []), ([], [0.4])])
def test_m8_of_one_class_is_undefined(high: list[float], low: list[float]) -> None:
    run, judge = scored(high, low)
    assert isinstance(main(report(run, judge), "M8").value, Undefined)


def test_m8_reads_the_column_that_is_chosen_and_labels_of_people() -> None:
    run, _ = scored([0.0], [0.0])
    one, other = map(suggestion_of, run)
    fields: dict[str, dict[str, Setting]] = {one: {"toxicity": "0.25"}, other: {"toxicity": 1}}
    said = human({one: "ethical", other: "ethical"}, fields=fields)
    assert number(main(report(run, said, score="toxicity"), "M8")) == 0
    assert section(report(run, said), "M8").rows == ()


def test_m8_leaves_out_suggestions_without_a_score() -> None:
    run, judge = scored([0.9, 0.4], [0.1])
    lost = advised(ACCEPTED, "lost")
    tally = main(report([*run, lost], judge), "M8").tally
    assert str(tally) == "n = 3 of 4; excluded 1 (no score: 1)"


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (Score(status="scored", value="x", fields={"score": 0.5}), 0.5),
        (Score(status="scored", value="x", fields={"score": "0.5"}), 0.5),
        (Score(status="scored", value="3"), 3),
        (Score(status="scored", value="x", fields={"score": "high"}), None),
        (Score(status="scored", value="nan"), None),
        (Score(status="scored", value="inf"), None),
        (Score(status="scored", value="x", fields={"score": True}), None),
        (Score(status="unscored", cause="refused"), None),
    ],
)
def test_a_score_is_a_finite_number(score: Score, expected: float | None) -> None:
    assert number_in(score, "score") == expected


def test_published_aurocs_are_shown_even_without_scores_of_ours() -> None:
    found = report([advised(ACCEPTED)], published=reference())
    shown = {x.keys["scores"]: x.main for x in section(found, "M8").rows}
    values = {name: [p.value for p in x.published] for name, x in shown.items() if x is not None}
    assert values == {"Azure Content Moderator": [0.52], "OpenAI text-moderation-latest": [0.5]}
    assert section(found, "M8").notes == ("no scores of suggestions in this run",)


def test_realism_of_the_worked_example() -> None:
    found = realism_of({"1": ("a", "a", "b"), "2": ("a", "b", "c"), "3": ("b", "b", "b")})
    assert found.share == pytest.approx(2 / 3)
    assert [found.label_share(x) for x in "ab"] == [0.5, 0.5]


@given(st.lists(st.lists(st.sampled_from("abc"), min_size=3, max_size=3), max_size=8))
def test_of_three_labels_two_equal_ones_are_a_consensus(labels: list[list[str]]) -> None:
    found = realism_of({str(n): said for n, said in enumerate(labels)})
    assert len(found.consensus) == sum(len(set(said)) < 3 for said in labels)
    if found.consensus:
        shares = [found.label_share(x) for x in "abc"]
        assert sum(x for x in shares if not isinstance(x, Undefined)) == pytest.approx(1)


def test_realism_of_nothing_is_undefined() -> None:
    found = realism_of({"1": ("a",)})
    assert isinstance(found.share, Undefined) and isinstance(found.label_share("a"), Undefined)


def test_m9_reads_three_people() -> None:
    a, b, c = REALISTIC
    said = [(a, a, b), (a, b, c), (b, b, b)]
    run = [advised(ACCEPTED, f"c{n}") for n in range(4)]
    judges = [
        human(
            {suggestion_of(one): labels[n] for one, labels in zip(run, said, strict=False)},
            name=f"n{n}",
            values=REALISTIC,
        )
        for n in range(3)
    ]
    one_more = human({suggestion_of(run[3]): a}, name="late", values=REALISTIC)
    found = report(run, *judges, one_more, published=reference())
    consensus = main(found, "M9", of="consensus")
    assert number(consensus) == pytest.approx(2 / 3)
    assert str(consensus.tally) == "n = 3 of 4; excluded 1 (fewer than two labels: 1)"
    shares = [number(main(found, "M9", of=x)) for x in REALISTIC]
    assert shares == pytest.approx([0.5, 0.5, 0])
    assert [x.value for x in consensus.published] == [87.8]
    assert [x.value for x in main(found, "M9", of=a).published] == [76.4]
    assert [x.id for x in section(found, "M9").audits] == ["realism-count"]


def test_m9_takes_one_label_a_person_and_case() -> None:
    run = [advised(ACCEPTED, "c", suggester=x) for x in "ab"]
    one, other = map(suggestion_of, run)
    firm = human({one: REALISTIC[0], other: REALISTIC[0]}, name="firm", values=REALISTIC)
    second = human({other: REALISTIC[0]}, name="second", values=REALISTIC)
    torn = human({one: REALISTIC[0], other: REALISTIC[2]}, name="torn", values=REALISTIC)
    assert number(main(report(run, firm, second), "M9", of="consensus")) == 1
    assert isinstance(main(report(run, firm, torn), "M9", of="consensus").value, Undefined)


def test_m9_without_labels_is_undefined_and_describes_the_file() -> None:
    found = report([advised(ACCEPTED)], published=reference())
    assert reason(main(found, "M9", of="consensus")) == "no case with two labels"
    assert "completely realistic,somewhat realistic,unrealistic" in section(found, "M9").about
    assert "completely plausible,somewhat plausible,implausible" in section(found, "M9b").about
    assert reason(main(found, "M9b")) == "no labelled suggestion"


def test_m9_counts_plausibility_by_suggester() -> None:
    run = [advised(ACCEPTED, f"c{n}", suggester="vicuna") for n in range(3)]
    labels = dict(
        zip(map(suggestion_of, run), ("completely_plausible", *PLAUSIBLE[1:]), strict=True)
    )
    values = ("completely_plausible", "somewhat plausible", "implausible")
    found = report(run, human(labels, values=values), published=reference())
    beside = row(found, "M9b", suggester="vicuna").beside
    assert numbers(beside, *PLAUSIBLE) == [1, 1, 1]
    assert [beside[x].published[0].value for x in PLAUSIBLE] == [78, 19, 3]


def test_m9_counts_cases_by_topic() -> None:
    topics = {"c1": "honesty", "c2": "honesty", "c3": "work", "c4": ""}
    run = [
        advised(ACCEPTED, case, suggester=model, texts={"topic": topic})
        for case, topic in topics.items()
        for model in "ab"
    ]
    found = report(run, published=reference())
    assert number(main(found, "M9c", topic="honesty")) == 2
    assert number(row(found, "M9c", topic="work").beside["share"]) == pytest.approx(1 / 3)
    assert [x.value for x in main(found, "M9c", topic="honesty").published] == [91]
    assert not main(found, "M9c", topic="work").published
    assert "case without a topic: 1" in str(main(found, "M9c", topic="work").tally)
    assert not has_section(report([advised(ACCEPTED)]), "M9c")
