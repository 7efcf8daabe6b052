"""Prove a run: every event in its place, every decision computed again, every prompt rebuilt.

Calls no model and writes nothing. The chain shows what was changed by somebody who left the later
digests alone; deciding and rendering again shows what was changed by somebody who did not. What
follows from nothing in the log, only the head can vouch for: keep it elsewhere and give it with
--head.

exit codes:
  0  whole
  3  not damaged, but unfinished
  4  damaged, or decided otherwise by this version ("redecided" with --json)
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eristic.cli.archive_checks import ArchiveCheck
    from eristic.cli.rendering import Screen
    from eristic.ports import EpisodeLog
    from eristic.replay import Finding, Verification
    from eristic.replay.descents import ReadSource
    from eristic.replay.judge_verification import JudgeVerification, JudgeVerifier

__all__ = ["add_arguments", "command", "verify_log"]

_FINDINGS_SHOWN = 20
_ALIKE_SHOWN = 3
"""Of findings that say the same of different places."""
_EXIT_UNFINISHED = 3
_EXIT_DAMAGED = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `eristic verify`."""
    from eristic.cli import places

    parser.add_argument("run", metavar="RUN", help=places.RUN_HELP)
    parser.add_argument(
        "--head", metavar="SHA", help="the run must end with this digest (64 hex digits)"
    )
    parser.add_argument(
        "--against", metavar="ARCHIVE", help="this archive must agree with the run, event by event"
    )
    places.add_arguments(parser)


def command(args: argparse.Namespace) -> int:
    """Run `eristic verify`; returns the exit code."""
    return asyncio.run(_command(args))


async def _command(args: argparse.Namespace) -> int:
    from eristic.cli.archive_checks import check_archive, judgements_beside
    from eristic.cli.lineages import chain_reader
    from eristic.cli.places import open_source

    head = _head(args.head)
    async with open_source(args, args.run) as source:
        archive = await check_archive(source, args.against)
        if archive.is_broken:
            return archive.tell_broken(source.run, as_json=args.json)
        async with judgements_beside(source) as judged:
            return await verify_log(
                source.log,
                source.run,
                head=head,
                as_json=args.json,
                judgements=judged,
                archive=archive,
                read_source=chain_reader(source.place),
            )


def _head(given: str | None) -> str | None:
    if given is None:
        return None
    head = given.strip().lower()
    if not re.fullmatch(r"[0-9a-f]{64}", head):
        from eristic.debate.errors import SpecRefused

        raise SpecRefused(
            f"--head {given!r} is no digest; give all 64 hex digits that `eristic run` or "
            "`eristic verify` printed"
        )
    return head


async def verify_log(
    log: EpisodeLog,
    run: str,
    *,
    head: str | None,
    as_json: bool,
    judgements: EpisodeLog | None = None,
    archive: ArchiveCheck | None = None,
    read_source: ReadSource | None = None,
) -> int:
    """Verify the run that this log holds and print what was found; returns the exit code.

    read_source: finds the chains that forked episodes come from; None when there are none.

    judgements: what judges said of it, verified as well; None when none ever did.
    archive: what was found about the files of an archive, and against one.
    """
    import msgspec

    from eristic.cli.rendering import open_screen, print_json
    from eristic.protocols import find_protocol
    from eristic.replay import verify

    judges = await _read_judges(judgements, run)
    if judges is not None:
        log = judges.watch(log)
    found = await verify(
        log,
        run,
        machine_for=find_protocol,
        head=head,
        on_progress=_progress(quiet=as_json),
        read_source=read_source,
    )
    if sys.stderr.isatty() and not as_json:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    judged = judges.close() if judges is not None else None
    if archive is not None:
        found = archive.joined(found)
    code = _EXIT_DAMAGED if judged is not None and judged.found else _exit_code(found)
    if as_json:
        also = {} if judged is None else {"judges": msgspec.to_builtins(judged)}
        also |= archive.document if archive is not None else {}
        print_json({"state": _state(found), **msgspec.to_builtins(found), **also})
    else:
        screen = open_screen()
        _print(screen, found, _exit_code(found), was_compared=head is not None)
        if judged is not None:
            _print_judges(screen, judged)
        if archive is not None:
            archive.print(screen)
    return code


async def _read_judges(judgements: EpisodeLog | None, run: str) -> JudgeVerifier | None:
    if judgements is None:
        return None
    from eristic.replay.judge_verification import JudgeVerifier

    verifier = JudgeVerifier(run)
    async for chain, stored in judgements.records():
        verifier.take(chain, stored)
    return verifier


