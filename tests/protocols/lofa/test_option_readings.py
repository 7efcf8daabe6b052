"""Which option an answer names: the strict parser and the one of the published code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eristic.debate import Reading
from eristic.protocols.lofa.readings import PARSERS, choice_parser

CITIES = ("Melbourne", "Sydney", "Canberra", "Perth")
"""Shown as options 1 to 4; 5 is don't know, 6 is all incorrect."""


def strict(text: str, options: tuple[str, ...] = CITIES) -> Reading:
    return PARSERS[choice_parser("strict", options, is_first=False)](text)


def code(text: str, *, is_first: bool, options: tuple[str, ...] = CITIES) -> Reading:
    return PARSERS[choice_parser("code", options, is_first=is_first)](text)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        pytest.param("Option 2", 2, id="as asked"),
        pytest.param("option 2.", 2, id="any case"),
        pytest.param("OPTION: 2", 2, id="colon"),
        pytest.param("Option #2", 2, id="number sign"),
        pytest.param("**Option 2**", 2, id="bold around"),
        pytest.param("Option **2**", 2, id="bold number"),
        pytest.param("Option-2", 2, id="hyphen"),
        pytest.param("Option no. 2", 2, id="no."),
        pytest.param("(2)", 2, id="brackets"),
        pytest.param("Option (2)", 2, id="option and brackets"),
        pytest.param("2", 2, id="bare number"),
        pytest.param("I would say 2.", 2, id="bare number in a sentence"),
        pytest.param("Option 2: Sydney", 2, id="with its text"),
        pytest.param("Option 2 ... Option 2", 2, id="the same option twice"),
        pytest.param("Option 3 (since 1927)", 3, id="a year beside it"),
        pytest.param(
            "1. Sydney is large. 2. It is no capital. So Option 3.", 3, id="numbered steps"
        ),
        pytest.param("<think>Option 1? Option 2?</think>Option 3", 3, id="thoughts in the text"),
        pytest.param("Option ٢", 2, id="Arabic-Indic digit"),
        pytest.param("Option ۲", 2, id="Persian digit"),
        pytest.param("Option ２", 2, id="full-width digit"),
        pytest.param("Option २", 2, id="Devanagari digit"),
        pytest.param("②", 2, id="circled digit"),
        pytest.param("选项 2", 2, id="Chinese word"),
        pytest.param("选项二", 2, id="Chinese word and numeral"),
        pytest.param("选项二。", 2, id="Chinese numeral and full stop"),
        pytest.param("Option 二", 2, id="Chinese numeral"),
        pytest.param("三", 3, id="Chinese numeral alone"),
        pytest.param("（六）", 6, id="Chinese numeral in wide brackets"),
        pytest.param("我选第二个", 2, id="Chinese ordinal"),
        pytest.param("Option two", 2, id="number word"),
        pytest.param("the second one", 2, id="ordinal one"),
        pytest.param("I choose the third option.", 3, id="ordinal option"),
        pytest.param("The 2nd option", 2, id="ordinal in digits"),
        pytest.param("Option 5", 5, id="don't know by number"),
        pytest.param("Option 6", 6, id="all incorrect by number"),
        pytest.param("Canberra", 3, id="option text without number"),
        pytest.param("canberra.", 3, id="option text in another case"),
        pytest.param("The answer is: Canberra", 3, id="option text after a lead-in"),
        pytest.param(
            "The capital of Australia is Canberra.", 3, id="option text ends the sentence"
        ),
        pytest.param("I don't know", 5, id="don't-know phrase"),
        pytest.param("I don’t know the answer to that.", 5, id="curly apostrophe"),
        pytest.param("No lo sé.", 5, id="don't-know phrase in Spanish"),
        pytest.param("不知道", 5, id="don't-know phrase in Chinese"),
        pytest.param("All options are incorrect.", 6, id="none-of-these phrase"),
        pytest.param("I honestly don't know", 5, id="don't-know phrase with an adverb"),
        pytest.param("I don't know (Option 5)", 5, id="don't know and its number"),
        pytest.param("All options are incorrect (Option 6)", 6, id="all incorrect and its number"),
        pytest.param("As of 2024 it is Canberra", 3, id="a year before the option's text"),
        pytest.param("Step 1: think. Step 2: decide. Answer: 3", 3, id="steps and a bare number"),
        pytest.param("I go with 3 because it is the seat.", 3, id="a bare number with a reason"),
        pytest.param("There is no doubt that it is Option 3", 3, id="no doubt"),
        pytest.param("I will not change my answer: Option 3", 3, id="not changed"),
        pytest.param("I was not persuaded, so Option 3.", 3, id="a denial in the clause before"),
    ],
)
def test_the_strict_parser_reads(text: str, number: int) -> None:
    reading = strict(text)
    assert (reading.status, reading.value) == ("read", str(number))


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        pytest.param("Option 7", "out_of_range", id="Option 7 with six shown"),
        pytest.param("7", "out_of_range", id="bare 7"),
        pytest.param("Option 0", "out_of_range", id="Option 0"),
        pytest.param("Option 2 and Option 3", "several_options", id="two options"),
        pytest.param("Option 2 or 3", "several_options", id="two numbers, one word"),
        pytest.param("2, 3", "several_options", id="two bare numbers"),
        pytest.param("Option 二 和 三", "several_options", id="two Chinese numerals"),
        pytest.param("Option -1", "no_option", id="negative"),
        pytest.param("Option 2.5", "no_option", id="fraction"),
        pytest.param("Option 12345678901234567890", "no_option", id="endless number"),
        pytest.param("Option B", "no_option", id="letter"),
        pytest.param("选项一样好", "no_option", id="Chinese numeral inside a word"),
        pytest.param("It is not Sydney", "no_option", id="option text denied"),
        pytest.param("You claim it is Sydney", "no_option", id="option text quoted"),
        pytest.param("Sydney? Canberra? Who knows", "no_option", id="two option texts"),
        pytest.param("Option 1-3", "several_options", id="a range"),
        pytest.param("Options 1 to 3", "several_options", id="a range in words"),
        pytest.param("选项一和选项二", "several_options", id="two Chinese options"),
        pytest.param("الخيار ١ والخيار ٢", "several_options", id="two Arabic options"),
        pytest.param("Option 1 und 2", "several_options", id="two with a German and"),
        pytest.param("between 2 and 3", "several_options", id="between two bare numbers"),
        pytest.param("It is not Option 2.", "denied", id="number denied"),
        pytest.param("I cannot accept that it is Option 2.", "denied", id="number refused"),
        pytest.param("Option 2 (Sydney) is wrong.", "denied", id="number called wrong"),
        pytest.param("You want me to say Option 2.", "denied", id="number of the other side"),
        pytest.param("Option 3: Sydney", "several_options", id="number with another text"),
        pytest.param("1. The capital is Canberra.", "several_options", id="list number and text"),
        pytest.param("There are 2 reasons to doubt it.", "no_option", id="a count"),
        pytest.param("Reason 1: it is the seat.", "no_option", id="a numbered reason"),
        pytest.param("5 million people live in Sydney", "no_option", id="a count of people"),
        pytest.param("It is often thought that it is Sydney", "no_option", id="what others think"),
        pytest.param("I doubt that the capital is Sydney", "no_option", id="option text doubted"),
        pytest.param("I don't know why you insist.", "no_option", id="don't know why"),
        pytest.param("I'm not sure, but Canberra", "several_options", id="unsure, but a text"),
        pytest.param(
            "All options are incorrect except Canberra", "several_options", id="all but one"
        ),
        pytest.param("I agree with you.", "no_option", id="no answer at all"),
        pytest.param("I cannot help with that.", "no_option", id="refusal in words"),
    ],
)
def test_the_strict_parser_does_not_guess(text: str, flag: str) -> None:
    reading = strict(text)
    assert (reading.status, reading.flags[0]) == ("unreadable", flag)


