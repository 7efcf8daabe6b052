"""What a report is made of: measures in rows, rows in sections. The same for every protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from eristic.protocols.reports.references import Audit, Published
from eristic.stats import Interval, Tally, Undefined

__all__ = ["UNITS", "Measure", "Report", "Row", "Section", "Settings"]

UNITS: Mapping[str, str] = {
    "fraction": "a share from 0 to 1; tables show it as percent",
    "difference": "first share minus second share; tables show it as percentage points",
    "points": "a deviation of shares; tables show it as percentage points",
    "relative": "first over second, minus 1; tables show it as percent",
    "score": "points of the protocol's own scale",
    "count": "whole things",
    "rounds": "rounds of a debate",
    "words": "words of one utterance, mean",
    "calls": "model calls",
    "tokens": "tokens as billed",
    "seconds": "seconds",
    "p": "p value",
    "number": "a number without unit",
}
"""Units of our own values. A published number keeps the unit it was published in."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How intervals are made, and the choices that a protocol's report offers."""

    resamples: int = 1000
    seed: int = 1
    level: float = 0.95
    choices: Mapping[str, str] = {}
    """Name -> value; a protocol refuses names that it does not know."""


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """One number, and all that a reader needs to judge it."""

    metric: str
    keys: dict[str, str]
    """What it is about: debater, scenario, repetition, ..."""
    value: float | Undefined
    unit: str
    """One of UNITS."""
    tally: Tally | None = None
    """The denominator; None for a number that is computed from others."""
    interval: Interval | Undefined | None = None
    """None: this kind of number has none."""
    seed: int | None = None
    resamples: int | None = None
    resamples_undefined: int | None = None
    rule: str = ""
    """How the interval was made."""
    published: tuple[Published, ...] = ()
    note: str = ""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """Measures about one thing."""

    keys: dict[str, str]
    main: Measure | None = None
    """The one that is shown with interval, n, exclusions and published number."""
    beside: dict[str, Measure] = {}
    """Column -> further measure."""
    is_minor: bool = False
    """Left out of tables for people; programs get it."""

    def measures(self) -> tuple[Measure, ...]:
        """All of them, the main one first."""
        return (*((self.main,) if self.main is not None else ()), *self.beside.values())


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to one question."""

    id: str
    title: str
    about: str
    """In a sentence: numerator, denominator, rule."""
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    audits: tuple[Audit, ...] = ()
    """Contradictions in the published numbers that stand here."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All numbers of one run."""

    protocol: str
    header: tuple[tuple[str, str], ...]
    """What ran: name and text."""
    sections: tuple[Section, ...]
    settings: Settings
    source: str
    """Where the published numbers come from."""
    rules: dict[str, str] = {}
    """Rule -> id or wording, of what decides a number."""

    def measures(self) -> tuple[Measure, ...]:
        """Every measure, section by section."""
        rows: Sequence[Row] = [row for section in self.sections for row in section.rows]
        return tuple(measure for row in rows for measure in row.measures())
