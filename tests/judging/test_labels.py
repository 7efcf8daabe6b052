"""Names of fallacies: one form for counting, and whether a text gives its own away."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eristic.judging import names_its_label, normalise_label
from eristic.judging.labels import CANONICAL


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Straw Man", "straw_man"),
        ("Strawman Fallacy", "straw_man"),
        ("straw-man", "straw_man"),
        ("ad_hominem", "ad_hominem"),
        ("  'Ad Hominem'. ", "ad_hominem"),
        ("Logical Fallacy: Appeal to Popular Opinion", "appeal_to_popularity"),
        ("Fallacy of False Dilemma", "false_dilemma"),
        ("The fallacy of Red Herring", "red_herring"),
        ("Introduction of False Dilemma Fallacy", "false_dilemma"),
        ("Causal Fallacy", "false_cause"),
        ("FALSE COMPARISIM", "false_comparison"),
        ("Flattery/Ad Hominem", "appeal_to_flattery/ad_hominem"),
        ("Ad Populum (Appeal to Popular Opinion)", "appeal_to_popularity"),
        ("Diversion fallacy (Red Herring)", "diversion/red_herring"),
        ("Appeal to Technology and Progress", "appeal_to_technology_and_progress"),
        ("Something Nobody Listed", "something_nobody_listed"),
        ("None", "none"),
        ("N/A", "none"),
        ("No Fallacy used", "none"),
        ("No logical fallacy used", "none"),
        ("", "none"),
        ("/", "none"),
    ],
)
def test_a_label_comes_to_one_name(label: str, name: str) -> None:
    assert normalise_label(label) == name


@given(st.text(max_size=100))
def test_normalising_twice_changes_nothing(label: str) -> None:
    once = normalise_label(label)
    assert once
    assert normalise_label(once) == once or len(once) > 200


def test_what_is_too_long_for_a_label_is_cut() -> None:
    assert normalise_label("straw " * 1000) == "_".join(["straw"] * 33 + ["st"])
    assert not names_its_label("x y", "/".join(["ab"] * 80) + "/x y")


def test_every_usual_name_is_its_own_usual_name() -> None:
    assert {normalise_label(x) for x in CANONICAL.values()} == set(CANONICAL.values())


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("This is an appeal to emotion, I know.", "Appeal to Emotion"),
        ("This is an appeal to emotion, I know.", "emotion"),
        ("You build a straw man here.", "Strawman Fallacy"),
        ("You build a STRAWMAN here.", "straw man"),
        ("A false dichotomy, as I see it", "False Dilemma"),
        ("What an ad-hominem!", "Flattery/Ad Hominem"),
        ("Slippery slopes everywhere", "slippery slope"),
        ("It was a flattery fallacy", "Flattery"),
        ("the fallacy of flattery", "Flattery"),
    ],
)
def test_a_text_that_names_its_fallacy_leaks_the_label(text: str, label: str) -> None:
    assert names_its_label(text, label)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Flattery gets you nowhere", "Flattery"),
        ("Popular opinion is with me", "Appeal to Popular Opinion"),
        ("My emotion is real", "Appeal to Emotion"),
        ("The straw manger", "straw man"),
        ("There are none", "None"),
        ("You build a straw man here", "False Dilemma"),
        ("", "straw man"),
    ],
)
def test_everyday_words_and_other_fallacies_leak_nothing(text: str, label: str) -> None:
    assert not names_its_label(text, label)


@given(st.text(alphabet=st.characters(), max_size=60), st.text(alphabet=st.characters()))
def test_no_label_makes_the_search_raise(text: str, label: str) -> None:
    assert names_its_label(text, label) in (True, False)
