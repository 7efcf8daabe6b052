"""The stream of a run's judgements, opened as the judge: the one user who may write there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from eristic.debate.errors import LogMissing

if TYPE_CHECKING:
    from eristic.bus import JetStreamLog
    from eristic.cli.places import Place

__all__ = ["open_judgements"]


@asynccontextmanager
async def open_judgements(
    place: Place, run: str, *, create: bool
) -> AsyncIterator[JetStreamLog | None]:
    """The judgements of a run that exists; None when there are none yet and none are made.

    create: make the stream when it is missing. Raises BusError, LogError.
    """
    from eristic.bus import connect, create_stream, open_log

    if create:
        await create_stream(place.settings("admin"), run, "judge")
    link = await connect(place.settings("judge" if create else "reader"))
    try:
        try:
            log = await open_log(link, run, "judge")
        except LogMissing:
            yield None
            return
        try:
            yield log
        finally:
            log.close()
    finally:
        await link.close()
