"""What the words of a `fork` command ask for; nothing is read from a log here."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NamedTuple

import msgspec

from eristic.agents.models.prices import parse_price
from eristic.debate import Setting
from eristic.debate.errors import SpecRefused
from eristic.debate.ids import check_run_name
from eristic.judging import Price
from eristic.replay.branching import Changes
from eristic.sweeps import parse_override, parse_roles

__all__ = ["ALL", "END", "Address", "ForkWords", "read_words"]

ALL = "all"
"""The address that means every episode."""
END = -1
"""The turn that is written `end`: all that comes before the close."""
_SETTING = (str, int, float, bool)


class Address(NamedTuple):
    """An episode as it was written, and the last turn that is kept of it."""

    episode: str
    turn: int


class ForkWords(msgspec.Struct, frozen=True, kw_only=True):
    """A `fork` command, checked as far as that needs no log."""

    addresses: tuple[Address, ...]
    changes: Changes
    copies: int
    outcomes: tuple[str, ...]
    """Only episodes that ended so; empty: all."""
    sample: int | None
    """So many of those that go on, drawn by the seed (count)."""
    run: str | None
    prices: dict[str, Price]


def read_words(args: argparse.Namespace) -> ForkWords:
    """Raises SpecRefused, NameRefused for what cannot be meant."""
    written = [*args.at, *(_lines(args.episodes) if args.episodes else ())]
    if not written:
        if args.condition is None:
            raise SpecRefused("name what is forked: EPISODE@TURN, or all@TURN for every episode")
        written = [f"{ALL}@end"]
    return ForkWords(
        addresses=tuple(dict.fromkeys(map(_address, written))),
        outcomes=tuple(args.outcome),
        sample=args.sample,
        changes=Changes(
            condition=args.condition or "",
            roles=parse_roles(args.role),
            options=_options(args.overrides),
            seed=args.seed,
            copies=args.repeat,
        ),
        copies=args.repeat,
        run=None if args.run is None else check_run_name(args.run),
        prices=dict(parse_price(text) for text in args.price),
    )


def _address(text: str) -> Address:
    episode, at, turn = text.strip().rpartition("@")
    if at and episode and turn == "end":
        return Address(episode, END)
    if not at or not episode or not (turn.isascii() and turn.isdigit()) or len(turn) > 9:
        raise SpecRefused(
            f"{text[:80]!r} is not EPISODE@TURN: write e.g. 3@12, e1f2a3b4c5d6@0 or all@4, where "
            "TURN is the number of the last turn that is kept, or `end` for all before the close"
        )
    return Address(episode, int(turn))


def _lines(name: str) -> list[str]:
    try:
        text = Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SpecRefused(f"--episodes {name} cannot be read: {error}") from error
    lines = (line.partition("#")[0] if line.startswith("#") else line for line in text.splitlines())
    return [line for line in lines if line.strip()]


def _options(texts: list[str]) -> dict[str, Setting]:
    options: dict[str, Setting] = {}
    for text in texts:
        override = parse_override(text)
        scope, _, name = override.key.partition(".")
        if scope != "options" or not name:
            raise SpecRefused(
                f"-o {override.key}: only options can be otherwise in a fork, e.g. "
                "-o options.round_limit=5; roles are named with --role"
            )
        if name in options:
            raise SpecRefused(f"-o {override.key}: given twice; keep one of them")
        value = override.value
        if not isinstance(value, _SETTING):
            raise SpecRefused(f"-o {override.key}: takes a text, a number, true or false")
        options[name] = value
    return options
