"""One measurement in one process: plays LOGICOM debates with a scripted model; prints JSON.

python bench/debates.py --host inline --sizes 1:20,50:200,500:500 --home DIR
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import statistics
import time
from pathlib import Path
from typing import NamedTuple

import uvloop

from eristic.agents.posts import Performance
from eristic.cli.places import Place, open_place
from eristic.cli.productions import Production, produce
from eristic.cli.staging import raise_curtain
from eristic.debate import TurnSpoken
from eristic.debate.envelopes import decode


def production(run: str, *, episodes: int, chars: int, delay_ms: int) -> Production:
    args = argparse.Namespace(
        what="logicom",
        run=run,
        role=[f"all=script:steady?chars={chars}&delay_ms={delay_ms}"],
        cases=None,
        only=None,
        limit=None,
        sample=None,
        condition=["no_helper"],
        repetitions=-(-episodes // 60),
        seed=1,
        profile=None,
        overrides=[],
        durability=None,
    )
    made = produce(args)
    return Production(
        experiment=made.experiment,
        machine=made.machine,
        prompts=made.prompts,
        cases=made.cases,
        episodes=made.episodes[:episodes],
        spec=made.spec,
    )


class Size(NamedTuple):
    """How many debates, and how many of them side by side."""

    at_once: int
    episodes: int


def sizes(text: str) -> list[Size]:
    """`50:200,500:500`: at once, in all."""
    return [Size(*map(int, pair.split(":"))) for pair in text.split(",")]


async def measure(args: argparse.Namespace, place: Place, size: Size) -> dict[str, object]:
    played = production(
        f"bench-{args.host}-{size.at_once}-{size.episodes}",
        episodes=size.episodes,
        chars=args.chars,
        delay_ms=args.delay_ms,
    )
    before = store_bytes(place.home)
    async with raise_curtain(played, place, host=args.host, at_once=size.at_once) as host:
        rss_mb = resident_mb()
        started, cpu = time.perf_counter(), time.process_time()
        performance: Performance = await host.perform()
        seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
        tally = await host.tally()
    if performance.error or performance.head is None:
        raise SystemExit(f"the run did not finish: {performance.error or 'not closed'}")
    return {
        "host": args.host,
        "at_once": size.at_once,
        "episodes": size.episodes,
        "turns": tally.turns,
        "seconds": seconds,
        "turns_per_s": tally.turns / seconds,
        "cpu_us_per_turn": cpu / tally.turns * 1e6,
        "rss_growth_mb": peak_mb() - rss_mb,
        **await stored(place, played.run, store_bytes(place.home) - before, tally.turns),
    }


async def stored(place: Place, run: str, on_disk: int, turns: int) -> dict[str, float]:
    """Bytes on disk: of the whole log for each turn, and of a turn that says 1,000 characters."""
    payloads, speeches = [], []
    async with place.log(run) as log:
        async for _, record in log.records():
            payloads.append(len(record))
            body = decode(record).body
            if isinstance(body, TurnSpoken) and len(body.text) >= 1000 and body.call is not None:
                speeches.append(len(record))
    overhead = (on_disk - sum(payloads)) / len(payloads)
    return {
        "disk_bytes_per_turn": on_disk / turns,
        "disk_bytes_per_1000_chars": (statistics.mean(speeches) if speeches else 0) + overhead,
    }


def store_bytes(home: Path) -> int:
    return sum(path.stat().st_size for path in home.rglob("*.blk"))


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", choices=("inline", "ray"), required=True)
    parser.add_argument("--sizes", type=sizes, required=True, metavar="AT_ONCE:EPISODES,...")
    parser.add_argument("--chars", type=int, default=1000)
    parser.add_argument("--delay-ms", type=int, default=0)
    parser.add_argument("--home", required=True)
    args = parser.parse_args()
    args.nats = None
    folder = None
    if args.host == "ray":  # one Ray for all sizes; its start is measured elsewhere
        from eristic.agents.hosts import start_ray

        folder = start_ray()
    async with open_place(args) as place:
        for size in args.sizes:
            print(json.dumps(await measure(args, place, size)), flush=True)
    if folder is not None:
        import ray

        ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    uvloop.run(main())
