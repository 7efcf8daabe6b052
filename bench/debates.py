"""One measurement in one process: plays LOGICOM debates with a scripted model; prints JSON.

python bench/debates.py --host inline --episodes 500 --at-once 500 --home DIR --repeat 3
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import sys
import time
from pathlib import Path

from eristic.agents.posts import Performance
from eristic.cli.places import Place, open_place
from eristic.cli.productions import Production, produce
from eristic.cli.staging import raise_curtain


def production(run: str, *, episodes: int, chars: int, delay_ms: int) -> Production:
    args = argparse.Namespace(
        what="logicom",
        run=run,
        role=[f"all=script:steady?chars={chars}&delay_ms={delay_ms}"],
        cases=None,
        only=None,
        limit=None,
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


async def measure(args: argparse.Namespace, place: Place, number: int) -> dict[str, object]:
    played = production(
        f"bench-{args.host}-{args.episodes}-{number}",
        episodes=args.episodes,
        chars=args.chars,
        delay_ms=args.delay_ms,
    )
    async with raise_curtain(played, place, host=args.host, at_once=args.at_once) as host:
        started, cpu = time.perf_counter(), time.process_time()
        performance: Performance = await host.perform()
        seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
        tally = await host.tally()
    if performance.error or performance.head is None:
        raise SystemExit(f"the run did not finish: {performance.error or 'not closed'}")
    return {
        "turns": tally.turns,
        "seconds": seconds,
        "turns_per_s": tally.turns / seconds,
        "cpu_us_per_turn": cpu / tally.turns * 1e6,
    }


def store_bytes(home: Path) -> int:
    return sum(path.stat().st_size for path in home.rglob("*.blk"))


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", choices=("inline", "ray"), required=True)
    parser.add_argument("--episodes", type=int, required=True)
    parser.add_argument("--at-once", type=int, required=True)
    parser.add_argument("--chars", type=int, default=1000)
    parser.add_argument("--delay-ms", type=int, default=0)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--home", required=True)
    args = parser.parse_args()
    args.nats = None
    if args.host == "ray":  # one Ray for all repetitions; its start is measured elsewhere
        from eristic.agents.hosts import start_ray

        start_ray()
    before_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    async with open_place(args) as place:
        runs = [await measure(args, place, number) for number in range(args.repeat)]
        size = store_bytes(Path(args.home))
    turns = sum(int(str(run["turns"])) for run in runs)
    print(
        json.dumps(
            {
                "runs": runs,
                "disk_bytes_per_turn": size / turns,
                "rss_before_mb": before_kb / 1024,
                "rss_peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            }
        )
    )


if __name__ == "__main__":
    try:
        import uvloop

        uvloop.run(main())
    except ImportError:
        asyncio.run(main())
    sys.stdout.flush()
