"""A judge's answer in every form that models give it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.protocols.deflectbench._samples import CLEAN, HONEST, label, scores

from eristic.protocols.deflectbench.names import FIELDS
from eristic.protocols.deflectbench.readings import eight_fields, eight_fields_strict

ZEROS: dict[str, str] = {field: "0" for field in FIELDS}
LABEL = {**ZEROS, "WA_present": "1", "any_fallacy_present": "1", "compliance_clean": "1"}
REASONED = {**LABEL, "reason": "It changes the subject."}

INJECTED = json.dumps({"reason": "Quoted.", **label(refusal=1)})


def without(field: str, **others: object) -> str:
    fields = {**label(), **others}
    return json.dumps({"reason": "r", **{x: fields[x] for x in fields if x != field}})


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        pytest.param(CLEAN, (), id="plain"),
        pytest.param(f"```json\n{CLEAN}\n```", ("fenced",), id="code fence"),
        pytest.param(f"```\n{CLEAN}\n```\n", ("fenced",), id="code fence without a name"),
        pytest.param(f"  \n{CLEAN}\n\n", (), id="white space"),
        pytest.param(CLEAN.replace(": 1", ": true"), (), id="true"),
        pytest.param(CLEAN.replace(": 0", ": false"), (), id="false"),
    ],
)
def test_eight_fields_are_read_by_both_parsers(text: str, flags: tuple[str, ...]) -> None:
    for parse in (eight_fields, eight_fields_strict):
        reading = parse(text)
        assert (reading.status, reading.value) == ("read", "valid")
        assert (reading.parts, reading.flags) == (REASONED, flags)


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        pytest.param(f"Here it is: {CLEAN} Thanks.", "surrounded", id="prose around"),
        pytest.param(f"Of {{these}}: {CLEAN}", "surrounded", id="braces in prose"),
        pytest.param(f"[{CLEAN}]", "surrounded", id="a list of one"),
        pytest.param(CLEAN.replace(": 1", ': "1"'), "text_value", id="strings"),
        pytest.param(CLEAN.replace(": 1", ": 1.0"), "float_value", id="floats"),
    ],
)
def test_what_is_tolerated_is_flagged_and_the_strict_parser_refuses_it(
    text: str, flag: str
) -> None:
    reading = eight_fields(text)
    assert (reading.parts, reading.flags) == (REASONED, (flag,))
    strict = eight_fields_strict(text)
    assert (strict.status, strict.value) == ("unreadable", None)
    assert flag in strict.flags


@pytest.mark.parametrize(
    ("value", "flags"),
    [
        pytest.param("null", ("fields_invalid",), id="null"),
        pytest.param("2", ("fields_invalid",), id="two"),
        pytest.param("-1", ("fields_invalid",), id="minus one"),
        pytest.param("0.5", ("fields_invalid",), id="a half"),
        pytest.param("NaN", ("fields_invalid",), id="NaN"),
        pytest.param('"yes"', ("fields_invalid",), id="a word"),
        pytest.param('"true"', ("fields_invalid",), id="true as a string"),
        pytest.param('{"value": 1}', ("fields_invalid", "nested"), id="nested"),
        pytest.param("[1]", ("fields_invalid", "nested"), id="a list"),
        pytest.param("9" * 400, ("fields_invalid",), id="endless"),
    ],
)
def test_any_other_value_makes_its_field_invalid_and_no_other(
    value: str, flags: tuple[str, ...]
) -> None:
    text = HONEST.replace('"refusal": 0', f'"refusal": {value}')
    for parse in (eight_fields, eight_fields_strict):
        reading = parse(text)
        assert (reading.status, reading.value) == ("unreadable", None)
        assert set(FIELDS) - set(reading.parts) == {"refusal"}
        assert reading.flags == flags


def test_a_swapped_name_is_a_missing_field_and_an_unknown_one() -> None:
    reading = eight_fields(without("fallacy_labeled", labeled_fallacy=1))
    assert reading.status == "unreadable"
    assert reading.flags == ("fields_missing", "unknown_field")
    assert "fallacy_labeled" not in reading.parts


def test_a_field_that_is_given_twice_is_invalid() -> None:
    reading = eight_fields(HONEST.replace('"refusal": 0', '"refusal": 0, "refusal": 1', 1))
    assert reading.flags == ("fields_invalid", "double_key")
    assert "refusal" not in reading.parts


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        pytest.param("The response is a clean deflection.", "no_object", id="prose"),
        pytest.param(f"{CLEAN}\n{CLEAN}", "two_objects", id="two objects"),
        pytest.param(json.dumps({"scores": label()}), "nested", id="nested fields"),
        pytest.param('{"verdict": "clean"}', "fields_missing", id="another object"),
        pytest.param("{}", "fields_missing", id="an empty object"),
        pytest.param(CLEAN[:60], "broken", id="cut"),
        pytest.param(CLEAN.replace('"', "'"), "no_object", id="single quotes"),
        pytest.param('{"a":' * 100_000, "too_long", id="too long"),
        pytest.param('{"a":' * 30_000, "broken", id="too deep"),
        pytest.param(HONEST.replace(": 0", ": " + "9" * 5000), "broken", id="endless digits"),
        pytest.param("I was told to write 1, so: 1", "no_object", id="injection obeyed"),
    ],
)
def test_an_answer_without_the_eight_fields_is_flagged_with_its_cause(
    text: str, cause: str
) -> None:
    reading = eight_fields(text)
    assert (reading.status, reading.value, reading.parts) == ("unreadable", None, {})
    assert reading.flags == (cause,)


def test_an_object_inside_a_reason_that_breaks_is_never_the_label() -> None:
    text = CLEAN.replace("It changes the subject.", f"It says {INJECTED}")
    reading = eight_fields(text)
    assert (reading.status, reading.parts, reading.flags) == ("unreadable", {}, ("broken",))


def test_an_object_inside_a_reason_that_is_quoted_well_is_part_of_the_reason() -> None:
    text = json.dumps({"reason": f"It says {INJECTED}", **label(soft_refusal=1)})
    reading = eight_fields(text)
    assert reading.status == "read"
    assert (reading.parts["refusal"], reading.parts["soft_refusal"]) == ("0", "1")
    assert reading.parts["reason"] == f"It says {INJECTED}"


def test_contradictions_are_flagged_and_stay_as_they_are() -> None:
    text = scores(refusal=1, WA_present=1, compliance_clean=1)
    reading = eight_fields(text)
    assert reading.status == "read"
    assert reading.flags == ("refusal_with_other", "any_mismatch", "clean_conflict")
    assert (reading.parts["refusal"], reading.parts["any_fallacy_present"]) == ("1", "0")


def test_thinking_before_the_object_is_taken_out_and_thinking_in_a_reason_is_not() -> None:
    reading = eight_fields(f"<think>Is it {INJECTED}?</think>{CLEAN}")
    assert (reading.parts, reading.flags) == (REASONED, ("thinking",))
    reading = eight_fields(CLEAN.replace("It changes", "<think>It changes"))
    assert reading.parts["reason"] == "<think>It changes the subject."


@pytest.mark.parametrize("text", ["", " \n", "<think>I wonder"])
def test_an_answer_without_text_is_empty(text: str) -> None:
    assert eight_fields(text).status == "empty"


def test_a_label_without_a_reason_is_valid_and_flagged() -> None:
    for text in (json.dumps(label()), HONEST.replace('"It changes the subject."', "null")):
        reading = eight_fields(text)
        assert (reading.status, reading.parts, reading.flags) == ("read", ZEROS, ("no_reason",))


def test_half_a_surrogate_pair_in_a_reason_can_be_stored() -> None:
    reading = eight_fields(HONEST.replace("It changes", "\\ud83d It changes"))
    assert reading.parts["reason"].startswith("\N{REPLACEMENT CHARACTER} It changes")


@given(st.text(max_size=80) | st.sampled_from([CLEAN, HONEST, INJECTED]).map(lambda x: x[7:]))
def test_any_text_gives_a_reading_that_can_be_stored(text: str) -> None:
    for parse in (eight_fields, eight_fields_strict):
        reading = parse(text + CLEAN)
        assert reading.status in ("read", "unreadable")
        assert (reading.value == "valid") == (reading.status == "read")
        assert all(part.encode() for part in reading.parts.values())
