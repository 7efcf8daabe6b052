"""A plan for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from eristic.cli.rendering import Screen, Span, open_screen, print_json
from eristic.judging import Price
from eristic.protocols.forecasts import Forecast, Load, Part, RoleLoad

__all__ = ["Told", "as_document", "print_plan"]

_NAMES = (
    *("condition", "role", "calls each", "tokens each", "calls", "at most"),
    *("prompt tokens", "completion tokens", "dollars"),
)
_MOST_BY_ROLE = 4
"""Conditions; of more each has one line, and the roles are told for all together."""
_LINES = (
    "a to b: the shortest way to the longest, when every answer can be used at once. at most: the "
    "longest, when all is asked again that may be. each: of one episode, on average; its tokens "
    "are those of prompts and completions"
)


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A plan with what it rests on."""

    run: str
    protocol: str
    cases: int
    text_tokens: int
    models: dict[str, str]
    """Role -> model."""
    tokenizers: dict[str, str]
    """Role -> what its tokens are counted with."""
    prices: dict[str, Price | None]
    """By model; None when nobody knows."""
    found: Forecast


def print_plan(told: Told, *, as_json: bool) -> None:
    """All of it as JSON, or a table with remarks."""
    if as_json:
        print_json(as_document(told))
        return
    found = told.found
    screen = open_screen()
    cases = f"{told.cases:,} case{'s' * (told.cases != 1)}"
    screen.line(
        Span(f"plan of run {told.run}", "bold"),
        f" · {told.protocol} · {found.whole.episodes:,} episodes of {cases} · nothing is asked",
    )
    width = max((len(role.role) for role in found.whole.roles), default=0)
    for role in found.whole.roles:
        name = role.role
        screen.line(f"  {name:{width}}  {told.models[name]}, tokens by {told.tokenizers[name]}")
    screen.line()
    _print_table(screen, told, found)
    screen.line()
    screen.block(_LINES, style="dim")
    for remark in _remarks(told, found):
        screen.block(remark, style="dim")


def _print_table(screen: Screen, told: Told, found: Forecast) -> None:
    parts = (*found.conditions, found.whole) if len(found.conditions) > 1 else found.conditions
    rows: list[list[str | Span]] = []
    for part in parts:
        name = f"{part.condition or 'all'} ({part.episodes:,})"
        is_short = part is not found.whole and len(found.conditions) > _MOST_BY_ROLE
        loads = [] if is_short else [(role.role, role) for role in part.roles]
        for role, load in loads:
            rows.append([name, role, *_cells(part, load, _spent(told, [load]))])
            name = ""
        if len(loads) != 1:
            total = _cells(part, part.total, _spent(told, part.roles))
            rows.append([Span(name), *(Span(cell, "bold") for cell in ("in all", *total))])
    screen.table(
        _NAMES,
        rows,
        right=_NAMES[2:],
        keep=("role", "calls", "dollars"),
        spare=("at most",),
    )


def _cells(part: Part, load: RoleLoad, spent: Spent) -> list[str]:
    shortest, longest = load.shortest, load.longest
    most = "no limit" if load.most is None else f"{load.most:,}"
    return [
        _range(shortest.calls / part.episodes, longest.calls / part.episodes, ",.1f"),
        _range(_tokens(shortest) / part.episodes, _tokens(longest) / part.episodes, ",.0f"),
        _range(shortest.calls, longest.calls),
        most,
        _range(shortest.tokens_in, longest.tokens_in),
        _range(shortest.tokens_out, longest.tokens_out),
        str(spent),
    ]


def _tokens(load: Load) -> int:
    """Of prompts and completions."""
    return load.tokens_in + load.tokens_out


def _range(low: float, high: float, form: str = ",") -> str:
    first, last = (f"{x:{form}}".removesuffix(".0") for x in (low, high))
    return first if first == last else f"{first} to {last}"


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """Dollars, of those models whose price is known."""

    shortest: float
    longest: float
    is_known: bool
    """Some price is known."""
    is_whole: bool
    """Every price is."""

    def __str__(self) -> str:
        if not self.is_known:
            return "unknown"
        told = _range(self.shortest, self.longest, ",.4f") if self.longest else "0"
        return told if self.is_whole else f"{told} and the unknown"


def _spent(told: Told, loads: Sequence[RoleLoad]) -> Spent:
    prices = [told.prices[told.models[load.role]] for load in loads]
    priced = [(price, load) for price, load in zip(prices, loads, strict=True) if price is not None]
    return Spent(
        shortest=sum(_usd(price, load.shortest) for price, load in priced),
        longest=sum(_usd(price, load.longest) for price, load in priced),
        is_known=bool(priced),
        is_whole=len(priced) == len(prices),
    )


def _usd(price: Price, load: Load) -> float:
    return load.tokens_in * price.in_usd + load.tokens_out * price.out_usd


def _remarks(told: Told, found: Forecast) -> Iterator[str]:
    yield (
        f"a free text is taken to have {told.text_tokens:,} tokens (--text-tokens), or max_tokens "
        "where that is less; hidden reasoning of a model is not in it"
    )
    if len(found.conditions) > _MOST_BY_ROLE:
        yield "roles are told for all conditions together; --json has them one by one"
    if any(name.endswith("~") for name in told.tokenizers.values()):
        yield "a tokenizer that ends in ~ is not the model's own: its counts are estimates"
    if found.is_scaled:
        yield (
            f"{found.whole.rehearsed:,} of {found.whole.episodes:,} episodes were rehearsed, "
            "evenly chosen in each condition, and stand for all (--rehearse)"
        )
    for model in _unpriced(told):
        yield f"no price is known of {model}: --price '{model}=IN,OUT' tells it"
    for role, number in found.too_long.items():
        yield (
            f"{number:,} prompts of {role} are longer than its window: the rules decide what "
            "follows, and it may be the end of the episode"
        )
    for problem, number in found.unfilled.items():
        yield f"{number:,} prompts cannot be filled: {problem}"


def _unpriced(told: Told) -> list[str]:
    called = {told.models[role.role] for role in told.found.whole.roles}
    return sorted(model for model in called if told.prices[model] is None)


def as_document(told: Told) -> dict[str, Any]:
    """The whole of it as JSON values."""
    found = told.found
    return {
        "run": told.run,
        "protocol": told.protocol,
        "cases": told.cases,
        "text_tokens": told.text_tokens,
        "models": told.models,
        "tokenizers": told.tokenizers,
        "unpriced": _unpriced(told),
        "conditions": [_part(told, part) for part in found.conditions],
        "all": _part(told, found.whole),
        "too_long": found.too_long,
        "unfilled": found.unfilled,
    }


def _part(told: Told, part: Part) -> dict[str, Any]:
    return {
        "condition": part.condition,
        "episodes": part.episodes,
        "rehearsed": part.rehearsed,
        "roles": {x.role: _numbers(part, x, _spent(told, [x])) for x in part.roles},
        "total": _numbers(part, part.total, _spent(told, part.roles)),
    }


def _numbers(part: Part, load: RoleLoad, spent: Spent) -> dict[str, Any]:
    dollars = (spent.shortest, spent.longest) if spent.is_known else (None, None)
    told = {
        way: {
            **msgspec.to_builtins(of_way),
            "calls_per_episode": of_way.calls / part.episodes,
            "tokens_per_episode": _tokens(of_way) / part.episodes,
            "usd": usd,
        }
        for way, of_way, usd in zip(
            ("shortest", "longest"), (load.shortest, load.longest), dollars, strict=True
        )
    }
    return {**told, "calls_at_most": load.most, "usd_is_whole": spent.is_whole}
