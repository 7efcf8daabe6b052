from __future__ import annotations

import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eristic.cli.rendering import Screen, clean, clip, width_of, wrap


@given(st.text())
def test_no_letter_that_a_terminal_obeys_survives(text: str) -> None:
    kept = {unicodedata.category(x) for x in clean(text) if x not in "\n\u200c\u200d"}
    assert not kept & {"Cc", "Cf", "Cs"}


@given(st.text(alphabet=st.sampled_from("ab é議\n\t👍\u0301"), max_size=300), st.integers(20, 60))
def test_wrapped_lines_fit_and_lose_no_letter(text: str, width: int) -> None:
    lines = list(wrap(text, width))
    assert all(width_of(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(clean(text).split())


@given(st.text(), st.integers(1, 40))
def test_a_clipped_text_fits(text: str, width: int) -> None:
    assert width_of(clip(text, width)) <= width


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("a\tb", "a    b"),
        ("\u202etxt\u2066", "txt"),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_texts_are_cleaned(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


def test_newlines_and_paragraphs_are_kept() -> None:
    assert list(wrap("one two\n\nthree", 40)) == ["one two", "", "three"]


def test_a_narrow_terminal_drops_spare_columns_first_and_cuts_no_kept_one() -> None:
    stream = io.StringIO()
    screen = Screen(stream, width=40, is_terminal=True)
    screen.table(
        ("id", "case", "model"),
        [("e" * 13, "c" * 1_000_000, "m" * 30)],
        keep=("id",),
        spare=("model",),
    )
    assert stream.getvalue().splitlines() == [
        "id             case",
        f"{'e' * 13}  {'c' * 24}…",
        "(no room for: model)",
    ]


def test_a_pipe_gets_every_column_whole() -> None:
    stream = io.StringIO()
    Screen(stream, width=40).table(("id", "case"), [("e", "c" * 60), ("é議", "d")], right=("id",))
    assert stream.getvalue().splitlines() == [" id  case", f"  e  {'c' * 60}", "é議  d"]
