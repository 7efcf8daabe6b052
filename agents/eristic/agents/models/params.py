"""Sampling parameters of a binding, as the provider's client takes them."""

from __future__ import annotations

from collections.abc import Mapping

from eristic.debate import Setting
from eristic.debate.errors import SpecRefused

__all__ = ["Nested", "merge", "unflatten"]

Nested = dict[str, object]
"""A JSON object."""

_OWNED = {
    "model": "bind the role to the model",
    "messages": "prompts come from the protocol's templates",
    "seed": "seeds are derived from run, episode, role, turn and attempt",
    "api_base": "use the binding's api_base",
    "base_url": "use the binding's api_base",
    "timeout": "use the retry policy",
    "request_timeout": "use the retry policy",
    "num_retries": "use the retry policy",
    "max_retries": "use the retry policy",
    "fallbacks": "use the binding's fallback",
    "response_format": "use the binding's constrain",
    "n": "one text is recorded for a turn",
    "stream": "a turn is recorded whole",
    "caching": "the log is the cache",
    "mock_response": "use a script: model",
}
_SECRET_ENDINGS = ("api_key", "_token", "secret", "password", "credentials", "access_key")
_SECRET_GROUPS = frozenset({"extra_headers", "headers", "default_headers"})


def unflatten(params: Mapping[str, Setting]) -> Nested:
    """Parameters as sent: `extra_body.repeat_penalty` becomes a key inside `extra_body`.

    A None is not sent. Raises SpecRefused for a parameter that Eristic sets itself, for one
    that would put a credential into the log, and for two that exclude each other.
    """
    nested: Nested = {}
    for name, value in params.items():
        _refuse(name)
        if value is None:
            continue
        *folders, leaf = name.split(".")
        place = nested
        for folder in folders:
            inner = place.setdefault(folder, {})
            if not isinstance(inner, dict):
                raise SpecRefused(f"params {name} and {folder} exclude each other; drop one")
            place = inner
        if leaf in place:
            raise SpecRefused(f"params {name} and {leaf}.* exclude each other; drop one")
        place[leaf] = value
    return nested


def merge(base: Nested, extra: Nested) -> Nested:
    """Both, objects joined key by key; where they differ, `extra` wins."""
    joined = dict(base)
    for name, value in extra.items():
        old = joined.get(name)
        if isinstance(old, dict) and isinstance(value, dict):
            value = {**old, **value}
        joined[name] = value
    return joined


def _refuse(name: str) -> None:
    first, _, _ = name.partition(".")
    if first in _OWNED:
        raise SpecRefused(f"param {name} is not for a binding: {_OWNED[first]}")
    if first in _SECRET_GROUPS or name.lower().endswith(_SECRET_ENDINGS):
        raise SpecRefused(
            f"param {name} may hold a credential, and params are logged; "
            "set the provider's environment variable instead"
        )
