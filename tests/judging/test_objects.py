"""A helper's object: read by position, tolerated with a flag, refused with a cause, never run."""

from __future__ import annotations

import ast
import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eristic.judging import text_object

PLAIN = '{"fallacy": "Straw Man", "fallacious argument": "twists it", "response": "So you agree?"}'


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        (PLAIN, ()),
        (f"[{PLAIN}]", ()),
        (f"  \n{PLAIN}\n", ()),
        (repr(ast.literal_eval(PLAIN)), ()),
        (repr([ast.literal_eval(PLAIN)]), ()),
        (f"```json\n{PLAIN}\n```", ("fenced",)),
        (f"```\n{PLAIN}```", ("fenced",)),
        (f"Here's what {{I}} made of it:\n{PLAIN}\nGood luck!", ("surrounded",)),
        (f"Sure:\n```python\n{PLAIN}\n```", ("fenced", "surrounded")),
        (PLAIN.replace('",', '"'), ("repaired",)),
        (PLAIN.replace('",', '"\n'), ("repaired",)),
        (PLAIN.replace("}", ",}"), ("repaired",)),
        (PLAIN.replace('"So', "'''So").replace('?"', "?'''"), ()),
        (PLAIN.replace('"So you agree?"', '"""So you agree?"""'), ()),
        (f"<think>a {{draft}}</think>{PLAIN}", ("thinking",)),
        (f"{PLAIN} was my draft</think>{PLAIN}", ("thinking", "thinking_unopened")),
    ],
)
def test_the_same_three_texts_are_read_from_many_forms(text: str, flags: tuple[str, ...]) -> None:
    reading = text_object(text, labels=("label", "passage"))
    assert (reading.parser, reading.status) == ("text-object.v1", "read")
    assert reading.value == "So you agree?"
    assert reading.parts == {"label": "Straw Man", "passage": "twists it"}
    assert reading.flags == flags


def test_raw_newlines_in_a_text_stay_in_it() -> None:
    reading = text_object('{"a": "x", "b": "y", "c": "one\n\ntwo"}')
    assert (reading.value, reading.flags) == ("one\n\ntwo", ("repaired",))


def test_braces_and_quotes_in_a_text_stay_in_it() -> None:
    text = r"""{"a": "}{", "b": "it's \"so\"", "c": "a } b { c ] \u00e9 \\ \/ \q"}"""
    reading = text_object(text)
    assert reading.parts == {"label": "}{", "passage": 'it\'s "so"'}
    assert reading.value == "a } b { c ] é \\ / \\q"


def test_position_counts_and_not_the_name() -> None:
    reading = text_object('{"response": "r", "helping_argument": "h", "tip": "t"}')
    assert (reading.value, reading.flags) == ("t", ("response_not_last",))
    assert reading.parts == {"label": "r", "passage": "h"}


def test_two_fields_are_read_with_a_flag() -> None:
    reading = text_object('{"tip": "be brief", "response": "Agreed?"}', labels=("tip", "passage"))
    assert (reading.value, reading.parts) == ("Agreed?", {"tip": "be brief"})
    assert reading.flags == ("two_fields",)


def test_an_empty_passage_is_a_passage() -> None:
    reading = text_object('{"a": "x", "b": "", "c": "y"}')
    assert (reading.status, reading.parts) == ("read", {"label": "x", "passage": ""})


def test_a_text_that_is_such_an_object_itself_is_flagged() -> None:
    reading = text_object(json.dumps({"a": "x", "b": "y", "c": PLAIN}))
    assert (reading.value, reading.flags) == (PLAIN, ("nested",))


def test_thinking_tags_in_a_text_belong_to_it() -> None:
    reading = text_object('{"a": "x", "b": "y", "c": "as <think>you</think> say"}')
    assert reading.value == "as <think>you</think> say"


