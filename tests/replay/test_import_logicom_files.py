"""What a single published file may hold, and what is told when it cannot be used."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.replay._published import OPENING, debate

from eristic.replay.importing import ImportedEpisode
from eristic.replay.importing.logicom import read_opening
from eristic.replay.importing.logicom.files import Damaged
from eristic.replay.importing.logicom.helpers import read_helper
from eristic.replay.importing.logicom.importer import read_episode
from eristic.replay.importing.logicom.places import Place, locate

PLACE = locate(("debates", "iteration 3", "GPT-4", "t1", "Vanilla_Helper", "id.json"))


def episode(data: bytes) -> ImportedEpisode:
    assert isinstance(PLACE, Place)
    return read_episode(data, PLACE, {}, software="test")


# -- openings


@pytest.mark.parametrize(
    ("topic", "claim", "reason"),
    [
        ("T", "C", "R"),
        ("A ” B", 'He said "no" and "yes"', "it's so"),
        ("T", "C", 'It holds the claim: " I believe  "C'),
        ("T", 'x"\nreason: "y', 'z"\nBased on the my reason: "z'),
        ("", "", ""),
        ("T", "ends in a blank ", "two\nlines"),
    ],
)
def test_an_opening_is_read_whatever_stands_in_it(topic: str, claim: str, reason: str) -> None:
    text = (
        f'Let’s talk about this\ntopic:  “ {topic} ”\nclaim: "{claim}"\nreason: "{reason}"\n'
        f'Based on the my reason: "{reason}" I believe  "{claim}" is correct. What do you think?'
    )
    assert read_opening(text) == {"topic": topic, "claim": claim, "reason": reason}


def test_a_text_that_is_not_the_template_is_no_opening() -> None:
    assert read_opening(OPENING.replace("’", "'")) is None
    assert read_opening(OPENING.replace('reason: "R" I', 'reason: "S" I')) is None
    assert read_opening(OPENING + " ") is None


# -- helpers


@pytest.mark.parametrize(
    ("fields", "value", "parts", "flags"),
    [
        (
            {"fallacy": "Red Herring", "fallacious argument": "p", "response": "r"},
            "r",
            {"label": "Red Herring", "passage": "p"},
            (),
        ),
        (
            {"tip": "t", "helping_argument": "h", "response": "r"},
            "r",
            {"tip": "t", "passage": "h"},
            (),
        ),
        (
            {"response": "r", "helping_argument": "h", "tip": "t"},
            "t",
            {"response": "r", "passage": "h"},
            ("response_not_last",),
        ),
        (
            {"Fallacy": "x", "response": "r"},
            "r",
            {"label": "x"},
            ("two_keys", "other_key_spelling"),
        ),
        (
            {"one": "1", "two": "2", "three": "3"},
            "3",
            {"label": "1", "passage": "2"},
            ("unknown_key",),
        ),
        (
            {"advice": "1", "helping_argument": "2", "response": "3"},
            "3",
            {"tip": "1", "passage": "2"},
            ("unknown_key",),
        ),
        ({1: "a", None: "b"}, "b", {"label": "a"}, ("two_keys", "unknown_key")),
        ({"tip": None, "response": "r"}, "r", {}, ("two_keys", "non_text")),
        ({"tip": "t", "response": "N/A."}, "N/A.", {"tip": "t"}, ("two_keys", "placeholder")),
        (
            {"tip": "t", "response": "[{'tip': 1}]"},
            "[{'tip': 1}]",
            {"tip": "t"},
            ("two_keys", "nested_object"),
        ),
        ({"tip": "t", "response": ""}, "", {"tip": "t"}, ("two_keys",)),
    ],
)
def test_the_value_is_the_text_that_was_sent(
    fields: dict[str, Any], value: str, parts: dict[str, str], flags: tuple[str, ...]
) -> None:
    reading = read_helper(repr([fields]))
    assert (reading.status, reading.value) == ("read", value)
    assert reading.parts == parts
    assert reading.flags == flags


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("I cannot do that.", "no_object"),
        ("[]", "no_object"),
        ("[{}]", "empty_object"),
        ("[1, 2]", "no_object"),
        ("[{'tip': 't', 'response': 7}]", "sent_non_text"),
        ("[" * 5000, "too_deep"),
        ("[{'a': " + "(" * 60 + ")" * 60 + "}]", "too_deep"),
        ("'" * 200_001, "too_long"),
        ("[{'response': __import__('os').system('true')}]", "no_object"),
        ("[{'response': 'a' * 10**9}]", "no_object"),
        ("[{'response': '\x00'}]", None),
    ],
)
def test_what_cannot_be_read_is_told_and_nothing_is_evaluated(text: str, cause: str | None) -> None:
    reading = read_helper(text)
    if cause is None:
        assert reading.status in ("read", "unreadable")
        return
    assert (reading.status, reading.value) == ("unreadable", None)
    assert reading.flags[0] == cause


@pytest.mark.parametrize(
    "text",
    [
        "-" * 100_000 + "1",
        "1" + "+1" * 50_000,
        "not " * 40_000 + "1",
        "9" * 100_000,
        "[{'response': '" + " " * 190_000 + "x'}]",
        "[{'response': '[" + " " * 190_000 + "x'}]",
        "[{'tip': '" + "\\" * 190_000,
        "{" * 30 + "'" * 190_000,
        "[{'response': 'no" + " " * 190_000 + "x'}]",
    ],
)
@pytest.mark.timeout(60)  # quadratic work takes minutes
def test_a_hostile_text_is_read_to_its_end(text: str) -> None:
    assert read_helper(text).status in ("read", "unreadable")


@given(st.text(alphabet="[]{}(),:'\"\\abN1 \n", max_size=200))
def test_no_text_makes_the_helpers_parser_fail(text: str) -> None:
    reading = read_helper(text)
    assert (reading.value is None) == (reading.status != "read")


@given(
    st.dictionaries(
        st.sampled_from(["fallacy", "tip", "response", "helping_argument", "x", "Y z"]),
        st.text(),
        min_size=1,
    )
)
def test_the_last_value_is_what_was_sent_whatever_the_keys(fields: dict[str, str]) -> None:
    reading = read_helper(repr([fields]))
    assert reading.value == list(fields.values())[-1]
    beside = list(fields.values())[:-1]
    assert sorted(reading.parts.values()) == sorted(beside)


@given(st.text(), st.text(), st.text())
def test_any_topic_claim_and_reason_come_out_of_the_opening_as_they_went_in(
    topic: str, claim: str, reason: str
) -> None:
    text = (
        f'Let’s talk about this\ntopic:  “ {topic} ”\nclaim: "{claim}"\nreason: "{reason}"\n'
        f'Based on the my reason: "{reason}" I believe  "{claim}" is correct. What do you think?'
    )
    assert read_opening(text) == {"topic": topic, "claim": claim, "reason": reason}


# -- damaged files


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b'{"Topic_ID": "t1", "log": [', "not JSON"),
        (b"\xff\xfe{}", "not JSON"),
        (b"[]", "no published debate"),
        (debate().replace(b'"Convinced?": false', b'"Convinced?": null'), "no published debate"),
        (debate(number_of_rounds="5"), "number_of_rounds"),
        (debate(number_of_rounds=-1), "number_of_rounds -1"),
        (debate(log=[]), "log is empty"),
        (debate({"assistant": "a", "user": "b"}), "2 speakers"),
        (debate({"system": "a"}), "by 'system'"),
        (debate({"assistant": "Hello"}), "opening"),
        (debate({"assistant": OPENING}, *({"user": str(i)} for i in range(900))), "901 messages"),
        (debate(Topic_ID="t2"), "'t2'"),
        (debate({"assistant": OPENING}, {"user": 7}), "no published debate"),
        (debate().replace(b"No.", b"\\ud800"), "not JSON"),
        (b'{"log": ' + b"[" * 100_000, "not JSON"),
    ],
)
def test_a_damaged_file_says_what_is_wrong_with_it(data: bytes, says: str) -> None:
    with pytest.raises(Damaged, match="(?s)" + says.replace("?", r"\?")):
        episode(data)


def test_a_mark_at_the_beginning_of_a_file_does_no_harm() -> None:
    turns = episode(b"\xef\xbb\xbf" + debate()).spoken
    assert [turn.text for turn in turns] == [OPENING, "No.", "Yes."]


@pytest.mark.parametrize(
    "names",
    [
        ("iteration 1", "GPT-4", "t", "Other_Helper", "x.json"),
        ("GPT-4", "t", "No_Helper", "x.json"),
        ("first", "GPT-4", "t", "No_Helper", "x.json"),
        ("iteration 1", "GPT-4", " ", "No_Helper", "x.json"),
        ("iteration 1", "m" * 81, "t", "No_Helper", "x.json"),
    ],
)
def test_a_debate_in_the_wrong_place_is_told_where_it_should_be(names: tuple[str, ...]) -> None:
    assert isinstance(locate(names), str)


def test_a_third_iteration_and_another_model_need_nothing_new() -> None:
    place = locate(("x", "Iteration_12", "gpt-4", "t", "VANILLA_HELPER", "x.json"))
    assert isinstance(place, Place)
    assert (place.iteration, place.model, place.condition) == (12, "GPT-4", "logical_helper")
    other = locate(("iteration 3", "Other-7B", "t", "No_Helper", "x.json"))
    assert isinstance(other, Place) and other.model == "Other-7B"
