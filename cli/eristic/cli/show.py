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
        return await show_log(source.log, argparse.Namespace(**{**vars(args), "run": source.run}))


async def show_log(log: EpisodeLog, args: argparse.Namespace) -> int:
    """Print what was asked for about the run that this log holds.

    args: run, episode, at, limit, checks, json. Raises NameRefused for an episode that is not
    there, LogError for a log that cannot be read.
    """
    if args.episode is None:
        if args.at is not None:
            from eristic.debate.errors import SpecRefused

            raise SpecRefused("--at needs an EPISODE: a turn is a turn of one episode")
        _print_list(await summary(log, args.run), args)
    else:
        _print_transcript(await _transcript(log, args), args)
    return 0


async def summary(log: EpisodeLog, run: str) -> RunSummary:
    """The whole run, read once and summed up."""
    from eristic.debate.envelopes import decode
    from eristic.replay.summaries import Summarizer

    summarizer = Summarizer(run)
    async for _, stored in log.records():
        summarizer.take(decode(stored))
    return summarizer.close()


async def _transcript(log: EpisodeLog, args: argparse.Namespace) -> Transcript:
    from eristic.cli.episodes import find_episode
    from eristic.journal import read_chain
    from eristic.replay.transcripts import transcribe

    episode = args.episode
    # A whole id needs no search through the run.
    stored = await log.read(episode) if _ID.fullmatch(episode) else []
    if not stored:
        rows = (await summary(log, args.run)).rows
        episode = find_episode(rows, episode, run=args.run).episode
        stored = await log.read(episode)
    envelopes, _ = read_chain(stored, run=args.run, episode=episode)
    _check_turn(args.at, envelopes, episode)
    return transcribe(envelopes, run=args.run, episode=episode, at=args.at)


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
