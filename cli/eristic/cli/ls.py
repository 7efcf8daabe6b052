"""List the runs: protocol, how many episodes are closed, open or failed, and how they ended.

Runs are found where --home, --nats or the environment says; see `eristic --help`.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from eristic.ports import EpisodeLog
    from eristic.replay.archive import ParquetLog

__all__ = ["RunRow", "add_arguments", "command", "describe_run", "print_runs"]


class RunRow(msgspec.Struct, frozen=True, kw_only=True):
    """One run in short."""

    run: str
    protocol: str = ""
    state: str = "unreadable"
    """closed, imported (whole, and may grow), open, or unreadable: then `error` says why."""
    started: datetime | None = None
    planned: int = 0
    """Episodes (count), as are the next three; those not begun are in none of the three."""
    closed: int = 0
    failed: int = 0
    open: int = 0
    outcomes: dict[str, int] = {}
    events: int = 0
    software: str = ""
    spec: str = ""
    """The experiment in short."""
    error: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `eristic ls`."""
    from eristic.cli import places

    parser.add_argument(
        "--at", metavar="PLACE", help="the archives in this folder or at this URL instead"
    )
    places.add_arguments(parser)


def command(args: argparse.Namespace) -> int:
    """Run `eristic ls`; returns the exit code."""
    return asyncio.run(_command(args))


async def _command(args: argparse.Namespace) -> int:
    from eristic.cli.places import open_place

    rows = []
    if args.at is not None:
        for archive in await asyncio.to_thread(_archives, args.at):
            rows.append(await describe_run(archive, archive.run))
        print_runs(rows, as_json=args.json, where=args.at)
        return 0
    async with open_place(args) as place:
        for run in await place.runs():
            async with place.log(run) as log:
                rows.append(await describe_run(log, run))
        where = place.described
    print_runs(rows, as_json=args.json, where=where)
    return 0


def _archives(place: str) -> list[ParquetLog]:
    """The archive that lies there, or those in the folders right below."""
    from eristic.replay.archive import MANIFEST, open_archive, open_store

    store = open_store(place)
    if store.exists(MANIFEST):
        return [open_archive(place)]
    folders = [name for name in store.folders() if store.exists(f"{name}/{MANIFEST}")]
    return [open_archive(f"{place.rstrip('/')}/{name}") for name in folders]


async def describe_run(log: EpisodeLog, run: str) -> RunRow:
    """The run that this log holds. One that cannot be read is a row too, with its error."""
    from eristic.cli.show import summary
    from eristic.debate.errors import LogError

    try:
        found = await summary(log, run)
    except LogError as error:
        return RunRow(run=run, error=str(error))
    outcomes: dict[str, int] = {}
    for condition in found.conditions:
        for name, count in condition.outcomes.items():
            outcomes[name] = outcomes.get(name, 0) + count
    return RunRow(
        run=run,
        protocol=found.protocol,
        state="closed" if found.is_closed else "imported" if found.is_imported else "open",
        started=found.started,
        planned=found.planned,
        closed=found.count("closed"),
        failed=found.count("failed"),
        open=found.count("open"),
        outcomes=outcomes,
        events=found.events,
        software=found.software,
        spec=_in_short(found.spec),
    )


class _Bound(msgspec.Struct, frozen=True):
    model: str


class _ImportSpec(msgspec.Struct, frozen=True, tag_field="kind", tag="import"):
    layout: str


class _Source(msgspec.Struct, frozen=True):
    run: str


class _ForkSpec(msgspec.Struct, frozen=True, tag_field="kind", tag="fork"):
    source: _Source


class _Spec(msgspec.Struct, frozen=True):
    conditions: tuple[str, ...]
    repetitions: int | dict[str, int]
    roles: dict[str, _Bound]


def _in_short(spec: str) -> str:
    """`3 conditions x 2: openai/a, openai/b`; empty for a spec of another shape."""
    from eristic.sweeps import tell_repetitions

    with suppress(msgspec.DecodeError, UnicodeError, RecursionError):
        special = msgspec.json.decode(spec, type=_ImportSpec | _ForkSpec)
        if isinstance(special, _ForkSpec):
            return f"fork of {special.source.run}"
        return f"import of {special.layout}"
    try:
        read = msgspec.json.decode(spec, type=_Spec)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ""
    count = len(read.conditions)
    models = sorted({binding.model for binding in read.roles.values()})
    plural = "" if count == 1 else "s"
    times = tell_repetitions(read.repetitions)
    return f"{count} condition{plural} x {times}: {', '.join(models)}"


def print_runs(rows: Sequence[RunRow], *, as_json: bool, where: str = "") -> None:
    """One line a run; as JSON one document with all of them."""
    from eristic.cli.rendering import open_screen, print_json

    if as_json:
        print_json({"where": where, "runs": [msgspec.to_builtins(row) for row in rows]})
        return
    screen = open_screen()
    if not rows:
        screen.line(f"no runs in {where}; start one with `eristic run`")
        return
    names = ("run", "protocol", "state", "closed", "failed", "open", "events", "started", "ended")
    screen.table(
        (*names, "experiment"),
        [_cells(row) for row in rows if not row.error],
        right=("closed", "failed", "open", "events"),
        keep=("run",),
        spare=("started", "events", "experiment"),
    )
    for row in rows:
        if row.error:
            screen.block(f"{row.run}: {row.error}", style="red")


def _cells(row: RunRow) -> list[str]:
    ended = ", ".join(f"{name} {count}" for name, count in sorted(row.outcomes.items()))
    return [
        row.run,
        row.protocol,
        row.state,
        f"{row.closed}/{row.planned}",
        str(row.failed),
        str(row.open),
        f"{row.events:,}",
        row.started.strftime("%Y-%m-%d %H:%M") if row.started is not None else "-",
        ended or "-",
        row.spec or "-",
    ]
