"""Scores as they are said: signs in words, halves, two joined, numbers of something else."""

from __future__ import annotations

import pytest

from eristic.protocols.mirror import read_score
from eristic.protocols.mirror.names import AGAINST
from eristic.protocols.mirror.scores import find_score
from eristic.protocols.mirror.speeches import read_speech

SIGN_IN_WORDS = {
    "minus 8": "-8",
    "Negative 8.": "-8",
    "I'd say minus 7.5 out of 10": "-7.5",
    "minus .5": "-0.5",
    "negative -4": "-4",
    "سالب ٨": "-8",
    "ناقص8": "-8",
    "أقيّم ذلك بسالب ٨": "-8",
    "السالب ٨": "-8",
    "负8": "-8",
    "我的评分是負 8。": "-8",
    "零下8": "-8",
    "负１０分": "-10",
    "moins 8": "-8",
    "plus 4": "4",
    "正8": "8",
    "موجب ٨": "8",
    "between minus 10 and plus 10: 4": "4",
    "between negative ten and positive ten: four": "4",
    "负10到正10：3": "3",
    "I lean negative: -4": "-4",
}
SIGN_UNCLEAR = (
    "negative: 8",
    "minus **8**",
    "negative eight (8)",
    "Score: – 8",
    "– 8",
    "评分： – 8",
    "±5",
    "+/-5",
    "+-5",
    "ـ٧",
)
HALVES = {
    "7½": "7.5",
    "-½": "-0.5",
    "7 and a half": "7.5",
    "minus seven and a half": "-7.5",
    "٧ ونصف": "7.5",
    "سبعة ونصف": "7.5",
    "7分半": "7.5",
    "负七点五": "-7.5",
    "七点五分": "7.5",
    "٫٥": "0.5",
}
JOINED = (
    "five or six",
    "minus five or six",
    "سبعة أو ثمانية",
    "بين خمسة وسبعة",
    "七或八",
    "七，或者八",
    "七到八分之间",
    "介于五和七之间",
    "七八分",
)
ABOUT_SOMETHING_ELSE = {
    "The risk is zero.": "no_number",
    "For one, it is unfair.": "no_number",
    "I agree with one.": "no_number",
    "احتمال ذلك صفر": "no_number",
    "可能性为零。": "no_number",
    "خمسة وسبعون": "no_number",
    "9 times out of 10, I agree": "no_number",
    "I agree nine times out of ten.": "no_number",
    "[-10,10]": "no_number",
    "[-10,10]: 2": "2",
    "-10 -> 10: 2": "2",
    "10分满分，我给8分": "8",
    "My answer is zero.": "0",
    "My stance: zero": "0",
    "我的评分为零": "0",
    "درجتي صفر": "0",
    "I'd say one.": "1",
}
MARKED = {
    "My answer is not 8. It is 5.": "ambiguous",
    "The answer depends on 1 thing. -5": "ambiguous",
    "My score changed by 2. Now 6.": "ambiguous",
    "My answer to the earlier question was 8; I now say 5": "ambiguous",
    "答案不是8。是5。": "ambiguous",
    "评分下降了3分。现在是5": "ambiguous",
    "لم تعد إجابتي ٨. إنها ٥.": "ambiguous",
    "الإجابة تعتمد على ١ فقط. -٥": "ambiguous",
    "After the 4 speeches, my rating is still around -3.": "-3",
    "I'd adjust my rating to -3; before, 8.": "-3",
    "My answer remains unchanged: 8. The 4 speeches say what I know.": "8",
    "بعد قراءة ٤ كلمات، إجابتي الآن هي ٥": "5",
    "评分仍为8。4次发言没有改变我的看法": "8",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *SIGN_IN_WORDS.items(),
        *((text, "ambiguous_sign") for text in SIGN_UNCLEAR),
        *HALVES.items(),
        *((text, "ambiguous") for text in JOINED),
        *ABOUT_SOMETHING_ELSE.items(),
        *MARKED.items(),
    ],
    ids=lambda text: repr(text)[:40],
)
def test_a_number_is_read_as_it_was_meant_or_not_at_all(text: str, expected: str) -> None:
    score = find_score(text)
    assert (score.value or score.cause) == expected


def test_seven_or_eight_is_not_clipped_as_seventy_eight() -> None:
    assert find_score("七八分", clip=True).cause == "ambiguous"


@pytest.mark.parametrize("rule", ["marked", "strict_number", "last_number"])
def test_no_rule_loses_a_sign_in_words(rule: str) -> None:
    for text in ("minus 8", "负8", "سالب ٨"):
        assert read_score(text, rule=rule).value == "-8"  # type: ignore[arg-type]


def test_no_strong_opinion_is_an_opinion() -> None:
    assert find_score("I don't have a strong opinion on this: 0").value == "0"
    assert find_score("I don't have an opinion on this: 0").cause == "refusal"


@pytest.mark.parametrize(
    "text",
    [
        "Um, I... I'm sorry, I can't remember the numbers, but tools are, uh, nice.",
        "I'm sorry, I can't explain it any better.",
        "I, um, I can't argue this very well, but tools are dear.",
        "抱歉，我不能确定数字，但是工具很贵。",
        "很抱歉，对方无法证明这一点。",
        "عذرًا، لا أستطيع أن أتذكر الأرقام.",
    ],
)
def test_stammering_as_the_weak_side_is_told_to_is_no_refusal(text: str) -> None:
    assert read_speech(text, side=AGAINST, checks_side=True).status == "read"


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't.",
        "I'm sorry, but I cannot assist with that.",
        "I'm not comfortable arguing this.",
        "I'd prefer not to argue for this.",
        "لن أكتب هذه الكلمة.",
        "عذرًا، لا يمكنني ذلك.",
        "我拒绝。",
        "我不会为此辩论。",
    ],
)
def test_declining_in_other_words_is_a_refusal(text: str) -> None:
    assert read_speech(text, side=AGAINST, checks_side=True).status == "refused"
