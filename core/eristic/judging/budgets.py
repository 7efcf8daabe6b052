"""What a call may cost and what it did: reserved before it is made, settled after it.

Money is in US dollars, prices are dollars for one token.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from eristic.debate import Served
from eristic.debate.prompting import Message

__all__ = ["FREE", "Budget", "Price", "cost_of", "most_of", "probable_cost"]

_MESSAGE_TOKENS = 16
"""What a provider adds around a message, at most."""
_CHARS_PER_TOKEN = 4
_ANSWER_TOKENS = 12


class Price(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Of one model."""

    in_usd: float
    out_usd: float
    cached_usd: float | None = None
    """For prompt tokens read from the provider's cache; None: as any other."""

    @property
    def is_free(self) -> bool:
        """Nothing is charged."""
        return not (self.in_usd or self.out_usd)


FREE = Price(in_usd=0.0, out_usd=0.0)
"""Of scripts and of the model on this machine."""


def most_of(price: Price, messages: Iterable[Message], max_tokens: int) -> float:
    """No call of this prompt costs more: a token is at least a byte of UTF-8."""
    read = sum(len(x.content.encode()) + _MESSAGE_TOKENS for x in messages)
    return read * price.in_usd + max_tokens * price.out_usd


def probable_cost(price: Price, messages: Iterable[Message]) -> float:
    """About what a call will cost, from four characters a token and a short answer."""
    read = sum(len(x.content) / _CHARS_PER_TOKEN + 4 for x in messages)
    return read * price.in_usd + _ANSWER_TOKENS * price.out_usd


def cost_of(price: Price | None, call: Served) -> float | None:
    """What a call cost; None when the price is unknown or the provider counted nothing."""
    if price is None:
        return None
    if price.is_free:
        return 0.0
    if call.tokens_in is None or call.tokens_out is None:
        return None
    cached = min(call.tokens_cached or 0, call.tokens_in)
    cached_usd = price.in_usd if price.cached_usd is None else price.cached_usd
    fresh = call.tokens_in - cached
    return fresh * price.in_usd + cached * cached_usd + call.tokens_out * price.out_usd


class Budget:
    """A limit that no call may break: what is under way counts in full until it is settled.

    spent_usd: what was paid before. Used by one event loop; nothing here waits.
    """

    def __init__(self, limit_usd: float, *, spent_usd: float = 0.0) -> None:
        self.limit_usd = limit_usd
        self.spent_usd = spent_usd
        self._reserved_usd = 0.0

    def reserve(self, most_usd: float) -> bool:
        """True, and the sum is set aside, when it still fits under the limit."""
        if self.spent_usd + self._reserved_usd + most_usd > self.limit_usd + 1e-12:
            return False
        self._reserved_usd += most_usd
        return True

    def settle(self, most_usd: float, actual_usd: float | None) -> None:
        """The call is over. actual_usd None: unknown, so all that was set aside is counted."""
        self._reserved_usd -= most_usd
        self.spent_usd += most_usd if actual_usd is None else actual_usd
