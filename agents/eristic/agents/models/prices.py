"""What models cost, from the price map that comes inside litellm: a file, read without importing
litellm (which takes seconds) and without asking anybody."""

from __future__ import annotations

import functools
import importlib.util
from pathlib import Path

import msgspec

from eristic.debate.errors import SpecRefused
from eristic.judging import FREE, Price

__all__ = ["parse_price", "price_of"]

_FILE = "model_prices_and_context_window_backup.json"
_MILLION = 1_000_000
_FREE = ("local", "human")
_FREE_PREFIXES = ("script:", "script/")


class _Entry(msgspec.Struct, frozen=True):
    input_cost_per_token: float | None = None
    output_cost_per_token: float | None = None
    cache_read_input_token_cost: float | None = None


def price_of(model: str) -> Price | None:
    """The price of a model id; None when the map does not name it.

    Scripts, the model on this machine and people are free.
    """
    if model in _FREE or model.startswith(_FREE_PREFIXES):
        return FREE
    prices = _prices()
    for name in (model, model.partition("/")[2]):
        raw = prices.get(name) if name else None
        if raw is not None:
            return _price(raw)
    return None


def parse_price(text: str) -> tuple[str, Price]:
    """`MODEL=IN,OUT` in dollars for a million tokens, as given to `--price`. Raises SpecRefused."""
    model, _, numbers = text.rpartition("=")
    try:
        taken, made = (float(number) / _MILLION for number in numbers.split(","))
    except ValueError:
        taken = made = -1.0
    if not model or not 0 <= taken < 1 or not 0 <= made < 1:
        raise SpecRefused(
            "--price is written MODEL=IN,OUT in dollars for a million tokens, e.g. "
            "--price openai/my-model=0.5,1.5"
        )
    return model, Price(in_usd=taken, out_usd=made)


def _price(raw: msgspec.Raw) -> Price | None:
    try:
        entry = msgspec.json.decode(raw, type=_Entry)
    except msgspec.ValidationError:
        return None
    if entry.input_cost_per_token is None or entry.output_cost_per_token is None:
        return None
    return Price(
        in_usd=entry.input_cost_per_token,
        out_usd=entry.output_cost_per_token,
        cached_usd=entry.cache_read_input_token_cost,
    )


@functools.cache
def _prices() -> dict[str, msgspec.Raw]:
    """The whole map, entries undecoded; empty when litellm is not installed."""
    found = importlib.util.find_spec("litellm")
    if found is None or found.origin is None:
        return {}
    path = Path(found.origin).parent / _FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, msgspec.Raw])
    except (OSError, msgspec.DecodeError):
        return {}
