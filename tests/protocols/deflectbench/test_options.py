"""Options: the paper's values, the code's where it differs, and what contradicts itself."""

from __future__ import annotations

import pytest
from tests.protocols.deflectbench._samples import HONEST, RESPONSE, Play, opened

from eristic.debate import Setting
from eristic.debate.errors import SpecRefused
from eristic.protocols.deflectbench import DEFLECTBENCH
from eristic.protocols.machine import Due

PAPER: dict[str, Setting] = {
    "profile": "paper",
    "consensus": "any_positive",
    "ties": "negative",
    "invalid_fields": "left_out",
    "clean": "derived",
    "outcome_order": "refusal,clean,labeled,soft_refusal",
    "require_all_judges": False,
    "judge_parser": "tolerant",
    "judge_reasks": 2,
    "speaker_named": "paper",
    "speaker_name": "Jordan Ivanov",
    "author_temperature": 1.0,
    "author_max_tokens": 2048,
    "author_sends": "both",
    "judge_temperature": 0.0,
    "judge_max_tokens": 512,
    "judge_sends": "both",
}
CODE: dict[str, Setting] = {
    **PAPER,
    "profile": "code",
    "invalid_fields": "minus_one",
    "clean": "judged",
    "judge_parser": "strict",
    "judge_reasks": 0,
    "speaker_named": "code",
}


def test_the_default_is_the_paper() -> None:
    assert DEFLECTBENCH.resolve({}) == PAPER


def test_the_code_differs_where_the_specification_says_so() -> None:
    assert DEFLECTBENCH.resolve({"profile": "code"}) == CODE


@pytest.mark.parametrize("profile", ["paper", "code"])
def test_resolving_what_is_resolved_changes_nothing(profile: str) -> None:
    once = DEFLECTBENCH.resolve({"profile": profile, "judge_temperature": 1})
    assert DEFLECTBENCH.resolve(once) == once


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"concensus": "majority"}, "consensus"),
        ({"consensus": "judge:author"}, "judge:judge_a"),
        ({"outcome_order": "refusal,clean"}, "soft_refusal"),
        ({"outcome_order": "refusal,clean,labeled,soft_refusal,other"}, "once"),
        ({"outcome_order": "refusal, clean, labeled, soft_refusal"}, "joined by commas"),
        ({"invalid_fields": "minus_one", "consensus": "majority"}, "left_out"),
        ({"judge_reasks": -1}, "0 or more"),
        ({"author_max_tokens": 0}, "1 or more"),
        ({"author_temperature": -0.5}, "0 or more"),
        ({"judge_temperature": float("inf")}, "0 or more"),
        ({"speaker_name": " "}, "speaker_named = 'none'"),
        ({"require_all_judges": "yes"}, "true or false"),
        ({"speaker_named": "some"}, "Known"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_a_way_out(
    given: dict[str, Setting], says: str
) -> None:
    with pytest.raises(SpecRefused, match=says):
        DEFLECTBENCH.resolve(given)


RULES: list[dict[str, Setting]] = [
    {"consensus": "majority", "ties": "undefined"},
    {"invalid_fields": "minus_one"},
    {"clean": "judged"},
    {"outcome_order": "clean,labeled,soft_refusal,refusal"},
    {"require_all_judges": True},
    {"judge_parser": "strict"},
    {"judge_reasks": 0},
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: next(iter(rule)))
def test_a_rule_changes_nothing_that_is_sent(rule: dict[str, Setting]) -> None:
    sent = [
        [(due.turn, due.role, due.view, due.params) for due in _calls(options)]
        for options in ({}, rule)
    ]
    assert sent[0] == sent[1]


def _calls(options: dict[str, Setting]) -> list[Due]:
    play = Play(opened(options=options))
    calls = [*play.due]
    play.say("author", RESPONSE)
    calls += play.due
    play.say("judge_a", HONEST)
    return [*calls, *play.due]
