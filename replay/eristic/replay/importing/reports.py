"""What one import found and did, counted while it runs."""

from __future__ import annotations

from collections import Counter

import msgspec

from eristic.judging import normalise_label
from eristic.replay.importing.importer import Anomaly, ImportedEpisode, Importer, Unreadable

__all__ = [
    "AnomalyCount",
    "Cell",
    "Conflict",
    "Helpers",
    "ImportReport",
    "OpinionChange",
    "Tally",
]


class Conflict(msgspec.Struct, frozen=True, kw_only=True):
    """A file whose episode is there already, out of other bytes. The log keeps what it has."""

    path: str
    episode: str
    reason: str


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """The episodes of one model, condition and repetition that the source holds (counts)."""

    model: str
    condition: str
    repetition: int
    episodes: int
    outcomes: dict[str, int]


class AnomalyCount(msgspec.Struct, frozen=True, kw_only=True):
    """How often something odd is in the source."""

    name: str
    unit: str
    """file or message."""
    what: str
    files: int
    messages: int | None
    """None for a fact about a file."""


class Helpers(msgspec.Struct, frozen=True, kw_only=True):
    """What the helpers of the source wrote (counts)."""

    messages: int
    read: int
    label_spellings: int
    """Different labels as written."""
    label_spellings_lowered: int
    labels: int
    """Different labels by their usual names."""


class OpinionChange(msgspec.Struct, frozen=True, kw_only=True):
    """Of the debates of one debater model that began in disagreement, how many convinced it.

    A debate began in disagreement when it was recorded with more than two rounds. That is the
    publication's own counter, which is one too low in debates with an extra turn; counting the
    debater's turns instead adds a few debates.
    """

    model: str
    disagreed: int
    convinced: int


class ImportReport(msgspec.Struct, frozen=True, kw_only=True):
    """One import. What is counted is the source as it was read, stored already or not."""

    run: str
    importer: str
    layout: str
    source: str
    """SHA-256 over paths and digests of the files that were read."""
    added: int
    """Episodes (count), as are the next and the length of the two lists after it."""
    already_there: int
    conflicts: tuple[Conflict, ...]
    unreadable: tuple[Unreadable, ...]
    passed_over: dict[str, int]
    """Links and files of no interest (counts)."""
    turns: int
    episodes: int
    """In the run, all imports together."""
    cells: tuple[Cell, ...]
    opinion_change: tuple[OpinionChange, ...]
    helpers: Helpers
    anomalies: tuple[AnomalyCount, ...]
    head: str
    """Digest of the run chain's last event: vouches for all that was imported so far."""

    @property
    def is_complete(self) -> bool:
        """Every file that should hold an episode is in the run."""
        return not self.conflicts and not self.unreadable


class Tally:
    """Adds up the episodes of a source."""

    def __init__(self) -> None:
        self.turns = 0
        self._cells: dict[tuple[str, str, int], Counter[str]] = {}
        self._files: Counter[str] = Counter()
        self._messages: Counter[str] = Counter()
        self._labels: set[str] = set()
        self._helpers = [0, 0]
        self._opinions: dict[str, list[int]] = {}

    def take(self, found: ImportedEpisode) -> None:
        """One more episode."""
        opened, closed = found.opened, found.closed
        model = opened.cast["debater"].model if "debater" in opened.cast else ""
        cell = self._cells.setdefault((model, opened.condition, opened.repetition), Counter())
        cell[closed.outcome or "failed"] += 1
        self._files.update(found.anomalies.keys())
        self._messages.update(found.anomalies)
        for turn in found.spoken:
            self.turns += 1
            if turn.reading is not None and turn.role == "helper":
                self._helpers[0] += 1
                self._helpers[1] += turn.reading.status == "read"
                if "label" in turn.reading.parts:
                    self._labels.add(turn.reading.parts["label"])
        rounds = closed.facts.get("recorded_rounds")
        if isinstance(rounds, int) and rounds > 2:
            opinion = self._opinions.setdefault(model, [0, 0])
            opinion[0] += 1
            opinion[1] += closed.outcome == "convinced"

    def cells(self) -> tuple[Cell, ...]:
        """By model, repetition and condition."""
        ordered = sorted(self._cells.items(), key=lambda cell: (cell[0][0], cell[0][2], cell[0][1]))
        return tuple(
            Cell(
                model=model,
                condition=condition,
                repetition=repetition,
                episodes=outcomes.total(),
                outcomes=dict(sorted(outcomes.items())),
            )
            for (model, condition, repetition), outcomes in ordered
        )

    def anomalies(self, importer: Importer) -> tuple[AnomalyCount, ...]:
        """Every anomaly that the importer looks for, those that are not there too."""
        return tuple(self._counted(anomaly) for anomaly in importer.anomalies)

    def _counted(self, anomaly: Anomaly) -> AnomalyCount:
        messages = self._messages[anomaly.name] if anomaly.unit == "message" else None
        return AnomalyCount(
            name=anomaly.name,
            unit=anomaly.unit,
            what=anomaly.what,
            files=self._files[anomaly.name],
            messages=messages,
        )

    def helpers(self) -> Helpers:
        """Messages and labels."""
        return Helpers(
            messages=self._helpers[0],
            read=self._helpers[1],
            label_spellings=len(self._labels),
            label_spellings_lowered=len({label.lower() for label in self._labels}),
            labels=len({normalise_label(label) for label in self._labels}),
        )

    def opinion_change(self) -> tuple[OpinionChange, ...]:
        """One a debater model, sorted."""
        return tuple(
            OpinionChange(model=model, disagreed=disagreed, convinced=convinced)
            for model, (disagreed, convinced) in sorted(self._opinions.items())
        )
