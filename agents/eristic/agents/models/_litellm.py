"""litellm: imported when the first call needs it, quiet, offline at import, retrying nothing.

Importing it takes seconds and 200 MB, so no module of Eristic imports it at its top.
"""

from __future__ import annotations

import asyncio
import functools
import importlib
import logging
import os
from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from eristic.debate.errors import ExtraMissing

__all__ = ["Litellm", "close_clients", "load", "load_async"]

_SETTINGS = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # else the import fetches a price map
    "LITELLM_LOG": "ERROR",
    "LITELLM_MODE": "PRODUCTION",  # else a .env file of some parent folder is read
}
_LOGGERS = {
    # Errors reach the caller as exceptions; litellm's own lines may quote headers.
    "LiteLLM": logging.CRITICAL,
    "LiteLLM Router": logging.CRITICAL,
    "LiteLLM Proxy": logging.CRITICAL,
    # These log addresses (a key may be part of one) at INFO and headers at DEBUG.
    "httpx": logging.WARNING,
    "httpx2": logging.WARNING,
    "httpcore": logging.WARNING,
    "openai": logging.WARNING,
}


class Clients(Protocol):
    """litellm's cache of HTTP clients."""

    def flush_cache(self) -> None: ...


class Litellm(Protocol):
    """All that we use of the module."""

    suppress_debug_info: bool
    set_verbose: bool
    cache: object
    callbacks: list[object]
    success_callback: list[object]
    failure_callback: list[object]
    num_retries: int | None
    drop_params: bool
    provider_list: Sequence[object]
    model_cost: Mapping[str, Mapping[str, object]]
    in_memory_llm_clients_cache: Clients

    async def acompletion(self, **arguments: object) -> object: ...
    async def close_litellm_async_clients(self) -> None: ...
    def get_llm_provider(
        self, model: str, *, api_base: str | None
    ) -> tuple[str, str, str | None, str | None]: ...
    def get_supported_openai_params(
        self, model: str, custom_llm_provider: str
    ) -> list[str] | None: ...
    def validate_environment(self, model: str) -> Mapping[str, object]: ...


@functools.cache
def load() -> Litellm:
    """The module, set up. Takes 3 to 8 s the first time. Raises ExtraMissing."""
    os.environ.update(_SETTINGS)
    try:
        module = importlib.import_module("litellm")
    except ModuleNotFoundError as error:
        raise ExtraMissing(needs=error.name or "litellm", extra="agents") from error
    # A cast, because the checkers would take minutes to follow litellm's 3,000 modules.
    litellm = cast(Litellm, module)
    litellm.suppress_debug_info = True
    litellm.set_verbose = False
    litellm.cache = None
    litellm.callbacks = []
    litellm.success_callback = []
    litellm.failure_callback = []
    litellm.num_retries = 0
    litellm.drop_params = False
    for name, level in _LOGGERS.items():
        logging.getLogger(name).setLevel(level)
    return litellm


async def load_async() -> Litellm:
    """The module, without stopping the loop while it is imported."""
    if load.cache_info().currsize:
        return load()
    return await asyncio.to_thread(load)


async def close_clients() -> None:
    """Close litellm's HTTP clients of this process; a later call opens new ones."""
    if load.cache_info().currsize:
        litellm = load()
        await litellm.close_litellm_async_clients()
        litellm.in_memory_llm_clients_cache.flush_cache()  # a closed client must not be found
