from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from eristic.agents.servant import RoleServant
from eristic.debate import Ask, Binding, Failed, Line, Overflowed, Refused, Spoke, View
from eristic.debate.errors import ModelFailed
from eristic.debate.prompting import Message, Template, digest, render
from eristic.ports import ModelReply, ModelRequest

TEMPLATE = Template(id="t", system="Argue for {claim}.", history="dialogue")
VIEW = View(
    template="t", fields={"claim": "tea"}, history=(Line("persuader", "Tea is better.", 0),)
)


class WordCounter:
    tokenizer = "words"

    def count(self, text: str) -> int:
        return len(text.split())

    def count_messages(self, messages: Sequence[Message]) -> int:
        return sum(self.count(message.content) for message in messages)

    def fits(self, messages: Sequence[Message], threshold: int) -> bool:
        return self.count_messages(messages) <= threshold


class GatedModel:
    """Answers each call when its gate opens; counts the calls."""

    def __init__(self) -> None:
        self.requests: list[ModelRequest] = []
        self.gate = asyncio.Event()
        self.begun = asyncio.Event()

    async def complete(self, request: ModelRequest) -> ModelReply:
        self.requests.append(request)
        self.begun.set()
        await self.gate.wait()
        return ModelReply(text=f"reply {len(self.requests)}", model="gated-1", tokens_in=3)


def servant(model: GatedModel, **binding: object) -> RoleServant:
    return RoleServant(
        "debater",
        Binding(model="gated", **binding),  # type: ignore[arg-type]  # test shorthand
        templates={"t": TEMPLATE},
        model=model,
        counter=WordCounter(),
    )


def ask(**changes: object) -> Ask:
    facts: dict[str, object] = {
        "run": "r",
        "episode": "e1",
        "turn": 1,
        "role": "debater",
        "view": VIEW,
        "seed": 5,
    }
    return Ask(**(facts | changes))  # type: ignore[arg-type]  # test shorthand


async def test_an_ask_is_answered_with_the_facts_of_its_call() -> None:
    model = GatedModel()
    model.gate.set()
    answer = await servant(model, fallback=("second",)).answer(ask(rank=1))
    assert isinstance(answer.outcome, Spoke)
    assert (answer.episode, answer.turn, answer.role, answer.rank) == ("e1", 1, "debater", 1)
    assert answer.outcome.call.prompt == digest(render(TEMPLATE, VIEW, speaker="debater"))
    assert [request.model for request in model.requests] == ["second"]
    assert model.requests[0].seed == 5


async def test_a_repeated_ask_joins_the_running_call() -> None:
    model = GatedModel()
    role = servant(model)
    async with asyncio.TaskGroup() as group:
        first = group.create_task(role.answer(ask()))
        await model.begun.wait()
        second = group.create_task(role.answer(ask(repeat=True)))
        await asyncio.sleep(0)
        assert role.holds(ask().call_id)
        model.gate.set()
    assert first.result() == second.result()
    assert len(model.requests) == 1


async def test_a_repeated_ask_gets_the_stored_answer() -> None:
    model = GatedModel()
    model.gate.set()
    role = servant(model)
    first = await role.answer(ask())
    assert await role.answer(ask(repeat=True)) == first
    assert len(model.requests) == 1


async def test_another_attempt_is_another_call() -> None:
    model = GatedModel()
    model.gate.set()
    role = servant(model)
    await role.answer(ask())
    await role.answer(ask(attempt=1))
    assert len(model.requests) == 2


async def test_a_failure_is_not_stored() -> None:
    class Failing(GatedModel):
        async def complete(self, request: ModelRequest) -> ModelReply:
            self.requests.append(request)
            raise ModelFailed("the provider said 500", error="server")

    model = Failing()
    role = servant(model)
    for _ in range(2):
        answer = await role.answer(ask())
        assert answer.outcome == Failed(error="server", message="the provider said 500")
    assert len(model.requests) == 2


async def test_a_cancelled_call_leaves_nothing_behind() -> None:
    model = GatedModel()
    role = servant(model)
    task = asyncio.create_task(role.answer(ask()))
    await model.begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not role.holds(ask().call_id)


async def test_an_ask_of_another_epoch_is_refused() -> None:
    answer = await servant(GatedModel(), epoch=2).answer(ask(epoch=1))
    assert isinstance(answer.outcome, Refused)
    assert answer.epoch == 2


async def test_a_prompt_over_the_window_is_handed_back_with_its_counts() -> None:
    model = GatedModel()
    answer = await servant(model, window_tokens=5, reserve_tokens=1).answer(ask())
    assert answer.outcome == Overflowed(tokens=6, threshold=4, tokenizer="words", line_tokens=(3,))
    assert not model.requests


async def test_the_asks_own_trigger_goes_before_the_window() -> None:
    model = GatedModel()
    model.gate.set()
    answer = await servant(model, window_tokens=5, reserve_tokens=1).answer(ask(memory_trigger=100))
    assert isinstance(answer.outcome, Spoke)


async def test_an_empty_slot_is_never_sent_to_a_model() -> None:
    model = GatedModel()
    answer = await servant(model).answer(ask(view=View(template="t", fields={"claim": ""})))
    assert isinstance(answer.outcome, Failed)
    assert "claim" in answer.outcome.message
    assert not model.requests
