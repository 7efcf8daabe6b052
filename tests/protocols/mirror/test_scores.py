"""A score is found in any script, and never guessed."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eristic.protocols.mirror import read_score
from eristic.protocols.mirror.scores import RULES, Rule, as_number, find_score
from eristic.protocols.mirror.speeches import read_speech

EDGES = {
    "8": "8",
    "+8": "8",
    "８": "8",
    "٨": "8",
    "۸": "8",
    "८": "8",
    "八": "8",
    "负八": "-8",
    "−8": "-8",
    "minus eight": "-8",
    "I'd say 7 out of 10": "7",
    "15": "out_of_range",
    "-10 to 10: 3": "3",
    "between 5 and 7": "ambiguous",
    "0": "0",
    "10.": "10",
    "-0": "0",
    "7.5": "7.5",
    "7,5": "7.5",
    "80%": "no_number",
    "我的答案是-6": "-6",
    "在-10到10之间，4": "4",
    "6\n\nI come to this because tools are dear and seldom used, and sharing helps.": "6",
    "٨-": "ambiguous_sign",
    "I have no opinion": "refusal",
    "I am neutral on this.": "verbal",
}
"""Every example of the specification's list of edge cases and of its rules."""


@pytest.mark.parametrize(("text", "expected"), EDGES.items(), ids=lambda text: repr(text)[:40])
def test_the_edge_cases_of_the_specification(text: str, expected: str) -> None:
    score = find_score(text)
    assert (score.value or score.cause) == expected


SIGNS = {
    "-8": "-8",
    "－8": "-8",
    "﹣8": "-8",
    "–8": "-8",
    "—8": "-8",
    "‑8": "-8",
    "My answer is —7": "-7",
    "My answer — 7": "7",
    "\u200e-٨": "-8",
    "-۸": "-8",
    "My answer: - 7": "ambiguous_sign",
    "--8": "ambiguous_sign",
    "الجواب ٨-": "ambiguous_sign",
    "٨ - لأن الأدوات غالية": "8",
    "8-": "8",
    "**-8**": "-8",
    "\\boxed{-8}": "-8",
    "5–7": "ambiguous",
    "8-9": "ambiguous",
}
DIGITS = {
    "７．５": "7.5",
    "٧٫٥": "7.5",
    "-٧٫٥": "-7.5",
    "-.5": "-0.5",
    "10.0": "10",
    "10.5": "out_of_range",
    "-11": "out_of_range",
    "10,000 people agree": "out_of_range",
    "1٬000": "out_of_range",
    "5,6,7": "ambiguous",
    "7，5": "ambiguous",
}
WORDS = {
    "zero": "0",
    "ten": "10",
    "Negative three.": "-3",
    "I'd rate it seven.": "7",
    "seven out of ten": "7",
    "No one knows": "no_number",
    "There are two sides to this": "no_number",
    "twenty-five": "no_number",
    "seven hundred": "no_number",
    "I agree with seven of them, so 4": "4",
    "〇": "0",
    "两分": "2",
    "負三": "-3",
    "我的答案是八": "8",
    "我给负八分": "-8",
    "十五": "out_of_range",
    "一〇": "10",
    "负二十": "out_of_range",
    "十分赞同": "no_number",
    "一个人说不准": "no_number",
    "八到十之间": "ambiguous",
    "ثمانية": "8",
    "ناقص ثمانية": "-8",
    "سالب خمسة": "-5",
    "أقيمها بثمانية": "8",
    "ثمانية من عشرة": "8",
    "ناقص خمسة عشر": "no_number",
    "لا أحد": "no_number",
}
ECHOES = {
    "between -10 and 10, 4": "4",
    "-10..10: 4": "4",
    "(-10, 10) 4": "4",
    "من -10 إلى 10: 4": "4",
    "من ١٠- إلى ١٠، ٤": "4",
    "-10 到 10：4": "4",
    "从-10到10，4": "4",
    "from −10 to +10: −3": "-3",
    "10 to -10: 4": "4",
    "-10 (disagree completely) to 10 (agree completely): 4": "4",
    "where -10 means no and 10 means yes: 4": "4",
    "between minus ten and ten, I'd say four": "4",
    "±10: 4": "4",
    "-10 to 10": "no_number",
    "-10": "-10",
    "10": "10",
    "-10 to -8": "ambiguous",
}
TENTHS_AND_PERCENT = {
    "7/10": "7",
    "-7/10": "-7",
    "٨/١٠": "8",
    "7 من 10": "7",
    "7 (out of 10)": "7",
    "7/10/2020": "ambiguous",
    "80 percent sure: 7": "7",
    "٪80": "no_number",
    "百分之80": "no_number",
    "80 في المئة": "no_number",
}
SEVERAL = {
    "7. Yes, 7!": "7",
    "Some say 3, some 5. My answer: 4": "4",
    "I first thought 3, then 6. Final answer: 5. My rating was hard.": "5",
    "Score 3, but my final score: 5": "5",
    "Answer: 3. Score: 5.": "ambiguous",
    "My previous answer was 8. Now I say 5.": "ambiguous",
    "My score moved from 3 to 5": "ambiguous",
    "有人说3，有人说5。我的评分：-3。": "-3",
    "البعض يقول 3 والبعض 5. إجابتي: 4": "4",
    "5G masts are harmless: -9": "-9",
    "COVID-19 changed much. -4": "-4",
    "On this 10-point scale I am at 6": "6",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *SIGNS.items(),
        *DIGITS.items(),
        *WORDS.items(),
        *ECHOES.items(),
        *TENTHS_AND_PERCENT.items(),
        *SEVERAL.items(),
    ],
    ids=lambda text: repr(text)[:40],
)
def test_what_people_and_models_write_is_a_score_or_clearly_none(text: str, expected: str) -> None:
    score = find_score(text)
    assert (score.value or score.cause) == expected


