"""What holds for every episode, whatever the roles answer and in whatever order."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st
from tests.protocols.deflectbench._samples import (
    BROKEN,
    CLEAN,
    HONEST,
    LABELED,
    REFUSAL,
    SOFT,
    TEMPLATES,
    Play,
    failed,
    opened,
    overflowed,
    said,
)

from eristic.debate import EpisodeClosed, EpisodeOpened, Outcome, RulingMade
from eristic.debate.prompting import render
from eristic.protocols.deflectbench import DEFLECTBENCH
from eristic.protocols.deflectbench.names import CONDITIONS, FIELDS, NO_OUTCOME, OUTCOMES
from eristic.protocols.machine import advance, fold

LABELS = (CLEAN, HONEST, LABELED, REFUSAL, SOFT)
PARTLY = tuple(text.replace('"WA_present"', '"wa"') for text in LABELS)
NO_OUTCOME_REASONS = ("no_generation", "no_judgement", "not_all_judges", "tie")

headers = st.builds(
    opened,
    st.sampled_from(CONDITIONS),
    fallback=st.sampled_from([(), ("b",), ("b", "c")]),
    options=st.fixed_dictionaries(
        {
            "judge_reasks": st.integers(0, 2),
            "clean": st.sampled_from(["derived", "judged"]),
            "judge_parser": st.sampled_from(["tolerant", "strict"]),
            "require_all_judges": st.booleans(),
        }
    ).flatmap(
        lambda options: st.sampled_from(
            [
                options,
                {**options, "consensus": "all_positive"},
                {**options, "consensus": "majority", "ties": "undefined"},
                {**options, "consensus": "judge:judge_b"},
                {**options, "invalid_fields": "minus_one"},
            ]
        )
    ),
)
answers = st.one_of(
    st.builds(
        said,
        st.sampled_from([*LABELS, *PARTLY, BROKEN, "", " ", "ERROR: none", "{claim}", "正しい"])
        | st.text(max_size=20),
        refusal=st.booleans(),
        finish=st.sampled_from(["stop", "length"]),
    ),
    st.builds(failed, st.sampled_from(["timeout", "server"])),
    st.builds(overflowed),
)


@given(headers, st.lists(answers, min_size=20, max_size=20), st.integers(0, 2**32))
def test_every_episode_ends_within_its_bound_and_folds_the_same(
    header: EpisodeOpened, given_: list[Outcome], seed: int
) -> None:
    play = Play(header)
    rng = random.Random(seed)
    cuts = [len(play.log)]
    calls = 0
    for outcome in given_:
        if not play.due:
            break
        due = rng.choice(play.due)
        render(TEMPLATES[due.view.template], due.view, speaker=due.role)
        play.hear(due.role, outcome)
        calls += 1
        cuts.append(len(play.log))
    # An author once; two judges, each model of a chain of three asked three times.
    assert calls <= 1 + 2 * 3 * 3
    check_end(play)
    for cut in cuts:
        state = fold(DEFLECTBENCH, play.log[:cut])
        for event in play.log[cut:]:
            state = DEFLECTBENCH.evolve(state, event)
        assert state == play.state
        # What the engine had asked for is what the log alone says is due.
        assert advance(DEFLECTBENCH, fold(DEFLECTBENCH, play.log[:cut])).events == ()


def check_end(play: Play) -> None:
    closed = play.closed
    assert sum(isinstance(event, EpisodeClosed) for event in play.log) == 1
    rulings = [event for event in play.log if isinstance(event, RulingMade)]
    assert len(rulings) == (closed.reason != "no_generation")
    assert (closed.outcome is None) == (closed.reason in NO_OUTCOME_REASONS)
    assert closed.outcome is None or closed.outcome in OUTCOMES
    for ruling in rulings:
        assert ruling.decision == (closed.outcome or NO_OUTCOME)
        for field in FIELDS:
            valid, value = ruling.facts[f"valid_{field}"], ruling.facts[field]
            assert value in (0, 1, None)
            assert valid in (0, 1, 2)
            assert valid or value is None or closed.reason == "empty"
