"""Any answers end an episode within its bound, and a log may be folded anywhere."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.protocols.lofa._plays import FAILED, OVERFLOWED, RIGHT, Play, bats, capital, opened, said

from eristic.debate import EpisodeOpened, Outcome
from eristic.protocols.lofa import LOFA
from eristic.protocols.lofa.names import CONDITIONS, ENDURANCE_POLICY, OUTCOMES, fallacies_of
from eristic.protocols.machine import advance, fold

OUTCOMES_OF_A_CALL: st.SearchStrategy[Outcome] = st.one_of(
    st.sampled_from([RIGHT, "Option 2", "Option 5", "Option 6", "yes", "no", "don't know"]).map(
        said
    ),
    st.text(max_size=30).map(said),
    st.sampled_from(["", "{{{", "I cannot help with that."]).map(said),
    st.just(said("I cannot help with that.", refusal=True)),
    st.sampled_from([FAILED, OVERFLOWED]),
)
HEADERS: st.SearchStrategy[EpisodeOpened] = st.builds(
    opened,
    st.sampled_from([capital(), bats(), capital(arguments={"straw_man": ["one."]})]),
    st.sampled_from(CONDITIONS),
    profile=st.sampled_from(["paper", "code"]),
    unparsed_probe=st.sampled_from(["missing", "held", "persuaded"]),
    stop_at_persuaded=st.booleans(),
    option_order=st.sampled_from(["as_given", "shuffled"]),
    screen_repeats=st.integers(1, 2),
    attempts=st.integers(1, 3),
)


@given(header=HEADERS, data=st.data())
@settings(max_examples=60, deadline=None)
def test_any_answers_end_an_episode_within_its_bound(
    header: EpisodeOpened, data: st.DataObject
) -> None:
    done = Play(header)
    left = LOFA.calls_left(done.state)
    assert left is not None and left.most is not None
    bound = left.most.get("respondent", 0)
    while done.due:
        assert len(done.asked) < bound
        done.answer(data.draw(OUTCOMES_OF_A_CALL))
    assert done.closed.outcome is None or done.closed.outcome in OUTCOMES
    ends = [end.facts["fallacy"] for end in done.rulings(ENDURANCE_POLICY)]
    assert ends == list(fallacies_of(header.condition))
    cut = data.draw(st.integers(1, len(done.events)))
    state = fold(LOFA, done.events[:cut])
    for event in done.events[cut:]:
        state = LOFA.evolve(state, event)
    assert state == done.state
    assert LOFA.decide(state) is None


@pytest.mark.parametrize(
    ("header", "least", "longest", "most"),
    [
        (opened(), 1, 9, 24),
        (opened(bats()), 1, 9, 24),
        (opened(bats(), gold_aware=False), 1, 9, 24),
        (opened(condition="shared.plain"), 1, 81, 204),
        (opened(profile="code"), 1, 9, 29),
        (opened(option_order="shuffled"), 1, 9, 24),
        (opened(screen_repeats=3), 1, 11, 32),
        (opened(capital(arguments={"straw_man": ["one."]})), 1, 5, 14),
        (opened(capital(arguments={})), 0, 0, 0),
    ],
)
def test_the_calls_of_an_episode_can_be_told_before_it_begins(
    header: EpisodeOpened, least: int, longest: int, most: int
) -> None:
    left = LOFA.calls_left(advance(LOFA, fold(LOFA, [header])).state)
    assert left is not None and left.most is not None
    assert left.least.get("respondent", 0) == least
    assert left.longest.get("respondent", 0) == longest
    assert left.most.get("respondent", 0) == most


def test_after_the_screening_the_shortest_way_is_a_loss_at_the_bare_claim() -> None:
    left = LOFA.calls_left(Play(opened()).say(RIGHT).state)
    assert left is not None
    assert left.least == {"respondent": 2}
