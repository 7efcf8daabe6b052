"""At most one answer a call: a repeated ask joins the running one or gets the stored answer."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from eristic.debate import Answer, Spoke

__all__ = ["GivenAnswers"]

_ANSWERS_KEPT = 4096


class GivenAnswers:
    """The answers that one server of a role gave lately, and those under way.

    Losing them loses money at worst, never a fact. Only what was paid for is kept: a failure may
    be tried again by a later director.
    """

    def __init__(self) -> None:
        self._running: dict[str, asyncio.Future[Answer | None] | None] = {}
        """Call id -> what joined asks wait for; None while nobody joined."""
        self._given: OrderedDict[str, Answer] = OrderedDict()

    def holds(self, call_id: str) -> bool:
        """True while this call is running here or its answer is stored here."""
        return call_id in self._running or call_id in self._given

    async def once(self, call_id: str, act: Callable[[], Awaitable[Answer]]) -> Answer:
        """The answer of this call; `act` is called for the first ask of it only."""
        given = self._given.get(call_id)
        if given is not None:
            return given
        if call_id in self._running:
            return await self._join(call_id)
        self._running[call_id] = None
        try:
            answer = await act()
        except BaseException:
            self._release(call_id, None)
            raise
        self._release(call_id, answer)
        self._keep(call_id, answer)
        return answer

    def _release(self, call_id: str, answer: Answer | None) -> None:
        joined = self._running.pop(call_id)
        if joined is not None:
            joined.set_result(answer)

    async def _join(self, call_id: str) -> Answer:
        joined = self._running[call_id]
        if joined is None:
            joined = self._running[call_id] = asyncio.get_running_loop().create_future()
        answer = await asyncio.shield(joined)
        if answer is None:
            # The one that ran was cancelled: its process is ending, and so is this ask.
            raise asyncio.CancelledError
        return answer

    def _keep(self, call_id: str, answer: Answer) -> None:
        if isinstance(answer.outcome, Spoke):
            self._given[call_id] = answer
            if len(self._given) > _ANSWERS_KEPT:
                self._given.popitem(last=False)
