"""One token out of a judge's answer: what counts, what does not, and what is never taken for it."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eristic.judging import contains_true, strict_token

VERDICT = {"true": ("true",), "false": ("false",)}
LOOP = {"stop": ("<END-IT>",), "continue": ("<KEEP-TALKING>",)}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("True", "true"),
        ("false", "false"),
        ("  TRUE \n", "true"),
        ("true.", "true"),
        ("<true>", "true"),
        ("“False”", "false"),
        ("«true»", "true"),
        ("**True**", "true"),
        ("_true_", "true"),
        ("`false`", "false"),
        ("ＴＲＵＥ", "true"),
        ("\N{ZERO WIDTH SPACE}true\N{BYTE ORDER MARK}", "true"),
    ],
)
def test_an_answer_that_is_one_token_is_read_without_remarks(text: str, value: str) -> None:
    reading = strict_token(text, VERDICT)
    assert (reading.status, reading.value, reading.flags) == ("read", value, ())
    assert reading.parser == "strict-token.v1"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("True, but the author keeps some doubts", "true"),
        ("The verdict is: FALSE.", "false"),
        ("True. Yes, true!", "true"),
        ('{"verdict": true}', "true"),
        ("The author is not vague at all; false", "false"),
        ("The answer is _true_ today", "true"),
    ],
)
def test_the_only_token_of_a_longer_answer_is_read_and_flagged_long(text: str, value: str) -> None:
    reading = strict_token(text, VERDICT)
    assert (reading.status, reading.value, reading.flags) == ("read", value, ("long",))


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("TRUE or FALSE", "two_tokens"),
        ("true/false", "two_tokens"),
        ("False, although true believers would disagree", "two_tokens"),
        ('I may say "true" or "false"; my word is "false"', "two_tokens"),
        ("true\nfalse", "two_tokens"),
        ("INCORRECT", "no_token"),
        ("not convinced", "no_token"),
        ("untrue", "no_token"),
        ("It is UNTRUE.", "no_token"),
        ("un-true", "no_token"),
        ("half-true", "no_token"),
        ("true-ish", "no_token"),
        ("not_true", "no_token"),
        ("trueness", "no_token"),
        ("truefalse", "no_token"),
        ("verdadero", "no_token"),
        ("是", "no_token"),
        ("...", "no_token"),
        ("I cannot help with that", "no_token"),
        ("not True", "negated"),
        ("This is not true", "negated"),
        ("This is not really, in my view, true", "negated"),
        ("That isn't true", "negated"),
        ("That isn’t true", "negated"),
        ("I don't think it is true", "negated"),
        ("never true", "negated"),
        ("No, true", "negated"),
        ("far from true", "negated"),
        ("is_not true", "negated"),
        ("True is not what I would say", "negated"),
        ("true it isn't", "negated"),
        ("This is not false", "negated"),
        ("!true", "negated"),
        ("≠ true", "negated"),
        ("Is it true? Hard to say", "negated"),
        ("__import__('os').system('exit 1')", "no_token"),
    ],
)
def test_other_answers_are_unreadable_with_their_cause(text: str, cause: str) -> None:
    reading = strict_token(text, VERDICT)
    assert (reading.status, reading.value, reading.flags) == ("unreadable", None, (cause,))


@pytest.mark.parametrize(
    ("text", "status", "value", "flags"),
    [
        ("<think>it is true</think>False", "read", "false", ("thinking",)),
        ("<THINK>true</THINK>\n\nfalse", "read", "false", ("thinking",)),
        ("<thinking>true</thinking> false", "read", "false", ("thinking",)),
        ("so it is true</think> false", "read", "false", ("thinking", "thinking_unopened")),
        ("true <think>or is it false", "read", "true", ("thinking", "thinking_unclosed")),
        ("<think>it is true", "empty", None, ("thinking", "thinking_unclosed")),
        ("<think>true</think>", "empty", None, ("thinking",)),
        (
            "true <think>a</think> or rather</think> false",
            "read",
            "false",
            ("thinking", "thinking_unopened"),
        ),
        (
            "<think>a <think> b</think> true </think> false",
            "read",
            "false",
            ("thinking", "thinking_unopened"),
        ),
    ],
)
def test_thinking_is_never_taken_for_the_answer(
    text: str, status: str, value: str | None, flags: tuple[str, ...]
) -> None:
    reading = strict_token(text, VERDICT)
    assert (reading.status, reading.value, reading.flags) == (status, value, flags)


@pytest.mark.parametrize("text", ["", "  ", "\n\t", "\N{ZERO WIDTH SPACE}"])
def test_a_blank_answer_is_empty_and_not_unreadable(text: str) -> None:
    assert strict_token(text, VERDICT).status == "empty"


@pytest.mark.parametrize(
    "text", ["<KEEP-TALKING>", "keep_talking", "Keep talking", "keep - talking", "«KEEP‑TALKING»"]
)
def test_a_token_of_two_words_may_be_joined_in_three_ways(text: str) -> None:
    reading = strict_token(text, LOOP)
    assert (reading.value, reading.flags) == ("continue", ())


def test_two_words_in_a_sentence_are_found_but_not_their_negation() -> None:
    assert strict_token("I would say keep_talking here", LOOP).value == "continue"
    assert strict_token("do not keep-talking", LOOP).flags == ("negated",)


def test_a_token_that_holds_a_negation_is_the_longer_one_and_negates_nothing() -> None:
    tokens = {"yes": ("convinced",), "no": ("not convinced", "no")}
    assert strict_token("The author is not convinced", tokens).value == "no"
    assert strict_token("No, the author is convinced", tokens).flags == ("two_tokens",)
    assert strict_token("No, no", tokens).value == "no"


def test_the_longer_of_two_tokens_that_begin_alike_is_the_one_said() -> None:
    tokens = {"running": ("on",), "waiting": ("on hold",)}
    assert strict_token("It is on hold today", tokens).value == "waiting"
    assert strict_token("It is on today", tokens).value == "running"


def test_another_language_is_read_when_its_spellings_are_given() -> None:
    tokens = {"true": ("true", "verdadero", "是"), "false": ("false", "falso", "否")}
    reading = strict_token("¡Verdadero!", tokens, parser="strict-token-es.v1")
    assert (reading.value, reading.parser) == ("true", "strict-token-es.v1")
    assert strict_token("是。", tokens).value == "true"
    assert strict_token("不是", tokens).status == "unreadable"
    assert strict_token("no es verdadero", tokens).flags == ("negated",)


def test_the_words_that_negate_can_be_replaced() -> None:
    tokens = {"true": ("totta",)}
    assert strict_token("ei ole totta", tokens).value == "true"
    assert strict_token("ei ole totta", tokens, negations=("ei",)).flags == ("negated",)
    assert strict_token("it isn't totta", tokens, negations=()).flags == ("negated",)


@pytest.mark.parametrize("spellings", [{"a": ("x",), "b": ("X.",)}, {"a": (" ",)}])
def test_an_ambiguous_or_blank_spelling_is_refused(spellings: dict[str, tuple[str, ...]]) -> None:
    with pytest.raises(ValueError, match="blank or ambiguous"):
        strict_token("x", spellings)


@pytest.mark.parametrize(
    ("text", "value"),
    [("TRUE", "true"), ("untrue", "true"), ("False, not true", "true"), ("no", "false")],
)
def test_the_published_rule_takes_the_letters_anywhere(text: str, value: str) -> None:
    reading = contains_true(text)
    assert (reading.parser, reading.status, reading.value) == ("contains-true.v1", "read", value)


def test_the_published_rule_has_nothing_to_say_on_a_blank_answer() -> None:
    assert contains_true(" \n").status == "empty"


@given(st.text(alphabet=st.characters(), max_size=80))
def test_no_text_makes_a_token_parser_raise(text: str) -> None:
    for reading in (strict_token(text, VERDICT), contains_true(text)):
        assert (reading.status == "read") == (reading.value is not None)
        msgspec.json.encode(reading)


_WORDS = st.sampled_from(
    ["true", "TRUE", "untrue", "false", "not", "isn't", ",", ".", "?", ":", "<think>", "</think>"]
)


@given(st.lists(_WORDS, max_size=10).map(" ".join))
def test_a_value_read_stands_in_the_text_as_a_word_of_its_own(text: str) -> None:
    reading = strict_token(text, VERDICT)
    if reading.value is not None:
        assert reading.value in text.casefold().replace(".", " ").replace(",", " ").split()


@given(st.sampled_from(["not", "never", "isn't", "hardly"]), st.lists(st.sampled_from("abcdef")))
def test_a_negation_before_the_token_in_its_clause_always_counts(
    word: str, between: list[str]
) -> None:
    text = " ".join(["it is", word, *between, "true"])
    assert strict_token(text, VERDICT).flags == ("negated",)


@pytest.mark.parametrize(
    "text",
    ["true " * 40_000, "isn't " * 30_000 + "true", "-" * 200_000 + "true", "<think>" * 20_000],
)
@pytest.mark.timeout(60)  # quadratic work takes minutes
def test_a_huge_answer_is_read_to_its_end(text: str) -> None:
    assert strict_token(text, VERDICT).status in ("read", "unreadable", "empty")
