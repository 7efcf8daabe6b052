"""What is written after `--judge`, as seats: judges with their models, prompts and chains."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from eristic.debate.errors import NameRefused, SpecRefused, nearest

if TYPE_CHECKING:
    from eristic.judging import Price
    from eristic.replay.judges import Seat

__all__ = ["DEFAULT_RUBRIC", "choose_judges", "confirm", "price_seats"]

DEFAULT_RUBRIC = "llm-stance"
"""The rubric of a judge of which nothing but a model is named."""

_HUMAN = "human:"
_OF_A_MODEL = "/:?"
"""Signs that stand in a model before any `=`, and in no judge's name."""


def choose_judges(texts: Sequence[str], *, values: Sequence[str] = ()) -> tuple[Seat, ...]:
    """The seats that these texts name, each once.

    A text is the name of a rule judge, MODEL, RUBRIC=MODEL, or human:NAME. values: scale of the
    human labels; empty for the stances. Raises SpecRefused, NameRefused.
    """
    seats: dict[str, Seat] = {}
    for text in texts:
        seat = _choose(text.strip(), values)
        if seat.chain in seats:
            raise SpecRefused(
                f"--judge {seat.name} is given twice; --samples N asks one judge several times"
            )
        seats[seat.chain] = seat
    return tuple(seats.values())


def _choose(text: str, values: Sequence[str]) -> Seat:
    from eristic.cli.software import software
    from eristic.judging import STANCES
    from eristic.replay.judges import find_judge, judge_names, seat, seat_human

    if text.startswith(_HUMAN):
        name = text.removeprefix(_HUMAN).strip()
        if not name or not name.isprintable():
            raise SpecRefused("--judge human:NAME needs the annotator's name")
        return seat_human(name, software=software(), values=tuple(values) or STANCES)
    names = judge_names()
    if text in names:
        return seat(find_judge(text), software=software(), name=text)
    rubric, equals, model = text.partition("=")
    if equals and rubric not in names and not any(sign in rubric for sign in _OF_A_MODEL):
        # Else a rubric that is misspelt would be a model that nobody has.
        raise NameRefused(f"--judge {text[:80]!r}: no judge {rubric!r}.{nearest(rubric, names)}")
    if not equals or rubric not in names:
        rubric, model = DEFAULT_RUBRIC, text
        if not _names_model(text):
            hint = nearest(text, [*names, "local"])
            raise NameRefused(
                f"--judge {text[:80]!r} is no judge and no model: write a judge, provider/model, "
                f"RUBRIC=provider/model or human:NAME.{hint}"
            )
    from eristic.sweeps.bindings import bind

    try:
        binding = bind(model)
    except SpecRefused as error:
        raise SpecRefused(f"--judge {rubric}: {error}") from error
    shown = binding.model if rubric == DEFAULT_RUBRIC else f"{rubric}={binding.model}"
    return seat(find_judge(rubric), software=software(), name=shown, binding=binding)


def _names_model(text: str) -> bool:
    return text.partition("?")[0] == "local" or "/" in text or ":" in text


def price_seats(args: argparse.Namespace, seats: Sequence[Seat]) -> dict[str, Price]:
    """Chain -> price of every seat whose model has a known one.

    Raises SpecRefused when a limit is set and a price is unknown: a limit nobody can keep.
    """
    if not args.price and not any(seat.opened.binding for seat in seats):
        return {}
    from eristic.agents.models.prices import parse_price, price_of

    given = dict(parse_price(text) for text in args.price)
    asked = {seat.chain: seat.opened.binding.model for seat in seats if seat.opened.binding}
    for model in given:
        if model not in asked.values():
            raise SpecRefused(f"--price {model}: no judge has this model")
    prices = {}
    for chain, model in asked.items():
        price = given.get(model) or price_of(model)
        if price is not None:
            prices[chain] = price
        elif args.max_usd is not None:
            raise SpecRefused(
                f"--max-usd cannot be kept: the price of {model} is not known. Give it with "
                f"--price '{model}=IN,OUT' in dollars for a million tokens, or leave out --max-usd"
            )
    return prices


def confirm(args: argparse.Namespace, question: str) -> bool:
    """Ask a person whether to spend; without a terminal --yes must have been given.

    Raises SpecRefused when nobody can be asked.
    """
    if args.yes:
        return True
    if args.json or not sys.stdin.isatty():
        raise SpecRefused(f"{question}: add --yes to spend it; nobody can be asked here")
    print(f"{question} - go on? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
