"""Options, conditions and cases of mirror: what is usual, and what is refused."""

from __future__ import annotations

from importlib.resources import files

import pytest
from tests.protocols.mirror._debates import STATEMENTS, case, opened

from eristic.debate.errors import CaseRefused, SpecRefused
from eristic.protocols import calls_left, complete_cast, find_protocol, fold, needed_roles
from eristic.protocols.casework import read_case_files
from eristic.protocols.mirror import MIRROR
from eristic.protocols.mirror.names import CONDITIONS, ConditionParts, split_condition
from eristic.protocols.reports import parse_reference
from eristic.protocols.usual import matched, usual_conditions, usual_repetitions

FOLDER = files("eristic.protocols.mirror")


def test_the_protocol_is_found_by_its_name() -> None:
    assert find_protocol("mirror") is MIRROR


def test_the_first_value_of_every_option_is_what_the_specification_starts_with() -> None:
    assert MIRROR.resolve({}) == {
        "profile": "paper",
        "first_side": "against",
        "weak_if_neutral": "baseline_sign",
        "post_context": "continue",
        "quoted_number": "recorded",
        "debaters": "same_model",
        "score_rule": "marked",
        "clip": False,
        "side_check": "declared",
        "score_retries": 3,
        "text_retries": 3,
    }


def test_resolving_what_was_resolved_changes_nothing() -> None:
    given = MIRROR.resolve({"first_side": "random", "score_retries": 0, "clip": True})
    assert MIRROR.resolve(given) == given


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"first_sid": "for"}, "first_side"),
        ({"first_side": "counterbalance"}, "counterbalanced"),
        ({"quoted_number": "opposite"}, "recorded"),
        ({"score_retries": -1}, "0 or more"),
        ({"clip": 1}, "true or false"),
        ({"profile": "code"}, "paper"),
    ],
)
def test_an_option_that_is_not_there_is_refused(options: dict[str, object], says: str) -> None:
    with pytest.raises(SpecRefused, match=says):
        MIRROR.resolve(options)  # type: ignore[arg-type]


def test_english_is_usual_and_the_counts_are_the_papers() -> None:
    assert usual_conditions(MIRROR) == ("*.en",)
    counts = usual_repetitions(MIRROR)
    assert [matched(counts, name) for name in ("baseline.en", "paraphrase.zh")] == [20, 20]
    assert [matched(counts, name) for name in ("fair.ar", "biased.en")] == [5, 5]


def test_a_condition_is_a_kind_and_a_language() -> None:
    assert split_condition("fair.zh") == ConditionParts("fair", "zh")
    assert len({split_condition(name) for name in CONDITIONS}) == 12
    with pytest.raises(ValueError, match=r"fair\.fr"):
        split_condition("fair.fr")


def test_one_model_plays_every_part_unless_somebody_else_is_bound() -> None:
    assert needed_roles(MIRROR, ("baseline.en", "paraphrase.en")) == ("respondent",)
    cast = complete_cast(MIRROR, {"respondent": opened().cast["respondent"]}, ("fair.en",))
    assert list(cast) == ["respondent", "advocate_for", "advocate_against"]
    assert {binding.model for binding in cast.values()} == {"m"}


def test_the_calls_of_a_debate_are_known_before_it_begins() -> None:
    left = calls_left(MIRROR, fold(MIRROR, [opened("biased.en")]))
    assert left is not None and left.most is not None
    expected = {"respondent": 2, "advocate_for": 2, "advocate_against": 2}
    assert left.least == left.longest == expected
    assert left.most == {role: 4 * count for role, count in expected.items()}


def test_a_biased_debate_may_be_skipped_after_one_call() -> None:
    header = opened("biased.en", weak_if_neutral="skip")
    left = calls_left(MIRROR, fold(MIRROR, [header]))
    assert left is not None
    assert left.least == {"respondent": 1}
    assert left.longest["respondent"] == 2


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"polarity": 2}, "polarity"),
        ({"polarity": True}, "polarity"),
        ({"polarity": "1"}, "polarity"),
        ({"paraphrases": ["x"]}, "paraphrases"),
        ({"paraphrases": {"en": [1]}}, "paraphrases"),
        ({"paraphrases": {"en": [" "]}}, "blank"),
        ({"paraphrases": {"fr": ["x"]}}, "fr"),
        ({"baseline_mean": {"en": "8"}}, "baseline_mean"),
        ({"baseline_mean": {"en": 11}}, "scale"),
    ],
)
def test_a_case_whose_data_cannot_be_used_is_refused(data: dict[str, object], says: str) -> None:
    with pytest.raises(CaseRefused, match=says):
        MIRROR.check_case(case(STATEMENTS, **data))


def test_a_blank_translation_is_refused_and_a_missing_one_is_not() -> None:
    with pytest.raises(CaseRefused, match="statement_ar"):
        MIRROR.check_case(case({**STATEMENTS, "statement_ar": " "}))
    MIRROR.check_case(case({"statement": "Tools."}))


def test_a_table_is_refused_as_what_it_is() -> None:
    table = b"case_id,statement\nc1,Tools.\n"
    with pytest.raises(CaseRefused, match="mirror reads: one object a line"):
        read_case_files(MIRROR, {"own.csv": table}, origin="own.csv")


def test_the_starter_cases_can_be_asked_in_every_language() -> None:
    content = (FOLDER / "cases" / "statements.jsonl").read_bytes()
    found = read_case_files(MIRROR, {"statements.jsonl": content}, origin="statements.jsonl")
    assert len(found.cases) == 24
    for one in found.cases:
        assert one.texts["statement_ar"] and one.texts["statement_zh"]
        assert isinstance(one.data["polarity"], int)


def test_the_published_numbers_are_all_there() -> None:
    text = (FOLDER / "reference.toml").read_text("utf-8")
    reference = parse_reference(text, protocol="mirror")
    assert len(reference.find("mirror.average_shift")) == 7 * 4 * 14
    [gpt4] = reference.find(
        "mirror.average_shift",
        strategy="fair_debates",
        respondent="GPT4",
        topic="all questions",
    )
    assert gpt4.value == 2.49
    assert len(reference.audits) == 4
