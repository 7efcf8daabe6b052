"""How a protocol reports: it collects what it needs of each event, and makes numbers of it.

A machine with a method `reporter()` has a report; nothing else has to be registered. The method
imports its metrics itself, so that a machine can be loaded without the extra `stats`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from eristic.debate import Envelope
from eristic.debate.errors import SpecRefused

if TYPE_CHECKING:
    from eristic.protocols.reports.judged import Judged
    from eristic.protocols.reports.measures import Report, Settings
    from eristic.protocols.reports.references import Reference

__all__ = ["Collector", "Reporter", "find_reporter"]


class Collector(Protocol):
    """Takes the events of one run, in an order that keeps each episode's own."""

    def take(self, envelope: Envelope, stored: bytes) -> None:
        """One more event. Never raises."""
        ...

    def report(self, settings: Settings, reference: Reference) -> Report:
        """The numbers of all that was taken. Raises SpecRefused for a choice it does not know."""
        ...


class Reporter(Protocol):
    """The report of one protocol."""

    @property
    def reference(self) -> str:
        """Name of the file of published numbers in the protocol's folder; empty for none."""
        ...

    def collect(self, judged: Judged) -> Collector:
        """A fresh collector. judged: what judges said of the run, empty when none did."""
        ...


@runtime_checkable
class _Reporting(Protocol):
    def reporter(self) -> Reporter: ...


def find_reporter(machine: object, name: str) -> Reporter:
    """The report of a protocol. Raises SpecRefused when it has none, ExtraMissing without stats."""
    if not isinstance(machine, _Reporting):
        raise SpecRefused(
            f"protocol {name!r} has no report; `eristic show` lists its episodes and outcomes"
        )
    return machine.reporter()
