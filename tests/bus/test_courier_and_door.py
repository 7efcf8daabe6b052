import asyncio
import json
from collections.abc import AsyncIterator, Callable

import msgspec
import pytest
from nats.aio.msg import Msg

from eristic.bus import Link, NatsCourier, NatsDoor, ServerHandle, connect
from eristic.bus.subjects import ask_subject
from eristic.debate import Answer, Ask, Failed, Refused, Served, Spoke
from eristic.debate.errors import BusRefused, BusUnavailable, MessageTooLarge
from eristic.testing.transports import RUN, Shelf, TransportContract, make_ask, reply_to

pytestmark = pytest.mark.nats


class NatsTransport:
    """Every end has a connection of its own, as it has in a run."""

    def __init__(self, server: ServerHandle) -> None:
        self._server = server
        self.links: list[Link] = []

    async def open_courier(self, *, resend_s: float = 3.0) -> NatsCourier:
        link = await connect(self._server.settings("director"))
        self.links.append(link)
        return NatsCourier(link, resend_s=resend_s)

    async def open_door(self, *, at_once: int = 1000) -> NatsDoor:
        link = await connect(self._server.settings("role"))
        self.links.append(link)
        return NatsDoor(link, RUN, at_once=at_once)


@pytest.fixture
async def transport(server: ServerHandle) -> AsyncIterator[NatsTransport]:
    transport = NatsTransport(server)
    yield transport
    for link in transport.links:
        await link.close()


class TestNatsTransport(TransportContract):
    @pytest.fixture
    def transport(self, transport: NatsTransport) -> NatsTransport:
        return transport


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not is_so():
            await asyncio.sleep(0.005)


async def test_an_ask_waits_for_a_role_that_comes_later(transport: NatsTransport) -> None:
    courier = await transport.open_courier()
    asking = courier.ask(make_ask())
    await until(lambda: courier.stats.nobody > 1)
    shelf = Shelf()
    await (await transport.open_door()).serve("debater", shelf)
    assert await asking == reply_to(make_ask())
    assert shelf.acted == {make_ask().call_id: 1}


async def test_where_nobody_listened_the_ask_does_not_count_as_repeated(
    transport: NatsTransport,
) -> None:
    courier = await transport.open_courier(resend_s=0.05)
    asking = courier.ask(make_ask())
    await until(lambda: courier.stats.nobody > 1)
    await (await transport.open_door()).serve("debater", Shelf())
    await asking
    assert courier.stats.repeated == 0


async def test_a_role_that_dies_in_its_turn_is_replaced(transport: NatsTransport) -> None:
    dying = Shelf()
    dying.may_end.clear()
    await (await transport.open_door()).serve("debater", dying)
    courier = await transport.open_courier(resend_s=0.2)
    asking = courier.ask(make_ask())
    await until(dying.begun.is_set)
    await transport.links[0].close()  # its server sees it go, as it would after kill -9
    await (await transport.open_door()).serve("debater", Shelf())
    async with asyncio.timeout(10):
        assert await asking == reply_to(make_ask())


async def test_a_repeated_ask_joins_the_call_that_runs_in_another_shard(
    transport: NatsTransport,
) -> None:
    shelves = [Shelf(), Shelf(), Shelf()]
    for shelf in shelves:
        shelf.may_end.clear()
        await (await transport.open_door()).serve("debater", shelf)
    courier = await transport.open_courier(resend_s=0.05)
    asks = [make_ask(turn) for turn in range(20)]
    asking = [courier.ask(ask) for ask in asks]
    await until(lambda: courier.stats.repeated > 100)
    for shelf in shelves:
        shelf.may_end.set()
    assert await asyncio.gather(*asking) == [reply_to(ask) for ask in asks]
    acted = shelves[0].acted + shelves[1].acted + shelves[2].acted
    assert acted == {ask.call_id: 1 for ask in asks}


async def test_an_ask_that_waits_is_taken_once_however_often_it_is_repeated(
    transport: NatsTransport,
) -> None:
    """A person may think for an hour: their other prompts must not lose their places to that."""
    shelf = Shelf()
    shelf.may_end.clear()
    door = await transport.open_door(at_once=2)
    await door.serve("debater", shelf)
    courier = await transport.open_courier(resend_s=0.02)
    slow = courier.ask(make_ask(0))
    await until(lambda: door.stats.repeated >= 10)
    other = courier.ask(make_ask(1))
    await until(lambda: make_ask(1).call_id in shelf.acted)
    shelf.may_end.set()
    assert (await slow, await other) == (reply_to(make_ask(0)), reply_to(make_ask(1)))
    assert door.stats.answered == 2


async def _reply_wrongly(transport: NatsTransport, payloads: list[bytes]) -> None:
    """A role that gives several replies to one ask."""
    await transport.open_door()
    link = transport.links[-1]

    async def reply(message: Msg) -> None:
        for payload in payloads:
            await link.publish(message.reply, payload)

    await link.subscribe(ask_subject(RUN, "debater"), cb=reply)
    await link.flush()


