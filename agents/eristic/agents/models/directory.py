"""One door to all models: which provider serves a model id."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Mapping
from typing import Protocol

from eristic.agents.models.litellm_model import LitellmModel
from eristic.agents.models.pages import PageModel
from eristic.agents.models.retries import RetryPolicy
from eristic.agents.models.scripted import ScriptedModel
from eristic.debate import Binding, is_served_elsewhere
from eristic.debate.errors import ModelUnknown, NameRefused
from eristic.ports import ModelReply, ModelRequest

__all__ = ["PROVIDER_GROUP", "ModelDirectory", "Provider", "ProviderFactory"]

PROVIDER_GROUP = "eristic.providers"
"""Entry points of this group name a factory of a provider; the name is the model id's prefix."""


class Provider(Protocol):
    """A Model that can also be checked before a run and closed after it."""

    async def complete(self, request: ModelRequest) -> ModelReply: ...
    async def check(self, model: str, binding: Binding) -> None: ...
    async def aclose(self) -> None: ...


ProviderFactory = Callable[[], Provider]


class ModelDirectory:
    """Routes by the word before the first `:` or `/` of a model id; the rest goes to litellm.

    A provider is made when its first model is asked for. installed: take the providers of
    installed packages too.
    """

    def __init__(self, *, retry: RetryPolicy | None = None, installed: bool = True) -> None:
        self._factories: dict[str, ProviderFactory] = {
            "script": ScriptedModel,
            "local": lambda: _local(retry),
            "page": lambda: PageModel(retry=retry),
        }
        self._fallback: ProviderFactory = lambda: LitellmModel(retry=retry)
        self._made: dict[str, Provider] = {}
        if installed:
            for prefix, factory in _installed().items():
                self.register(prefix, factory)

    def register(self, prefix: str, factory: ProviderFactory) -> None:
        """Serve ids `prefix`, `prefix:...` and `prefix/...`. Raises NameRefused if it is taken."""
        if prefix in self._factories or not prefix or is_served_elsewhere(prefix):
            raise NameRefused(f"model prefix {prefix!r} is taken or empty; choose another")
        self._factories[prefix] = factory

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Raises what the provider raises, see the Model port."""
        return await self._provider(request.model).complete(request)

    async def check(self, model: str, binding: Binding) -> None:
        """Find out before a run whether a binding's model can be called, without paying.

        Raises ModelUnknown, CredentialMissing or SpecRefused. A role that is served elsewhere
        has no model of ours and passes.
        """
        if not is_served_elsewhere(model):
            await self._provider(model).check(model, binding)

    async def aclose(self) -> None:
        """Close every provider that was made."""
        while self._made:
            _, provider = self._made.popitem()
            await provider.aclose()

    def _provider(self, model: str) -> Provider:
        prefix = model.replace("/", ":").partition(":")[0]
        if is_served_elsewhere(prefix):
            raise ModelUnknown(
                f"a role bound to {prefix!r} is answered by a person or a program of its own; no "
                "model is called for it"
            )
        name = prefix if prefix in self._factories else ""
        if name not in self._made:
            self._made[name] = self._factories.get(name, self._fallback)()
        return self._made[name]


def _local(retry: RetryPolicy | None) -> Provider:
    from eristic.agents.local_provider import LocalModel

    return LocalModel(retry=retry)


def _installed() -> Mapping[str, ProviderFactory]:
    points = importlib.metadata.entry_points(group=PROVIDER_GROUP)
    return {point.name: _lazily(point) for point in points}


def _lazily(point: importlib.metadata.EntryPoint) -> ProviderFactory:
    def make() -> Provider:
        factory: ProviderFactory = point.load()
        return factory()

    return make
