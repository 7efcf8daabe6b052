"""Options of `scr` and `scr-build`: defaults of the paper, values checked at the door."""

from __future__ import annotations

import pytest

from eristic.debate.errors import SpecRefused
from eristic.protocols.scr import SCR, SCR_BUILD


def test_the_defaults_are_those_of_the_specification() -> None:
    assert SCR.resolve({}) == {
        "profile": "paper",
        "refusal_is_suggestion": True,
        "mixed_critique": "critique",
        "reflect_session": "new",
        "reflect_prompt": "plain",
        "reflect_languages": "all",
        "critics_rule": "union",
        "reasks": 2,
        "repair_budget": 3,
        "compare_against": "current",
        "tie_is_degenerate": True,
        "compare_swapped": False,
        "on_degenerate": "stop",
        "refine_retries": 1,
        "placebo": "off",
    }
    assert SCR_BUILD.resolve({}) == {"profile": "paper", "reasks": 2}


def test_resolving_twice_changes_nothing() -> None:
    once = SCR.resolve({"repair_budget": 0, "placebo": "both", "reasks": 0})
    assert SCR.resolve(once) == once


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"budget": 3}, "no option 'budget'"),
        ({"mixed_critique": "nothing"}, "none"),
        ({"repair_budget": -1}, "0 or more"),
        ({"refine_retries": 0}, "1 or more"),
        ({"compare_swapped": 1}, "true or false"),
    ],
)
def test_a_wrong_option_is_refused(given: dict[str, str | int], says: str) -> None:
    with pytest.raises(SpecRefused, match=says):
        SCR.resolve(given)


def test_only_scr_is_run_when_no_condition_is_named() -> None:
    assert (SCR.conditions, SCR.usual_conditions) == (("scr", "repair"), ("scr",))
