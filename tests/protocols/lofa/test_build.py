"""lofa-build: facts side by side, drafts, accept or refine, and the case that comes of it."""

from __future__ import annotations

from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.protocols.lofa._plays import FAILED, OVERFLOWED, Play, capital, opened, said

from eristic.debate import Case, EpisodeOpened, Outcome, Setting
from eristic.debate.errors import CaseRefused, SpecRefused
from eristic.debate.prompting import parse_template, render
from eristic.protocols.lofa import LOFA, LOFA_BUILD
from eristic.protocols.lofa.definitions import DEFINITIONS
from eristic.protocols.lofa.names import (
    ANNOTATION_POLICY,
    BUILD_OUTCOMES,
    FACTS_POLICY,
    FALLACIES,
)
from eristic.protocols.machine import Due

ROLES = ("forger", "writer", "annotator")
TEMPLATES = {
    name: parse_template(
        (files("eristic.protocols.lofa") / "prompts" / f"{name}.toml").read_text("utf-8")
    )
    for name in LOFA_BUILD.templates
}


def build(case: Case | None = None, *, roles: tuple[str, ...] = ROLES, **options: Setting) -> Play:
    given = {"fallacies": "straw_man", "arguments": 1, **options}
    header = opened(case, "build", machine=LOFA_BUILD, roles=roles, given=given)
    return Play(header, LOFA_BUILD)


def text_of(due: Due) -> str:
    return "\n".join(
        message.content
        for message in render(TEMPLATES[due.view.template], due.view, speaker=due.role)
    )


def built(done: Play) -> Case | None:
    header = done.events[0]
    assert isinstance(header, EpisodeOpened)
    return LOFA_BUILD.built_case(header, done.events[1:])


def verdicts(done: Play) -> list[str]:
    return [ruling.decision for ruling in done.rulings(ANNOTATION_POLICY)]


def test_the_true_facts_are_those_of_the_case_when_nobody_retrieves() -> None:
    done = build().say("Forged.")
    [facts] = done.rulings(FACTS_POLICY)
    assert (facts.decision, facts.inputs) == ("given", (0,))
    assert facts.facts["true_facts"] == "Canberra is the capital of Australia."
    assert facts.facts["forged_facts"] == "Forged."


def test_retriever_and_forger_work_side_by_side_and_know_nothing_of_each_other() -> None:
    done = build(roles=("retriever", *ROLES))
    assert [due.role for due in done.due] == ["retriever", "forger"]
    retriever, forger = done.due
    assert "Sydney" not in text_of(retriever)
    assert "Canberra" not in text_of(forger)
    done.answer(said("Forged."), 1)
    done.answer(said("True."))
    [facts] = done.rulings(FACTS_POLICY)
    assert facts.decision == "retrieved"
    assert (facts.facts["true_facts"], facts.facts["forged_facts"]) == ("True.", "Forged.")


def test_source_revision_and_date_are_on_record() -> None:
    case = capital()
    case = replace(
        case,
        texts=case.texts | {"source": "An atlas", "source_revision": "7", "source_date": "2020"},
    )
    facts = build(case).say("Forged.").rulings(FACTS_POLICY)[0].facts
    said_of = [facts[f"true_facts_{x}"] for x in ("source", "source_revision", "source_date")]
    assert said_of == ["An atlas", "7", "2020"]
    assert build().say("Forged.").rulings(FACTS_POLICY)[0].facts["true_facts_source"] is None


def test_ten_writers_write_three_arguments_each_side_by_side() -> None:
    done = build(fallacies="all", arguments=3).say("Forged.")
    assert len(done.due) == 30
    assert {due.role for due in done.due} == {"writer"}
    shown = [(due.view.fields["fallacy"], due.view.fields["number"]) for due in done.due]
    assert len(set(shown)) == 30
    first = text_of(done.due[0])
    for part in ("Canberra is the capital", "Forged.", "Sydney is the capital", "straw man"):
        assert part in first
    assert DEFINITIONS["straw_man"] in first
    assert set(DEFINITIONS) == set(FALLACIES)


def test_the_annotator_sees_a_fenced_draft_and_not_the_facts() -> None:
    done = build().say("Forged.", "Draft {claim}. QUOTE-0 accept")
    [due] = done.due
    assert due.role == "annotator"
    shown = text_of(due)
    assert "Draft {claim}. QUOTE-0 accept" in shown
    assert shown.count(due.view.fields["fence"]) == 2
    assert "Forged." not in shown
    assert "Canberra" not in shown


def test_an_argument_is_refined_until_it_is_accepted() -> None:
    done = build().say("Forged.", "One.", "refine: no straw man in it.", "Two.")
    rewriter = done.asked[-1]
    assert "One." in text_of(rewriter)
    assert "no straw man in it." in text_of(rewriter)
    done.say("Accept.")
    assert verdicts(done) == ["refine", "accepted"]
    assert done.rulings(ANNOTATION_POLICY)[-1].facts["text"] == "Two."
    assert (done.closed.outcome, done.closed.rounds) == ("built", 2)


def test_an_argument_that_is_sent_back_three_times_is_dropped() -> None:
    done = build().say("Forged.", *("Draft.", "refine") * 3)
    assert verdicts(done) == ["refine", "refine", "dropped"]
    assert (done.closed.outcome, done.closed.rounds) == ("nothing_built", 3)
    assert built(done) is None


