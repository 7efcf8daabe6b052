"""What a role does with an ask: view to prompt, prompt to model, reply to answer.

A servant holds no truth. What it keeps are answers it already gave, so that a repeated ask is
not paid for twice; losing them loses money at worst, never a fact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from eristic.agents.answers import GivenAnswers, prompt_of
from eristic.debate import (
    Answer,
    Ask,
    Binding,
    Failed,
    Outcome,
    Overflowed,
    Refused,
    Spoke,
)
from eristic.debate.errors import ModelError, ModelFailed
from eristic.debate.prompting import Message, Template
from eristic.ports import Model, ModelRequest

__all__ = ["Counter", "RoleServant"]


class Counter(Protocol):
    """Counts tokens as the role's model does, or estimates and says so in its name."""

    @property
    def tokenizer(self) -> str: ...
    def fits(self, messages: Sequence[Message], threshold: int) -> bool: ...
    def count(self, text: str) -> int: ...
    def count_messages(self, messages: Sequence[Message]) -> int: ...


class RoleServant:
    """Serves one role with one binding. Satisfies `AskHandler`."""

    def __init__(
        self,
        role: str,
        binding: Binding,
        *,
        templates: Mapping[str, Template],
        model: Model,
        counter: Counter,
    ) -> None:
        self._role = role
        self._binding = binding
        self._models = (binding.model, *binding.fallback)
        self._templates = templates
        self._model = model
        self._counter = counter
        self._answers = GivenAnswers()

    def holds(self, call_id: str) -> bool:
        """True while this call is running here or its answer is stored here."""
        return self._answers.holds(call_id)

    async def answer(self, ask: Ask) -> Answer:
        """Act once. A repeated ask joins the running call or gets the stored answer."""
        return await self._answers.once(ask.call_id, lambda: self._answer(ask))

    async def _answer(self, ask: Ask) -> Answer:
        return ask.answered(await self._act(ask), epoch=self._binding.epoch)

    async def _act(self, ask: Ask) -> Outcome:
        refusal = self._refusal(ask)
        if refusal is not None:
            return refusal
        messages = prompt_of(ask, self._templates)
        if isinstance(messages, Failed):
            return messages
        overflow = self._overflow(ask, messages)
        if overflow is not None:
            return overflow
        return await self._call(ask, messages)

    def _refusal(self, ask: Ask) -> Refused | Failed | None:
        if ask.role != self._role:
            return Refused(reason=f"this is {self._role}, not {ask.role}")
        if ask.epoch != self._binding.epoch:
            return Refused(
                reason=f"epoch {ask.epoch} is not served; {self._role} is at {self._binding.epoch}"
            )
        if ask.rank >= len(self._models):
            return Failed(
                error="no_model",
                message=f"{self._role} has {len(self._models)} models, none of rank {ask.rank}",
            )
        return None

    def _overflow(self, ask: Ask, messages: tuple[Message, ...]) -> Overflowed | None:
        threshold = ask.memory_trigger
        window = self._binding.window_tokens
        if threshold is None and window is not None:
            threshold = window - self._binding.reserve_tokens
        if threshold is None or ask.force or self._counter.fits(messages, threshold):
            return None
        return Overflowed(
            tokens=self._counter.count_messages(messages),
            threshold=threshold,
            tokenizer=self._counter.tokenizer,
            line_tokens=tuple(self._counter.count(line.text) for line in ask.view.history),
        )

    async def _call(self, ask: Ask, messages: tuple[Message, ...]) -> Outcome:
        binding = self._binding
        request = ModelRequest(
            model=self._models[ask.rank],
            messages=messages,
            params={**ask.params, **binding.params} if ask.params else binding.params,
            seed=ask.seed,
            expected=ask.expected,
            api_base=binding.api_base,
            constrain=binding.constrain,
            call_id=ask.call_id,
        )
        try:
            reply = await self._model.complete(request)
        except ModelFailed as error:
            return Failed(error=error.error, message=str(error), failed=error.failed)
        except ModelError as error:
            return Failed(error=type(error).__name__, message=str(error))
        return Spoke(text=reply.text, call=reply.served(messages))