async def test_answers_to_something_else_are_dropped_and_counted(
    transport: NatsTransport,
) -> None:
    ask = make_ask(5)
    good = reply_to(ask)
    wrong = [
        msgspec.structs.replace(good, episode="e2"),
        msgspec.structs.replace(good, turn=4),
        msgspec.structs.replace(good, role="moderator"),
        msgspec.structs.replace(good, attempt=1),
        msgspec.structs.replace(good, epoch=1),
        msgspec.structs.replace(good, rank=1),
        msgspec.structs.replace(good, turn=4, outcome=Refused(reason="no")),
    ]
    payloads = [b"", b"no JSON", b"{}", *map(msgspec.json.encode, wrong), msgspec.json.encode(good)]
    await _reply_wrongly(transport, payloads)
    courier = await transport.open_courier()
    assert await courier.ask(ask) == good
    assert courier.stats.dropped == len(payloads) - 1


async def test_unknown_fields_of_an_answer_are_ignored(transport: NatsTransport) -> None:
    future = {**json.loads(msgspec.json.encode(reply_to(make_ask()))), "mood": "cheerful"}
    await _reply_wrongly(transport, [json.dumps(future).encode()])
    courier = await transport.open_courier()
    assert await courier.ask(make_ask()) == reply_to(make_ask())


class Faulty:
    """A handler that fails, or answers what cannot be sent."""

    def __init__(self, text: str | None) -> None:
        self._text = text

    def holds(self, call_id: str) -> bool:
        return False

    async def answer(self, ask: Ask) -> Answer:
        if self._text is None:
            raise ZeroDivisionError("key=sk-secret")
        return reply_to(ask, Spoke(text=self._text, call=Served(model="m")))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "ZeroDivisionError"),
        ("x" * (9 << 20), "an answer of 94"),
        ("\ud800", "a text of this answer is not Unicode"),
    ],
)
async def test_a_handler_that_fails_is_an_answer_and_never_silence(
    transport: NatsTransport, text: str | None, said: str
) -> None:
    await (await transport.open_door()).serve("debater", Faulty(text))
    courier = await transport.open_courier()
    async with asyncio.timeout(5):
        outcome = (await courier.ask(make_ask())).outcome
    assert isinstance(outcome, Failed)
    assert outcome.error == "role"
    assert outcome.message.startswith(said)
    assert "sk-secret" not in outcome.message


async def test_asks_beyond_the_bound_wait_their_turn(transport: NatsTransport) -> None:
    shelf = Shelf()
    shelf.may_end.clear()
    door = await transport.open_door(at_once=3)
    await door.serve("debater", shelf)
    courier = await transport.open_courier()
    asking = [courier.ask(make_ask(turn)) for turn in range(10)]
    await until(lambda: door.stats.asks == 10)
    assert sum(shelf.acted.values()) == 3
    shelf.may_end.set()
    assert len(await asyncio.gather(*asking)) == 10


async def test_a_drained_door_takes_nothing_more(transport: NatsTransport) -> None:
    first, second = Shelf(), Shelf()
    door = await transport.open_door()
    await door.serve("debater", first)
    await door.drain()
    courier = await transport.open_courier()
    asking = courier.ask(make_ask())
    await until(lambda: courier.stats.nobody > 0)
    await (await transport.open_door()).serve("debater", second)
    await asking
    assert (len(first.acted), len(second.acted)) == (0, 1)


async def test_an_ask_for_another_run_is_refused(transport: NatsTransport) -> None:
    await (await transport.open_door()).serve("debater", Shelf())
    payload = msgspec.json.encode(msgspec.structs.replace(make_ask(), run="other"))
    replies: list[bytes] = []
    await transport.open_courier()
    director = transport.links[-1]
    address = director.expect(lambda payload, _: replies.append(payload))
    await director.publish(ask_subject(RUN, "debater"), payload, reply=address.decode())
    await until(lambda: bool(replies))
    answer = msgspec.json.decode(replies[0], type=Answer)
    assert isinstance(answer.outcome, Refused)


async def test_an_ask_over_the_servers_limit_is_not_sent(transport: NatsTransport) -> None:
    courier = await transport.open_courier()
    with pytest.raises(MessageTooLarge, match="an ask to debater has 94"):
        await courier.ask(make_ask(text="x" * (9 << 20)))
    assert courier.stats.sent == 0


async def test_an_ask_that_is_given_up_is_forgotten(transport: NatsTransport) -> None:
    courier = await transport.open_courier(resend_s=0.05)
    courier.ask(make_ask()).cancel()
    await until(lambda: courier.in_flight == 0)


async def test_a_role_may_not_ask_another_role(server: ServerHandle) -> None:
    link = await connect(server.settings("role"))
    with pytest.raises(BusRefused, match="may not ask debater"):
        async with asyncio.timeout(10):
            await NatsCourier(link).ask(make_ask())
    await link.close()


async def test_a_reader_may_not_serve_a_role(server: ServerHandle) -> None:
    link = await connect(server.settings("reader"))
    with pytest.raises(BusRefused, match="may not serve debater"):
        await NatsDoor(link, RUN).serve("debater", Shelf())
    await link.close()


async def test_closing_the_connection_ends_the_wait(transport: NatsTransport) -> None:
    courier = await transport.open_courier()
    asking = courier.ask(make_ask())
    await until(lambda: courier.stats.nobody > 0)
    await transport.links[0].close()
    with pytest.raises(BusUnavailable, match="was closed"):
        async with asyncio.timeout(5):
            await asking
