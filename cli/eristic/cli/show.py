"""Show the episodes of a run, or one of them as a transcript, at any turn.

Reads the log and nothing else: no model is called, nothing is written, a running run is not
disturbed. Without EPISODE: the list of episodes and how many ended how.

EPISODE is an id or the beginning of one, a number of the list (7 or '#7'), or
CASE/CONDITION/REPETITION.
"""

from __future__ import annotations

import argparse
import asyncio
import re
from typing import TYPE_CHECKING

from eristic.cli.hosting import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eristic.debate import Envelope
    from eristic.ports import EpisodeLog
    from eristic.replay import RunSummary, Transcript
    from eristic.replay.archive import ParquetLog

__all__ = ["add_arguments", "command", "show_log"]

_ID = re.compile(r"e[0-9a-f]{12}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `eristic show`."""
    from eristic.cli import places

    parser.add_argument("run", metavar="RUN", help=places.RUN_HELP)
    parser.add_argument("episode", metavar="EPISODE", nargs="?", help="see above; omit to list")
    parser.add_argument(
        "--at", metavar="TURN", type=_turn, help="show nothing that happened after this turn"
    )
    parser.add_argument(
        "--limit", metavar="N", type=count, help="at most so many episodes, or events of one"
    )
    parser.add_argument(
        "--checks",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="the moderator's checks among the turns (default: yes)",
    )
    places.add_arguments(parser)


def _turn(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError("turns count from 0")
    return number


def command(args: argparse.Namespace) -> int:
    """Run `eristic show`; returns the exit code."""
    return asyncio.run(_command(args))


async def _command(args: argparse.Namespace) -> int:
    from eristic.cli.places import open_source

    async with open_source(args, args.run) as source:
        named = argparse.Namespace(**{**vars(args), "run": source.run})
        return await show_log(source.log, named, archive=source.archive)


async def show_log(
    log: EpisodeLog, args: argparse.Namespace, *, archive: ParquetLog | None = None
) -> int:
    """Print what was asked for about the run that this log holds.

    args: run, episode, at, limit, checks, json. archive: the log, when it is one. Raises
    NameRefused for an episode that is not there, LogError for a log that cannot be read.
    """
    if args.episode is None:
        if args.at is not None:
            from eristic.debate.errors import SpecRefused

            raise SpecRefused("--at needs an EPISODE: a turn is a turn of one episode")
        _print_list(await summary(log, args.run), args)
    else:
        _print_transcript(await _transcript(log, args, archive), args)
    return 0


async def summary(log: EpisodeLog, run: str) -> RunSummary:
    """The whole run, read once and summed up."""
    from eristic.debate.envelopes import decode
    from eristic.replay.summaries import Summarizer

    summarizer = Summarizer(run)
    async for _, stored in log.records():
        summarizer.take(decode(stored))
    return summarizer.close()


async def _transcript(
    log: EpisodeLog, args: argparse.Namespace, archive: ParquetLog | None
) -> Transcript:
    from eristic.cli.episodes import find_episode
    from eristic.journal import read_chain
    from eristic.replay.transcripts import transcribe

    episode = args.episode
    # A whole id needs no search through the run.
    stored = await log.read(episode) if _ID.fullmatch(episode) else []
    if not stored:
        found = None if archive is None else _find_in_archive(archive, episode)
        if found is None:
            rows = (await summary(log, args.run)).rows
            found = find_episode(rows, episode, run=args.run).episode
        episode, stored = found, await log.read(found)
    envelopes, _ = read_chain(stored, run=args.run, episode=episode)
    _check_turn(args.at, envelopes, episode)
    return transcribe(envelopes, run=args.run, episode=episode, at=args.at)


def _find_in_archive(archive: ParquetLog, address: str) -> str | None:
    """The one episode that the address means; None when there is none or several: `find_episode`
    says why, and reads the whole run for that."""
    from eristic.replay.archive.openings import episodes_begun, episodes_of_cell

    digits = address.removeprefix("#")
    if "/" in address:
        found = episodes_of_cell(archive, address)
    elif digits.isascii() and digits.isdigit():
        found = [
            name
            for number, name in enumerate(episodes_begun(archive), start=1)
            if str(number) == digits.lstrip("0")
        ]
    else:
        found = [name for name in episodes_begun(archive) if address and name.startswith(address)]
    return found[0] if len(found) == 1 else None


def _check_turn(at: int | None, envelopes: Sequence[Envelope], episode: str) -> None:
    turns = [turn for x in envelopes if isinstance(turn := getattr(x.body, "turn", None), int)]
    if at is not None and at > (last := max(turns, default=0)):
        from eristic.debate.errors import NameRefused

        raise NameRefused(f"episode {episode} has turns 0 to {last} so far; --at {at} is none")


def _print_list(found: RunSummary, args: argparse.Namespace) -> None:
    import msgspec

    from eristic.cli.listings import print_episodes
    from eristic.cli.rendering import open_screen, print_json

    if args.json:
        shown = msgspec.structs.replace(found, rows=found.rows[: args.limit])
        print_json(msgspec.to_builtins(shown))
        return
    print_episodes(open_screen(), found, limit=args.limit)


def _print_transcript(found: Transcript, args: argparse.Namespace) -> None:
    import msgspec

    from eristic.cli.rendering import open_screen, print_json
    from eristic.cli.transcripts import print_transcript

    entries = tuple(x for x in found.entries if args.checks or x.kind != "check")
    shown = msgspec.structs.replace(found, entries=entries[: args.limit])
    if args.json:
        print_json(msgspec.to_builtins(shown))
        return
    print_transcript(open_screen(), shown, left_out=len(entries) - len(shown.entries))
