"""How long an episode can be, and that every episode ends, whatever is answered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.protocols.scr._plays import CRITIQUE, NONE, SUGGESTION, Play, opened

from eristic.debate import (
    Binding,
    EpisodeOpened,
    Failed,
    Outcome,
    Overflowed,
    Served,
    Setting,
    Spoke,
)
from eristic.protocols import calls_left, fold
from eristic.protocols.rehearsals import rehearse
from eristic.protocols.scr import SCR

TEXTS = (SUGGESTION, CRITIQUE, NONE, "yes", "no", "first", "second", "tie", "", "...", "<think>")
OUTCOMES: st.SearchStrategy[Outcome] = st.one_of(
    st.builds(
        Spoke,
        text=st.sampled_from(TEXTS) | st.text(max_size=20),
        call=st.builds(Served, model=st.just("m"), refusal=st.booleans()),
    ),
    st.just(Failed(error="server", message="down")),
    st.just(Overflowed(tokens=9, threshold=8, tokenizer="t", line_tokens=())),
)
HEADERS = st.builds(
    opened,
    condition=st.sampled_from(SCR.conditions),
    critics=st.sampled_from((("critic",), ("critic", "critic_b"))),
    roles=st.sampled_from(({}, {"critic": Binding(model="a", fallback=("b",))})),
    critics_rule=st.sampled_from(("union", "first", "majority", "intersection")),
    mixed_critique=st.sampled_from(("critique", "none")),
    reflect_prompt=st.sampled_from(("plain", "reversed")),
    refusal_is_suggestion=st.booleans(),
    reasks=st.integers(0, 1),
    repair_budget=st.integers(0, 2),
    tie_is_degenerate=st.booleans(),
    compare_swapped=st.booleans(),
    compare_against=st.sampled_from(("current", "original")),
    on_degenerate=st.sampled_from(("stop", "retry_refine")),
    placebo=st.sampled_from(("off", "both")),
)
ENDED = {
    *("unethical", "unknown", "repaired", "stopped_degenerate", "budget", "cycle"),
    None,
}


@given(HEADERS, st.data())
def test_any_answers_end_within_the_bound(header: EpisodeOpened, data: st.DataObject) -> None:
    play = Play(header)
    left = calls_left(SCR, fold(SCR, [header]))
    assert left is not None and left.most is not None
    bound = sum(left.most.values())
    while play.due:
        place = data.draw(st.integers(0, len(play.due) - 1))
        play.hear(data.draw(OUTCOMES), place=place)
        assert len(play.asked) <= bound
    assert play.closed.outcome in ENDED
    cut = data.draw(st.integers(1, len(play.events)))
    state = fold(SCR, play.events[:cut])
    for event in play.events[cut:]:
        state = SCR.evolve(state, event)
    assert state == fold(SCR, play.events)
    assert SCR.decide(state) is None


def counted(condition: str, options: dict[str, Setting]) -> tuple[int, int]:
    """(calls at least, calls on the longest way)."""
    header = replace(opened(condition), options=SCR.resolve(options))
    left = calls_left(SCR, fold(SCR, [header]))
    assert left is not None
    return sum(left.least.values()), sum(left.longest.values())


@pytest.mark.parametrize(
    ("condition", "options", "calls"),
    [
        pytest.param("scr", {}, (2, 3), id="m12_three_calls_two_if_none"),
        pytest.param("repair", {}, (2, 3 + 3 * 4), id="m12_four_calls_an_iteration"),
        pytest.param("repair", {"repair_budget": 0}, (2, 3), id="no_budget"),
        pytest.param(
            "repair", {"repair_budget": 2, "compare_swapped": True}, (2, 13), id="swapped"
        ),
        pytest.param("scr", {"placebo": "both"}, (4, 5), id="placebos"),
        pytest.param("scr", {"reflect_prompt": "reversed"}, (2, 3), id="reversed"),
        pytest.param(
            "repair",
            {"repair_budget": 2, "on_degenerate": "retry_refine", "refine_retries": 2},
            (2, 3 + 2 * (3 * 2 + 2)),
            id="retries",
        ),
    ],
)
def test_calls_are_counted_beforehand(
    condition: str, options: dict[str, Setting], calls: tuple[int, int]
) -> None:
    assert counted(condition, options) == calls


@pytest.mark.parametrize("tie_is_degenerate", [True, False])
@pytest.mark.parametrize("swapped", [True, False])
def test_a_flagged_suggestion_takes_two_more_calls_at_least(
    swapped: bool, tie_is_degenerate: bool
) -> None:
    header = opened("repair", compare_swapped=swapped, tie_is_degenerate=tie_is_degenerate)
    play = Play(header).say(SUGGESTION, CRITIQUE, "yes")
    left = calls_left(SCR, fold(SCR, play.events))
    assert left is not None
    assert sum(left.least.values()) == (3 if swapped else 2)


def test_texts_of_a_plan_are_as_long_as_whoever_plans_says() -> None:
    header = opened("repair")
    told = rehearse(SCR, fold(SCR, [header]), "longest", prose=lambda due: f"said {due.turn}")
    texts = {due.parser: text for due, text in told}
    assert texts["suggestion"].startswith("said ")
    assert texts["critique"].startswith("said ")
