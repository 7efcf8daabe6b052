"""Measure archives: size of real texts, reading them again, one episode out of a million turns.

    .venv/bin/python bench/archive_bench.py --texts FOLDER [--turns 1000000]

FOLDER holds published debates as JSON files with a `log` of one-key objects (LOGICOM's layout);
without it the size of real texts is not measured. Prints one JSON line a measurement.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path

from eristic.debate import (
    Binding,
    Case,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    Reading,
    RunClosed,
    RunOpened,
    Served,
    TurnSpoken,
)
from eristic.debate.envelopes import decode, digest, genesis
from eristic.debate.ids import RUN_CHAIN, episode_id
from eristic.journal import Chain, extend
from eristic.journal.chains import misfit
from eristic.replay import verdicts
from eristic.replay.archive import ParquetLog, open_archive, write_archive

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
RUN = "bench"
_SMALL_TURNS = 12_000
"""A few row groups: what archiving takes whatever its length. Growth is counted from there."""
_ONSETS = ("cla", "rea", "deb", "con", "arg", "pre", "ref", "sta", "mo", "fal", "lo", "pro", "in")
_ENDS = (
    "im",
    "son",
    "ate",
    "tion",
    "ument",
    "mise",
    "utes",
    "nce",
    "ves",
    "lacy",
    "gic",
    "of",
    "g",
)


class GeneratedLog:
    """An `EpisodeLog` whose records are made while they are read: it takes no room itself."""

    def __init__(self, debates: Iterator[list[str]]) -> None:
        self._debates = debates
        self.turns = 0
        self.text_bytes = 0

    async def read(self, episode: str) -> list[bytes]:
        raise NotImplementedError

    async def append(self, episode: str, stored: object, *, expected: int) -> None:
        raise NotImplementedError

    async def records(self) -> AsyncIterator[tuple[str, bytes]]:
        opened = RunOpened(spec="{}", prompts={}, episodes=0, software="bench")
        stored, run = extend(Chain.empty(run=RUN, episode=RUN_CHAIN), [opened], time=NOON)
        yield RUN_CHAIN, stored[0]
        heads: dict[str, str] = {}
        for number, texts in enumerate(self._debates):
            name = episode_id(case_id=f"case-{number}", condition="no_helper", repetition=0)
            events = list(self._events(number, texts))
            stored, chain = extend(Chain.empty(run=RUN, episode=name), events, time=NOON)
            heads[name] = chain.head
            for line in stored:
                yield name, line
        stored, _ = extend(run, [RunClosed(heads=heads)], time=NOON)
        yield RUN_CHAIN, stored[0]

    def _events(self, number: int, texts: list[str]) -> Iterator[Event]:
        yield EpisodeOpened(
            protocol="logicom",
            protocol_version=1,
            case=Case(case_id=f"case-{number}", block=f"pair-{number // 2}", texts={"claim": "x"}),
            condition="no_helper",
            repetition=0,
            options={"round_limit": 10},
            cast={"persuader": Binding(model="openai/made-up")},
            prompts={"logicom.persuader": "0" * 64},
            software="bench",
            seed=number,
        )
        for turn, text in enumerate(texts):
            self.turns += 1
            self.text_bytes += len(text.encode())
            is_check = len(text) < 10
            yield TurnSpoken(
                turn=turn,
                role="conviction" if is_check else ("persuader", "debater")[turn % 2],
                text=text,
                seed=(number * 7919 + turn * 104729) % 2**31,
                call=Served(
                    model="made-up-2026-01",
                    prompt=digest(b"%d %d" % (number, turn)),
                    tokens_in=200 + turn * 150,
                    tokens_out=len(text) // 4,
                    latency_s=0.5 + (turn * 7919 % 1000) / 1234,
                ),
                reading=Reading(parser="strict-token.v1", status="read", value=text)
                if is_check
                else None,
            )
        yield EpisodeClosed(outcome="not_convinced", reason="round_limit", rounds=10)


def real_debates(folder: Path) -> Iterator[list[str]]:
    """The messages of every debate as published."""
    for path in sorted(folder.rglob("*.json")):
        yield [text for line in json.loads(path.read_text())["log"] for text in line.values()]


def made_up_debates(turns: int, length: int = 1000) -> Iterator[list[str]]:
    """Debates of 40 turns, every fourth a check; slices of six megabytes of made-up words."""
    chance = random.Random(7)
    words = [f"{chance.choice(_ONSETS)}{chance.choice(_ENDS)}" for _ in range(4000)]
    pool = " ".join(chance.choices(words, k=1_000_000))

    def debate() -> list[str]:
        starts = [chance.randrange(len(pool) - length) for _ in range(40)]
        return ["false" if n % 4 == 3 else pool[x : x + length] for n, x in enumerate(starts)]

    return (debate() for _ in range(turns // 40))


async def replay(log: ParquetLog) -> int:
    """Every event decoded, its chain checked, and folded into a count of tokens an episode."""
    events = 0
    totals: dict[str, int] = {}
    for episode, chain in log.chains():
        head = genesis(run=RUN, episode=episode)
        for position, stored in enumerate(chain):
            envelope = decode(stored)
            if misfit(envelope, run=RUN, episode=episode, position=position, head=head):
                raise AssertionError(f"{episode}@{position}")
            head = digest(stored)
            events += 1
            body = envelope.body
            if isinstance(body, TurnSpoken) and body.call is not None:
                totals[episode] = totals.get(episode, 0) + (body.call.tokens_out or 0)
    return events


def say(what: str, **facts: object) -> None:
    """One measurement."""
    print(json.dumps({"what": what, **facts}), flush=True)


def rss_mb() -> float:
    """Highest resident memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def measure_texts(folder: Path, place: Path) -> None:
    """Bytes a turn of published debates."""
    source = GeneratedLog(real_debates(folder))
    found = await write_archive(source, RUN, place)
    say(
        "real texts",
        turns=source.turns,
        text_bytes_a_turn=round(source.text_bytes / source.turns),
        archived_bytes_a_turn=round(found.bytes / source.turns),
    )


