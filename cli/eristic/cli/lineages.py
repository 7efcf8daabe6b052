"""The chains that forked episodes come from, where their runs are kept in the same place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eristic.cli.places import Place
    from eristic.replay.descents import ReadSource

__all__ = ["chain_reader"]


def chain_reader(place: Place | None) -> ReadSource | None:
    """Reads a chain of any run of this place; None for an archive, beside which nothing is."""
    if place is None:
        return None
    known: dict[str, bool] = {}

    async def read(run: str, episode: str) -> Sequence[bytes] | None:
        if not known:
            known.update(dict.fromkeys(await place.runs(), True))
        if run not in known:
            return None
        async with place.log(run) as log:
            return await log.read(episode)

    return read
