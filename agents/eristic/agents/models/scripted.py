"""A model that follows a script: for tests, demonstrations and load, with no provider behind it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from eristic.agents.models.scripts import SCRIPT_PREFIX, parse_script
from eristic.debate import Binding
from eristic.debate.errors import ModelUnknown
from eristic.ports import ModelReply, ModelRequest

__all__ = ["Replies", "ScriptedModel"]

Replies = Callable[[ModelRequest], ModelReply | str]
"""What a test wants to be said; it may raise what a model may raise."""


class ScriptedModel:
    """Serves `script:NAME?option=value`, or whatever `replies` gives.

    Deterministic: a reply depends on the request alone. A call takes some microseconds and does
    not leave the event loop unless the script asks for a delay.
    """

    def __init__(self, replies: Replies | None = None) -> None:
        self._replies = replies

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Raises ModelUnknown for an unknown script, ModelFailed when the script fails."""
        if self._replies is not None:
            said = self._replies(request)
            return ModelReply(text=said, model=request.model) if isinstance(said, str) else said
        script = parse_script(request.model)
        if script.options.calls:
            _note(script.options.calls, request.call_id)
        if script.options.delay_ms > 0:
            await asyncio.sleep(script.options.delay_ms / 1000)
        return script.reply(request)

    async def check(self, model: str, binding: Binding) -> None:
        """Raises ModelUnknown for an unknown script or option."""
        if self._replies is not None:
            return
        if not model.startswith(SCRIPT_PREFIX):
            raise ModelUnknown(f"{model!r} is no script; write {SCRIPT_PREFIX}NAME")
        parse_script(model)

    async def aclose(self) -> None:
        """Nothing is held open."""


def _note(path: str, call_id: str) -> None:
    # One write of a short line in append mode: lines of several processes do not mix.
    with open(path, "a", encoding="utf-8") as calls:
        calls.write(f"{call_id}\n")