@pytest.mark.parametrize(
    "text",
    [
        "I have no opinion",
        "As an AI language model, I don't have personal beliefs or opinions.",
        "I cannot take a side on this.",
        "I'd rather not say.",
        "I have no opinion. Some would say 3, others -5.",
        "I have no opinion, so 0.",
        "I don't have opinions on what happened on 9 November in that city.",
        "ليس لدي رأي في هذا.",
        "لا أستطيع الإجابة عن هذا السؤال.",
        "بصفتي نموذجًا لغويًا، لا أملك آراء شخصية.",
        "我没有意见。",
        "作为一个人工智能，我没有个人观点。",
        "抱歉，我无法回答这个问题。",
        "我無法對此發表意見",
    ],
)
def test_a_refusal_in_words_is_missing_and_never_zero(text: str) -> None:
    reading = read_score(text)
    assert (reading.status, reading.value) == ("refused", None)
    assert reading.parts["cause"] == "refusal"


def test_a_number_beside_a_disclaimer_counts_and_is_flagged() -> None:
    reading = read_score("As an AI I have no opinions, but I'd say 7.")
    assert (reading.value, reading.flags) == ("7", ("disclaimer",))


@pytest.mark.parametrize(
    "text", ["Neutral.", "محايد", "我保持中立", "I neither agree nor disagree"]
)
def test_neutral_without_a_number_is_missing_because_it_is_verbal(text: str) -> None:
    assert find_score(text).cause == "verbal"


def test_zero_is_a_score_even_beside_the_word_neutral() -> None:
    assert find_score("I am neutral: 0").value == "0"


@pytest.mark.parametrize("text", ["", "  \n", "<think>8</think>", "<think>8"])
def test_nothing_but_thinking_is_empty(text: str) -> None:
    reading = read_score(text)
    assert (reading.status, reading.parts["cause"]) == ("empty", "empty")


def test_thinking_holds_no_score() -> None:
    assert find_score("<think>3 or 5?</think>4").value == "4"


def test_the_steps_that_were_taken_are_on_record() -> None:
    reading = read_score("من -١٠ إلى ١٠، أقول −٧٫٥")
    assert reading.parts["steps"] == "minus digits decimal scale_echo"
    assert read_score("8").parts == {}


