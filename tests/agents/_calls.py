"""Requests and a litellm adapter for tests: pauses take no time and are kept."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

from eristic.agents.models import LitellmModel, RetryPolicy
from eristic.debate import Expected, Setting
from eristic.debate.prompting import Message
from eristic.ports import ModelReply, ModelRequest

MESSAGES = (Message("system", "You argue."), Message("user", "Begin."))
TEXT = Expected()
TOKEN = Expected(form="token", tokens=("<CONVINCED>", "<GO-ON>"))
OBJECT = Expected(form="object", keys=("label", "tip", "argument"))


def request(
    url: str | None = None,
    *,
    model: str = "openai/tiny",
    messages: tuple[Message, ...] = MESSAGES,
    params: dict[str, Setting] | None = None,
    expected: Expected = TEXT,
    constrain: str = "none",
    seed: int = 7,
    call_id: str = "run1.e0.3.persuader.0",
) -> ModelRequest:
    return ModelRequest(
        model=model,
        messages=messages,
        params=params or {},
        seed=seed,
        expected=expected,
        api_base=url,
        constrain=constrain,
        call_id=call_id,
    )


class Caller:
    """A LitellmModel and the pauses it made."""

    def __init__(self, policy: RetryPolicy) -> None:
        self.pauses_s: list[float] = []
        self.model = LitellmModel(retry=policy, wait=self._wait)

    async def ask(self, request: ModelRequest) -> ModelReply:
        return await self.model.complete(request)

    async def _wait(self, seconds: float) -> None:
        self.pauses_s.append(seconds)


@contextlib.asynccontextmanager
async def calling(policy: RetryPolicy | None = None) -> AsyncIterator[Caller]:
    caller = Caller(policy or RetryPolicy())
    try:
        yield caller
    finally:
        await caller.model.aclose()
