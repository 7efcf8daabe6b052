"""A story told again with other options: recorded answers where nothing else was shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from msgspec.structs import replace
from tests.toys.juries import GO_ON, JURIES, STOP, Juries

from eristic.debate import (
    Binding,
    Case,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    Failed,
    Lineage,
    Outcome,
    RulingMade,
    Served,
    Setting,
    Spoke,
    TurnSpoken,
    View,
)
from eristic.debate.asks import Answer
from eristic.debate.errors import NameRefused, SpecRefused
from eristic.protocols import Due, advance, fold, record
from eristic.protocols.recomputers import find_recomputer
from eristic.protocols.recomputing import GOES_ON, NOT_RECORDED, Decided
from eristic.protocols.retelling import StoryRecomputer
from eristic.protocols.stories import Asked, Scene, Story

Answers = Callable[[Due], str | Outcome]
RETOLD = StoryRecomputer(JURIES)
CAST = {name: Binding(model=f"model-of-{name}") for name in JURIES.roles}


def opened(options: Mapping[str, Setting], **fields: object) -> EpisodeOpened:
    header = EpisodeOpened(
        protocol="juries",
        protocol_version=1,
        case=Case(case_id="c", block="c", texts={"claim": "Tea is older."}),
        condition="open",
        repetition=0,
        options=JURIES.resolve(options),
        cast=CAST,
        prompts={},
        software="test",
        seed=1,
    )
    return replace(header, **fields)


def play(answers: Answers, header: EpisodeOpened | None = None, **options: Setting) -> list[Event]:
    """A whole episode; the calls that are due together are answered last one first."""
    events: list[Event] = [header or opened(options)]
    while True:
        step = advance(JURIES, fold(JURIES, events))
        events += step.events
        if step.closed:
            return events
        for due in reversed(step.due):
            said = answers(due)
            outcome = Spoke(text=said, call=Served(model="m")) if isinstance(said, str) else said
            answer = Answer(episode="e", turn=due.turn, role=due.role, outcome=outcome)
            events.append(record(due, answer, seed=1, parsers=JURIES.parsers, epoch=0))


def votes(*words: str | Outcome, rest: str = GO_ON) -> Answers:
    """The juror's answers, attempt by attempt; all others speak."""
    left = list(words)

    def answer(due: Due) -> str | Outcome:
        if due.role != "juror":
            return f"Words of turn {due.turn}."
        return left.pop(0) if left else rest

    return answer


def again(events: list[Event], *policies: str) -> tuple[Decided, ...]:
    header, *others = events
    assert isinstance(header, EpisodeOpened)
    hearing = RETOLD.prepare(policies, {}).hear(header)
    for event in others:
        hearing.take(event)
    return hearing.decide()


def one(events: list[Event], policy: str) -> Decided:
    [found] = again(events, policy)
    return found


@pytest.mark.parametrize("answers", [votes(), votes(GO_ON, STOP), votes("hm", "hm"), votes("hm")])
def test_its_own_rules_close_an_episode_as_it_was_closed(answers: Answers) -> None:
    events = play(answers)
    closed = events[-1]
    assert isinstance(closed, EpisodeClosed)
    for found in again(events, "own-rules", "rounds=3"):
        ending = (found.outcome, found.reason, found.round, found.censored)
        assert ending == (closed.outcome, closed.reason, closed.rounds, "")


def test_an_earlier_end_is_exact() -> None:
    # By one round the clerks are asked at turns where the second speech was recorded.
    assert one(play(votes(GO_ON, STOP)), "rounds=1").censored == GOES_ON
    found = one(play(votes(GO_ON, "Stop!", rest=STOP)), "reading=loose")
    assert (found.outcome, found.round, found.inputs) == (STOP, 2, (3,))


def test_a_rule_about_answers_is_applied_to_the_recorded_ones() -> None:
    def one_clerk(due: Due) -> str | Outcome:
        return "" if due.turn == 6 else votes()(due)

    events = play(one_clerk)
    assert one(events, "own-rules").outcome == "lasted"
    found = one(events, "quorum=both")
    assert (found.outcome, found.reason, found.censored) == (None, "no_sum", "")


def test_an_episode_that_would_have_gone_on_is_censored_and_says_where() -> None:
    found = one(play(votes(), rounds=2), "rounds=3")
    assert (found.outcome, found.censored, found.round) == (None, GOES_ON, 3)


def test_a_text_is_read_by_the_parser_that_the_options_name() -> None:
    events = play(votes("I say STOP.", "stop"))
    strict, loose = again(events, "own-rules", "reading=loose")
    assert (strict.outcome, strict.inputs) == (STOP, (1,))
    assert (loose.outcome, loose.round, loose.censored) == (STOP, 1, "")
    lost = play(votes("I say STOP.", "Well, stop."))
    strict, loose = again(lost, "own-rules", "reading=loose")
    assert (strict.outcome, strict.reason) == (None, "no_vote")
    assert (loose.outcome, loose.reason) == (STOP, "juror")


