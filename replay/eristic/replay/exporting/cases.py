"""The cases that a run built, as a case file that another run reads."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from eristic.debate import Case, EpisodeClosed, EpisodeOpened, Event
from eristic.debate.envelopes import decode
from eristic.debate.errors import SpecRefused
from eristic.debate.ids import RUN_CHAIN
from eristic.ports import EpisodeLog
from eristic.protocols import find_protocol
from eristic.replay.exporting.contract import Exported, ExportOptions, refuse_hiding
from eristic.replay.exporting.files import local_file

__all__ = ["Building", "export"]

_BREATH_EVENTS = 512


@runtime_checkable
class Building(Protocol):
    """A protocol whose episodes make cases."""

    def built_case(self, opened: EpisodeOpened, events: list[Event]) -> Case | None:
        """The case that an episode made. events: all after the header. None: it made none."""
        ...


class _Chain:
    __slots__ = ("events", "is_closed", "opened")

    def __init__(self, opened: EpisodeOpened) -> None:
        self.opened = opened
        self.events: list[Event] = []
        self.is_closed = False


async def export(log: EpisodeLog, run: str, place: str, options: ExportOptions) -> Exported:
    """One case a line, of every closed episode that made one: `--cases FILE` reads them.

    The file is written anew as a whole, in the order of the log, and appears whole. An episode
    that is open has no case, whatever the options say. Without any case no file is written.
    Raises SpecRefused for a run of a protocol that builds no cases.
    """
    refuse_hiding(options, "cases")
    path = local_file(place)
    chains: dict[str, _Chain] = {}
    events = 0
    async for name, stored in log.records():
        if name != RUN_CHAIN:
            _take(chains, name, decode(stored).body)
        events += 1
        if events % _BREATH_EVENTS == 0 and options.on_progress is not None:
            options.on_progress(events)
    cases = _cases(chains, run)
    before = await asyncio.to_thread(_lines, path)
    lines = [_line(case) for case in cases]
    if lines:
        await asyncio.to_thread(_write, path, lines)
    return Exported(
        run=run,
        place=place,
        added=len(set(lines) - before),
        held=len(lines),
        waiting=sum(not chain.is_closed for chain in chains.values()),
        bytes=path.stat().st_size if lines else 0,
    )


def _take(chains: dict[str, _Chain], name: str, event: Event) -> None:
    if isinstance(event, EpisodeOpened):
        _builder(event)
        chains[name] = _Chain(event)
    elif name in chains:
        chains[name].events.append(event)
        chains[name].is_closed = isinstance(event, EpisodeClosed)


def _builder(opened: EpisodeOpened) -> Building:
    machine: Any = find_protocol(opened.protocol)
    if not isinstance(machine, Building):
        raise SpecRefused(
            f"{opened.protocol} builds no cases; export a run of a protocol that does "
            "(lofa-build, scr-build), or this run --to jsonl"
        )
    return machine


def _cases(chains: dict[str, _Chain], run: str) -> list[Case]:
    found: dict[str, Case] = {}
    for chain in chains.values():
        if not chain.is_closed:
            continue
        built = _builder(chain.opened).built_case(chain.opened, chain.events)
        if built is None:
            continue
        if built.case_id in found:
            raise SpecRefused(
                f"run {run} built case {built.case_id!r} twice, as branches of one run do; export "
                "the runs one by one"
            )
        found[built.case_id] = built
    return list(found.values())


def _line(case: Case) -> str:
    fields = {"case_id": case.case_id, "block": case.block, **case.texts, **case.data}
    return json.dumps(fields, ensure_ascii=False)


def _lines(path: Path) -> set[str]:
    """Cases that are there already."""
    return set(path.read_text(encoding="utf-8").split("\n")) if path.exists() else set()


def _write(path: Path, lines: list[str]) -> None:
    written = path.with_name(f"{path.name}.part")
    try:
        with written.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{line}\n" for line in lines)
            file.flush()
            os.fsync(file.fileno())
        written.replace(path)
    finally:
        written.unlink(missing_ok=True)
