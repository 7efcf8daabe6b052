"""The run that is forked: which episodes are meant, and where each is cut."""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import chain
from typing import NamedTuple

from eristic.cli.episodes import find_episode
from eristic.cli.fork_words import ALL, END, Address, ForkWords
from eristic.cli.places import Place, is_archive
from eristic.debate import EpisodeClosed, EpisodeOpened, RunOpened
from eristic.debate.envelopes import decode
from eristic.debate.errors import EristicError, LogDamaged, NameRefused, nearest
from eristic.debate.ids import RUN_CHAIN
from eristic.ports import EpisodeLog
from eristic.protocols import find_protocol
from eristic.replay import Summarizer
from eristic.replay.fork_points import ForkPoint, find_end_point, find_fork_point

__all__ = ["NOTHING_FOLLOWS", "NOT_DRAWN", "OTHER_OUTCOME", "ForkSource", "read_source"]

NOTHING_FOLLOWS = "end at that turn or before"
OTHER_OUTCOME = "ended otherwise than --outcome says"
NOT_DRAWN = "are not in the sample"
"""Why an episode is left out."""

Chains = Mapping[str, Sequence[bytes]]


class ForkSource(NamedTuple):
    """What is forked."""

    run: str
    opened: RunOpened
    points: tuple[ForkPoint, ...]
    outcomes: dict[str, str | None]
    """Episode -> how the original ended; None when it did not, or without an outcome."""
    left_out: dict[str, int]
    """Why -> episodes that are meant and not forked for that (count)."""


async def read_source(args: argparse.Namespace, place: Place, words: ForkWords) -> ForkSource:
    """Find the episodes and cut them. Raises NameRefused, LogError."""
    addresses = words.addresses
    async with _open(place, args.source) as (run, log):
        chains, names = await _read(log, run, addresses)
    opened = _run_opened(run, chains)
    _check_outcomes(run, chains, words.outcomes)
    points: list[ForkPoint] = []
    left_out: Counter[str] = Counter()
    for episode, turn, is_named in _meant(addresses, chains, names):
        if words.outcomes and _outcome(chains[episode]) not in words.outcomes:
            left_out[OTHER_OUTCOME] += 1
            continue
        try:
            points.append(_cut(run, episode, turn, chains))
        except NameRefused:
            if is_named:
                raise
            left_out[NOTHING_FOLLOWS] += 1
    if not points:
        raise NameRefused(f"run {run}: {_none_left(left_out)}")
    distinct = {(point.episode, point.at): point for point in points}
    return ForkSource(
        run=run,
        opened=opened,
        points=tuple(distinct.values()),
        outcomes={point.episode: _outcome(chains[point.episode]) for point in points},
        left_out=dict(left_out),
    )


def _meant(
    addresses: Sequence[Address], chains: Chains, names: Mapping[str, str]
) -> Iterator[tuple[str, int, bool]]:
    """(episode, turn, whether it was named) of every address."""
    for address in addresses:
        if address.episode != ALL:
            yield names[address.episode], address.turn, True
            continue
        for episode in chains:
            if episode != RUN_CHAIN:
                yield episode, address.turn, False


def _check_outcomes(run: str, chains: Chains, asked: Sequence[str]) -> None:
    """A misspelt outcome would leave out what was meant."""
    found = {_outcome(stored) for name, stored in chains.items() if asked and name != RUN_CHAIN}
    known = {outcome for outcome in found if outcome is not None}
    for outcome in asked:
        if outcome not in known:
            hint = nearest(outcome, known)
            raise NameRefused(f"--outcome: no episode of run {run} ended as {outcome!r}.{hint}")


def _none_left(left_out: Counter[str]) -> str:
    if not left_out[NOTHING_FOLLOWS]:
        return "no episode that is named ended as --outcome says"
    return "no episode goes on after that turn; fork at an earlier one"


@asynccontextmanager
async def _open(place: Place, name: str) -> AsyncIterator[tuple[str, EpisodeLog]]:
    if is_archive(name):
        from eristic.replay.archive import open_archive

        archive = await asyncio.to_thread(open_archive, name)
        yield archive.run, archive
        return
    async with place.log(name) as log:
        yield name, log


async def _read(
    log: EpisodeLog, run: str, addresses: Sequence[Address]
) -> tuple[Chains, dict[str, str]]:
    """The chains that are needed, and which episode each address means."""
    named = [address.episode for address in addresses if address.episode != ALL]
    # Whole ids need no search through the run.
    chains: dict[str, list[bytes]] = {}
    if len(named) == len(addresses) <= 100:
        chains = {name: await log.read(name) for name in (RUN_CHAIN, *named)}
        if all(chains.values()):
            return chains, dict(zip(named, named, strict=True))
    chains = {}
    async for episode, stored in log.records():
        chains.setdefault(episode, []).append(stored)
    if all(name in chains for name in named):
        return chains, dict(zip(named, named, strict=True))
    # A number or a cell of the sweep is found as `show` finds it.
    summarizer = Summarizer(run)
    for stored in chain.from_iterable(chains.values()):
        summarizer.take(decode(stored))
    rows = summarizer.close().rows
    return chains, {name: find_episode(rows, name, run=run).episode for name in named}


def _cut(run: str, episode: str, turn: int, chains: Chains) -> ForkPoint:
    stored = chains[episode]
    header = decode(stored[0]).body
    if not isinstance(header, EpisodeOpened):
        raise LogDamaged(f"run {run}, {episode} does not begin with episode.opened")
    machine = find_protocol(header.protocol)
    if turn == END:
        return find_end_point(stored, run=run, episode=episode, machine=machine)
    return find_fork_point(stored, run=run, episode=episode, at=turn, machine=machine)


def _run_opened(run: str, chains: Chains) -> RunOpened:
    stored = chains.get(RUN_CHAIN, ())
    opened = decode(stored[0]).body if stored else None
    if not isinstance(opened, RunOpened):
        raise LogDamaged(f"run {run} does not begin with run.opened; run `eristic verify {run}`")
    return opened


def _outcome(stored: Sequence[bytes]) -> str | None:
    """For the comparison at the end alone: nothing of a branch depends on it."""
    try:
        last = decode(stored[-1]).body
    except EristicError:
        return None
    return last.outcome if isinstance(last, EpisodeClosed) else None
