"""Which episode is meant: an id, the beginning of one, a number, or its cell in the sweep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eristic.debate.errors import NameRefused, nearest

if TYPE_CHECKING:
    from eristic.replay import EpisodeRow

__all__ = ["FORMS", "find_episode"]

FORMS = (
    "an id or the beginning of one, a number as listed (7 or '#7'), or CASE/CONDITION/REPETITION"
)


def find_episode(rows: Sequence[EpisodeRow], address: str, *, run: str) -> EpisodeRow:
    """The one episode that the address means.

    Raises NameRefused when there is none, with the nearest, or when several begin like it.
    """
    for found in (_by_id(rows, address), _by_number(rows, address), _by_cell(rows, address)):
        if found is not None:
            return found
    begun = [row for row in rows if address and row.episode.startswith(address)]
    if len(begun) == 1:
        return begun[0]
    if begun:
        names = ", ".join(row.episode for row in begun[:5])
        more = f" and {len(begun) - 5} more" if len(begun) > 5 else ""
        raise NameRefused(f"several episodes of run {run} begin with {address!r}: {names}{more}")
    raise NameRefused(_missing(rows, address, run))


def _by_id(rows: Sequence[EpisodeRow], address: str) -> EpisodeRow | None:
    return next((row for row in rows if row.episode == address), None)


def _by_number(rows: Sequence[EpisodeRow], address: str) -> EpisodeRow | None:
    digits = address.removeprefix("#")
    # Ids begin with a letter, so a bare number is never the beginning of one.
    if not (digits.isascii() and digits.isdigit()):
        return None
    return next((row for row in rows if str(row.number) == digits.lstrip("0")), None)


def _by_cell(rows: Sequence[EpisodeRow], address: str) -> EpisodeRow | None:
    found = [row for row in rows if _cell(row) == address]
    if len(found) > 1:
        # An imported run holds a cell once for each model that took part.
        ids = ", ".join(f"{row.episode} ({', '.join(row.models)})" for row in found)
        raise NameRefused(f"{address} is several episodes of this run: {ids}; give one of the ids")
    return found[0] if found else None


def _cell(row: EpisodeRow) -> str:
    return f"{row.case_id}/{row.condition}/{row.repetition}"


def _missing(rows: Sequence[EpisodeRow], address: str, run: str) -> str:
    if not rows:
        return f"run {run} has no episode yet"
    if address.removeprefix("#").isdigit():
        hint = f" It has {len(rows)}, numbered from 1."
    else:
        names = [row.episode for row in rows] + [_cell(row) for row in rows]
        hint = nearest(address, names) if len(rows) <= 1000 else ""
        # The whole list of a large run would hide the message.
        hint = hint if hint.startswith(" Did you") else ""
    return (
        f"run {run} has no episode {address!r}; give {FORMS}.{hint} `eristic show {run}` lists all"
    )
