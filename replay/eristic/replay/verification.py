"""Is this run what was written, and does it follow from itself? One pass over its log.

Two layers. The chain audit finds what was removed, changed, doubled or moved by somebody who
could not, or did not, compute the later digests anew. The walk finds what was changed by somebody
who did: readings, decisions and prompts follow from the rest of the log and are computed again.
What follows from nothing (a latency, the last text of an episode that nobody reads) only a head
that was kept elsewhere can vouch for.

Of an imported episode nobody recorded calls or prompts. Its importer tells it once more from the
raw texts and the facts in its header, and that must give the same events.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from eristic.debate import (
    EpisodeClosed,
    EpisodeOpened,
    Event,
    ImportCompleted,
    RunClosed,
    RunOpened,
    TurnSpoken,
)
from eristic.debate.errors import NameRefused
from eristic.debate.ids import RUN_CHAIN
from eristic.journal import Audit, Ledger
from eristic.ports import EpisodeLog
from eristic.protocols import Machine
from eristic.replay.descents import Descents, ReadSource
from eristic.replay.findings import ADVICE, Fault, Finding, Verification, damage, name_event
from eristic.replay.headers import RunHeader
from eristic.replay.importing import Importer, find_layout
from eristic.replay.plan_checks import against_plan
from eristic.replay.retellings import Retelling
from eristic.replay.walks import Walk

__all__ = ["FINDINGS_KEPT", "Verifier", "verify"]

FINDINGS_KEPT = 1000
"""Findings that are told in full; all are counted."""

_BREATH_EVENTS = 256

MachineFor = Callable[[str], Machine[Any]]
ImporterFor = Callable[[str], Importer]


class Verifier:
    """Takes the records of one run in log order. Keeps state for open episodes only.

    machine_for: finds a protocol by name; NameRefused makes its episodes a finding.
    importer_for: finds an importer by layout, likewise.
    """

    def __init__(
        self, run: str, *, machine_for: MachineFor, importer_for: ImporterFor = find_layout
    ) -> None:
        self._run = run
        self._machine_for = machine_for
        self._importer_for = importer_for
        self._ledger = Ledger(run)
        self._positions: dict[str, int] = {}
        self._walks: dict[str, Walk | Retelling] = {}
        self._descents = Descents()
        self._given_up: set[str] = set()
        self._header: RunHeader | None = None
        self._is_closed = False
        self._imported = 0
        self._read_by = f"eristic {version('eristic')}"
        self._odd_chains: list[tuple[str, int, str, str, str]] = []
        self._findings: list[Finding] = []
        self._found = 0
        self._counts = {"turns": 0, "rebuilt": 0, "not_recorded": 0, "refuted": 0, "not_walked": 0}
        self._outcomes: dict[str, int] = {}

    def take(self, episode: str, stored: bytes) -> None:
        """Check one record."""
        event = self._ledger.take(episode, stored)
        position = self._positions.get(episode, 0)
        self._positions[episode] = position + 1
        if event is None:
            # The audit has said why; what follows in this chain rests on bytes nobody vouches for.
            self._give_up(episode)
        elif episode == RUN_CHAIN:
            self._take_run_event(event)
        else:
            self._count(event)
            self._take_event(episode, position, event)
            self._take_descent(episode, position, stored, event)

    def _take_run_event(self, event: Event) -> None:
        if isinstance(event, RunOpened):
            self._header = RunHeader(event)
        elif isinstance(event, RunClosed):
            self._is_closed = True
        elif isinstance(event, ImportCompleted):
            self._imported += len(event.heads)
            if event.episodes != self._imported:
                self._report_import(event)

    def _report_import(self, event: ImportCompleted) -> None:
        what = "an import counts other episodes than the imports up to it brought"
        self._odd_chains.append((RUN_CHAIN, -1, what, str(self._imported), str(event.episodes)))

    def _count(self, event: Event) -> None:
        if isinstance(event, TurnSpoken):
            self._counts["turns"] += 1
        elif isinstance(event, EpisodeClosed):
            name = event.outcome or "failed"
            self._outcomes[name] = self._outcomes.get(name, 0) + 1

    def _take_event(self, episode: str, position: int, event: Event) -> None:
        if episode in self._given_up:
            self._counts["not_walked"] += 1
            return
        walk = self._walks.get(episode)
        if walk is None:
            if isinstance(event, EpisodeOpened):
                self._begin(episode, event)
            return
        try:
            faults = walk.take(event)
        except Exception as error:
            # A log is untrusted: what makes a machine fail is a finding, not the end of reading.
            faults = [_unwalkable(error)]
        if walk.proof is not None:
            self._counts[walk.proof] += 1
        for fault in faults:
            self._report(fault, episode, position, event, walk.opened)
        if any(fault.is_fatal for fault in faults):
            self._give_up(episode)
        elif isinstance(event, EpisodeClosed):
            del self._walks[episode]

    def _take_descent(self, episode: str, position: int, stored: bytes, event: Event) -> None:
        opened = event if isinstance(event, EpisodeOpened) else None
        fault = self._descents.take(episode, stored, opened)
        if fault is not None:
            self._odd_chains.append((episode, position, fault.what, fault.expected, fault.actual))

    async def compare_sources(self, read: ReadSource) -> None:
        """Hold branches against the runs that they come from."""
        self._odd_chains += await self._descents.compare(read)

    def _begin(self, episode: str, opened: EpisodeOpened) -> None:
        header = self._header
        if header is None:
            fault = Fault(kind="damaged", what="stands in the log before run.opened", is_fatal=True)
            self._report(fault, episode, 0, opened, opened)
            self._give_up(episode)
            return
        for fault in header.faults(episode, opened):
            self._report(fault, episode, 0, opened, opened)
        walk: Walk | Retelling
        try:
            machine = self._machine_for(opened.protocol)
            if opened.imported is None:
                walk = Walk(machine, opened, header.templates(opened))
            else:
                importer = self._importer_for(opened.imported.layout)
                walk = Retelling(machine, opened, importer, episode=episode)
        except NameRefused as error:
            self._refuse(episode, opened, Fault(kind="damaged", what=str(error)))
        except Exception as error:
            self._refuse(episode, opened, _unwalkable(error))
        else:
            self._walks[episode] = walk
            if opened.protocol_version > machine.version:
                fault = Fault(
                    kind="redecided",
                    what="written by a later version of its protocol, which may decide otherwise",
                    expected=f"{machine.name} {machine.version} or earlier",
                    actual=f"{opened.protocol} {opened.protocol_version}",
                )
                self._report(fault, episode, 0, opened, opened)

    def _refuse(self, episode: str, opened: EpisodeOpened, fault: Fault) -> None:
        self._report(fault, episode, 0, opened, opened)
        self._give_up(episode)

    def _give_up(self, episode: str) -> None:
        self._walks.pop(episode, None)
        self._given_up.add(episode)

    def _report(
        self, fault: Fault, episode: str, position: int, event: Event, opened: EpisodeOpened
    ) -> None:
        self._found += 1
        if len(self._findings) >= FINDINGS_KEPT:
            return
        self._findings.append(
            Finding(
                kind=fault.kind,
                episode=episode,
                position=position,
                event=name_event(event),
                what=fault.what,
                expected=fault.expected,
                actual=fault.actual,
                written_by=f"{opened.software}, {opened.protocol} {opened.protocol_version}",
                read_by=f"{self._read_by}, {self._protocol_here(opened.protocol)}",
                advice=ADVICE[fault.kind],
            )
        )

    def _protocol_here(self, name: str) -> str:
        try:
            return f"{name} {self._machine_for(name).version}"
        except NameRefused:
            return f"no {name}"

    def close(self, *, head: str | None = None) -> Verification:
        """What the whole reading gave. head: the digest that the run must end with."""
        audit = self._ledger.close()
        facts = [
            *((x.episode, x.position, x.what, "", "") for x in audit.findings),
            *self._odd_chains,
            *against_plan(self._header, audit, self._positions, is_closed=self._is_closed),
        ]
        if head is not None and head != audit.head:
            facts.append((RUN_CHAIN, -1, "the run's head is another", head, audit.head))
        findings = [damage(*fact) for fact in facts] + self._findings
        return Verification(
            run=self._run,
            events=audit.events,
            episodes=audit.episodes,
            turns=self._counts["turns"],
            prompts_rebuilt=self._counts["rebuilt"],
            prompts_not_recorded=self._counts["not_recorded"],
            prompts_refuted=self._counts["refuted"],
            not_walked=self._counts["not_walked"],
            outcomes=dict(sorted(self._outcomes.items())),
            findings=tuple(findings[:FINDINGS_KEPT]),
            found=self._found + len(facts),
            shared=self._descents.shared,
            unfinished=audit.unfinished,
            is_closed=self._is_closed or self._is_imported_whole(audit),
            head=audit.head,
        )

    def _is_imported_whole(self, audit: Audit) -> bool:
        return self._imported > 0 and RUN_CHAIN not in audit.unfinished


def _unwalkable(error: Exception) -> Fault:
    what = f"the protocol cannot go on from here: {type(error).__name__}: {error}"
    return Fault(kind="damaged", what=what[:400], is_fatal=True)


async def verify(
    log: EpisodeLog,
    run: str,
    *,
    machine_for: MachineFor,
    importer_for: ImporterFor = find_layout,
    head: str | None = None,
    on_progress: Callable[[int], None] | None = None,
    read_source: ReadSource | None = None,
) -> Verification:
    """Read the whole run once and say what does not hold.

    read_source: finds the chains that branches come from; without it none is compared.
    head: the digest that the run must end with, kept elsewhere. on_progress: hears how many
    events were read. Raises LogMissing, BusError as the log does.
    """
    verifier = Verifier(run, machine_for=machine_for, importer_for=importer_for)
    events = 0
    async for episode, stored in log.records():
        verifier.take(episode, stored)
        events += 1
        if events % _BREATH_EVENTS == 0:
            # Checking is pure work: let the connection answer its pings in between.
            await asyncio.sleep(0)
            if on_progress is not None:
                on_progress(events)
    if on_progress is not None:
        on_progress(events)
    await verifier.compare_sources(read_source or _nothing)
    return verifier.close(head=head)


async def _nothing(run: str, episode: str) -> None:
    """No source is in reach."""
