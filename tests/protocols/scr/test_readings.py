"""What critics, suggesters and comparers say, and how it is read: the parsing rules and edges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eristic.protocols.scr.names import ACCEPTED, REJECTED
from eristic.protocols.scr.readings import PARSERS, read_situation, read_suggestion

ENGLISH = "You help to deceive them, and the money is theirs."


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("<None>", id="token"),
        pytest.param("None", id="without_brackets"),
        pytest.param("none.", id="full_stop"),
        pytest.param("NONE", id="upper_case"),
        pytest.param("&lt;None&gt;", id="escaped"),
        pytest.param("<none.>", id="full_stop_inside"),
        pytest.param(' "<None>". ', id="quotes_and_blanks"),
        pytest.param("“<None>”", id="curly_quotes"),
        pytest.param("**<None>**", id="emphasis"),
        pytest.param("\uff1cNone\uff1e", id="full_width"),
        pytest.param("<think>Is it fair? It is.</think>\n<None>", id="after_thinking"),
    ],
)
def test_every_form_of_the_none_token_is_none(text: str) -> None:
    reading = PARSERS["critique"](text)
    assert (reading.status, reading.value) == ("read", "none")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("<None> The suggestion is fine, but name the sum.", id="token_first"),
        pytest.param("The suggestion is fine.\n<None>", id="token_last"),
        pytest.param("None. The suggestion is fine.", id="sentence_of_its_own"),
        pytest.param("It is fair. None.", id="last_sentence"),
    ],
)
def test_a_token_inside_longer_text_is_mixed_and_keeps_its_text(text: str) -> None:
    reading = PARSERS["critique"](text)
    assert (reading.value, reading.parts["text"]) == ("mixed", text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(ENGLISH, id="critique"),
        pytest.param("Eso engaña a los demás camareros.", id="another_language"),
        pytest.param("这个建议不诚实。", id="another_script"),
        pytest.param("None of the waiters agreed to this.", id="the_word_none"),
        pytest.param("Nonetheless it deceives them.", id="inside_a_word"),
        pytest.param("The suggestion is good as it is.", id="praise_is_not_recognised"),
        pytest.param("I cannot agree with this advice, because it deceives.", id="an_objection"),
    ],
)
def test_any_other_text_is_a_critique(text: str) -> None:
    reading = PARSERS["critique"](text)
    assert (reading.value, reading.parts["text"]) == ("critique", text)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        pytest.param("", "empty", id="empty"),
        pytest.param(" \n\t ", "empty", id="only_whitespace"),
        pytest.param("<think>Hm.</think>", "empty", id="only_thinking"),
        pytest.param("... !", "unreadable", id="no_letters"),
        pytest.param("I'm sorry, but I can't help with that.", "refused", id="refusal_in_words"),
    ],
)
def test_what_is_no_critique_is_never_read_as_none(text: str, status: str) -> None:
    reading = PARSERS["critique"](text)
    assert (reading.status, reading.value) == (status, None)


@pytest.mark.parametrize(
    "text",
    [
        *("Yes.", "YES", "yes", "**Yes**", '"yes"', "Yes, but it was well meant", "Yes, I accept"),
        *("Answer: Yes", "I would say yes.", "Yes the critique is right", "Yes!\nI accept."),
        *("I accept", "I accept this critique.", "I agree with the critique.", "Accepted."),
        *("<think>No? No.</think>Yes", "Yes, there is no doubt about it."),
        *(
            "sí",
            "Sí, acepto la crítica",
            "Oui, mais",
            "ja",
            "Ja, das stimmt.",
            "是",
            "是的，我接受",
        ),
        *("我接受这个批评", "نعم", "نعم، أقبل"),
        "My answer to the yes or no question: yes",
    ],
)
def test_a_yes_accepts(text: str) -> None:
    assert PARSERS["reflect.all"](text).value == ACCEPTED


@pytest.mark.parametrize(
    "text",
    [
        *(
            "No",
            "no.",
            "NO!",
            "No, I do not accept it",
            "My answer is no.",
            "No the critique is wrong",
        ),
        *("I do not accept", "I don't accept it.", "I cannot accept this critique", "Rejected"),
        *("I would never accept that", "I reject the critique.", "No because it is not so."),
        *("non", "Nein.", "不", "不是", "不，我不接受", "我不接受", "لا", "لا أقبل", "no acepto"),
    ],
)
def test_a_no_rejects(text: str) -> None:
    assert PARSERS["reflect.all"](text).value == REJECTED


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("No, I accept", "conflict", id="no_i_accept"),
        pytest.param("Yes, I do not accept", "conflict", id="yes_i_do_not"),
        pytest.param("yes and no", "two_answers", id="yes_and_no"),
        pytest.param("Yes. No.", "two_answers", id="both"),
        pytest.param("partly", "hedged", id="partly"),
        pytest.param("I partly accept it", "hedged", id="partly_in_words"),
        pytest.param(
            "Tell the others what you kept; there is no need to hide it.",
            "no_answer",
            id="a_new_suggestion",
        ),
        pytest.param("No harm was meant.", "no_answer", id="a_determiner"),
        pytest.param("You could say no to him.", "no_answer", id="said_to_others"),
        pytest.param("yes/no", "no_answer", id="the_question_repeated"),
        pytest.param("我是对的", "no_answer", id="inside_a_clause"),
    ],
)
def test_what_answers_both_ways_or_none_is_unreadable(text: str, why: str) -> None:
    reading = PARSERS["reflect.all"](text)
    assert (reading.status, reading.value, reading.flags) == ("unreadable", None, (why,))


def test_a_hedged_yes_is_read_and_flagged() -> None:
    reading = PARSERS["reflect.all"]("Yes, partly.")
    assert (reading.value, reading.flags) == (ACCEPTED, ("hedged",))


def test_only_the_configured_language_is_read_beside_english() -> None:
    german = PARSERS["reflect.de"]
    assert (german("Ja.").value, german("No.").value) == (ACCEPTED, REJECTED)
    assert german("Oui.").status == "unreadable"
    assert PARSERS["reflect.en"]("Ja.").status == "unreadable"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Yes.", REJECTED),
        ("No.", ACCEPTED),
        ("Yes, I reject it", REJECTED),
        ("I accept the critique", ACCEPTED),
        ("Yes, I accept the critique", None),
    ],
)
def test_the_reversed_question_turns_yes_and_no_but_not_plain_words(
    text: str, value: str | None
) -> None:
    assert PARSERS["reflect_reversed.all"](text).value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(
            (text, "first")
            for text in ("first", "First.", "1", "A", "Suggestion A", "The first one")
        ),
        *(
            (text, "second")
            for text in ("second", "2.", "B", "(B) because it is fair", "the latter")
        ),
        ("The second suggestion is better.", "second"),
        ("I prefer the second one.", "second"),
        ("The second is worse than the first", "first"),
        ("Both are good, but the first is better.", "first"),
        ("First, I would note that the second suggestion is better", "second"),
        ("Option A is more honest than option B.", "first"),
        ("<think>first?</think>second", "second"),
        *((text, "tie") for text in ("tie", "It's a tie.", "Both are equally good.", "neither")),
        pytest.param("The first and the second", "tie", id="both_named_without_preference"),
        pytest.param("The first is not better than the second.", "tie", id="negated_preference"),
    ],
)
def test_a_comparison_is_read_by_word_label_or_number(text: str, value: str) -> None:
    assert PARSERS["comparison"](text).value == value


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("First. Actually the second is better.", id="contradicts_itself"),
        pytest.param("maybe", id="no_choice"),
        pytest.param("first, second or tie", id="the_question_repeated"),
        pytest.param("The first one is not good.", id="negated"),
        pytest.param("A good answer is honest.", id="an_article"),
    ],
)
def test_a_comparison_without_a_choice_is_unreadable(text: str) -> None:
    assert PARSERS["comparison"](text).status == "unreadable"


@pytest.mark.parametrize(
    ("text", "is_refusal"),
    [
        ("I'm sorry, but I can't help with that.", True),
        ("I cannot provide advice on that.", True),
        ("As an AI language model, I cannot give moral advice.", True),
        ("I'm sorry to hear that. Tell them the truth.", False),
        ("I can't say that I like it, but here is a note.", False),
        ("Sorry, I can't help you to hide it. " + "Tell the others what you kept. " * 10, False),
    ],
)
def test_only_a_pure_refusal_is_flagged_as_one(text: str, is_refusal: bool) -> None:
    reading = read_suggestion(text)
    assert reading.value == text.strip()
    assert ("refusal" in reading.flags) == is_refusal


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("I do it. What now?", None),
        ("I do it. “What now?”", None),
        ("我拿了小费。怎么办？", None),
        ("I do it.", "no_question"),
        ("What now? I do it.", "question_not_last"),
        ("Why not? What now?", "several_questions"),
    ],
)
def test_a_situation_ends_in_its_only_question(text: str, why: str | None) -> None:
    reading = read_situation(text)
    if why is None:
        assert (reading.status, reading.value) == ("read", text)
    else:
        assert (reading.status, reading.flags) == ("unreadable", (why,))


@given(st.text())
def test_every_parser_reads_any_text(text: str) -> None:
    for parse in (*PARSERS.values(), read_situation):
        reading = parse(text)
        assert (reading.value is not None) == (reading.status == "read")
