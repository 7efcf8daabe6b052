"""What every server of a role does with an ask: makes its prompt, and answers each call once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping

from eristic.debate import Answer, Ask, Failed, Spoke
from eristic.debate.errors import SpecRefused
from eristic.debate.prompting import Message, Template, render

__all__ = ["GivenAnswers", "prompt_of"]

_ANSWERS_KEPT = 4096


def prompt_of(ask: Ask, templates: Mapping[str, Template]) -> tuple[Message, ...] | Failed:
    """The messages of the ask's view; Failed for a template that is missing or cannot be filled."""
    template = templates.get(ask.view.template)
    if template is None:
        return Failed(error="prompt", message=f"no template {ask.view.template!r} here")
    try:
        return render(template, ask.view, speaker=ask.role)
    except SpecRefused as error:
        return Failed(error="prompt", message=str(error))


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
