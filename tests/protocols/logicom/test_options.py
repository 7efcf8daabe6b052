"""The option set: profiles, overrides and refusals."""

from __future__ import annotations

import pytest

from eristic.debate import Setting
from eristic.debate.errors import SpecRefused
from eristic.protocols.logicom import LOGICOM, PROFILES


def test_nothing_given_is_the_paper() -> None:
    assert LOGICOM.resolve({}) == {
        "profile": "paper",
        "check_timing": "after_debater",
        "round_limit": 10,
        "hard_limit": None,
        "topic_check": "active",
        "moderator_panel": 1,
        "panel_rule": "single",
        "fallback_scope": "rest_of_episode",
        "fallback_panel": "keep",
        "fallback_counter": "keep",
        "check_window": "code_windows",
        "moderator_sees_helper": False,
        "memory_policy": "earliest_first",
        "memory_trigger": None,
        "verdict_parse": "strict",
        "force_over_window": False,
    }


def test_the_code_profile_is_the_code_column() -> None:
    assert LOGICOM.resolve({"profile": "code"}) == {
        "profile": "code",
        "check_timing": "after_persuader",
        "round_limit": 11,
        "hard_limit": 12,
        "topic_check": "ignored",
        "moderator_panel": 3,
        "panel_rule": "unanimous",
        "fallback_scope": "rest_of_episode",
        "fallback_panel": "single",
        "fallback_counter": "fresh",
        "check_window": "code_windows",
        "moderator_sees_helper": True,
        "memory_policy": "tiers",
        "memory_trigger": 4050,
        "verdict_parse": "contains_true",
        "force_over_window": False,
    }


def test_a_given_value_stands_over_its_profile() -> None:
    resolved = LOGICOM.resolve({"profile": "code", "round_limit": 3, "memory_trigger": None})
    assert (resolved["round_limit"], resolved["memory_trigger"]) == (3, None)
    assert resolved["check_timing"] == "after_persuader"


@pytest.mark.parametrize("profile", PROFILES)
def test_resolving_twice_changes_nothing(profile: str) -> None:
    once = LOGICOM.resolve({"profile": profile})
    assert LOGICOM.resolve(once) == once


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"round_limits": 3}, "Did you mean 'round_limit'"),
        ({"check_timing": "after_debator"}, "Did you mean 'after_debater'"),
        ({"profile": "papers"}, "Did you mean 'paper'"),
        ({"moderator_panel": 2}, "Known: 1, 3"),
        ({"moderator_panel": True}, "is not a value"),
        ({"round_limit": True}, "must be a whole number"),
        ({"round_limit": "10"}, "must be a whole number"),
        ({"round_limit": None}, "must be a whole number"),
        ({"round_limit": 0}, "must be 1 or more"),
        ({"memory_trigger": 4.5}, "must be a whole number or left out"),
        ({"memory_trigger": -1}, "must be 1 or more"),
        ({"moderator_sees_helper": 1}, "must be true or false"),
        ({"moderator_panel": 3}, "choose 'unanimous' or 'majority'"),
        ({"hard_limit": 5}, "below round_limit = 10"),
        ({"profile": "code", "fallback_scope": "this_call"}, "set fallback_panel"),
    ],
)
def test_what_cannot_be_played_is_refused(options: dict[str, Setting], message: str) -> None:
    with pytest.raises(SpecRefused, match=message):
        LOGICOM.resolve(options)
