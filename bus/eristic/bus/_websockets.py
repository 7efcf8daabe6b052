"""nats-py without its websocket transport until one is wanted.

nats-py does without aiohttp where it is not installed. Where it is, importing it is two thirds of
what importing nats costs, 0.2 to 0.3 s of every command, for a transport that hardly anyone uses.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

__all__ = ["allow_websockets", "without_websockets"]

_TRANSPORT = "aiohttp"


@contextmanager
def without_websockets() -> Iterator[None]:
    """Within it, nats-py is imported as if aiohttp were not installed."""
    if _TRANSPORT in sys.modules:
        yield
        return
    # None is Python's own way to say that a module cannot be imported.
    sys.modules[_TRANSPORT] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[_TRANSPORT]


def allow_websockets() -> None:
    """Give nats-py its websocket transport after all. Raises ImportError without aiohttp."""
    transport = import_module("nats.aio.transport")
    if getattr(transport, _TRANSPORT) is None:
        setattr(transport, _TRANSPORT, import_module(_TRANSPORT))
