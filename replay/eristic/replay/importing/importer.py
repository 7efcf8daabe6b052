"""What an importer is: a source from elsewhere in, episodes as events out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, Protocol

import msgspec

from eristic.debate import EpisodeClosed, EpisodeOpened, Event, Import, TurnSpoken
from eristic.replay.importing.sources import Source

__all__ = ["Anomaly", "ImportedEpisode", "Importer", "Unreadable"]


class Anomaly(msgspec.Struct, frozen=True, kw_only=True):
    """Something odd that an importer looks for and keeps as it is."""

    name: str
    unit: Literal["file", "message"]
    """What it is a fact about, and so what is counted."""
    what: str
    """For a reader of the import's report."""


class ImportedEpisode(msgspec.Struct, frozen=True, kw_only=True):
    """One episode out of a source, ready to be stored."""

    episode: str
    events: tuple[Event, ...]
    """EpisodeOpened with `imported` set, turns, EpisodeClosed."""
    anomalies: dict[str, int]
    """Name -> how often in this episode (count, at least 1)."""

    @property
    def opened(self) -> EpisodeOpened:
        """The header."""
        first = self.events[0]
        assert isinstance(first, EpisodeOpened)
        return first

    @property
    def origin(self) -> Import:
        """Where it comes from."""
        origin = self.opened.imported
        assert origin is not None
        return origin

    @property
    def closed(self) -> EpisodeClosed:
        """How it ended."""
        last = self.events[-1]
        assert isinstance(last, EpisodeClosed)
        return last

    @property
    def spoken(self) -> tuple[TurnSpoken, ...]:
        """Its turns in order."""
        return tuple(event for event in self.events if isinstance(event, TurnSpoken))


class Unreadable(msgspec.Struct, frozen=True, kw_only=True):
    """A file that should hold an episode, and why none can be read out of it."""

    path: str
    reason: str


class Importer(Protocol):
    """Knows one published layout. Offered through the entry point group `eristic.importers`."""

    @property
    def name(self) -> str: ...
    @property
    def layout(self) -> str:
        """Name and version; raised when the same bytes would give other events."""
        ...

    @property
    def expects(self) -> str:
        """The layout in a line, for a person whose source holds nothing of it."""
        ...

    @property
    def anomalies(self) -> tuple[Anomaly, ...]: ...

    def read(self, source: Source, *, software: str) -> Iterator[ImportedEpisode | Unreadable]:
        """Every episode of a source. A file that cannot be read is told, and the rest goes on.

        Raises SpecRefused for an archive that must not be unpacked.
        """
        ...

    def episode_of(self, opened: EpisodeOpened) -> str:
        """The episode id that goes with a header."""
        ...

    def retell(self, opened: EpisodeOpened, spoken: Sequence[TurnSpoken]) -> tuple[Event, ...]:
        """The whole episode again, from the header's facts and the raw texts alone.

        What does not come out as it stands in the log was read by another version, or changed.
        """
        ...
