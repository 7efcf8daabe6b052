"""What an import found and did, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from eristic.cli.rendering import Screen, Span, open_screen, print_json

if TYPE_CHECKING:
    from eristic.replay.importing import ImportReport

__all__ = ["print_report"]

_FILES_SHOWN = 20


def print_report(report: ImportReport, *, where: str, as_json: bool) -> None:
    """The report of one import; as JSON one document with all of it."""
    if as_json:
        document = {"is_complete": report.is_complete, **msgspec.to_builtins(report)}
        print_json({"where": where, **document})
        return
    screen = open_screen()
    _print_counts(screen, report)
    _print_files(screen, "conflicting", [(x.path, x.reason) for x in report.conflicts])
    _print_files(screen, "unreadable", [(x.path, x.reason) for x in report.unreadable])
    _print_cells(screen, report)
    _print_opinions(screen, report)
    _print_anomalies(screen, report)
    screen.block(
        f"{report.head} vouches for all {report.episodes:,} episodes imported so far; "
        f"`eristic verify {report.run}` proves them, `eristic show {report.run}` lists them",
        indent=12,
        label="head",
    )


def _print_counts(screen: Screen, report: ImportReport) -> None:
    style = "bold green" if report.is_complete else "bold yellow"
    screen.line(
        Span(f"run {report.run}: {report.added:,} episodes added", style),
        f", {report.already_there:,} already there, {len(report.conflicts):,} conflicting, "
        f"{len(report.unreadable):,} unreadable",
    )
    passed = ", ".join(
        f"{count:,} {name.replace('_', ' ')}" for name, count in report.passed_over.items() if count
    )
    helpers = report.helpers
    facts = {
        "layout": report.layout,
        "turns": f"{report.turns:,}, of them {helpers.messages:,} by helpers, "
        f"{helpers.read:,} of these read",
        "labels": f"{helpers.label_spellings:,} spellings, {helpers.label_spellings_lowered:,} in "
        f"lower case, {helpers.labels:,} by their usual names",
        "passed over": passed or "nothing",
    }
    for label, text in facts.items():
        screen.block(text, indent=12, label=label)
    screen.line()


def _print_files(screen: Screen, kind: str, files: Sequence[tuple[str, str]]) -> None:
    for path, reason in files[:_FILES_SHOWN]:
        screen.line(Span(kind, "bold red"), f"  {path}")
        screen.block(reason, indent=12)
    if len(files) > _FILES_SHOWN:
        screen.line(f"and {len(files) - _FILES_SHOWN:,} more; --json tells all")
    if files:
        screen.line()


def _print_cells(screen: Screen, report: ImportReport) -> None:
    outcomes = sorted({name for cell in report.cells for name in cell.outcomes})
    names = ("debater", "iteration", "condition", "episodes", *outcomes)
    rows = [
        [
            cell.model,
            str(cell.repetition),
            cell.condition,
            f"{cell.episodes:,}",
            *(f"{cell.outcomes.get(name, 0):,}" for name in outcomes),
        ]
        for cell in report.cells
    ]
    screen.table(names, rows, right=("iteration", "episodes", *outcomes))
    screen.line()


def _print_opinions(screen: Screen, report: ImportReport) -> None:
    if not report.opinion_change:
        return
    rows = [
        [
            row.model,
            f"{row.convinced:,}",
            f"{row.disagreed:,}",
            f"{100 * row.convinced / row.disagreed:.1f} %",
        ]
        for row in report.opinion_change
    ]
    screen.table(
        ("opinion change", "convinced", "of", "rate"), rows, right=("convinced", "of", "rate")
    )
    screen.line(Span("of: episodes recorded with more than two rounds", "dim"))
    screen.line()


def _print_anomalies(screen: Screen, report: ImportReport) -> None:
    there = [row for row in report.anomalies if row.files]
    rows = [
        [
            row.name,
            f"{row.files:,}",
            "-" if row.messages is None else f"{row.messages:,}",
            row.what,
        ]
        for row in there
    ]
    if rows:
        screen.table(
            ("kept as it is", "files", "messages", "what"), rows, right=("files", "messages")
        )
    absent = len(report.anomalies) - len(there)
    screen.line(Span(f"looked for and not there: {absent} more kinds; --json names them", "dim"))
    screen.line()
