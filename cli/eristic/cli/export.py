"""Write a run to another place or form; run again, it adds only what is new.

parquet: an archive in a folder or at a URL (s3://...). Every verb reads it in place of the run,
  and each file is read back and held against the log before it counts.
jsonl: a file with one stored event a line, byte for byte.
csv: a file with one turn a row, for spreadsheets.
cases: a file of the cases that lofa-build or scr-build made, for `eristic run --cases`.

Credentials of an object store come from the environment: AWS_ACCESS_KEY_ID,
AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT_URL.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eristic.replay.exporting import Exported

__all__ = ["add_arguments", "command"]

_LABEL = 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `eristic export`."""
    from eristic.cli import places

    parser.add_argument("run", metavar="RUN", help=places.RUN_HELP)
    parser.add_argument("place", metavar="PLACE", help="folder, URL or file to write to")
    parser.add_argument(
        "--to", metavar="FORM", default="parquet", help="parquet (default), jsonl, csv, cases"
    )
    parser.add_argument(
        "--episodes",
        choices=("closed", "all"),
        default="closed",
        help="closed: leave out what is still open (default); all: take what there is up to now",
    )
    parser.add_argument(
        "--without-texts",
        action="store_true",
        help="csv: the length of every text in its place, for data that should not spread",
    )
    places.add_arguments(parser)


def command(args: argparse.Namespace) -> int:
    """Run `eristic export`; returns the exit code."""
    return asyncio.run(_command(args))


async def _command(args: argparse.Namespace) -> int:
    import msgspec

    from eristic.cli.places import open_source
    from eristic.cli.rendering import print_json
    from eristic.cli.software import software
    from eristic.replay.exporting import ExportOptions, find_exporter

    export = find_exporter(args.to)
    options = ExportOptions(
        episodes=args.episodes,
        without_texts=args.without_texts,
        software=software(),
        on_progress=_progress(quiet=args.json),
    )
    async with open_source(args, args.run) as source:
        done = await export(source.log, source.run, args.place, options)
    if options.on_progress is not None:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    if args.json:
        print_json({"form": args.to, **msgspec.to_builtins(done)})
    else:
        _print(done, args.to)
    return 0


def _progress(*, quiet: bool) -> Callable[[int], None] | None:
    if quiet or not sys.stderr.isatty():
        return None

    def show(events: int) -> None:
        print(f"\r{events:,} events read", end="", file=sys.stderr, flush=True)

    return show


def _print(done: Exported, form: str) -> None:
    from eristic.cli.rendering import Span, open_screen

    screen = open_screen()
    unit = {"csv": "turns", "cases": "cases"}.get(form, "events")
    news = f"{done.added:,} {unit} added" if done.added else "nothing new"
    screen.line(Span(f"run {done.run}: {news}", "bold green"))
    facts = {
        "place": done.place,
        "holds": f"{done.held:,} {unit}",
        "written": f"{done.bytes / 1e6:,.2f} MB" if done.added else "",
        "left out": f"{done.waiting:,} open episodes; run this again, or with --episodes all"
        if done.waiting
        else "",
    }
    if done.head:
        is_whole = "the whole run is there" if done.is_closed else "the run is not closed"
        facts["head"] = f"{done.head} ({is_whole})"
    if form == "parquet":
        facts["read it"] = f"eristic show {done.place}; eristic verify {done.place}"
    for label, text in facts.items():
        if text:
            screen.block(text, indent=_LABEL, label=label)