def _print_judges(screen: Screen, judged: JudgeVerification) -> None:
    for finding in judged.findings[:_FINDINGS_SHOWN]:
        _print_finding(screen, finding)
    text = (
        f"{judged.judgements:,} judgements of {judged.chains:,} judges ({judged.unscored:,} "
        "unscored), every link holds and every judged turn is in the log"
    )
    if judged.found:
        text = f"{judged.found:,} findings in the judgements; the run itself is not touched by them"
    screen.block(text, indent=12, label="judges")
    for chain, head in judged.heads.items():
        screen.block(f"{chain} {head}", indent=12)


def _exit_code(found: Verification) -> int:
    if found.found:
        return _EXIT_DAMAGED
    return _EXIT_UNFINISHED if found.unfinished else 0


def _state(found: Verification) -> str:
    """whole, unfinished, damaged, or redecided: then this version decides otherwise, no more."""
    if found.found:
        return "redecided" if _is_redecided_only(found.findings) else "damaged"
    return "unfinished" if found.unfinished else "whole"


def _is_redecided_only(findings: Sequence[Finding]) -> bool:
    return all(finding.kind == "redecided" for finding in findings)


def _progress(*, quiet: bool) -> Callable[[int], None] | None:
    """How many events were read so far; how many there are is not known before the end."""
    if quiet or not sys.stderr.isatty():
        return None

    def show(events: int) -> None:
        print(f"\r{events:,} events checked", end="", file=sys.stderr, flush=True)

    return show


def _print(screen: Screen, found: Verification, code: int, *, was_compared: bool) -> None:
    from eristic.cli.rendering import Span
    from eristic.cli.verify_counts import counts_of

    _print_findings(screen, found)
    style = {0: "bold green", _EXIT_UNFINISHED: "bold yellow", _EXIT_DAMAGED: "bold red"}[code]
    screen.line(Span(_sentence(found), style))
    for label, text in counts_of(found):
        screen.block(text, indent=12, label=label)
    _print_head(screen, found, was_compared=was_compared)


def _print_findings(screen: Screen, found: Verification) -> None:
    """The first few of every sort in full: a rule that changed finds the same in each episode."""
    sorts: dict[tuple[str, str], list[Finding]] = {}
    for finding in found.findings:
        sorts.setdefault((finding.kind, finding.what), []).append(finding)
    shown = told = 0
    for alike in sorts.values():
        room = min(_ALIKE_SHOWN, _FINDINGS_SHOWN - shown)
        if room <= 0:
            break
        for finding in alike[:room]:
            _print_finding(screen, finding)
        if len(alike) > room:
            screen.line(f"and {len(alike) - room:,} more like it (see --json)")
            screen.line()
        shown += min(room, len(alike))
        told += len(alike)
    if found.found > told:
        kept = len(found.findings)
        screen.line(f"and {found.found - told:,} more findings; --json tells the first {kept:,}")
        screen.line()


def _sentence(found: Verification) -> str:
    state = _state(found)
    if not found.found:
        return f"run {found.run} is {state}"
    count = f"{found.found:,} finding{'' if found.found == 1 else 's'}"
    if state == "damaged":
        return f"run {found.run} is damaged: {count}"
    kept = len(found.findings)
    seen = f" (the first {kept:,} of them are)" if found.found > kept else ""
    return f"run {found.run} was decided otherwise than this version decides: {count}{seen}"


def _print_finding(screen: Screen, finding: Finding) -> None:
    from eristic.cli.rendering import Span

    place = "" if finding.position < 0 else f"@{finding.position}"
    event = f"  {finding.event}" if finding.event else ""
    screen.line(Span(finding.kind, "bold red"), Span(f"  {finding.episode}{place}", "bold"), event)
    screen.block(finding.what, indent=12)
    facts = {
        "expected": finding.expected,
        "in the log": finding.actual,
        "written by": finding.written_by,
        "read by": finding.read_by,
        "what to do": finding.advice,
    }
    for label, text in facts.items():
        if text:
            screen.block(text, indent=12, label=label)
    screen.line()


def _print_head(screen: Screen, found: Verification, *, was_compared: bool) -> None:
    if not found.is_closed:
        text = "none yet: the run is not closed, and an end that was cut off looks the same"
    elif was_compared and not found.found:
        text = f"{found.head}, as given: nothing was changed since that was noted"
    elif found.found:
        text = f"{found.head or 'none'}, worth nothing while there are findings"
    else:
        text = (
            f"{found.head} stands for the whole run: note it outside of this log, and "
            f"`eristic verify {found.run} --head {found.head[:8]}...` finds any later change"
        )
    screen.block(text, indent=12, label="head")
