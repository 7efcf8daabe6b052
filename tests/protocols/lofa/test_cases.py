"""Which cases can be played, and the files in which LoFa and Farm publish theirs."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest
from tests.protocols.lofa._plays import bats, capital

from eristic.debate import Case
from eristic.debate.errors import CaseRefused
from eristic.protocols.casework import read_case_files
from eristic.protocols.lofa import LOFA
from eristic.protocols.lofa.names import FALLACIES
from eristic.protocols.lofa.questions import read_question

CORRECT = {"text": "a", "score": 1}
FALSE = {"text": "b", "score": 2}


@pytest.mark.parametrize(
    ("case", "says"),
    [
        pytest.param(capital(target="canberra."), "is a correct option", id="target is correct"),
        pytest.param(
            capital(options=[FALSE, {"text": "c", "score": 0}]),
            "no option has score 1",
            id="no score 1",
        ),
        pytest.param(capital(options=[CORRECT]), "two options", id="one option"),
        pytest.param(
            capital(options=[CORRECT, {"text": " ", "score": 0}]), "blank", id="blank option"
        ),
        pytest.param(capital(options=[CORRECT, {"text": "b"}]), "score", id="no score"),
        pytest.param(capital(options=[CORRECT, {"text": "b", "score": 3}]), "3", id="score 3"),
        pytest.param(
            capital(options=[CORRECT, {"text": "b", "score": "1"}]), "str", id="score text"
        ),
        pytest.param(capital(options=[CORRECT, {"text": "A.", "score": 0}]), "twice", id="both"),
        pytest.param(capital(gold="Sydney"), "score is not 1", id="gold is wrong"),
        pytest.param(capital(gold=True), "gold", id="gold is no text"),
        pytest.param(capital(arguments={"strawman": []}), "straw_man", id="unknown fallacy"),
        pytest.param(capital(arguments={"straw_man": ["a"] * 4}), "has 4", id="four arguments"),
        pytest.param(capital(arguments={"straw_man": [1]}), "texts", id="argument is no text"),
        pytest.param(capital(arguments=["a"]), "texts", id="arguments are a list"),
        pytest.param(bats(target="no"), "true answer", id="yes/no target is the true answer"),
        pytest.param(bats(target="perhaps"), "yes or no", id="yes/no target is neither"),
        pytest.param(bats(gold="no"), "true or false", id="gold is a text"),
        pytest.param(bats(gold=None), "true or false", id="no gold"),
    ],
)
def test_a_case_that_cannot_be_scored_is_refused(case: Case, says: str) -> None:
    with pytest.raises(CaseRefused, match=says):
        LOFA.check_case(case)


def test_several_correct_options_and_no_target_are_fine() -> None:
    options = [CORRECT, {"text": "c", "score": 1}, FALSE]
    question = read_question(capital(options=options, target="not a", gold="another wording"))
    assert question.target is None


def test_every_starter_case_can_be_played() -> None:
    path = files("eristic.protocols.lofa") / "cases" / "questions.jsonl"
    found = read_case_files(LOFA, {"questions.jsonl": path.read_bytes()}, origin="questions.jsonl")
    for case in found.cases:
        question = read_question(case)
        assert question.target is not None
        assert {name: len(texts) for name, texts in question.arguments.items()} == dict.fromkeys(
            FALLACIES, 3
        )
    assert {read_question(case).gold for case in found.cases} == {None, True, False}


ADV: dict[str, object] = {
    "target": "Brazil",
    "control": "Brazil won the cup.",
    "mcq": [{"text": "Brazil", "score": 2}, {"text": "Uruguay", "score": 1}],
    "Straw Man": ["s1", "s2", "s3"],
    "False Causality": ["f1"],
    "logical": ["l1", "l2"],
}
CHOICE = {"question": "Who won the cup?", "answer": "Uruguay", "source": "a page", "adv": ADV}
BOOLEAN = {
    "question": "Is it the same?",
    "answer": False,
    "adv": {"target": "true", "control": "It is the same.", "AH": ["a1"]},
}
LONG = {
    "type": "Adversarial",
    "question": "Who invented it?",
    "best_answer": "Many people",
    "adv": {
        "mcq": [
            {"text": "Many people", "score": 1},
            {"text": "Several people", "score": 1},
            {"text": "One man", "score": 2},
        ],
        "target": "One man",
        "control": "One man invented it.",
        "circular reasoning": ["c1"],
    },
}


def lines(*records: object) -> bytes:
    return "\n".join(json.dumps(record) for record in records).encode()


def read(**contents: bytes) -> tuple[Case, ...]:
    named = {f"{name}.jsonl": data for name, data in contents.items()}
    return read_case_files(LOFA, named, origin="ds_data").cases


def test_a_published_multiple_choice_keeps_its_arguments_by_fallacy() -> None:
    [case] = read(NQ2=lines(CHOICE))
    question = read_question(case)
    assert (case.case_id, case.texts["subset"]) == ("NQ2-1", "NQ2")
    assert case.texts["source"] == "a page"
    assert question.arguments == {"straw_man": ("s1", "s2", "s3"), "false_cause": ("f1",)}
    assert case.data["other_arguments"] == {"logical": ["l1", "l2"]}
    assert question.target == 0


def test_a_published_yes_no_question_has_a_true_answer_and_a_target() -> None:
    [case] = read(BoolQ=lines(BOOLEAN))
    question = read_question(case)
    assert (question.kind, question.gold, question.target) == ("yes_no", False, "yes")
    assert question.arguments == {"ad_hominem": ("a1",)}


@pytest.mark.parametrize(("gold", "target"), [(True, "not true"), (False, "true")])
def test_published_yes_no_targets_are_denied_or_not(gold: bool, target: str) -> None:
    record = {**BOOLEAN, "answer": gold, "adv": {"target": target, "control": "It is not."}}
    [case] = read(BoolQ=lines(record))
    assert read_question(case).target == ("no" if gold else "yes")


def test_a_published_subset_has_one_spelling_however_its_file_is_called() -> None:
    [case] = read(Boolq=lines(BOOLEAN))
    assert (case.case_id, case.texts["subset"]) == ("Boolq-1", "BoolQ")
    [other] = read(mine=lines(BOOLEAN))
    assert other.texts["subset"] == "mine"


def test_a_published_record_without_a_source_is_read() -> None:
    # As one is published: NaN, which JSON does not know.
    [case] = read(TruthfulQA=lines({**LONG, "source": float("nan")}))
    assert "source" not in case.texts


def test_a_published_question_may_have_several_correct_options() -> None:
    [case] = read(TruthfulQA=lines(LONG))
    assert [option.score for option in read_question(case).options] == [1, 1, 2]
    assert case.texts["type"] == "Adversarial"
    assert read_question(case).arguments == {"circular_reasoning": ("c1",)}


def test_a_target_that_denies_is_no_option() -> None:
    record = CHOICE | {"adv": ADV | {"target": "not Uruguay"}}
    [case] = read(NQ1=lines(record))
    assert read_question(case).target is None


def test_a_folder_of_subsets_is_read_whole_with_one_json_list_among_them() -> None:
    found = read_case_files(
        LOFA,
        {
            "ds/BoolQ.jsonl": lines(BOOLEAN, BOOLEAN),
            "ds/NQ1.json": json.dumps([CHOICE]).encode(),
            "ds/README.md": b"# about",
        },
        origin="data",
    )
    assert [case.case_id for case in found.cases] == ["BoolQ-1", "BoolQ-2", "NQ1-1"]


def test_two_sets_of_arguments_are_not_mixed() -> None:
    both = {"ds/NQ1.jsonl": lines(CHOICE), "gpt/NQ1.jsonl": lines(CHOICE)}
    with pytest.raises(CaseRefused, match="name the folder of one set"):
        read_case_files(LOFA, both, origin="data")


def test_bad_records_are_listed_by_number() -> None:
    bad_scores = CHOICE | {"adv": ADV | {"mcq": [FALSE, FALSE]}}
    without_claim = {"question": "?", "answer": True, "adv": {}}
    data = lines(CHOICE, bad_scores, without_claim) + b"\n{\n[1]\n" + lines(BOOLEAN)
    with pytest.raises(CaseRefused) as refused:
        read(NQ1=data)
    message = str(refused.value)
    assert "4 records" in message
    for says in (
        "NQ1.jsonl, record 2: no option has score 1",
        "NQ1.jsonl, record 3: control or false_claim is missing",
        "NQ1.jsonl, record 4: not JSON",
        "NQ1.jsonl, record 5: not an object",
    ):
        assert says in message
    assert "record 1:" not in message


@pytest.mark.parametrize("data", [b"\xff\xfe", json.dumps({**CHOICE, "source": "\ud800"}).encode()])
def test_what_cannot_be_stored_is_refused(data: bytes) -> None:
    with pytest.raises(CaseRefused):
        read(NQ1=lines(CHOICE) + b"\n" + data)


def test_files_of_ours_are_no_published_layout() -> None:
    own = json.dumps({"case_id": "a", "question": "?", "false_claim": "x", "gold": True}).encode()
    assert LOFA.read_layout({"q.jsonl": own}, "q.jsonl") is None
    assert LOFA.read_layout({"q.csv": b"a,b"}, "q.csv") is None
