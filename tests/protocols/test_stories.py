"""A protocol told as a story: what is recorded is handed over, what is not is due."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from eristic.debate import (
    Binding,
    Case,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    Expected,
    Reading,
    RoleSwapped,
    RulingMade,
    Served,
    Setting,
    TurnFailed,
    TurnSpoken,
    View,
)
from eristic.protocols import Due, Record, RoleSpec, Wait, advance, calls_left, fold
from eristic.protocols.stories import Asked, Scene, Story, StoryMachine, Tale

YES_OR_NO = Expected(form="token", tokens=("yes", "no"))


def read(text: str) -> Reading:
    word = text.strip().lower()
    if word in ("yes", "no"):
        return Reading(parser="word.v1", status="read", value=word)
    return Reading(parser="word.v1", status="unreadable")


class Doubts(StoryMachine):
    """Says a claim, asks two doubters side by side, then a judge, up to three times."""

    name = "doubts"
    conditions = ("plain",)
    case_texts = ("claim",)
    roles = {
        name: RoleSpec(name=name, does="says yes or no") for name in ("left", "right", "judge")
    }
    templates = ("doubts.ask",)
    parsers = {"word": read}

    def resolve(self, options: Mapping[str, Setting]) -> dict[str, Setting]:
        return dict(options)

    def story(self, scene: Scene) -> Story:
        yield from scene.tell("speaker", scene.case.texts["claim"])
        for number in range(1, 4):
            pair = yield from scene.ask_all(asked("left"), asked("right", follows_chain=True))
            missing = next((heard for heard in pair if not heard.is_read), None)
            if missing is not None:
                return scene.close(None, "no_answer", rounds=number, failed=missing)
            yield from scene.rule("pair.v1", [heard.turn for heard in pair], pair[0].value)
            if pair[0].value == "yes":
                return scene.close("agreed", "left_agrees", rounds=number)
        verdict = yield from scene.ask(asked("judge"))
        return scene.close(verdict.value if verdict.is_read else None, "judged", rounds=3)


def asked(role: str, *, follows_chain: bool = False) -> Asked:
    view = View(template="doubts.ask", fields={"who": role})
    return Asked(
        role=role,
        view=view,
        parser="word",
        expected=YES_OR_NO,
        attempts=2,
        follows_chain=follows_chain,
    )


DOUBTS = Doubts()
OPENED = EpisodeOpened(
    protocol="doubts",
    protocol_version=1,
    case=Case(case_id="c", block="c", texts={"claim": "Tea is older than coffee."}),
    condition="plain",
    repetition=0,
    options={},
    cast={
        "left": Binding(model="a"),
        "right": Binding(model="b", fallback=("c",)),
        "judge": Binding(model="d"),
    },
    prompts={},
    software="test",
    seed=1,
)


def said(due: Due, text: str) -> TurnSpoken:
    reading = read(text)
    return TurnSpoken(
        turn=due.turn,
        role=due.role,
        attempt=due.attempt,
        rank=due.rank,
        text=text,
        call=Served(model="m"),
        reading=reading,
    )


def failed(due: Due) -> TurnFailed:
    return TurnFailed(
        turn=due.turn, role=due.role, attempt=due.attempt, rank=due.rank, error="server", message=""
    )


class Log:
    """An episode that is played by hand."""

    def __init__(self) -> None:
        self.events: list[Event] = [OPENED]
        self.due: dict[str, Due] = {}
        self._go_on()

    def answer(self, event: Event) -> None:
        self.events.append(event)
        self._go_on()

    def _go_on(self) -> None:
        step = advance(DOUBTS, fold(DOUBTS, self.events))
        self.events += step.events
        self.due = {due.role: due for due in step.due}

    @property
    def closed(self) -> EpisodeClosed:
        last = self.events[-1]
        assert isinstance(last, EpisodeClosed)
        return last


def test_calls_side_by_side_are_due_together_and_answered_in_any_order() -> None:
    log = Log()
    assert set(log.due) == {"left", "right"}
    log.answer(said(log.due["right"], "no"))
    assert set(log.due) == {"left"}
    log.answer(said(log.due["left"], "yes"))
    assert log.closed.outcome == "agreed"
    [ruling] = [event for event in log.events if isinstance(event, RulingMade)]
    assert ruling.inputs == (1, 2)


def test_an_unreadable_answer_is_asked_for_again_and_then_missing() -> None:
    log = Log()
    log.answer(said(log.due["right"], "no"))
    log.answer(said(log.due["left"], "perhaps"))
    assert log.due["left"].attempt == 1
    log.answer(said(log.due["left"], "perhaps"))
    assert log.closed.outcome is None
    assert log.closed.facts == {"failed_role": "left", "failed_turn": 1, "cause": "unreadable"}


def test_a_failed_call_is_not_asked_again_but_its_chain_is_followed() -> None:
    log = Log()
    log.answer(failed(log.due["right"]))
    assert (log.due["right"].rank, log.due["right"].attempt) == (1, 1)
    [swap] = [event for event in log.events if isinstance(event, RoleSwapped)]
    assert (swap.role, swap.rank, swap.cause) == ("right", 1, "failed")
    log.answer(failed(log.due["right"]))
    log.answer(failed(log.due["left"]))
    assert log.closed.facts["error"] == "server"


def test_the_longest_way_is_counted_and_re_asks_only_at_most() -> None:
    state = fold(DOUBTS, [OPENED])
    left = calls_left(DOUBTS, state)
    assert left is not None and left.most is not None
    assert left.least == {"left": 1, "right": 1}
    assert left.longest == {"left": 3, "right": 3, "judge": 1}
    assert left.most == {"left": 6, "right": 12, "judge": 2}


@pytest.mark.parametrize("cut", range(1, 12))
def test_folding_a_prefix_and_going_on_equals_the_whole(cut: int) -> None:
    log = Log()
    for _ in range(3):
        log.answer(said(log.due["right"], "yes"))
        log.answer(said(log.due["left"], "no"))
    log.answer(said(log.due["judge"], "no"))
    whole = fold(DOUBTS, log.events)
    state = fold(DOUBTS, log.events[:cut])
    for event in log.events[cut:]:
        state = DOUBTS.evolve(state, event)
    assert state == whole
    assert DOUBTS.decide(whole) is None


def test_a_story_waits_for_nothing_that_is_recorded() -> None:
    assert isinstance(DOUBTS.decide(Tale(OPENED)), Record)
    told = TurnSpoken(turn=0, role="speaker", text="Tea is older than coffee.", source="template")
    assert isinstance(DOUBTS.decide(Tale(OPENED, (told,))), Wait)


def test_a_place_that_asks_nothing_takes_a_number_all_the_same() -> None:
    scene = Scene(Tale(OPENED))
    step = next(scene.ask_all(None, asked("right")))
    assert isinstance(step, Wait)
    assert [due.turn for due in step.calls] == [1]
    assert scene.next_turn == 2
