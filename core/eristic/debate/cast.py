"""Who plays: role -> model and sampling, with the epoch that a swap raises."""

from __future__ import annotations

import msgspec

__all__ = ["Binding", "Cast", "Setting", "is_served_elsewhere"]

Setting = str | int | float | bool | None


class Binding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What answers for a role, from a given epoch on."""

    model: str
    """provider/model as litellm names it, `script:NAME`, `local`, `human` (a person answers, by
    the verb `answer`) or `external` (a program of its own serves the role)."""
    params: dict[str, Setting] = {}
    """Sampling parameters as sent (temperature, max_tokens, ...); an absent one is not sent."""
    fallback: tuple[str, ...] = ()
    """Models tried in order when the first refuses (logicom's moderators)."""
    epoch: int = 0
    """Raised by one at every swap; asks and answers name it."""
    window_tokens: int | None = None
    """Context window of the model; None when unknown (then the provider decides)."""
    reserve_tokens: int = 1024
    """Kept free for the completion when the window is known."""
    api_base: str | None = None
    """Address of an OpenAI-compatible server, when it is not the provider's own."""
    constrain: str = "none"
    """How the model is held to the expected form: none, json_schema or grammar."""
    shards: int = 1
    """Actors that serve the role side by side."""


Cast = dict[str, Binding]


def is_served_elsewhere(model: str) -> bool:
    """True for a role that neither a director's host nor a model serves: a person or a program."""
    return model in ("human", "external")
