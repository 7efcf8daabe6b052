"""The published numbers of mirror beside ours: which, where from, and what is odd about them."""

from __future__ import annotations

import pytest
from tests.protocols.mirror._metrics import (
    BASELINE,
    PAIRS,
    asks,
    case,
    debated,
    debates,
    main,
    number,
    opened,
    reference,
    report,
    section,
)

from eristic.protocols.mirror.metrics.published import published_column
from eristic.protocols.reports import Report, names_apart

GPT_4 = "openai/gpt-4"


def run_of(model: str, language: str = "en", topic: str = "") -> Report:
    """Baseline asks and both kinds of debate of one respondent."""
    return report(
        [
            *asks(BASELINE, f"baseline.{language}", model=model),
            *asks({"q1": (6,)}, f"paraphrase.{language}", model=model),
            *debates(PAIRS, f"fair.{language}", model=model),
            *debates(PAIRS, f"biased.{language}", model=model),
            debated(opened(case("q3", topic=topic), f"fair.{language}", model=model), 1, 2),
        ],
        published=reference(),
    )


@pytest.mark.parametrize(
    ("model", "language", "column"),
    [
        ("openai/gpt-4", "en", "GPT4"),
        ("gpt-4-0613", "ar", "GPT4-A"),
        ("openai/gpt-4o", "en", ""),
        ("openai/gpt-4.1", "en", ""),
        ("mistral/mistral-large-2407", "zh", "Mistral-Large-C"),
        ("together_ai/mistralai/Mistral-7B-Instruct-v0.2", "en", "Mistral 7B"),
        ("groq/llama-3.1-70b-versatile", "en", "Llama70b"),
        ("meta-llama/Meta-Llama-3.1-8B-Instruct", "en", "Llama7b"),
        ("Qwen/Qwen2-72B-Instruct", "zh", "Qwen2-C-72b"),
        ("Qwen/Qwen2-72B-Instruct", "ar", ""),
        ("qwen1.5-110b-chat", "en", "Qwen1.5-110b"),
        ("inceptionai/jais-13b-chat", "ar", "JAIS-A"),
        ("script:steady", "en", ""),
        ("human", "en", ""),
    ],
)
def test_a_published_respondent_is_known_by_its_model(
    model: str, language: str, column: str
) -> None:
    assert published_column(model, language) == column


@pytest.mark.parametrize(
    ("name", "condition", "value"),
    [("M1", "", 1.36), ("M2", "", 1.09), ("M3", "fair", 2.49), ("M3", "biased", 3.39)],
)
def test_a_published_respondent_stands_beside_its_own_column(
    name: str, condition: str, value: float
) -> None:
    keys = {"condition": condition} if condition else {}
    (found,) = main(run_of(GPT_4), name, **keys).published
    assert (found.value, found.where, found.origin) == (value, "Table 1", "text")
    assert found.keys["respondent"] == "GPT4"


@pytest.mark.parametrize(("condition", "value"), [("fair", 1.83), ("biased", 2.49)])
def test_published_ratios_are_derived(condition: str, value: float) -> None:
    (found,) = main(run_of(GPT_4), "M7", condition=condition).published
    assert found.value == value
    assert (found.origin, found.unit) == ("derived", "ratio")


def test_a_published_deviation_of_zero_gives_no_ratio() -> None:
    found = run_of("jais-13b-chat", "ar")
    assert main(found, "M3", condition="fair").published[0].value == 4.66
    assert main(found, "M7", condition="fair").published == ()


@pytest.mark.parametrize(("language", "columns"), [("en", 8), ("ar", 3), ("zh", 3)])
def test_any_other_model_stands_beside_all_columns_of_its_language(
    language: str, columns: int
) -> None:
    found = main(run_of("script:steady", language), "M3", condition="fair").published
    assert len(found) == columns
    assert len(set(names_apart(found))) == columns


def test_a_topic_stands_beside_its_own_table() -> None:
    found = run_of(GPT_4, topic="economic")
    (economy,) = main(found, "M3", condition="fair", questions="topic economic").published
    assert (economy.value, economy.where) == (1.69, "Table 3")
    odd = run_of(GPT_4, topic="weather")
    assert main(odd, "M3", condition="fair", questions="topic weather").published == ()


def test_people_stand_beside_no_column() -> None:
    found = run_of("human")
    assert main(found, "M3", condition="fair").published == ()
    assert section(found, "M3").audits == ()


def test_published_numbers_stand_beside_the_chosen_aggregation_only() -> None:
    for row in section(run_of(GPT_4), "M3").rows:
        assert all(not measure.published for measure in row.beside.values())


def test_contradictions_of_the_publication_stand_where_its_numbers_do() -> None:
    found = run_of(GPT_4)
    told = {x.id: {audit.id for audit in x.audits} for x in found.sections}
    assert told["M1"] == {"table1-equals-table2"}
    assert told["M2"] == told["M3"] == {"table1-equals-table2", "shift-aggregation"}
    assert told["T2"] == {"table9-sign"}


def test_every_topic_has_a_number_of_every_row_and_column() -> None:
    for kind in ("std_dev", "paraphrasing", "fair_debates", "biased_debates"):
        assert len(reference().find("mirror.average_shift", strategy=kind)) == 7 * 14


def test_what_is_published_of_people_is_told_beside_people() -> None:
    found = section(run_of("human"), "M10")
    assert any("0 annotators of 20 changed their answer" in note for note in found.notes)
    assert {audit.id for audit in found.audits} == {"human-topic-names"}


def test_numbers_do_not_depend_on_what_is_published() -> None:
    bare = report([*asks(BASELINE, model=GPT_4), *debates(PAIRS, model=GPT_4)])
    beside = report(
        [*asks(BASELINE, model=GPT_4), *debates(PAIRS, model=GPT_4)], published=reference()
    )
    assert number(main(bare, "M3")) == number(main(beside, "M3"))
