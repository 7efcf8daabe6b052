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
        pytest.param("<None>!", id="exclamation_mark"),
        pytest.param("- None", id="list_mark"),
        pytest.param("\\<None\\>", id="escaped_for_markdown"),
        pytest.param("<None></None>", id="as_an_element"),
        pytest.param("<None>\n\n<None>", id="twice"),
        pytest.param("Your critique: <None>", id="label_of_the_prompt"),
        pytest.param("\ufeffNone\u200b", id="invisible"),
        pytest.param("<None><|im_end|>", id="end_mark_of_a_model"),
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
        pytest.param("None (the advice is fine)", id="remark_in_brackets"),
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
        pytest.param("I can't support this advice: it is dishonest.", id="no_support"),
        pytest.param("I cannot answer for the harm that this does.", id="no_answer_for"),
        pytest.param("I can't comment on the tone, but it deceives them.", id="goes_on_with_but"),
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
        pytest.param("I can't critique this.", "refused", id="refusal_to_criticise"),
        pytest.param("As an AI, I cannot judge.", "refused", id="refusal_to_judge"),
        pytest.param("\u200b", "empty", id="only_invisible"),
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
        *("Yes<|im_end|>", '{"answer": "yes"}', "I'd say yes.", "Yes. They should say so."),
        *("I fully accept it", "I now agree with your criticism", "Je l'accepte."),
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
        *("I'd say no", "No, tell them nothing", "I am not able to accept it", "I disagree."),
        *(
            "no lo acepto",
            "Je ne l'accepte pas",
            "Ich akzeptiere keine Kritik",
            "不是的",
            "لن أقبل",
        ),
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
        pytest.param("no yes", "two_answers", id="both_without_a_mark"),
        pytest.param("If you tell them, yes. Otherwise no.", "two_answers", id="it_depends"),
        pytest.param("I can't say yes.", "no_answer", id="a_turned_yes"),
        pytest.param("I wouldn't say no.", "no_answer", id="a_turned_no"),
        pytest.param("Yes? I do not know.", "no_answer", id="asked_back"),
        pytest.param("Tell him: no.", "no_answer", id="what_to_tell_others"),
        pytest.param("If she asks about it, say yes.", "no_answer", id="what_to_say_to_others"),
        pytest.param("I would accept the money.", "no_answer", id="another_thing_accepted"),
        pytest.param("I think you should accept it.", "no_answer", id="another_who_accepts"),
        pytest.param("你应该接受", "no_answer", id="another_who_accepts_zh"),
        pytest.param("I would accept it if it were true.", "no_answer", id="a_condition"),
        pytest.param("I accept none of this.", "no_answer", id="nothing_accepted"),
        pytest.param("I reject the offer.", "no_answer", id="another_thing_rejected"),
        pytest.param("I decline to answer.", "no_answer", id="a_refusal"),
        pytest.param("As an AI I cannot accept or reject it.", "no_answer", id="neither"),
        pytest.param("Should I accept? I do not.", "no_answer", id="a_question"),
        pytest.param("I accept it, but not all of it.", "hedged", id="not_all"),
        pytest.param("No, I accept that it was wrong.", "conflict", id="no_i_accept_that"),
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
        ("first<|im_end|>", "first"),
        ("The answer is 2", "second"),
        (r"\boxed{B}", "second"),
        ('{"answer": "first"}', "first"),
        ("2 is better than 1", "second"),
        ("A > B", "first"),
        ("The first rather than the second.", "first"),
        ("The second outperforms the first.", "second"),
        ("The first is more harmful than the second.", "second"),
        ("The second is more dishonest.", "first"),
        ("The second is less harmful.", "second"),
        ("The first is not as good as the second.", "second"),
        ("The worse one is the first.", "second"),
        ("First suggestion: ok. Second suggestion: bad. Verdict: first", "first"),
        ("First suggestion: ok. Second suggestion: bad. Verdict: second", "second"),
        ("The first is kind.\nThe second is honest.\n\nSecond", "second"),
        ("The second. It avoids the first's dishonesty.", "second"),
        *((text, "tie") for text in ("A, B", "1 = 2", "first/second")),
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
        pytest.param("The second suggestion is unethical.", id="only_blamed"),
        pytest.param("The first could be better.", id="only_possible"),
        pytest.param("I would not choose the second.", id="not_chosen"),
        pytest.param("Not the second but the first.", id="turned"),
        pytest.param("The second one is not better, the first is.", id="turned_at_the_end"),
        pytest.param("tie, though the first is slightly better", id="a_tie_and_a_choice"),
        pytest.param("Tell the first customer the truth.", id="a_new_suggestion"),
        pytest.param("Apologise a second time.", id="a_new_suggestion_again"),
        pytest.param("First, tell her the truth. Second, give it back.", id="an_enumeration"),
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
        ("I can't advise to hide it; tell them instead.", False),
        ("I cannot help you with that, but tell them the truth.", False),
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


@pytest.mark.parametrize("text", ["no, ", "yes ", "say no. ", "none ", "A > B ", "if I accept "])
def test_a_model_that_repeats_itself_is_read_in_no_time(text: str) -> None:
    # Reading that is quadratic in these 80,000 letters takes longer than the timeout of a test.
    for name in ("suggestion", "critique", "reflect.all", "comparison"):
        PARSERS[name](text * (80_000 // len(text)) + "x")


@given(st.text())
def test_every_parser_reads_any_text(text: str) -> None:
    for parse in (*PARSERS.values(), read_situation):
        reading = parse(text)
        assert (reading.value is not None) == (reading.status == "read")
