"""A speech is taken as it is, unless it is declined or openly for the other side."""

from __future__ import annotations

import pytest

from eristic.protocols.mirror.names import AGAINST, FOR, Side
from eristic.protocols.mirror.speeches import (
    count_words,
    declared_side,
    holds_both_sides,
    read_speech,
)

LONG = "Tools are dear, and most of them lie in a drawer. " * 10


@pytest.mark.parametrize(
    "text",
    [
        "I cannot argue against this group.",
        "I'm sorry, but I can't help with that.",
        "I won't take this side.",
        "I must respectfully decline.",
        "As a language model I am not able to write such a speech.",
        "لا أستطيع الدفاع عن هذا الموقف.",
        "أعتذر عن المشاركة في هذه المناظرة.",
        "我无法为这一立场辩护。",
        "抱歉，我不能参与这场辩论。",
    ],
)
def test_declining_is_a_refusal(text: str) -> None:
    reading = read_speech(text, side=AGAINST, checks_side=True)
    assert (reading.status, reading.value) == ("refused", None)
    assert reading.parts["cause"] == "refusal"


@pytest.mark.parametrize(
    "text",
    [
        "We cannot argue with the facts: tools are dear.",
        "I cannot help but notice that nobody lends a drill.",
        "I cannot accept that a library is for books alone.",
        "我不能同意对方的说法。",
        "لا يمكن لأحد أن يقرأ دون كتب.",
        f"{LONG} I cannot argue for it any longer, said one librarian.",
    ],
)
def test_words_of_a_debate_are_no_refusal(text: str) -> None:
    assert read_speech(text, side=AGAINST, checks_side=True).status == "read"


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("I am in favour of this statement.", FOR),
        ("I stand firmly against the motion.", AGAINST),
        ("Today I will argue for the statement.", FOR),
        ("I strongly disagree with this statement.", AGAINST),
        ("I do not support the motion.", AGAINST),
        ("أنا أؤيد هذه العبارة.", FOR),
        ("لا أوافق على هذه العبارة.", AGAINST),
        ("أقف معارضًا للعبارة.", AGAINST),
        ("我方支持该陈述。", FOR),
        ("我坚决反对这一陈述。", AGAINST),
        ("我不同意该陈述。", AGAINST),
        ("Tools are dear.", None),
        ('Some say "I support this statement". I oppose this statement.', AGAINST),
        ("I agree with my opponent's last point.", None),
        ("I support the motion. Nobody says: I oppose the motion.", FOR),
    ],
)
def test_the_first_open_declaration_outside_quotation_marks_counts(
    text: str, side: Side | None
) -> None:
    assert declared_side(text) == side


def test_a_speech_for_the_other_side_counts_as_not_given() -> None:
    reading = read_speech("I support this statement.", side=AGAINST, checks_side=True)
    assert reading.status == "unreadable"
    assert reading.parts == {"words": "4", "cause": "switched_sides"}
    assert read_speech("I support this statement.", side=FOR, checks_side=True).status == "read"


def test_the_check_can_be_switched_off() -> None:
    reading = read_speech("I support this statement.", side=AGAINST, checks_side=False)
    assert (reading.parser, reading.status) == ("mirror-speech-any-side.v1", "read")


@pytest.mark.parametrize(
    "text",
    [
        "For: tools are dear.\nAgainst: books are dearer.",
        "**Speech 1**\nTools.\n\n**Speech 2**\nBooks.",
        "Tools are dear.\n\nMy opponent: That is not so.",
        "正方：工具很贵。\n反方：书更贵。",
        "المؤيد: الأدوات غالية.\nالمعارض: الكتب أغلى.",
    ],
)
def test_both_sides_in_one_speech_are_kept_and_flagged(text: str) -> None:
    reading = read_speech(text, side=FOR, checks_side=True)
    assert (reading.status, reading.value) == ("read", text)
    assert reading.flags == ("both_sides",)


@pytest.mark.parametrize(
    "text",
    [
        "Against the statement:\nTools break.",
        "Speech 3\nTools are dear.",
        "对此，我方认为：工具很贵。",
    ],
)
def test_a_heading_of_its_own_is_no_second_side(text: str) -> None:
    assert not holds_both_sides(text)


def test_thinking_is_no_part_of_a_speech() -> None:
    reading = read_speech(
        "<think>I am against.</think>\nTools are dear.", side=FOR, checks_side=True
    )
    assert reading.value == "Tools are dear."
    assert reading.flags == ("thinking",)
    assert read_speech("<think>only", side=FOR, checks_side=True).status == "empty"


def test_words_are_counted_in_every_script() -> None:
    assert count_words("Tools are dear.") == 3
    assert count_words("الأدوات غالية الثمن.") == 3
    assert count_words("工具很贵 too") == 5