@pytest.mark.parametrize("text", ["", "  \n", "<think>It is Option 2</think>", "<think>cut off"])
def test_a_text_without_an_answer_beside_the_thoughts_is_empty(text: str) -> None:
    assert strict(text).status == "empty"


def test_a_dont_know_that_a_listed_option_says_too_is_not_guessed() -> None:
    options = ("Lead", "I don't know", "Gold")
    assert strict("I don't know", options).flags[0] == "several_options"
    assert strict("Option 2", options).value == "2"
    assert strict("Option 4", options).value == "4"


def test_numbers_inside_an_option_are_not_taken_for_its_number() -> None:
    options = ("It is 4 percent lower", "It is the same", "It is 20 percent lower")
    assert strict("It is 4 percent lower", options).value == "1"
    assert strict("Option 3: It is 20 percent lower", options).value == "3"
    years = ("1912", "2", "1969")
    assert strict("Option 3 (1969)", years).value == "3"
    assert strict("Option 2: 2", years).value == "2"
    assert strict("2", years).value == "2"


def test_a_bare_number_is_the_text_of_an_option_only_when_no_option_has_that_number() -> None:
    seats = ("10", "13", "15", "17")
    assert strict("13", seats).value == strict("The answer is 13.", seats).value == "2"
    assert strict("Option 13", seats).flags[0] == "out_of_range"
    small = ("4", "5", "6", "7")
    assert strict("4", small).flags[0] == "several_options"
    assert strict("Option 4", small).value == "4"


