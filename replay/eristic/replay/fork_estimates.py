"""What the suffixes of branches can take: calls from the protocol's rules, tokens from the texts.

Calls are bounds. Tokens and dollars are estimates: every further text is taken to be as long as
those of its role so far, and every prompt as long as its role's last one and what was said since.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from eristic.debate import EpisodeOpened, Event, TurnSpoken
from eristic.judging import Price
from eristic.protocols import Machine, calls_left, fold

__all__ = ["ForkEstimate", "estimate"]

_CHARS_PER_TOKEN = 4
_TEMPLATE_TOKENS = 400
"""Of a prompt before any history, when none is recorded."""
_TEXT_TOKENS = 200
"""Of an utterance, when none is recorded."""

PriceOf = Callable[[str], Price | None]


class ForkEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """All branches together. Calls are counts, by role where there is a mapping."""

    episodes: int
    open: int
    """Branches that are not closed yet; all numbers are of these."""
    least: dict[str, int]
    longest: dict[str, int]
    most: dict[str, int] | None
    """None: the rules set no limit, or the protocol names none."""
    is_bounded: bool
    """False: not even `least` and `longest` are known."""
    tokens_in: int
    """At the longest, about."""
    tokens_out: int
    usd: float
    """At the longest, about, of the models whose price is known."""
    models: tuple[str, ...]
    """That may be called, fallbacks included, sorted."""
    unpriced: tuple[str, ...]
    """Those of them whose price nobody knows: they are not in `usd`."""
    free: tuple[str, ...]

    @property
    def may_cost(self) -> bool:
        """Something that is not known to be free may be called."""
        return bool(self.open) and len(self.free) < len(self.models)


def estimate(
    machine: Machine[Any], begun: Iterable[Sequence[Event]], price_of: PriceOf
) -> ForkEstimate:
    """begun: the events of each branch so far, its header first.

    price_of: of a model id; None when nobody knows.
    """
    total = _Total(price_of)
    for events in begun:
        total.add(machine, events)
    return total.close()


class _Total:
    def __init__(self, price_of: PriceOf) -> None:
        self._price_of = price_of
        self._episodes = self._open = 0
        self._least: Counter[str] = Counter()
        self._longest: Counter[str] = Counter()
        self._most: Counter[str] = Counter()
        self._has_limit = self._is_bounded = True
        self._tokens_in = self._tokens_out = 0
        self._usd = 0.0
        self._models: dict[str, Price | None] = {}

    def add(self, machine: Machine[Any], events: Sequence[Event]) -> None:
        self._episodes += 1
        state = fold(machine, events)
        if machine.decide(state) is None:
            return
        self._open += 1
        opened = events[0]
        assert isinstance(opened, EpisodeOpened)  # fold refuses any other
        for binding in opened.cast.values():
            for model in (binding.model, *binding.fallback):
                self._models.setdefault(model, self._price_of(model))
        left = calls_left(machine, state)
        if left is None:
            self._is_bounded = self._has_limit = False
            return
        self._least.update(left.least)
        self._longest.update(left.longest)
        if left.most is None:
            self._has_limit = False
        else:
            self._most.update(left.most)
        self._spend(opened, _lengths(events), left.longest)

    def _spend(self, opened: EpisodeOpened, lengths: _Lengths, calls: Mapping[str, int]) -> None:
        for role, number in calls.items():
            taken = number * lengths.prompt(role) + lengths.growth * number * (number - 1) // 2
            made = number * lengths.text(role)
            self._tokens_in += taken
            self._tokens_out += made
            bound = opened.cast.get(role)
            price = self._models.get(bound.model) if bound is not None else None
            if price is not None:
                self._usd += taken * price.in_usd + made * price.out_usd

    def close(self) -> ForkEstimate:
        priced = self._models.items()
        return ForkEstimate(
            episodes=self._episodes,
            open=self._open,
            least=dict(self._least),
            longest=dict(self._longest),
            most=dict(self._most) if self._has_limit else None,
            is_bounded=self._is_bounded,
            tokens_in=self._tokens_in,
            tokens_out=self._tokens_out,
            usd=self._usd,
            models=tuple(sorted(self._models)),
            unpriced=tuple(sorted(name for name, price in priced if price is None)),
            free=tuple(sorted(name for name, price in priced if price and price.is_free)),
        )


class _Lengths(msgspec.Struct, frozen=True):
    """Tokens of one episode's texts."""

    growth: int
    """What a role's prompt grows by between two of its calls."""
    history: int
    texts: dict[str, int]
    """Role -> tokens of a text of it, on average."""
    prompts: dict[str, int]
    """Role -> tokens of its last prompt."""
    usual: int

    def prompt(self, role: str) -> int:
        return self.prompts.get(role, self.history + _TEMPLATE_TOKENS)

    def text(self, role: str) -> int:
        return self.texts.get(role, self.usual)


def _lengths(events: Sequence[Event]) -> _Lengths:
    made: dict[str, list[int]] = {}
    prompts: dict[str, int] = {}
    uttered: list[int] = []
    for event in events:
        if not isinstance(event, TurnSpoken):
            continue
        tokens = len(event.text) // _CHARS_PER_TOKEN + 1
        if event.call is not None:
            tokens = event.call.tokens_out or tokens
            if event.call.tokens_in is not None:
                prompts[event.role] = event.call.tokens_in
        made.setdefault(event.role, []).append(tokens)
        # A text that is read for a token is no part of what others read.
        if event.reading is None or event.reading.parts:
            uttered.append(tokens)
    usual = sum(uttered) // len(uttered) if uttered else _TEXT_TOKENS
    return _Lengths(
        growth=2 * usual,
        history=sum(uttered),
        texts={role: sum(sizes) // len(sizes) for role, sizes in made.items()},
        prompts=prompts,
        usual=usual,
    )