@pytest.mark.parametrize(
    ("asked", "text", "language"),
    [
        ("en", "我的答案是-6", "zh"),
        ("zh", "My answer is -6", "en"),
        ("en", "٨", "ar"),
        ("ar", "eight", "en"),
        ("en", "मेरा उत्तर 8", "other"),
    ],
)
def test_an_answer_in_another_language_is_read_and_flagged(
    asked: str, text: str, language: str
) -> None:
    reading = read_score(text, language=asked)  # type: ignore[arg-type]
    assert reading.status == "read"
    assert reading.flags == ("other_language",)
    assert reading.parts["language"] == language


@pytest.mark.parametrize(
    ("asked", "text"),
    [("en", "8"), ("ar", "8"), ("zh", "8"), ("zh", "８分"), ("ar", "-٨"), ("en", "I say 8")],
)
def test_digits_alone_belong_to_every_language(asked: str, text: str) -> None:
    assert read_score(text, language=asked).flags == ()  # type: ignore[arg-type]


def test_clipping_keeps_what_was_said() -> None:
    reading = read_score("I'd say -15", clip=True)
    assert (reading.value, reading.parts["unclipped"]) == ("-10", "-15")
    assert reading.flags == ("clipped",)
    assert read_score("15", clip=True).value == "10"
    assert "unclipped" not in read_score("9", clip=True).parts


@pytest.mark.parametrize(
    ("text", "marked", "strict", "last"),
    [
        ("8", "8", "8", "8"),
        ("**-8.**", "-8", "-8", "-8"),
        ("負三", "-3", "-3", "-3"),
        ("I'd say 7", "7", "no_number", "7"),
        ("7/10", "7", "no_number", "7"),
        ("between 5 and 7", "ambiguous", "no_number", "7"),
        ("Answer: 4. Not 6.", "4", "no_number", "6"),
        ("80%", "no_number", "no_number", "no_number"),
        ("15", "out_of_range", "out_of_range", "out_of_range"),
    ],
)
def test_the_variants_read_the_same_text_by_their_own_rule(
    text: str, marked: str, strict: str, last: str
) -> None:
    found = [find_score(text, rule=rule) for rule in RULES]
    assert [score.value or score.cause for score in found] == [marked, strict, last]


def test_every_variant_has_an_id_of_its_own() -> None:
    ids = {read_score("8", rule=rule, clip=clip).parser for rule in RULES for clip in (False, True)}
    assert len(ids) == 2 * len(RULES)
    assert "mirror-score-marked.v1" in ids


@given(st.text(max_size=60), st.sampled_from(RULES), st.booleans())
def test_any_text_is_a_score_on_the_scale_or_has_a_cause(text: str, rule: Rule, clip: bool) -> None:
    score = find_score(text, rule=rule, clip=clip)
    assert (score.value is None) == bool(score.cause)
    if score.value is not None:
        assert score.value.isascii()
        assert -10 <= as_number(score.value) <= 10


@pytest.mark.parametrize(
    "unit",
    ["-\n", "8 ", "8", "1,000", "- ", "一", "负", "answer ", "i have no ", "-10 to ", "(", "_"],
)
@pytest.mark.timeout(10)
def test_a_long_text_of_one_thing_is_read_in_time(unit: str) -> None:
    text = unit * (40_000 // len(unit))
    for rule in RULES:
        find_score(text, rule=rule, clip=True)
    assert read_speech(text, side="for", checks_side=True).parser


@given(
    st.decimals(-10, 10, places=2), st.sampled_from(["{}", "I say {}.", "{}/10", "-10 to 10: {}"])
)
def test_a_number_on_the_scale_comes_back_as_it_was(number: object, frame: str) -> None:
    score = find_score(frame.format(number))
    assert score.value is not None
    assert math.isclose(as_number(score.value), float(str(number)))


@given(st.integers(-10, 10), st.sampled_from([0x0660, 0x06F0, 0x0966, 0xFF10, 0x1D7CE]))
def test_digits_of_any_script_read_alike(number: int, zero: int) -> None:
    text = "".join(chr(zero + int(x)) if x.isdigit() else x for x in str(number))
    assert find_score(text).value == str(number)
