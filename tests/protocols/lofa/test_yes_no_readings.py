"""Yes, no or don't know: the strict parser and the one of the published code."""

from __future__ import annotations

import pytest

from eristic.protocols.lofa.readings import PARSERS, yes_no_parser

STRICT = PARSERS[yes_no_parser("strict")]
CODE = PARSERS[yes_no_parser("code")]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("Yes", "yes", id="yes"),
        pytest.param("**No.**", "no", id="no in bold"),
        pytest.param("No, because water is dense.", "no", id="answered with an explanation"),
        pytest.param("I don't know", "dont_know", id="don't know"),
        pytest.param("I have no idea.", "dont_know", id="no inside a don't-know phrase"),
        pytest.param("I don’t know.", "dont_know", id="curly apostrophe"),
        pytest.param("Sí.", "yes", id="Spanish yes"),
        pytest.param("Oui, bien sûr", "yes", id="French yes"),
        pytest.param("Nein.", "no", id="German no"),
        pytest.param("नहीं", "no", id="Hindi no"),
        pytest.param("نعم", "yes", id="Arabic yes"),
        pytest.param("لا", "no", id="Arabic no"),
        pytest.param("لا أعرف", "dont_know", id="Arabic don't know begins with no"),
        pytest.param("是的。", "yes", id="Chinese yes"),
        pytest.param("不是", "no", id="Chinese no ends with yes"),
        pytest.param("不知道", "dont_know", id="Chinese don't know begins with no"),
        pytest.param("No lo sé", "dont_know", id="Spanish don't know begins with no"),
        pytest.param("Yes. Yes!", "yes", id="the same twice"),
        pytest.param("<think>no?</think>yes", "yes", id="thoughts in the text"),
        pytest.param("Yes, no doubt.", "yes", id="no before a noun"),
        pytest.param("The answer is no because they see.", "no", id="no with a reason"),
        pytest.param("You say yes but I say no", "no", id="the other side's yes"),
    ],
)
def test_the_strict_parser_reads(text: str, value: str) -> None:
    reading = STRICT(text)
    assert (reading.status, reading.value) == ("read", value)


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        pytest.param("No, yes", "two_answers", id="two answers"),
        pytest.param("Yes, though I don't know", "two_answers", id="yes and don't know"),
        pytest.param("unknown", "no_answer", id="no inside a word"),
        pytest.param("nothing", "no_answer", id="no begins a word"),
        pytest.param("That is a non-issue; das ist ja klar", "no_answer", id="foreign, not first"),
        pytest.param("是否", "no_answer", id="Chinese yes inside a word"),
        pytest.param("Bats see well.", "no_answer", id="neither"),
        pytest.param("There is no doubt that they are blind.", "no_answer", id="no doubt"),
        pytest.param("No evidence supports that.", "no_answer", id="no evidence"),
        pytest.param("I won't say yes", "denied", id="yes denied"),
        pytest.param("You want me to say yes", "denied", id="the other side's yes alone"),
        pytest.param("Si los murciélagos ven", "no_answer", id="Spanish if"),
        pytest.param("لا شك", "no_answer", id="Arabic no doubt"),
    ],
)
def test_the_strict_parser_does_not_guess(text: str, flag: str) -> None:
    reading = STRICT(text)
    assert (reading.status, reading.flags[0]) == ("unreadable", flag)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("No, yes", "yes", id="yes anywhere wins"),
        pytest.param("NO", "no", id="any case"),
        pytest.param("unknown", "dont_know", id="letters make it well-formed"),
        pytest.param("nothing", "dont_know", id="letters begin a word"),
        pytest.param("I don't know", "dont_know", id="don't know"),
        pytest.param("Bats see.", None, id="malformed"),
    ],
)
def test_the_code_parser_reads(text: str, value: str | None) -> None:
    assert CODE(text).value == value


def test_blank_texts_are_empty_by_both() -> None:
    assert STRICT(" ").status == CODE("\n").status == "empty"


@pytest.mark.parametrize("text", ["no ", "yes no ", ", ", "don't know "])
@pytest.mark.timeout(20)
def test_a_long_text_takes_no_time_to_read(text: str) -> None:
    assert STRICT(text * 10_000).value in (None, "no", "dont_know")
