"""What is said about the lines of a case file that are no cases."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eristic.cli.productions import Production

__all__ = ["say_rejected"]


def say_rejected(production: Production) -> None:
    """On stderr, so that it is seen beside JSON too: the first ten with what is wrong."""
    from eristic.sweeps import listing

    rejected = production.cases.rejected
    if rejected:
        lines = f"{len(rejected):,} line{'s' * (len(rejected) != 1)}"
        source = production.experiment.cases.source
        text = f"rejected {lines} of {source}, the rest is used:\n{listing(rejected)}"
        print(text, file=sys.stderr, flush=True)
