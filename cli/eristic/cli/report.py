"""Compute a run's metrics: value, interval, n, exclusions with causes, beside published numbers.

  eristic report RUN
  eristic report RUN --judge stance-words --csv tables
  eristic report published --choose initial_rule=first_check --resamples 10000 --json

Reads the log, or its archive, and the judgements of the run; no model is called, nothing is
written but --csv. The numbers are those of the run's protocol. Shares and published percents are
both shown as percent; --json has shares as fractions and says the unit of every number. The same
log, seed and resamples give the same numbers on any machine, in any order of reading. Needs the
extra `stats`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eristic.ports import EpisodeLog
    from eristic.protocols.reports import Collector, Judged, Reference, Report, Settings

__all__ = ["add_arguments", "command", "make_report", "report_log"]

_PLAIN_ROOM = 120
"""Columns of a table when the output is no terminal."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `eristic report`."""
    from eristic.cli import places

    parser.add_argument("run", metavar="RUN", help=places.RUN_HELP)
    parser.add_argument("--csv", metavar="DIR", help="also write one tidy table there: RUN.csv")
    parser.add_argument(
        "--resamples", type=_count, default=1000, metavar="N", help="of the bootstrap (1000)"
    )
    parser.add_argument("--seed", type=_seed, default=1, metavar="N", help="of the bootstrap (1)")
    parser.add_argument(
        "--choose",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a choice that the protocol's report offers, e.g. initial_rule=first_check for "
        "logicom; an unknown name lists them; repeatable",
    )
    parser.add_argument(
        "--judge",
        action="append",
        default=[],
        metavar="JUDGE",
        help="only this judge of the run; repeatable (default: all that judged it)",
    )
    places.add_arguments(parser)


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _seed(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError("must be 0 or more")
    return number


def command(args: argparse.Namespace) -> int:
    """Run `eristic report`; returns the exit code."""
    import eristic.protocols.reports as _needed_first  # refuses at the door without the extra

    del _needed_first
    try:
        import uvloop
    except ImportError:
        return asyncio.run(_command(args))
    return uvloop.run(_command(args))


async def _command(args: argparse.Namespace) -> int:
    from eristic.cli.archive_checks import judgements_beside
    from eristic.cli.places import open_source

    # Takes a second, and is needed when the log has been read.
    warm = asyncio.create_task(asyncio.to_thread(_load_tests))
    try:
        async with open_source(args, args.run) as source, judgements_beside(source) as judged:
            return await report_log(source.log, source.run, args, judgements=judged)
    finally:
        await warm


def _load_tests() -> None:
    with contextlib.suppress(ImportError):
        import scipy.stats as _

        del _


async def report_log(
    log: EpisodeLog, run: str, args: argparse.Namespace, *, judgements: EpisodeLog | None = None
) -> int:
    """Print the report of the run that this log holds; returns the exit code.

    args: resamples, seed, choose, judge, csv, json. judgements: None when no judge ever
    looked at the run. Raises SpecRefused for a protocol without a report, NameRefused for a judge
    that is not there, LogError for a log that cannot be read.
    """
    from eristic.cli.report_files import to_document, write_csv
    from eristic.cli.report_tables import print_report
    from eristic.protocols.reports import Settings

    settings = Settings(resamples=args.resamples, seed=args.seed, choices=_choices(args.choose))
    found = await make_report(log, run, settings, judgements=judgements, judges=args.judge)
    written = write_csv(found, args.csv, run) if args.csv else None
    if args.json:
        from eristic.cli.rendering import print_json

        print_json(to_document(found, run))
        return 0
    from eristic.cli.rendering import open_screen

    screen = open_screen()
    room = screen.width if sys.stdout.isatty() else _PLAIN_ROOM
    print_report(screen, found, run, room=room)
    if written is not None:
        screen.line(f"table   {written}")
    return 0


def _choices(texts: Sequence[str]) -> dict[str, str]:
    from eristic.debate.errors import SpecRefused

    choices: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or name in choices:
            raise SpecRefused(f"--choose takes NAME=VALUE, each name once; not {text[:80]!r}")
        choices[name] = value
    return choices


async def make_report(
    log: EpisodeLog,
    run: str,
    settings: Settings,
    *,
    judgements: EpisodeLog | None = None,
    judges: Sequence[str] = (),
) -> Report:
    """The report of the run that this log holds; raises as `report_log` does."""
    judged = (await _judged(judgements)).only(judges)
    collector, reference = await _collect(log, run, judged)
    return collector.report(settings, reference)


async def _judged(judgements: EpisodeLog | None) -> Judged:
    from eristic.debate.envelopes import decode
    from eristic.protocols.reports import Judged, read_judged

    if judgements is None:
        return Judged()
    return read_judged([decode(stored) async for _, stored in judgements.records()])


async def _collect(log: EpisodeLog, run: str, judged: Judged) -> tuple[Collector, Reference]:
    """One pass over the log. What comes before the first episode waits until one says which
    protocol it is."""
    from eristic.debate import Envelope, EpisodeOpened
    from eristic.debate.envelopes import decode
    from eristic.debate.errors import SpecRefused

    collector: Collector | None = None
    reference: Reference | None = None
    waiting: list[tuple[Envelope, bytes]] = []
    async for _, stored in log.records():
        envelope = decode(stored)
        if collector is not None:
            collector.take(envelope, stored)
            continue
        waiting.append((envelope, stored))
        if isinstance(envelope.body, EpisodeOpened):
            collector, reference = _reporter(envelope.body.protocol, judged)
            for early in waiting:
                collector.take(*early)
    if collector is None or reference is None:
        raise SpecRefused(f"run {run} has no episode yet, so there is nothing to report")
    return collector, reference


def _reporter(protocol: str, judged: Judged) -> tuple[Collector, Reference]:
    from eristic.protocols import find_protocol
    from eristic.protocols.reports import Reference, find_reporter, parse_reference

    machine = find_protocol(protocol)
    reporter = find_reporter(machine, protocol)
    reference = Reference()
    if reporter.reference:
        text = _text_beside(machine, reporter.reference)
        reference = parse_reference(text, protocol=protocol)
    return reporter.collect(judged), reference


def _text_beside(machine: object, name: str) -> str:
    """A file in the protocol's folder. Raises SpecRefused when it cannot be read."""
    from importlib.resources import files

    from eristic.debate.errors import SpecRefused

    module = sys.modules[type(machine).__module__]
    package = module.__name__ if hasattr(module, "__path__") else module.__package__
    try:
        return (files(package or module.__name__) / name).read_text(encoding="utf-8")
    except OSError as error:
        raise SpecRefused(f"reference file {name} cannot be read: {error.strerror}") from error
