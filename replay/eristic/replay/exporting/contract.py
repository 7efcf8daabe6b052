"""What an exporter is: a function that brings a place up to date with a log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

import msgspec

from eristic.debate.errors import SpecRefused
from eristic.ports import EpisodeLog

__all__ = ["Episodes", "ExportOptions", "Exported", "Exporter", "refuse_hiding"]

Episodes = Literal["closed", "all"]
"""closed leaves out episodes that are still open, all takes what there is up to now."""


class ExportOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What every exporter is told."""

    episodes: Episodes = "closed"
    without_texts: bool = False
    """Say how long a text is in its place. Refused by forms that hold the log itself."""
    software: str = ""
    """Who exports, for forms that note it."""
    on_progress: Callable[[int], None] | None = None
    """Hears how many events were read."""


def refuse_hiding(options: ExportOptions, form: str) -> None:
    """Raises SpecRefused where texts are to be left out of a form that cannot do without them."""
    if options.without_texts:
        raise SpecRefused(
            f"--without-texts: {form} holds the texts themselves, so it cannot leave them out; "
            "export --to csv can"
        )


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """What an export did."""

    run: str
    place: str
    added: int
    """Events, or rows of a table, that were added (count)."""
    held: int
    """Events or rows that are there now (count)."""
    waiting: int
    """Episodes with events that were left out because they are open (count)."""
    bytes: int
    """Size of the files that were written."""
    is_closed: bool = False
    """All of the run is there: its closing event, too."""
    head: str = ""
    """Digest of the run's last own event among what is there; empty for forms without digests."""


class Exporter(Protocol):
    """An entry point of the group `eristic.exporters`. Its first docstring line describes it."""

    async def __call__(
        self, log: EpisodeLog, run: str, place: str, options: ExportOptions
    ) -> Exported:
        """Bring `place` up to date: run again, it adds only what is new.

        Raises SpecRefused for a place that cannot be used, LogError for a log that does not hold
        or contradicts what is there.
        """
        ...
