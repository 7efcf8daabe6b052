"""What holds for every episode of mirror, whatever is answered."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.protocols.mirror._debates import (
    TEMPLATES,
    Play,
    case,
    failed,
    opened,
    overflowed,
    said,
)

from eristic.debate import EpisodeClosed, EpisodeOpened, Outcome, RulingMade
from eristic.debate.prompting import render
from eristic.protocols.machine import advance, fold
from eristic.protocols.mirror import MIRROR
from eristic.protocols.mirror.judged import SPEECH_KIND
from eristic.protocols.mirror.names import (
    CAUSES,
    CONDITIONS,
    OUTCOMES,
    REASONS_MISSING,
    SKIPPED_NEUTRAL,
)

TEXTS = (
    "8",
    "-3",
    "0",
    "15",
    "٨-",
    "我的答案是-6",
    "between 5 and 7",
    "I have no opinion",
    "I cannot argue against this group",
    "I support this statement.",
    "For: a\nAgainst: b",
    "Some words.",
    "{statement} {history}",
    "<think>5",
    " ",
    "",
)

headers = st.builds(
    opened,
    st.sampled_from(CONDITIONS),
    about=st.sampled_from([case(), case(paraphrases={}), case({"statement": "Tools."})]),
    repetition=st.integers(0, 5),
    cast=st.sampled_from([{}, {"paraphraser": "p"}]),
    seed=st.none() | st.integers(0, 2**31),
    first_side=st.sampled_from(["against", "for", "counterbalanced", "random"]),
    weak_if_neutral=st.sampled_from(["baseline_sign", "skip", "alternate"]),
    post_context=st.sampled_from(["continue", "fresh", "fresh_quoted"]),
    score_rule=st.sampled_from(["marked", "strict_number", "last_number"]),
    clip=st.booleans(),
    side_check=st.sampled_from(["declared", "off"]),
    score_retries=st.integers(0, 3),
    text_retries=st.integers(0, 3),
)
answers = st.one_of(
    st.builds(said, st.sampled_from(TEXTS) | st.text(max_size=20)),
    st.builds(said, st.sampled_from(TEXTS), refusal=st.just(True)),
    st.builds(failed, st.sampled_from(["timeout", "context"])),
    st.builds(overflowed),
)
# Trouble ends an episode soon, so most runs of answers begin without any.
runs_of_answers = st.builds(
    lambda good, rest: [*map(said, good), *rest],
    st.lists(st.sampled_from(TEXTS[:3]), max_size=8),
    st.lists(answers, min_size=24, max_size=24),
)


@given(headers, runs_of_answers)
def test_every_episode_ends_within_its_bound_and_folds_the_same(
    header: EpisodeOpened, outcomes: list[Outcome]
) -> None:
    play = Play(header)
    cuts = [len(play.log)]
    calls = 0
    for outcome in outcomes:
        if play.due is None:
            break
        render(TEMPLATES[play.due.view.template], play.due.view, speaker=play.due.role)
        play.hear(outcome)
        calls += 1
        cuts.append(len(play.log))
    scores, texts = (int(str(header.options[f"{x}_retries"])) for x in ("score", "text"))
    assert calls <= 2 * (1 + scores) + 4 * (1 + texts)
    check_end(play)
    for cut in cuts:
        state = fold(MIRROR, play.log[:cut])
        for event in play.log[cut:]:
            state = MIRROR.evolve(state, event)
        assert state == play.state
        assert advance(MIRROR, fold(MIRROR, play.log[:cut])).events == ()


def check_end(play: Play) -> None:
    closed = play.closed
    assert sum(isinstance(event, EpisodeClosed) for event in play.log) == 1
    assert (closed.outcome is None) == (closed.reason in (*REASONS_MISSING, SKIPPED_NEUTRAL))
    assert closed.outcome is None or closed.outcome in OUTCOMES
    assert (closed.facts.get("cause") in CAUSES) == (closed.reason in REASONS_MISSING)
    rulings = [event for event in play.log if isinstance(event, RulingMade)]
    assert len(rulings) == ("pre" in closed.facts)
    for name in ("score", "pre", "post"):
        number = closed.facts.get(name, 0)
        assert isinstance(number, int | float) and -10 <= number <= 10


@given(headers, runs_of_answers)
def test_judges_are_shown_every_speech_that_was_given(
    header: EpisodeOpened, outcomes: list[Outcome]
) -> None:
    play = Play(header)
    for outcome in outcomes:
        if play.due is not None:
            play.hear(outcome)
    judged = MIRROR.judged_turns(header, play.log[1:])
    assert len(judged) == play.closed.rounds
    assert [one.fields["number"] for one in judged] == [str(n + 1) for n in range(len(judged))]
    assert all(one.kind == SPEECH_KIND for one in judged)
    weak = {one.fields["side"] for one in judged if one.fields["manner"] == "weak"}
    assert weak <= {play.facts.get("weak_side")}
