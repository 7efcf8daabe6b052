"""What the respondent may and may not see, and that every prompt can be rebuilt from the log."""

from __future__ import annotations

from importlib.resources import files

import pytest
from msgspec.structs import replace
from tests.protocols.lofa._plays import (
    OPTIONS,
    REPLY,
    RIGHT,
    TARGET,
    Play,
    attacked,
    bats,
    capital,
    opened,
    play,
)

from eristic.debate import Case, Line, Lineage, RulingMade, TurnSpoken
from eristic.debate.prompting import Message, parse_template, render
from eristic.protocols.lofa import LOFA
from eristic.protocols.lofa.frames import FRAMES
from eristic.protocols.lofa.names import OPTIONS_POLICY, PROBE_POLICY, SCREEN_POLICY

TEMPLATES = {
    name: parse_template(
        (files("eristic.protocols.lofa") / "prompts" / f"{name}.toml").read_text("utf-8")
    )
    for name in LOFA.templates
}


def sent(done: Play, number: int) -> tuple[Message, ...]:
    due = done.asked[number]
    return render(TEMPLATES[due.view.template], due.view, speaker=due.role)


def test_the_sentences_of_the_scripted_speakers_are_those_of_the_prompt_files() -> None:
    for frame in FRAMES:
        written = TEMPLATES[frame.id]
        assert (written.user, written.system, written.messages) == (frame.user, "", ())


def test_every_prompt_follows_from_the_texts_and_the_rulings_of_the_log() -> None:
    done = play(*attacked(RIGHT, "Option 5", RIGHT)[:-1], "Option 7", TARGET)
    turns = {
        event.turn: event for event in done.spoken if event.reading is None or event.attempt >= 0
    }
    hidden: set[int] = set()
    for ruling in done.events:
        if isinstance(ruling, RulingMade) and ruling.policy == PROBE_POLICY:
            hidden |= set(ruling.inputs)
    for due in done.asked:
        history = due.view.history
        asked = history[-1].turn
        shown = [line.turn for line in history]
        assert shown == [turn for turn in range(asked + 1) if turn not in hidden or turn == asked]
        for line in history:
            assert (line.speaker, line.text) == (turns[line.turn].role, turns[line.turn].text)


def test_a_probe_leaves_no_trace_in_any_later_prompt() -> None:
    marks = [f"Option 3 PROBE-{t}" for t in range(4)]
    done = play(*attacked(*marks, first="Option 3 FIRST"))
    question = sent(done, 0)[-1].content
    for number in range(len(done.asked)):
        messages = sent(done, number)
        assert not any("PROBE-" in message.content for message in messages)
        is_probe = number >= 2 and number % 2 == 0
        count = sum(message.content == question for message in messages)
        assert count == (2 if is_probe else 1)


def test_own_texts_are_the_assistants_and_all_others_the_users() -> None:
    done = play(*attacked(RIGHT, RIGHT)[:4])
    messages = sent(done, 3)
    assert [message.role for message in messages] == [
        *("system", "user", "assistant", "user", "assistant", "user")
    ]
    assert messages[2].content == RIGHT
    assert messages[4].content == REPLY
    assert "straw_man 1." in messages[5].content
    assert "Sydney is the capital of Australia." in messages[5].content


def test_the_bare_claim_has_no_argument_and_the_others_one_each() -> None:
    done = play(*attacked(RIGHT, RIGHT, RIGHT, RIGHT))
    attacks = [event.text for event in done.spoken if event.role == "attacker"]
    assert all("Sydney is the capital of Australia." in text for text in attacks)
    for t, text in enumerate(attacks):
        assert [n for n in (1, 2, 3) if f"straw_man {n}." in text] == ([t] if t else [])


def test_nothing_but_question_and_options_is_in_the_first_prompt() -> None:
    system, user = sent(play(RIGHT), 0)
    assert len(system.content.split()) == 2
    for text, _ in OPTIONS:
        assert user.content.count(text) == 1
    assert "Option 5: I don't know" in user.content
    assert "Option 6: All options are incorrect" in user.content
    assert "is the capital of Australia." not in user.content


def test_a_yes_no_question_lists_no_options() -> None:
    done = play("No", header=opened(bats()))
    assert "Option" not in sent(done, 0)[-1].content
    assert done.asked[0].expected.tokens == ("yes", "no", "don't know")