def test_surrogate_pairs_are_joined_and_lone_halves_replaced() -> None:
    assert text_object(r'{"a": "x", "b": "y", "c": "\ud83d\ude00"}').value == "😀"
    reading = text_object(r'{"a": "x", "b": "y", "c": "a\ud83d!"}')
    assert (reading.value, reading.flags) == ("a\N{REPLACEMENT CHARACTER}!", ("cleaned",))


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("I would rather not", "no_object"),
        ("{}", "no_object"),
        ("[]", "no_object"),
        ("{a: b}", "no_object"),
        (f"{PLAIN}\n{PLAIN}", "two_objects"),
        (PLAIN[:-1], "truncated"),
        (PLAIN[:-8], "truncated"),
        ('{"a": ', "truncated"),
        ('{"a": "x", "b', "truncated"),
        ('{"a": x}', "broken"),
        ("{'a': 'x', 'b': 'don't', 'c': 'y'}", "broken"),
        ('{"a": "x", "a": "y", "c": "z"}', "double_key"),
        ('{"a": "x", "b": [], "c": "y"}', "non_text"),
        ('{"a": "x", "b": null, "c": "y"}', "non_text"),
        ('{"a": "x", "b": "y", "c": 3}', "non_text"),
        ('{"answer": ' + PLAIN + "}", "non_text"),
        ('{"a": "x", "b": "y", "c": " "}', "empty_text"),
        ('{"a": "x"}', "wrong_fields"),
        ('{"a": "1", "b": "2", "c": "3", "d": "4"}', "wrong_fields"),
        ('{"a": "' + "x" * 200_001 + '", "b": "y", "c": "z"}', "too_long"),
    ],
)
def test_other_answers_are_unreadable_with_their_cause(text: str, cause: str) -> None:
    reading = text_object(text)
    assert (reading.status, reading.value, reading.flags) == ("unreadable", None, (cause,))


@pytest.mark.parametrize("text", ["", " \n", "<think>{", "<think>x</think> "])
def test_an_answer_without_a_word_is_empty(text: str) -> None:
    assert text_object(text).status == "empty"


@pytest.mark.parametrize(
    "code",
    [
        "__import__('os').system('exit 1')",
        "{'a': 'x', 'b': __import__('os').system('exit 1'), 'c': 'y'}",
        "{'a': 'x', 'b': open('/etc/passwd').read(), 'c': 'y'}",
        "{'a': 'x', 'b': f'{1 + 1}', 'c': 'y'}",
        "{'a': 'x', 'b': 'y' * 10 ** 10, 'c': 'z'}",
        "{" * 50_000,
        "[" * 50_000,
        '{"a": ' * 30_000,
    ],
)
def test_code_in_an_answer_is_text_that_cannot_be_read(code: str) -> None:
    assert text_object(code).status == "unreadable"


def test_code_inside_a_text_comes_back_as_it_was() -> None:
    code = "__import__('os').system('exit 1') {0.__class__} %s {{x}}"
    assert text_object(json.dumps({"a": "x", "b": "y", "c": code})).value == code


_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
_OBJECTS = st.tuples(_TEXTS, _TEXTS, _TEXTS.filter(lambda x: bool(x.strip())))


@given(_OBJECTS, st.booleans())
def test_what_json_and_repr_write_is_read_back_whole(
    texts: tuple[str, str, str], is_json: bool
) -> None:
    label, passage, said = texts
    record = {"label": label, "passage": passage, "text": said}
    reading = text_object(json.dumps(record) if is_json else repr([record]))
    assert reading.value == said
    assert reading.parts == {"label": label, "passage": passage}


_PIECES = st.sampled_from(
    ['{"', '"}', "{'", "'", '"', ":", ",", "a", "\\", "\\u", "d800", '"""', "'''", "[", "```", "\n"]
)


@given(st.lists(_PIECES, max_size=30).map("".join) | st.text(alphabet=st.characters()))
def test_no_text_makes_the_parser_raise(text: str) -> None:
    reading = text_object(text)
    assert (reading.status == "read") == (reading.value is not None)
    msgspec.json.encode(reading)


@given(_OBJECTS, st.integers(min_value=1))
def test_an_object_cut_off_anywhere_is_never_read(texts: tuple[str, str, str], cut: int) -> None:
    label, passage, said = texts
    whole = json.dumps({"label": label, "passage": passage, "text": said})
    assert text_object(whole[: cut % len(whole)]).status != "read"
