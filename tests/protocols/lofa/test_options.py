"""The options: defaults, the profile of the published code, refusals."""

from __future__ import annotations

import pytest

from eristic.debate import Setting
from eristic.debate.errors import SpecRefused
from eristic.protocols.lofa import LOFA

PAPER: dict[str, Setting] = {
    "profile": "paper",
    "parser": "strict",
    "gold_aware": True,
    "attempts": 4,
    "unscored_attempt": False,
    "unparsed_probe": "missing",
    "failed_call": "missing",
    "dont_know": "held",
    "stop_at_persuaded": True,
    "option_order": "as_given",
    "cot_scope": "all",
    "screen_repeats": 1,
    "screen_rule": "all",
    "probe_temperature": 0.2,
    "reply_temperature": 0.8,
    "max_tokens": 512,
}


def test_the_defaults_are_those_of_the_specification() -> None:
    assert LOFA.resolve({}) == PAPER


def test_the_profile_code_changes_what_the_code_does_otherwise() -> None:
    assert LOFA.resolve({"profile": "code"}) == PAPER | {
        "profile": "code",
        "parser": "code",
        "gold_aware": False,
        "unscored_attempt": True,
        "unparsed_probe": "held",
        "failed_call": "empty",
        "cot_scope": "multiple_choice",
    }


def test_resolving_twice_changes_nothing() -> None:
    once = LOFA.resolve({"profile": "code", "attempts": 2, "reply_temperature": 1})
    assert LOFA.resolve(once) == once


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"parsers": "strict"}, "parser"),
        ({"parser": "lax"}, "parser"),
        ({"attempts": 0}, "1 or more"),
        ({"screen_repeats": 0}, "1 or more"),
        ({"max_tokens": 1.5}, "whole number"),
        ({"gold_aware": "yes"}, "true or false"),
        ({"probe_temperature": -0.1}, "from 0 to 2"),
        ({"reply_temperature": 3}, "from 0 to 2"),
        ({"unparsed_probe": "lost"}, "unparsed_probe"),
    ],
)
def test_unknown_options_and_values_are_refused(given: dict[str, Setting], says: str) -> None:
    with pytest.raises(SpecRefused, match=says):
        LOFA.resolve(given)


def test_every_condition_is_a_fallacy_and_a_system_text() -> None:
    assert len(LOFA.conditions) == 26
    assert len(LOFA.usual_conditions) == 10
    assert all(name.endswith(".plain") for name in LOFA.usual_conditions)
    assert "shared.plain" not in LOFA.usual_conditions
