"""Options of the verbs that play: where the actors live and how many episodes play at once."""

from __future__ import annotations

import argparse

__all__ = ["add_host_arguments", "count"]


def add_host_arguments(parser: argparse.ArgumentParser) -> None:
    """`--host` and `--parallel`."""
    parser.add_argument(
        "--host",
        choices=("ray", "inline"),
        default="ray",
        help="ray: every role its own actor (default); inline: all in one process, starts faster",
    )
    parser.add_argument(
        "--parallel", type=count, default=32, metavar="N", help="episodes side by side (32)"
    )


def count(text: str) -> int:
    """A number of at least 1, as argparse reads it."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number
