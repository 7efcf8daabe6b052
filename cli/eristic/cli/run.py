"""Run an experiment, or go on with it where its log stands.

  eristic run logicom --role all=local --limit 1
  eristic run logicom --role debater=openai/gpt-4o --role persuader=openai/gpt-4o-mini ...
  eristic run examples/quick.toml

Ctrl-C once finishes the turns in flight and hands the rest back; the same command goes on.
Ctrl-C twice stops at once; nothing that is in the log is asked again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
from typing import TYPE_CHECKING

from eristic.cli.hosting import add_host_arguments

if TYPE_CHECKING:
    from eristic.agents.hosts import Host
    from eristic.agents.posts import Performance
    from eristic.cli.productions import Production
    from eristic.debate import Binding


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What, who, where, how."""
    from eristic.cli import places

    parser.add_argument(
        "what",
        metavar="WHAT",
        help="an experiment file (examples/quick.toml) or the name of a protocol (logicom)",
    )
    parser.add_argument("--run", metavar="NAME", help="name of the run (default: derived)")
    parser.add_argument(
        "--role",
        action="append",
        default=[],
        metavar="ROLE=MODEL",
        help="who plays a role, e.g. debater=openai/gpt-4o?temperature=1; all=MODEL for the rest. "
        "Models are named as litellm names them; `local` is the small model on this CPU, "
        "`script:steady` answers without a model, `human` is you or somebody else by "
        "`eristic answer`. May be repeated",
    )
    parser.add_argument("--cases", metavar="PATH", help="case file or folder (default: ours)")
    parser.add_argument("--only", action="append", metavar="CASE", help="only this case id")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N blocks of cases")
    parser.add_argument(
        "--sample", type=int, metavar="N", help="only N blocks of cases, drawn by --seed"
    )
    parser.add_argument(
        "--condition",
        action="append",
        metavar="NAME",
        help="only this condition, or those of a pattern such as 'fair.*'; may be repeated "
        "(default: what the protocol usually runs)",
    )
    parser.add_argument(
        "--repetitions",
        type=int,
        metavar="N",
        help="episodes of each case and condition (default: what the protocol usually runs)",
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", help="every other seed derives from it (0)"
    )
    parser.add_argument("--profile", metavar="NAME", help="a named set of options: paper, code")
    parser.add_argument(
        "-o",
        action="append",
        default=[],
        dest="overrides",
        metavar="KEY=VALUE",
        help="any other key of an experiment file, e.g. -o options.round_limit=3",
    )
    parser.add_argument(
        "--durability",
        choices=("always", "fast"),
        help="always: a turn is on disk before the next begins (default); fast: a power cut may "
        "lose the last 0.1 s",
    )
    add_host_arguments(parser)
    parser.add_argument("--dry-run", action="store_true", help="check everything, start nothing")
    places.add_arguments(parser)


def command(args: argparse.Namespace) -> int:
    """Check everything first, then play."""
    from eristic.cli.productions import produce
    from eristic.cli.rejections import say_rejected

    production = produce(args)
    say_rejected(production)
    if args.dry_run:
        return _rehearse(production, args)
    try:
        import uvloop
    except ImportError:
        return asyncio.run(_run(args, production))
    return uvloop.run(_run(args, production))


def _rehearse(production: Production, args: argparse.Namespace) -> int:
    from eristic.cli.staging import check_models

    asyncio.run(check_models(production.experiment.roles))
    facts = {
        "run": production.run,
        "protocol": production.machine.name,
        "episodes": len(production.episodes),
        "cases": len(production.cases.cases),
        "conditions": list(production.experiment.conditions),
        "repetitions": production.experiment.repetitions,
        "roles": {role: _bound(b) for role, b in production.experiment.roles.items()},
        "options": production.experiment.options,
    }
    if args.json:
        print(json.dumps(facts, ensure_ascii=False))
        return 0
    for name, value in facts.items():
        print(f"{name:12} {value if not isinstance(value, dict) else ''}".rstrip())
        if isinstance(value, dict):
            for key, inner in value.items():
                shown = json.dumps(inner, ensure_ascii=False) if isinstance(inner, dict) else inner
                print(f"  {key:18} {shown}")
    print("nothing was started; leave out --dry-run to run it")
    return 0


def _bound(binding: Binding) -> object:
    """The model alone, or all that is set about it: what is not shown cannot be checked."""
    import msgspec

    plain: dict[str, object] = msgspec.to_builtins(binding)
    return binding.model if list(plain) == ["model"] else plain


async def _run(args: argparse.Namespace, production: Production) -> int:
    from eristic.cli.outcomes import report
    from eristic.cli.places import open_place
    from eristic.cli.staging import check_models, raise_curtain

    _say(args, _headline(production))
    await check_models(production.experiment.roles)
    async with open_place(args, profile=production.experiment.durability) as place:
        _say(args, f"starting {args.host} ...")
        async with raise_curtain(production, place, host=args.host, at_once=args.parallel) as host:
            performance = await watch(args, host)
        return report(args, production, place, performance)


async def watch(args: argparse.Namespace, host: Host) -> Performance:
    """Play while showing progress and listening for Ctrl-C."""
    from eristic.cli.progress import show_progress

    playing = asyncio.create_task(host.perform())
    stops = _Stops(host, playing, quiet=args.json)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stops.take)
    try:
        with show_progress(as_json=args.json) as progress:
            while not playing.done():
                progress.update(await host.tally())
                await asyncio.wait({playing}, timeout=0.25)
        return playing.result()
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


class _Stops:
    """Ctrl-C once: hand back. Twice: stop now."""

    def __init__(self, host: Host, playing: asyncio.Task[Performance], *, quiet: bool) -> None:
        self._host = host
        self._playing = playing
        self._quiet = quiet
        self._count = 0
        self._tasks: set[asyncio.Task[None]] = set()

    def take(self) -> None:
        self._count += 1
        if self._count > 1:
            self._playing.cancel()
            return
        if not self._quiet:
            print("finishing the turns in flight; Ctrl-C again stops now", file=sys.stderr)
        self._tasks.add(asyncio.get_running_loop().create_task(self._host.stop()))


def _headline(production: Production) -> str:
    from eristic.sweeps import tell_repetitions

    roles = sorted({binding.model for binding in production.experiment.roles.values()})
    times = tell_repetitions(production.experiment.repetitions)
    return (
        f"run {production.run}: {production.machine.name}, {len(production.episodes)} episodes "
        f"({len(production.cases.cases)} cases x {len(production.experiment.conditions)} "
        f"conditions x {times}), models {', '.join(roles)}"
    )


def _say(args: argparse.Namespace, line: str) -> None:
    if not args.json:
        print(line, file=sys.stderr, flush=True)