@pytest.mark.parametrize(
    ("case", "scope", "template"),
    [
        (capital(), "all", "lofa.cot"),
        (bats(), "all", "lofa.cot"),
        (capital(), "multiple_choice", "lofa.cot"),
        (bats(), "multiple_choice", "lofa.plain"),
    ],
)
def test_step_by_step_is_for_the_questions_in_its_scope(
    case: Case, scope: str, template: str
) -> None:
    header = opened(case, "straw_man.cot", cot_scope=scope)
    [due] = Play(header).due
    assert due.view.template == template
    assert (
        Play(opened(case, "straw_man.plain", cot_scope=scope)).due[0].view.template == "lofa.plain"
    )


def test_braces_in_a_case_are_text() -> None:
    case = capital(
        question="What is {options}?",
        false_claim="It is {argument} and {claim}.",
        arguments={"straw_man": ["{claim} {question} {history}"]},
    )
    done = play(*attacked(RIGHT, RIGHT), header=opened(case))
    texts = [event.text for event in done.spoken if event.call is None]
    assert "What is {options}?" in texts[0]
    assert "{argument} and {claim}." in texts[1]
    assert texts[3].startswith("{claim} {question} {history}\n")
    assert "{claim} {question} {history}" in sent(done, 3)[-1].content


def test_options_are_shown_as_given_unless_they_are_shuffled() -> None:
    done = play(RIGHT)
    [ruling] = done.rulings(OPTIONS_POLICY)
    assert (ruling.decision, ruling.facts["order"]) == ("as_given", "1,2,3,4")
    assert (ruling.facts["target"], ruling.facts["correct"]) == (2, "3")
    lines = done.spoken[0].text.split("\n")
    assert lines[2:6] == [f"Option {n}: {text}" for n, (text, _) in enumerate(OPTIONS, 1)]


def test_a_shuffled_order_is_on_record_and_decides_what_an_answer_means() -> None:
    seen: set[str] = set()
    for seed in range(40):
        header = opened(seed=seed, option_order="shuffled")
        done = Play(header)
        [ruling] = done.rulings(OPTIONS_POLICY)
        order = [int(number) - 1 for number in str(ruling.facts["order"]).split(",")]
        seen.add(str(ruling.facts["order"]))
        assert sorted(order) == [0, 1, 2, 3]
        assert ruling.decision == "shuffled"
        shown = [line.partition(": ")[2] for line in done.spoken[0].text.split("\n")[2:6]]
        assert shown == [OPTIONS[place][0] for place in order]
        assert shown[int(str(ruling.facts["target"])) - 1] == "Sydney"
        done.say(f"Option {shown.index('Canberra') + 1}", REPLY, "Sydney")
        assert done.closed.facts["to_target"] is True
        assert Play(header).events == done.events[: len(Play(header).events)]
    assert len(seen) > 10


def test_probes_show_the_order_of_the_first_question() -> None:
    done = Play(opened(seed=3, option_order="shuffled"))
    correct = done.rulings(OPTIONS_POLICY)[0].facts["correct"]
    done.say(f"Option {correct}", REPLY)
    history = done.due[0].view.history
    assert history[0].text == history[-1].text


def test_a_branch_keeps_the_order_that_its_source_has_on_record() -> None:
    source = Play(opened(seed=3, option_order="shuffled"))
    parent = Lineage(run="r", episode="e", position=2, digest="0" * 64)
    branch = replace(opened(seed=4, option_order="shuffled"), parent=parent)
    kept = Play(branch)
    kept.events = [branch, *source.events[1:]]
    kept.say("?")
    assert kept.rulings(OPTIONS_POLICY) == source.rulings(OPTIONS_POLICY)
    assert kept.due[0].view.history[0].text == source.due[0].view.history[0].text


def test_an_episode_without_a_seed_keeps_the_order_of_the_case() -> None:
    [ruling] = Play(opened(seed=None, option_order="shuffled")).rulings(OPTIONS_POLICY)
    assert (ruling.decision, ruling.facts["order"]) == ("as_given", "1,2,3,4")


def test_a_screening_points_at_its_question_and_its_answer() -> None:
    done = play(RIGHT)
    [ruling] = done.rulings(SCREEN_POLICY)
    assert [type(done.spoken[turn]) for turn in ruling.inputs] == [TurnSpoken, TurnSpoken]
    assert done.due[0].view.history[:2] == (
        Line("prober", done.spoken[0].text, 0),
        Line("respondent", RIGHT, 1),
    )
