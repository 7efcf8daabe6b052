"""Go on from a recorded turn with another model, other options, or once more: new episodes that
share their beginning with the old ones, and ask models for the rest only.

  eristic fork RUN e1f2a3b4c5d6@12 --role debater=openai/gpt-4o
  eristic fork RUN 7@4 -o options.round_limit=5 --repeat 5
  eristic fork RUN all@0 --role all=local
  eristic fork RUN --condition repair --outcome unethical

EPISODE is written as for `show`: an id or the beginning of one, a number of the list, or
CASE/CONDITION/REPETITION; `all` stands for every episode that goes on after that turn. TURN is
the last turn that is kept, with all that was decided from it; checks of its round that come after
it are asked again. The source is never changed, and nothing behind TURN is looked at.

`end` instead of TURN keeps all that comes before the close: for a condition or option under which
an episode goes on there, such as the repair of scr. With --condition and no address that is meant
for every episode; those in which nothing would follow are left out.

Out of an import, name the models: `--role all=MODEL`. Prompts are then ours, which is a difference
from the source, as is every role and option that is named.

Calls and costs are said first; whoever may be charged is asked, or says --yes. The same command
goes on where it was stopped and asks nothing twice.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING

from eristic.cli.hosting import add_host_arguments, count

if TYPE_CHECKING:
    from eristic.cli.fork_plans import ForkPlan
    from eristic.cli.fork_words import ForkWords
    from eristic.cli.places import Place
    from eristic.replay.fork_estimates import ForkEstimate

__all__ = ["add_arguments", "command"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `eristic fork`."""
    from eristic.cli import places

    parser.add_argument("source", metavar="RUN", help=places.RUN_HELP)
    parser.add_argument("at", metavar="EPISODE@TURN", nargs="*", help="see above; repeatable")
    parser.add_argument("--episodes", metavar="FILE", help="a file with one EPISODE@TURN a line")
    parser.add_argument(
        "--role",
        action="append",
        default=[],
        metavar="ROLE=MODEL",
        help="who plays a role from there on; all=MODEL for every role that is not named",
    )
    parser.add_argument(
        "-o",
        action="append",
        default=[],
        dest="overrides",
        metavar="options.KEY=VALUE",
        help="another value of an option, e.g. -o options.round_limit=5",
    )
    parser.add_argument("--condition", metavar="NAME", help="another condition of the protocol")
    parser.add_argument(
        "--outcome",
        action="append",
        default=[],
        metavar="NAME",
        help="of the episodes that are named, or of all, only those that ended so; repeatable",
    )
    parser.add_argument(
        "--sample",
        type=count,
        metavar="N",
        help="only N of those that go on, drawn at random by --seed",
    )
    parser.add_argument(
        "--repeat", type=count, default=1, metavar="K", help="branches of each turn (1)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the suffixes (0)")
    parser.add_argument("--run", metavar="NAME", help="name of the new run (default: derived)")
    parser.add_argument(
        "--price",
        action="append",
        default=[],
        metavar="MODEL=IN,OUT",
        help="dollars for a million tokens, for a model that litellm has no price of",
    )
    parser.add_argument("--yes", action="store_true", help="spend without asking first")
    parser.add_argument("--dry-run", action="store_true", help="say what it takes, start nothing")
    add_host_arguments(parser)
    places.add_arguments(parser)


def command(args: argparse.Namespace) -> int:
    """Check everything first, then go on; returns the exit code."""
    from eristic.cli.fork_words import read_words

    words = read_words(args)
    try:
        import uvloop
    except ImportError:
        return asyncio.run(_fork(args, words))
    return uvloop.run(_fork(args, words))


async def _fork(args: argparse.Namespace, words: ForkWords) -> int:
    from eristic.cli.fork_costs import announce, ask, expect
    from eristic.cli.fork_plans import plan_forks, there_already
    from eristic.cli.fork_sources import read_source
    from eristic.cli.places import open_place
    from eristic.cli.rendering import print_json
    from eristic.cli.staging import check_models

    async with open_place(args) as place:
        source = await read_source(args, place, words)
        plan = plan_forks(source, words)
        there = await there_already(place, plan)
        expected = expect(plan, there, words.prices)
        announce(args, plan, expected)
        if args.dry_run:
            if args.json:
                print_json(_facts(plan, expected))
            return 0
        is_asked = expected.may_cost and not args.yes
        if is_asked and not sys.stdin.isatty():
            ask(args, plan, expected)  # which refuses, as nobody is there
        await check_models(plan.production.experiment.roles)
        if is_asked and not ask(args, plan, expected):
            print("nothing was started", file=sys.stderr)
            return 3
        return await _play(args, place, plan, expected)


async def _play(
    args: argparse.Namespace, place: Place, plan: ForkPlan, expected: ForkEstimate
) -> int:
    import msgspec

    from eristic.cli.fork_plans import compare
    from eristic.cli.fork_tables import print_comparison
    from eristic.cli.outcomes import report
    from eristic.cli.run import watch
    from eristic.cli.staging import raise_curtain

    production = plan.production
    async with raise_curtain(production, place, host=args.host, at_once=args.parallel) as host:
        performance = await watch(args, host)
    compared = compare(plan, performance.endings)
    facts = _facts(plan, expected) | {"comparison": msgspec.to_builtins(compared)}
    code = report(args, production, place, performance, more={"fork": facts})
    if not args.json and performance.endings:
        print_comparison(compared)
    return code


def _facts(plan: ForkPlan, expected: ForkEstimate) -> dict[str, object]:
    import msgspec

    return {
        "run": plan.production.run,
        "source": plan.source.run,
        "episodes": len(plan.source.points),
        "left_out": sum(plan.source.left_out.values()),
        "copies": plan.copies,
        "differences": list(plan.differences),
        "expected": {**msgspec.to_builtins(expected), "may_cost": expected.may_cost},
        "branches": [
            {
                "episode": item.episode,
                "source": f"{point.episode}@{point.at}",
                "position": point.lineage.position,
                "seed": item.opened.seed,
            }
            for point, item in plan.branches
        ],
    }
