"""What a report reads of a run's judges: values of turns, and of turns beside others."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

import pytest

from eristic.debate import Binding, Counterpart, Envelope, Event, JudgementMade, JudgingOpened
from eristic.protocols.reports import Judge, read_judged

MODEL = JudgingOpened(
    judge="better.v1",
    question="?",
    values=("better", "tied", "worse"),
    software="t",
    binding=Binding(model="m"),
)


def judged(opening: JudgingOpened, *made: JudgementMade) -> Judge:
    events: list[Event] = [opening, *made]
    [judge] = read_judged(_sealed(events)).judges
    return judge


def _sealed(events: Iterable[Event]) -> list[Envelope]:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return [
        Envelope(run="r", episode="j", position=n, time=moment, prev="", body=event)
        for n, event in enumerate(events)
    ]


def compared(value: str | None, order: int = 0, *, run: str = "", sample: int = 0) -> JudgementMade:
    return JudgementMade(
        episode="e",
        turn=4,
        target="new",
        status="scored" if value else "unscored",
        value=value,
        cause="" if value else "unreadable",
        other=Counterpart(episode="e", turn=0, target="old", run=run),
        order=order,
        sample=sample,
    )


def single(value: str) -> JudgementMade:
    return JudgementMade(episode="e", turn=4, target="new", status="scored", value=value)


def test_a_comparison_is_kept_by_its_two_turns_and_is_no_value_of_one() -> None:
    found = judged(MODEL, compared("better"), compared("better", 1))
    assert found.scores == {}
    assert found.compared["new", "old"].value == "better"


@pytest.mark.parametrize(
    ("made", "cause"),
    [
        ((compared("better"), compared("worse", 1)), "inconsistent"),
        ((compared("better"), compared(None, 1)), "unreadable"),
    ],
)
def test_orders_that_do_not_agree_are_no_value(made: tuple[JudgementMade, ...], cause: str) -> None:
    assert judged(MODEL, *made).compared["new", "old"].cause == cause


def test_a_model_that_was_asked_in_one_order_has_not_said_it_yet() -> None:
    assert judged(MODEL, compared("better")).compared == {}


def test_a_person_who_saw_one_order_has_said_it() -> None:
    person = JudgingOpened(judge="human-label.v1", question="?", values=("better",), software="t")
    assert judged(person, compared("better")).compared["new", "old"].value == "better"


def test_a_turn_alone_and_the_same_turn_beside_another_are_two_things() -> None:
    found = judged(MODEL, single("tied"), compared("better"), compared("better", 1))
    assert found.scores["new"].value == "tied"
    assert found.compared["new", "old"].value == "better"


def test_samples_of_a_comparison_are_combined() -> None:
    said = [
        compared(x, order, sample=n)
        for n, x in enumerate(("better", "worse", "better"))
        for order in (0, 1)
    ]
    assert judged(MODEL, *said).compared["new", "old"].value == "better"


@pytest.mark.parametrize("run", ["", "elsewhere"])
def test_digests_are_kept_of_both_turns_of_this_run(run: str) -> None:
    turns = read_judged(_sealed([MODEL, compared("better", run=run)])).turns
    assert turns == ({("e", 4), ("e", 0)} if not run else {("e", 4)})