def test_an_answer_that_cannot_be_read_any_more_would_have_been_asked_for_again() -> None:
    events = play(votes("Please stop"), reading="loose")
    assert one(events, "own-rules").outcome == STOP
    assert one(events, "reading=strict").censored == GOES_ON


def test_a_recorded_failure_stays_one() -> None:
    events = play(votes(Failed(error="server", message="")))
    for found in again(events, "own-rules", "reading=loose"):
        assert (found.outcome, found.reason, found.censored) == (None, "no_vote", "")


@pytest.mark.parametrize("policy", ["manner=rudely", "temperature=0.2"])
def test_what_would_have_been_asked_otherwise_is_not_guessed(policy: str) -> None:
    found = one(play(votes(STOP)), policy)
    assert (found.outcome, found.censored, found.round) == (None, NOT_RECORDED, 1)


def test_sampling_that_the_binding_sets_is_the_same_whatever_the_option_says() -> None:
    bound = {**CAST, "speaker": Binding(model="m", params={"temperature": 0.5})}
    events = play(votes(STOP), opened({}, cast=bound))
    assert one(events, "temperature=0.2").outcome == STOP


def test_several_options_are_one_policy_and_a_profile_is_a_whole_set() -> None:
    events = play(votes("Stop.", "Stop."), rounds=2)
    both, profile = again(events, "rounds=1, reading=loose", "profile=short,reading=loose")
    assert both == profile
    assert (both.outcome, both.round) == (STOP, 1)
    policies = RETOLD.prepare(
        ("rounds=1, reading=loose", "own-rules", "rounds=1,reading=loose"), {}
    )
    assert policies.policies == ("juries.v1:rounds=1,reading=loose", "juries.v1:own-rules")
    assert RETOLD.prepare(policies.policies, {}).policies == policies.policies
    [told] = RETOLD.prepare(("manner=slowly, calmly",), {}).policies
    assert told == "juries.v1:manner=slowly, calmly"


@pytest.mark.parametrize(
    ("policy", "says"),
    [
        ("ronds=2", "Did you mean 'rounds'"),
        ("rounds", "write rounds=VALUE"),
        ("own-rulez", "Did you mean 'own-rules'"),
        ("rounds=1,rounds=2", "rounds is given twice"),
        ("rounds=0", "policy juries.v1:rounds=0: rounds = 0 must be 1 or more"),
        ("reading=lose", "Did you mean 'loose'"),
        ("rounds=nan", "rounds: a setting is a text, a finite number"),
    ],
)
def test_an_unknown_option_or_value_is_refused_with_the_nearest(policy: str, says: str) -> None:
    with pytest.raises(SpecRefused, match=says):
        one(play(votes(STOP)), policy)


def test_a_parser_is_refused_and_the_options_are_named() -> None:
    with pytest.raises(SpecRefused, match="is an option. Use --policy .* reading, manner"):
        RETOLD.prepare((), {"juror": "loose"})


def test_the_notes_name_every_option() -> None:
    forms = [note.form for note in RETOLD.notes]
    assert forms == ["own-rules", *(f"{name}=VALUE" for name in JURIES.resolve({}))]


def test_the_subject_is_the_model_of_the_role_under_test() -> None:
    assert RETOLD.prepare((), {}).subject(opened({})) == "model-of-speaker"
    assert RETOLD.prepare((), {}).subject(opened({}, cast={})) == ""


def test_a_header_that_no_run_writes_is_a_value_error() -> None:
    blank = Case(case_id="c", block="c", texts={})
    for header in (replace(opened({}), options={"rounds": "ten"}), opened({}, case=blank)):
        with pytest.raises(ValueError, match=r"options are none|cannot tell of its case"):
            one([header], "reading=loose")


def test_other_protocols_have_no_recomputer_of_this_kind() -> None:
    assert find_recomputer("logicom").success == "convinced"
    with pytest.raises(NameRefused, match="'chess' cannot be made again"):
        find_recomputer("chess")


class Lots(Juries):
    """Draws a lot by the seed and shows it to the speaker."""

    def story(self, scene: Scene) -> Story:
        there = scene.recorded("lot.v1")
        lot = there.decision if there is not None else str(scene.opened.seed)
        yield from scene.rule("lot.v1", (), lot)
        view = View(template="juries.speech", fields={"claim": "c", "manner": lot})
        heard = yield from scene.ask(Asked(role="speaker", view=view))
        return scene.close("said", heard.value)


def test_a_branch_keeps_what_its_source_drew() -> None:
    lineage = Lineage(run="r", episode="e", position=2, digest="")
    header = opened({}, seed=2, parent=lineage)
    lot = RulingMade(policy="lot.v1", inputs=(), decision="1")
    said = TurnSpoken(turn=0, role="speaker", text="Hello.")
    hearing = StoryRecomputer(Lots()).prepare(("own-rules", "rounds=2"), {}).hear(header)
    for event in (lot, said):
        hearing.take(event)
    assert [found.reason for found in hearing.decide()] == ["Hello."] * 2