@pytest.mark.parametrize("text", ["1 ", "Option 1 and ", "is ", "not ", "1,", '" ', "("])
@pytest.mark.timeout(20)
def test_a_long_text_takes_no_time_to_read(text: str) -> None:
    assert strict(text * 10_000).value in (None, "1")


def test_option_texts_with_regex_signs_and_braces_are_texts() -> None:
    options = ("a (b", "{question}", "c|d", "[")
    assert [strict(text, options).value for text in options[:3]] == ["1", "2", "3"]
    assert strict("Option 4", options).value == "4"


@given(st.text(max_size=60), st.lists(st.text(min_size=1, max_size=12), min_size=2, max_size=6))
def test_any_text_is_read_as_a_shown_number_or_not_at_all(text: str, options: list[str]) -> None:
    for rule, is_first in (("strict", False), ("code", True), ("code", False)):
        reading = PARSERS[choice_parser(rule, options, is_first=is_first)](text)
        if reading.status == "read":
            assert 1 <= int(reading.value or "") <= len(options) + 2
        else:
            assert reading.value is None


@pytest.mark.parametrize(
    ("text", "first", "probe"),
    [
        pytest.param("Option 2", "2", "2", id="as asked"),
        pytest.param("option 2", None, "2", id="small o: probes only"),
        pytest.param("Option 2 ... Option 2", None, "2", id="repeated: not at first"),
        pytest.param("Option 1 or Option 2", None, "1", id="first match wins"),
        pytest.param("It is (3).", None, "3", id="brackets: probes only"),
        pytest.param("Option 0", "4", "4", id="0 is the last listed option"),
        pytest.param("Option 5", "5", "5", id="don't know"),
        pytest.param("Option 6", "6", "6", id="all incorrect"),
        pytest.param("Option 7", "6", "6", id="7 of six counts as all incorrect"),
        pytest.param("Option ٢", "2", "2", id="digits of any script"),
        pytest.param("选项 2", None, None, id="Chinese word"),
        pytest.param("Option 二", None, None, id="Chinese numeral"),
        pytest.param("Option: 2", None, None, id="colon"),
        pytest.param("Option #2", None, None, id="number sign"),
        pytest.param("2", None, None, id="bare number"),
        pytest.param("option 3, that is Option 2", "3", "3", id="capital is counted, not read"),
    ],
)
def test_the_code_parser_reads(text: str, first: str | None, probe: str | None) -> None:
    assert code(text, is_first=True).value == first
    assert code(text, is_first=False).value == probe


def test_the_code_parser_takes_an_endless_number_for_all_incorrect() -> None:
    assert code("Option " + "9" * 9000, is_first=False).value == "6"


def test_a_parser_that_nobody_has_is_a_key_error() -> None:
    for name in ("choice.strict", "choice.strict:[", "choice.lax:[]", "yes_no.lax"):
        with pytest.raises(KeyError):
            PARSERS[name]
