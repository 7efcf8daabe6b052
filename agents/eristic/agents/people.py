"""A person in a role: the same contract as a model's, one prompt at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping

import msgspec

from eristic.agents.answers import GivenAnswers, prompt_of
from eristic.debate import Answer, Ask, Failed, Outcome, Refused, Served, Spoke
from eristic.debate.prompting import Message, Template, digest

__all__ = ["Converse", "PersonServant", "Shown"]


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """What a person is shown for one turn."""

    ask: Ask
    messages: tuple[Message, ...]
    """The prompt, word for word as a model would get it."""


Converse = Callable[[Shown], Awaitable[str | None]]
"""Shows a prompt and returns what the person said; None when they will not answer."""


class PersonServant:
    """Serves a role with a person. Satisfies `AskHandler`.

    person: a pseudonym, which stands in the log as the model `human/PERSON`. Asks wait for each
    other: a person sees one prompt at a time. A person who declines gives a failed turn.
    """

    def __init__(
        self, role: str, person: str, *, templates: Mapping[str, Template], converse: Converse
    ) -> None:
        self._role = role
        self._person = person
        self._templates = templates
        self._converse = converse
        self._turn = asyncio.Lock()
        self._answers = GivenAnswers()

    def holds(self, call_id: str) -> bool:
        """True while this ask waits here or its answer is stored here."""
        return self._answers.holds(call_id)

    async def answer(self, ask: Ask) -> Answer:
        """Act once. A repeated ask joins the waiting one or gets the stored answer."""
        return await self._answers.once(ask.call_id, lambda: self._answer(ask))

    async def _answer(self, ask: Ask) -> Answer:
        return ask.answered(await self._act(ask))

    async def _act(self, ask: Ask) -> Outcome:
        if ask.role != self._role:
            return Refused(reason=f"this is {self._role}, not {ask.role}")
        messages = prompt_of(ask, self._templates)
        if isinstance(messages, Failed):
            return messages
        async with self._turn:
            began = time.monotonic()
            text = await self._converse(Shown(ask=ask, messages=messages))
            latency_s = time.monotonic() - began
        if text is None:
            return Failed(error="declined", message=f"{self._person} did not answer")
        call = Served(
            model=f"human/{self._person}",
            prompt=digest(messages),
            latency_s=round(latency_s, 4),
        )
        return Spoke(text=text, call=call, source="human")
