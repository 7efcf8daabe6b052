"""A person in a role: one prompt at a time, an answer once, and what is no answer."""

from __future__ import annotations

import asyncio

import pytest

from eristic.agents.people import PersonServant, Shown
from eristic.debate import Answer, Ask, Failed, Line, Refused, Spoke, View
from eristic.debate.prompting import Message, Template, digest

TEMPLATE = Template(id="t", system="Argue for {claim}.", history="dialogue")
VIEW = View(
    template="t", fields={"claim": "tea"}, history=(Line("persuader", "Tea is better.", 0),)
)
SHOWN = (Message("system", "Argue for tea."), Message("user", "Tea is better."))


class Desk:
    """A person who answers when told what to say."""

    def __init__(self) -> None:
        self.shown: list[Shown] = []
        self.said: asyncio.Queue[str | None] = asyncio.Queue()

    async def converse(self, shown: Shown) -> str | None:
        self.shown.append(shown)
        return await self.said.get()


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def person(desk: Desk) -> PersonServant:
    return PersonServant("debater", "p01", templates={"t": TEMPLATE}, converse=desk.converse)


def ask(turn: int = 1, *, role: str = "debater", view: View = VIEW) -> Ask:
    return Ask(run="r", episode="e1", turn=turn, role=role, view=view, seed=5, epoch=2)


async def begun(person: PersonServant, one: Ask) -> asyncio.Task[Answer]:
    asked = asyncio.create_task(person.answer(one))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return asked


async def test_what_a_person_says_is_logged_as_theirs_beside_the_prompt(
    person: PersonServant, desk: Desk
) -> None:
    desk.said.put_nowait("No.")
    answer = await person.answer(ask())
    assert desk.shown[0].messages == SHOWN
    assert (answer.turn, answer.role, answer.epoch) == (1, "debater", 2)
    assert isinstance(answer.outcome, Spoke)
    call = answer.outcome.call
    assert (answer.outcome.text, answer.outcome.source) == ("No.", "human")
    assert call is not None
    assert (call.model, call.prompt, call.tokens_in) == ("human/p01", digest(SHOWN), None)


async def test_a_person_sees_one_prompt_at_a_time(person: PersonServant, desk: Desk) -> None:
    first, second = await begun(person, ask(1)), await begun(person, ask(2))
    assert [shown.ask.turn for shown in desk.shown] == [1]
    assert person.holds(ask(2).call_id)
    desk.said.put_nowait("one")
    await first
    desk.said.put_nowait("two")
    assert [shown.ask.turn for shown in desk.shown] == [1, 2]
    assert isinstance((await second).outcome, Spoke)


async def test_a_repeated_ask_is_shown_once_and_gets_the_same_answer(
    person: PersonServant, desk: Desk
) -> None:
    first, again = await begun(person, ask()), await begun(person, ask())
    desk.said.put_nowait("No.")
    assert await first == await again == await person.answer(ask())
    assert len(desk.shown) == 1


async def test_a_declined_turn_is_a_failure_and_may_be_asked_again(
    person: PersonServant, desk: Desk
) -> None:
    desk.said.put_nowait(None)
    declined = Failed(error="declined", message="p01 did not answer")
    assert (await person.answer(ask())).outcome == declined
    assert not person.holds(ask().call_id)


async def test_another_role_and_an_unknown_prompt_are_never_shown(
    person: PersonServant, desk: Desk
) -> None:
    other = (await person.answer(ask(role="helper"))).outcome
    assert other == Refused(reason="this is debater, not helper")
    unknown = (await person.answer(ask(view=View(template="u")))).outcome
    assert isinstance(unknown, Failed) and unknown.error == "prompt"
    unfilled = (await person.answer(ask(view=View(template="t")))).outcome
    assert isinstance(unfilled, Failed) and unfilled.error == "prompt"
    assert desk.shown == []
