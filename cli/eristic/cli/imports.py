"""Bring published debates into a run, to show, verify and judge them like our own.

  eristic import logicom LOGICOM-folder --run published
  eristic import logicom debates.zip claims/all-claim-not-claim.csv --run published

SOURCE is what was downloaded or any part of it: a folder, a .zip or a .tar(.gz), one file. Nothing
is unpacked to disk. The same source again adds nothing, a grown one what is new. A file that
differs from what the run holds is told and changes nothing.

exit codes:
  0  every debate of the source is in the run
  9  some files could not be imported; the rest is in the run
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eristic.cli.places import Place
    from eristic.replay.importing import Importer, ImportReport, Source
    from eristic.replay.importing.writing import Items

__all__ = ["add_arguments", "command"]

_EXIT_PARTLY = 9


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `eristic import`."""
    from eristic.cli import places

    parser.add_argument("importer", metavar="LAYOUT", help="whose layout: logicom")
    parser.add_argument(
        "sources", metavar="SOURCE", nargs="+", help="folder, archive or file; several are one"
    )
    parser.add_argument("--run", metavar="NAME", help="name of the run (default: the layout's)")
    places.add_arguments(parser)


def command(args: argparse.Namespace) -> int:
    """Look at the source first, then open the place."""
    from eristic.cli.software import software
    from eristic.debate.ids import check_run_name
    from eristic.replay.importing import find_importer, open_source

    importer = find_importer(args.importer)
    run = check_run_name(args.run or importer.layout.split(".")[0])
    source = open_source(*(Path(path) for path in args.sources))
    items = _begun(importer.read(source, software=software()), importer)
    work = _import(args, run, importer, source, items)
    try:
        import uvloop
    except ImportError:
        return asyncio.run(work)
    return uvloop.run(work)


def _begun(items: Items, importer: Importer) -> Items:
    """The same items, read up to the first episode. Raises SpecRefused when there is none."""
    from eristic.debate.errors import SpecRefused
    from eristic.replay.importing import ImportedEpisode, Unreadable

    begun: list[ImportedEpisode | Unreadable] = []
    for item in items:
        begun.append(item)
        if isinstance(item, ImportedEpisode):
            return itertools.chain(begun, items)
    told = [f"{x.path}: {x.reason}" for x in begun[:5] if isinstance(x, Unreadable)]
    why = f"; {len(begun)} files cannot be read:\n  " + "\n  ".join(told) if told else ""
    raise SpecRefused(
        f"the source holds no debate of layout {importer.layout} (expected {importer.expects}; "
        f"an archive inside an archive is not opened){why}"
    )


async def _import(
    args: argparse.Namespace, run: str, importer: Importer, source: Source, items: Items
) -> int:
    from eristic.cli.import_reports import print_report
    from eristic.cli.places import open_place

    async with open_place(args) as place:
        report = await _write(place, run, importer, source, items, _progress(quiet=args.json))
        where = place.described
    if not args.json and sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    print_report(report, where=where, as_json=args.json)
    return 0 if report.is_complete else _EXIT_PARTLY


async def _write(
    place: Place,
    run: str,
    importer: Importer,
    source: Source,
    items: Items,
    on_progress: Callable[[int], None] | None,
) -> ImportReport:
    from eristic.bus import connect, create_stream, open_log
    from eristic.cli.software import software, versions
    from eristic.debate import RunOpened
    from eristic.ports import SystemClock
    from eristic.replay.importing import import_spec, write_import

    await create_stream(place.settings("admin"), run)
    link = await connect(place.settings("director"))
    try:
        log = await open_log(link, run)
        try:
            return await write_import(
                log,
                run,
                importer=importer,
                source=source,
                items=items,
                opened=RunOpened(
                    spec=import_spec(importer),
                    prompts={},
                    episodes=0,
                    software=software(),
                    versions=versions(),
                    durability=place.durability,
                ),
                clock=SystemClock(),
                on_progress=on_progress,
            )
        finally:
            log.close()
    finally:
        await link.close()


def _progress(*, quiet: bool) -> Callable[[int], None] | None:
    if quiet or not sys.stderr.isatty():
        return None

    def show(files: int) -> None:
        if files % 50 == 0:
            print(f"\r{files:,} files read", end="", file=sys.stderr, flush=True)

    return show
