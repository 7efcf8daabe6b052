"""What every way between directors and roles must do: couriers on one side, doors on the other.

class TestMyTransport(TransportContract):
    @pytest.fixture
    async def transport(self): ...
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Protocol

import msgspec

from eristic.debate import Answer, Ask, Line, Outcome, Refused, Served, Spoke, View
from eristic.ports import AskHandler, Courier, RoleDoor

__all__ = ["RUN", "Shelf", "Transport", "TransportContract", "make_ask", "reply_to"]

RUN = "contract"
"""The run whose roles are asked."""


class Transport(Protocol):
    """Makes the ends of one transport."""

    async def open_courier(self) -> Courier:
        """A director's end."""
        ...

    async def open_door(self) -> RoleDoor:
        """A role's end; where all roles share one, the same one again."""
        ...


def make_ask(turn: int = 0, *, episode: str = "e1", text: str = "Why?", epoch: int = 0) -> Ask:
    """An ask to the role `debater`."""
    view = View(template="debater", history=(Line("persuader", text, 0),))
    return Ask(run=RUN, episode=episode, turn=turn, role="debater", view=view, seed=1, epoch=epoch)


def reply_to(ask: Ask, outcome: Outcome | None = None, *, epoch: int | None = None) -> Answer:
    """An answer to this ask; without an outcome its text says what was asked."""
    said = f"{ask.episode}/{ask.turn}: {ask.view.history[-1].text}"
    spoke = Spoke(text=said, call=Served(model="shelf"))
    return ask.answered(outcome or spoke, epoch=epoch)


class Shelf:
    """A handler that keeps its answers and counts how often it had to act for each call."""

    def __init__(self, outcome: Outcome | None = None, *, epoch: int | None = None) -> None:
        self.acted: Counter[str] = Counter()
        self.begun = asyncio.Event()
        self.may_end = asyncio.Event()
        self.may_end.set()
        self._outcome = outcome
        self._epoch = epoch
        self._kept: dict[str, asyncio.Future[Answer]] = {}

    def holds(self, call_id: str) -> bool:
        return call_id in self._kept

    async def answer(self, ask: Ask) -> Answer:
        kept = self._kept.get(ask.call_id)
        if kept is None:
            self.acted[ask.call_id] += 1
            kept = self._kept[ask.call_id] = asyncio.get_running_loop().create_future()
            self.begun.set()
            await self.may_end.wait()
            kept.set_result(reply_to(ask, self._outcome, epoch=self._epoch))
        return await asyncio.shield(kept)


class TransportContract:
    """Subclasses give a fixture `transport` of the run RUN."""

    async def _serve(self, transport: Transport, *handlers: AskHandler) -> None:
        for handler in handlers:
            door = await transport.open_door()
            await door.serve("debater", handler)

    async def test_an_ask_is_answered_by_who_serves_the_role(self, transport: Transport) -> None:
        await self._serve(transport, Shelf())
        courier = await transport.open_courier()
        ask = make_ask(3, text="Grüße\r\n\x00{braces}")
        assert await courier.ask(ask) == reply_to(ask)

    async def test_each_of_many_asks_gets_its_own_answer(self, transport: Transport) -> None:
        await self._serve(transport, Shelf())
        courier = await transport.open_courier()
        asks = [make_ask(turn, episode=f"e{turn % 7}") for turn in range(200)]
        answers = await asyncio.gather(*(courier.ask(ask) for ask in asks))
        assert list(answers) == [reply_to(ask) for ask in asks]

    async def test_a_slow_turn_does_not_hold_up_the_others(self, transport: Transport) -> None:
        shelf = Shelf()
        shelf.may_end.clear()
        await self._serve(transport, shelf)
        courier = await transport.open_courier()
        slow = [asyncio.ensure_future(courier.ask(make_ask(turn))) for turn in range(50)]
        async with asyncio.timeout(10):
            while sum(shelf.acted.values()) < 50:
                await asyncio.sleep(0)
        shelf.may_end.set()
        assert len(await asyncio.gather(*slow)) == 50

    async def test_the_servers_of_a_role_share_its_asks(self, transport: Transport) -> None:
        shelves = [Shelf(), Shelf(), Shelf()]
        await self._serve(transport, *shelves)
        courier = await transport.open_courier()
        await asyncio.gather(*(courier.ask(make_ask(turn)) for turn in range(150)))
        acted = [sum(shelf.acted.values()) for shelf in shelves]
        assert sum(acted) == 150
        assert min(acted) > 0

    async def test_a_repeated_ask_is_answered_by_who_holds_it(self, transport: Transport) -> None:
        shelves = [Shelf(), Shelf(), Shelf()]
        await self._serve(transport, *shelves)
        courier = await transport.open_courier()
        ask = make_ask(1)
        first = await courier.ask(ask)
        again = [courier.ask(_repeat(ask)) for _ in range(12)]
        assert await asyncio.gather(*again) == [first] * 12
        assert sum((shelf.acted for shelf in shelves), Counter()) == {ask.call_id: 1}

    async def test_a_repeated_ask_that_nobody_holds_is_acted_on(self, transport: Transport) -> None:
        await self._serve(transport, Shelf(), Shelf())
        courier = await transport.open_courier()
        ask = _repeat(make_ask(1))
        assert await courier.ask(ask) == reply_to(ask)

    async def test_a_role_of_another_epoch_is_heard_when_it_refuses(
        self, transport: Transport
    ) -> None:
        refused = Refused(reason="epoch 0 is not served")
        await self._serve(transport, Shelf(refused, epoch=1))
        courier = await transport.open_courier()
        answer = await courier.ask(make_ask(epoch=0))
        assert (answer.outcome, answer.epoch) == (refused, 1)

    async def test_texts_may_be_large(self, transport: Transport) -> None:
        await self._serve(transport, Shelf())
        courier = await transport.open_courier()
        ask = make_ask(text="long " * 400_000)
        assert await courier.ask(ask) == reply_to(ask)

    async def test_draining_finishes_what_is_in_flight(self, transport: Transport) -> None:
        shelf = Shelf()
        shelf.may_end.clear()
        door = await transport.open_door()
        await door.serve("debater", shelf)
        courier = await transport.open_courier()
        asking = asyncio.ensure_future(courier.ask(make_ask()))
        async with asyncio.timeout(10):
            await shelf.begun.wait()
        draining = asyncio.create_task(door.drain())
        shelf.may_end.set()
        async with asyncio.timeout(10):
            await draining
            assert await asking == reply_to(make_ask())


def _repeat(ask: Ask) -> Ask:
    return msgspec.structs.replace(ask, repeat=True)