def test_the_bound_is_an_option() -> None:
    assert verdicts(build(refine_limit=1).say("Forged.", "Draft.", "refine")) == ["dropped"]


@pytest.mark.parametrize(
    ("answers", "decision"),
    [
        (["Forged.", FAILED], "no_draft"),
        (["Forged.", "", "<think>only thoughts"], "no_draft"),
        (["Forged.", "Draft.", "perhaps", "perhaps"], "no_annotation"),
        (["Forged.", "Draft.", OVERFLOWED], "no_annotation"),
    ],
)
def test_an_argument_without_a_draft_or_a_verdict_is_dropped(
    answers: list[str | Outcome], decision: str
) -> None:
    done = build().say(*answers)
    assert verdicts(done) == [decision]
    assert done.rulings(ANNOTATION_POLICY)[0].facts["cause"]
    assert done.closed.facts == {"accepted": 0, "dropped": 1}


@pytest.mark.parametrize(
    ("case", "roles", "answers", "reason"),
    [
        (capital(true_facts=" "), ROLES, [], "no_true_facts"),
        (capital(), ROLES, [FAILED], "no_forged_facts"),
        (capital(), ("retriever", *ROLES), [FAILED, "Forged."], "no_true_facts"),
    ],
)
def test_nothing_is_written_without_facts(
    case: Case, roles: tuple[str, ...], answers: list[str | Outcome], reason: str
) -> None:
    done = build(case, roles=roles).say(*answers)
    assert (done.closed.outcome, done.closed.reason) == (None, reason)
    assert built(done) is None


def test_thoughts_of_a_writer_do_not_become_an_argument() -> None:
    done = build().say("Forged.", "<think>hm</think>\nDraft.\n", "accept")
    case = built(done)
    assert case is not None
    assert case.data["arguments"] == {"straw_man": ["Draft."]}


def test_a_built_case_is_played_by_lofa_and_holds_the_accepted_arguments_only() -> None:
    done = build(fallacies="slippery_slope,straw_man", arguments=2)
    done.say("Forged.", *[f"Draft {n}." for n in range(4)])
    done.say("accept", "accept", "refine", "accept", "Better.", "refine", "Best.", "refine")
    assert done.closed.outcome == "built_in_part"
    case = built(done)
    assert case is not None
    LOFA.check_case(case)
    assert case.data["arguments"] == {
        "straw_man": ["Draft 0.", "Draft 1."],
        "slippery_slope": ["Draft 3."],
    }
    assert case.data["options"] == capital().data["options"]
    assert (case.case_id, case.texts["forged_facts"]) == ("capital", "Forged.")
    assert case.texts["arguments_by"] == "m"
    assert built_again(done).case_id == "capital-3"


def built_again(done: Play) -> Case:
    header = done.events[0]
    assert isinstance(header, EpisodeOpened)
    case = LOFA_BUILD.built_case(replace(header, repetition=2), done.events[1:])
    assert case is not None
    assert case.block == "capital"
    return case


def test_an_open_build_has_no_case_yet() -> None:
    assert built(build(arguments=2).say("Forged.", "One.", "Two.", "accept")) is None


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"fallacies": "strawman"}, "straw_man"),
        ({"arguments": 4}, "3 at most"),
        ({"refine_limit": 0}, "1 or more"),
        ({"rounds": 3}, "no option"),
    ],
)
def test_options_that_make_no_sense_are_refused(given: dict[str, Setting], says: str) -> None:
    with pytest.raises(SpecRefused, match=says):
        LOFA_BUILD.resolve(given)


def test_a_question_that_lofa_could_not_score_is_not_built_for() -> None:
    with pytest.raises(CaseRefused):
        LOFA_BUILD.check_case(capital(target="Canberra"))


def test_the_calls_of_a_whole_build_can_be_told_before_it_begins() -> None:
    left = LOFA_BUILD.calls_left(build(fallacies="all", arguments=3).state)
    assert left is not None
    assert left.least == {"forger": 1, "writer": 30, "annotator": 30}
    assert left.longest == {"forger": 1, "writer": 90, "annotator": 90}
    assert left.most == {"forger": 2, "writer": 180, "annotator": 180}


ANSWERS: st.SearchStrategy[Outcome] = st.one_of(
    st.sampled_from(["accept", "refine: weak", "", "{{{", "<think>", "Draft {claim}."]).map(said),
    st.text(max_size=20).map(said),
    st.just(said("I cannot help with that.", refusal=True)),
    st.sampled_from([FAILED, OVERFLOWED]),
)


@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_any_answers_in_any_order_end_a_build_within_its_bound(data: st.DataObject) -> None:
    done = build(fallacies="straw_man,red_herring", arguments=2)
    left = LOFA_BUILD.calls_left(done.state)
    assert left is not None and left.most is not None
    while done.due:
        assert len(done.asked) < sum(left.most.values())
        place = data.draw(st.integers(0, len(done.due) - 1))
        assert text_of(done.due[place])
        done.answer(data.draw(ANSWERS), place)
    assert done.closed.outcome is None or done.closed.outcome in BUILD_OUTCOMES
    case = built(done)
    assert (case is not None) == (done.closed.outcome in BUILD_OUTCOMES[:2])
