"""The exchange of one process does what every way between directors and roles must do."""

from __future__ import annotations

import pytest

from eristic.agents.inline import InlineExchange
from eristic.debate.errors import BusRefused
from eristic.testing.transports import Shelf, TransportContract, make_ask


class OneProcess:
    """Courier and door are one object, which all share."""

    def __init__(self) -> None:
        self._exchange = InlineExchange()

    async def open_courier(self) -> InlineExchange:
        return self._exchange

    async def open_door(self) -> InlineExchange:
        return self._exchange


class TestInlineTransport(TransportContract):
    @pytest.fixture
    def transport(self) -> OneProcess:
        return OneProcess()


async def test_a_role_that_nobody_serves_is_refused_at_once() -> None:
    with pytest.raises(BusRefused, match="nobody serves the role 'debater'"):
        await InlineExchange().ask(make_ask())


async def test_after_draining_no_ask_is_taken() -> None:
    exchange = InlineExchange()
    await exchange.serve("debater", Shelf())
    await exchange.drain()
    with pytest.raises(BusRefused):
        await exchange.ask(make_ask())
