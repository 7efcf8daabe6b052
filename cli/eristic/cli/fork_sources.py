"""The run that is forked: which episodes are meant, and where each is cut."""

from __future__ import annotations

import argparse
import asyncio
import random
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import chain
from typing import NamedTuple

from eristic.cli.episodes import find_episode
from eristic.cli.fork_words import ALL, END, Address, ForkWords
from eristic.cli.places import Place, is_archive
from eristic.debate import EpisodeClosed, EpisodeOpened, RunOpened
from eristic.debate.envelopes import decode
from eristic.debate.errors import EristicError, LogDamaged, NameRefused
from eristic.debate.ids import RUN_CHAIN
from eristic.ports import EpisodeLog
from eristic.protocols import find_protocol
from eristic.replay import Summarizer
from eristic.replay.fork_points import ForkPoint, find_end_point, find_fork_point

__all__ = ["ForkSource", "read_source"]

Chains = Mapping[str, Sequence[bytes]]


class ForkSource(NamedTuple):
    """What is forked."""

    run: str
    opened: RunOpened
    points: tuple[ForkPoint, ...]
    outcomes: dict[str, str | None]
    """Episode -> how the original ended; None when it did not, or without an outcome."""
    left_out: int
    """Episodes that `all` does not fork, as nothing follows that turn there, or as they ended
    otherwise than asked for (count)."""


async def read_source(args: argparse.Namespace, place: Place, words: ForkWords) -> ForkSource:
    """Find the episodes and cut them. Raises NameRefused, LogError."""
    addresses = words.addresses
    async with _open(place, args.source) as (run, log):
        chains, names = await _read(log, run, addresses)
    opened = _run_opened(run, chains)
    points: list[ForkPoint] = []
    left_out = 0
    for address in addresses:
        if address.episode != ALL:
            points.append(_cut(run, names[address.episode], address.turn, chains))
            continue
        for episode in chains:
            if episode == RUN_CHAIN:
                continue
            if words.outcomes and _outcome(chains[episode]) not in words.outcomes:
                left_out += 1
                continue
            try:
                points.append(_cut(run, episode, address.turn, chains))
            except NameRefused:
                left_out += 1
    if not points:
        raise NameRefused(f"run {run}: no episode goes on after that turn; fork at an earlier one")
    if words.sample is not None and words.sample < len(points):
        chance = random.Random(words.changes.seed)
        chosen = sorted(chance.sample(range(len(points)), words.sample))
        left_out += len(points) - len(chosen)
        points = [points[place] for place in chosen]
    distinct = {(point.episode, point.at): point for point in points}
    return ForkSource(
        run=run,
        opened=opened,
        points=tuple(distinct.values()),
        outcomes={point.episode: _outcome(chains[point.episode]) for point in points},
        left_out=left_out,
    )


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
