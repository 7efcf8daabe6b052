"""What each role sees, and what it must never see."""

from __future__ import annotations

import re

import msgspec
import pytest
from tests.protocols.logicom._debates import TEXTS, Play, opened
from tests.protocols.logicom._templates import TEMPLATES

from eristic.debate import View
from eristic.debate.prompting import Template

SECRET = '{"label": "LABEL ad hominem", "passage": "PASSAGE", "text": "Final words, agree?"}'


def play_with_help(*, moderator_sees_helper: bool = False) -> Play:
    """Three rounds of a debate whose drafts, labels and passages are easy to find again."""
    play = Play(opened("fallacious_helper", moderator_sees_helper=moderator_sees_helper))
    while play.state.round < 4:
        play.until("persuader")
        play.say("persuader", "DRAFT")
        play.until("helper")
        play.say("helper", SECRET)
        play.until("debater")
    return play


def text_of(view: View) -> str:
    return msgspec.json.encode(view).decode()


def placeholders(template: Template) -> set[str]:
    texts = template.system + template.summary + template.user
    return set(re.findall(r"\{([a-z][a-z0-9_]*)\}", texts)) - {"history", "summary"}


@pytest.mark.parametrize("role", ["persuader", "debater", "conviction", "pleasantry", "topic"])
def test_nobody_but_the_helper_sees_drafts_labels_and_passages(role: str) -> None:
    view = play_with_help().until(role).view
    for secret in ("DRAFT", "LABEL", "PASSAGE"):
        assert secret not in text_of(view)


def test_the_persuader_and_the_debater_see_the_same_utterances() -> None:
    play = play_with_help()
    debater = play.find("debater").view.history
    assert [line.speaker for line in debater] == ["persuader", "debater"] * 3 + ["persuader"]
    persuader = play.until("persuader").view.history
    assert persuader[: len(debater)] == debater
    assert len(persuader) == len(debater) + 1


def test_the_persuader_gets_claim_and_reason_and_the_debater_no_fields() -> None:
    play = play_with_help()
    assert play.find("debater").view.fields == {}
    fields = play.until("persuader").view.fields
    assert fields == {"claim": TEXTS["claim"], "reason": TEXTS["reason"]}


@pytest.mark.parametrize(
    ("condition", "template"),
    [
        ("fallacious_helper", "logicom.helper_fallacious"),
        ("logical_helper", "logicom.helper_logical"),
    ],
)
def test_the_helper_sees_the_persuaders_history_and_the_draft(
    condition: str, template: str
) -> None:
    play = Play(opened(condition))
    history = play.until("persuader").view.history
    view = play.until("helper").view
    assert (view.template, view.history) == (template, history)
    assert view.fields == {"draft": "A draft."}


def test_the_conviction_check_sees_the_last_reply_only() -> None:
    play = Play(opened(check_timing="after_persuader"))
    play.say("debater", "I doubt it.")
    view = play.until("conviction").view
    assert view.fields == {**TEXTS, "message": "I doubt it."}
    assert view.history == ()


@pytest.mark.parametrize("check", ["pleasantry", "topic"])
def test_the_window_is_the_last_six_messages_or_fewer(check: str) -> None:
    play = Play(opened())
    assert len(play.until(check).view.history) == 2
    play.reach(5, check)
    window = play.find(check).view.history
    assert [line.turn for line in window] == [line.turn for line in play.state.moderated[-6:]]
    assert len(window) == 6


def test_a_full_history_holds_every_utterance() -> None:
    play = Play(opened(check_window="full_history"))
    assert len(play.reach(5, "topic").view.history) == 10


def test_a_moderator_may_see_the_helpers_record_and_the_debater_still_not() -> None:
    play = play_with_help(moderator_sees_helper=True)
    assert "LABEL" not in text_of(play.find("debater").view)
    assert "LABEL" in text_of(play.until("pleasantry").view)
    assert "LABEL" in text_of(play.until("topic").view)
    assert "LABEL" not in text_of(play.until("conviction").view)
    assert "LABEL" not in text_of(play.until("persuader").view)


@pytest.mark.parametrize("role", ["persuader", "debater", "helper", "conviction", "topic"])
def test_a_view_has_the_fields_of_its_template_and_no_more(role: str) -> None:
    play = Play(opened("logical_helper"))
    view = play.until(role).view
    assert set(view.fields) == placeholders(TEMPLATES[view.template])


@pytest.mark.parametrize(
    ("role", "form", "names"),
    [
        ("debater", "text", ()),
        ("persuader", "text", ()),
        ("conviction", "token", ("true", "false")),
        ("pleasantry", "token", ("stop", "continue")),
        ("topic", "token", ("off-topic", "on-topic")),
        ("helper", "object", ("label", "tip", "text")),
    ],
)
def test_each_role_is_told_the_form_of_its_answer(
    role: str, form: str, names: tuple[str, ...]
) -> None:
    due = Play(opened("logical_helper")).until(role)
    assert due.expected.form == form
    assert due.expected.tokens + due.expected.keys == names