async def measure_million(turns: int, place: Path) -> None:
    """Writing, replaying and picking out of a large archive."""
    started_mb = rss_mb()
    source = GeneratedLog(made_up_debates(turns))
    await write_archive(GeneratedLog(made_up_debates(_SMALL_TURNS)), RUN, place.with_name("small"))
    small_mb = rss_mb()
    begun = time.perf_counter()
    found = await write_archive(source, RUN, place)
    spent = time.perf_counter() - begun
    say(
        "write",
        events=found.events,
        events_a_second=round(found.events / spent),
        text_mb=source.text_bytes >> 20,
        archive_mb=found.bytes >> 20,
        rss_growth_mb=round(rss_mb() - small_mb),
        rss_of_a_small_one_mb=round(small_mb - started_mb),
    )
    begun = time.perf_counter()
    log = open_archive(place)
    name = sorted(log.manifest.heads)[len(log.manifest.heads) // 2]
    chain = await log.read(name)
    say("one episode", seconds=round(time.perf_counter() - begun, 3), events=len(chain))
    for how, episode in (("", name), (" by number", str(len(log.manifest.heads) // 2))):
        begun = time.perf_counter()
        shown = [sys.executable, "-m", "eristic.cli", "show", str(place), episode]
        subprocess.run(shown, check=True, capture_output=True)
        spent = time.perf_counter() - begun
        say(f"show one episode{how}, cold process", seconds=round(spent, 3))
    begun = time.perf_counter()
    events = await replay(open_archive(place))
    say("replay by chains", events_a_second=round(events / (time.perf_counter() - begun)))
    begun = time.perf_counter()
    count = 0
    async for _, _stored in open_archive(place).records():
        count += 1
    say("records in log order", events_a_second=round(count / (time.perf_counter() - begun)))
    begun = time.perf_counter()
    table = verdicts(place)
    spent = time.perf_counter() - begun
    say("verdicts", rows=table.num_rows, seconds=round(spent, 2), mb=table.nbytes >> 20)


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=Path, help="folder with published debates")
    parser.add_argument("--turns", type=int, default=1_000_000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if args.texts is not None:
            asyncio.run(measure_texts(args.texts, Path(folder) / "texts"))
        asyncio.run(measure_million(args.turns, Path(folder) / "million"))


if __name__ == "__main__":
    main()
