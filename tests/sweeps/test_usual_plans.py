"""What a protocol runs by itself, and how a table of repetitions changes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from eristic.debate import Binding, Case, Setting
from eristic.debate.errors import SpecRefused
from eristic.protocols import RoleSpec
from eristic.protocols.plans import plan, settle
from eristic.protocols.stories import Scene, Story, StoryMachine
from eristic.sweeps import ALL_ROLES, Experiment, case_set

CASES = case_set([Case(case_id=name, block=name, texts={"claim": name}) for name in "ab"])


class Tongues(StoryMachine):
    """Two kinds of episodes in two languages, with a role that only some people want."""

    name = "tongues"
    conditions = ("ask.en", "ask.ar", "argue.en", "argue.ar")
    usual_conditions = ("*.en",)
    usual_repetitions = {"ask.*": 4, "*.ar": 2}
    case_texts = ("claim",)
    roles = {
        "speaker": RoleSpec(name="speaker", does="speaks"),
        "second": RoleSpec(name="second", does="speaks too", default_like="speaker"),
        "checker": RoleSpec(name="checker", does="checks", is_optional=True),
    }

    def resolve(self, options: Mapping[str, Setting]) -> dict[str, Setting]:
        return dict(options)

    def story(self, scene: Scene) -> Story:
        yield from scene.tell("herald", scene.condition)
        return scene.close("done", "said")


TONGUES = Tongues()


def asked(**changes: Any) -> Experiment:
    roles = {ALL_ROLES: Binding(model="m")}
    return Experiment(**{"run": "r", "protocol": "tongues", "roles": roles, **changes})


def counts(**changes: Any) -> dict[str, int]:
    """Condition -> repetitions of one case, by the plan itself."""
    planned = plan(asked(**changes), CASES, TONGUES, prompts={}, software="")
    found: dict[str, int] = {}
    for cell in planned:
        if cell.opened.case.case_id == "a":
            found[cell.opened.condition] = found.get(cell.opened.condition, 0) + 1
    return found


def test_the_usual_conditions_are_run_as_often_as_is_usual() -> None:
    assert counts() == {"ask.en": 4, "argue.en": 1}
    # The first pattern that fits says it.
    assert counts(conditions=("*.ar",)) == {"ask.ar": 4, "argue.ar": 2}


def test_one_number_holds_for_all_and_a_table_for_what_it_names() -> None:
    assert counts(repetitions=3) == {"ask.en": 3, "argue.en": 3}
    assert counts(repetitions={"argue.*": 5}) == {"ask.en": 4, "argue.en": 5}
    # A name goes before a pattern, wherever it stands.
    table = {"*": 2, "ask.en": 7}
    assert counts(repetitions=table) == {"ask.en": 7, "argue.en": 2}


def test_a_table_of_more_conditions_than_are_run_holds_for_the_part() -> None:
    table = {"ask.*": 3, "argue.en": 2}
    assert counts(conditions=("ask.en",), repetitions=table) == {"ask.en": 3}


@pytest.mark.parametrize("pattern", ["ask", "argue.fr", "*.fr"])
def test_a_pattern_that_fits_no_condition_is_refused(pattern: str) -> None:
    for changes in ({"conditions": (pattern,)}, {"repetitions": {pattern: 2}}):
        with pytest.raises(SpecRefused, match=r"tongues has no .*(Did you mean|Known:)"):
            settle(asked(**changes), TONGUES)


@pytest.mark.parametrize("repetitions", [3, {}, {"ask.*": 2, "argue.*": 2}, {"argue.en": 5}])
def test_settling_twice_changes_nothing(repetitions: int | dict[str, int]) -> None:
    once = settle(asked(repetitions=repetitions), TONGUES)
    assert settle(once, TONGUES) == once
    assert counts(repetitions=once.repetitions) == counts(repetitions=repetitions)


def test_a_growing_table_keeps_the_episodes_that_there_were() -> None:
    few = plan(asked(), CASES, TONGUES, prompts={}, software="")
    many = plan(asked(repetitions={"*": 9}), CASES, TONGUES, prompts={}, software="")
    assert {cell.episode: cell.opened.seed for cell in few}.items() <= {
        cell.episode: cell.opened.seed for cell in many
    }.items()


def test_an_optional_role_plays_only_when_somebody_is_bound_to_it_by_name() -> None:
    assert set(settle(asked(), TONGUES).roles) == {"speaker", "second"}
    named = {ALL_ROLES: Binding(model="m"), "checker": Binding(model="c")}
    assert settle(asked(roles=named), TONGUES).roles["checker"] == Binding(model="c")
    with pytest.raises(SpecRefused, match="no model plays speaker"):
        settle(asked(roles={"checker": Binding(model="c")}), TONGUES)
