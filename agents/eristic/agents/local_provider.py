"""The provider of the model id `local`: one server, started by the first call."""

from __future__ import annotations

import asyncio
import os

import msgspec

from eristic.agents.local_model import LOCAL_BINDING, LocalModelServer, unavailable_reason
from eristic.agents.local_weights import LocalModelUnavailable
from eristic.agents.models import LitellmModel, RetryPolicy
from eristic.debate import Binding
from eristic.debate.errors import ModelUnknown
from eristic.ports import ModelReply, ModelRequest

__all__ = ["LOCAL_URL_VARIABLE", "LocalModel"]

LOCAL_URL_VARIABLE = "ERISTIC_LOCAL_URL"
"""Address of a server that several processes share; without it each process starts its own."""


class LocalModel:
    """Serves `local` with the demo profile; a binding's own params win over the profile's."""

    def __init__(self, *, retry: RetryPolicy | None = None) -> None:
        self._model = LitellmModel(retry=retry)
        self._server: LocalModelServer | None = None
        self._starting = asyncio.Lock()  # protects _server: many first calls, one child

    async def complete(self, request: ModelRequest) -> ModelReply:
        """As any model; the first call also starts the server. Raises LocalModelUnavailable."""
        _check_name(request.model)
        constrain = LOCAL_BINDING.constrain if request.constrain == "none" else request.constrain
        return await self._model.complete(
            msgspec.structs.replace(
                request,
                model=LOCAL_BINDING.model,
                params={**LOCAL_BINDING.params, **request.params},
                api_base=request.api_base or await self._url(),
                constrain=constrain,
            )
        )

    async def check(self, model: str, binding: Binding) -> None:
        """Raises ModelUnknown, SpecRefused, or LocalModelUnavailable when it cannot be served."""
        _check_name(model)
        given = binding.api_base or os.environ.get(LOCAL_URL_VARIABLE)
        reason = None if given else unavailable_reason()
        if reason is not None:
            raise LocalModelUnavailable(f"the local model cannot be served here: {reason}")
        address = given or "http://127.0.0.1/v1"
        await self._model.check(
            LOCAL_BINDING.model, msgspec.structs.replace(binding, api_base=address)
        )

    async def aclose(self) -> None:
        """Stop the server if one was started here."""
        server, self._server = self._server, None
        if server is not None:
            await server.stop()
        await self._model.aclose()

    async def _url(self) -> str:
        shared = os.environ.get(LOCAL_URL_VARIABLE)
        if shared:
            return shared
        async with self._starting:
            if self._server is None:
                server = LocalModelServer()
                await server.start()
                self._server = server
        return self._server.url


def _check_name(model: str) -> None:
    if model != "local":
        raise ModelUnknown(f"{model!r} is not served here; the local model's id is 'local'")
