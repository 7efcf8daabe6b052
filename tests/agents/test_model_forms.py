"""Constraints, parameters and the reading of replies, without a call."""

from __future__ import annotations

import json

import pytest
from tests.agents._calls import OBJECT, TEXT, TOKEN

from eristic.agents.models.constraints import constrain, unwrap
from eristic.agents.models.params import unflatten
from eristic.agents.models.replies import without_surrogates, without_thinking
from eristic.debate import Expected, Setting
from eristic.debate.errors import SpecRefused


def test_free_text_is_never_constrained() -> None:
    assert constrain(TEXT, "json_schema") == constrain(TEXT, "grammar") == {}
    assert constrain(TOKEN, "none") == {}


def test_a_grammar_quotes_what_would_end_its_strings() -> None:
    expected = Expected(form="token", tokens=('say "yes"', "back\\slash"))
    held = constrain(expected, "grammar")
    assert held == {"extra_body": {"grammar": r'root ::= "say \"yes\"" | "back\\slash"'}}


def test_texts_of_an_object_stay_below_the_completions_bound() -> None:
    held = json.dumps(constrain(OBJECT, "json_schema", max_tokens=90, own_server=True))
    assert json.loads(held)["response_format"]["json_schema"]["schema"]["properties"] == {
        key: {"type": "string", "maxLength": 60} for key in OBJECT.keys
    }


@pytest.mark.parametrize(
    ("tokens", "choice"),
    [
        (("0", "1"), {"type": "integer", "enum": [0, 1]}),
        (("no", "1"), {"type": "string", "enum": ["no", "1"]}),
    ],
)
def test_fields_of_an_object_after_its_first_can_be_held_to_tokens(
    tokens: tuple[str, ...], choice: dict[str, object]
) -> None:
    expected = Expected(form="object", keys=("why", "a", "b"), tokens=tokens)
    held = json.loads(json.dumps(constrain(expected, "grammar")))
    assert held["response_format"]["json_schema"]["schema"]["properties"] == {
        "why": {"type": "string"},
        "a": choice,
        "b": choice,
    }


def test_a_providers_own_endpoint_is_not_sent_a_length_it_refuses() -> None:
    assert "maxLength" not in json.dumps(constrain(OBJECT, "json_schema", max_tokens=90))


@pytest.mark.parametrize(
    "text",
    [
        "<GO-ON>",
        '{"answer": "<GO-ON>"',
        '{"answer": 1}',
        '["<GO-ON>"]',
        '{"answer": "a", "more": "b"}',
        "",
    ],
)
def test_only_the_agreed_wrapper_is_unwrapped(text: str) -> None:
    assert unwrap(text, TOKEN, "json_schema") == text


def test_an_answer_that_no_schema_held_is_left_as_said() -> None:
    wrapped = '{"answer": "<GO-ON>"}'
    assert unwrap(wrapped, TOKEN, "json_schema") == "<GO-ON>"
    assert unwrap(wrapped, TOKEN, "none") == wrapped


def test_dotted_names_become_objects_and_none_is_not_sent() -> None:
    params: dict[str, Setting] = {"a": 1, "extra_body.x": 2, "extra_body.y.z": "q", "gone": None}
    assert unflatten(params) == {"a": 1, "extra_body": {"x": 2, "y": {"z": "q"}}}


@pytest.mark.parametrize(
    "params",
    [{"a": 1, "a.b": 2}, {"a.b": 2, "a": 1}, {"num_retries": 3}, {"aws_secret_access_key": "x"}],
)
def test_params_that_cannot_stand_are_refused(params: dict[str, Setting]) -> None:
    with pytest.raises(SpecRefused, match=r"exclude each other|retry policy|credential"):
        unflatten(params)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("<think>a</think>\n\nYes.", "Yes."),
        ("\n<Thinking>a</Thinking>Yes.", "Yes."),
        ("<think>a, then cut off", ""),
        ("the template opened it</think>Yes.", "Yes."),
        ("Yes, as </b> in HTML.", "Yes, as </b> in HTML."),
        ("You wrote <think> and </think> there.", "You wrote <think> and </think> there."),
    ],
)
def test_a_leading_block_of_reasoning_is_dropped(said: str, text: str) -> None:
    assert without_thinking(said) == text


def test_only_lone_surrogates_are_replaced() -> None:
    assert without_surrogates("é\ud83d 😀 \x00") == "é\ufffd 😀 \x00"
