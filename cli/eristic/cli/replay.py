"""What would other rules have decided? Make a run's decisions again from its log.

  eristic replay demo --policy convinced-twice --policy round-limit=5
  eristic replay demo --parser conviction=contains_true
  eristic replay bench --policy ties=undefined --policy require_all_judges=true,ties=undefined

Calls no model, writes nothing, and connects to nothing but what keeps the log: the embedded server
on loopback, the server of --nats, the object store of an archive's URL. To read an archive in a
folder nothing is connected to at all. The verb that goes on with live models is `eristic fork`.

Every policy is one table; without any, every episode's own rules are applied again. Where a policy
would have stopped earlier its decision is exact. Where it would have gone on the episode is
censored: counted, never guessed. A rate then lies between its bounds, all censored episodes being
failures or all successes. Failed and open episodes are left out and counted.

policies of logicom:
  logicom-master                           the episode's own rules
  convinced-twice                          convinced only when convinced in two rounds in a row
  round-limit=N                            another limit of unconvinced rounds
  topic=on|off                             the topic check counts or is ignored
  panel=single|unanimous|majority          another way to join the copies of the moderator
  order=DECISION,...                       decisions named first are made first: conviction,
                                           round_limit, pleasantry, topic
  first-conviction                         the first convinced round ends the debate, before any
                                           other reason
  final-round                              the outcome is the conviction of the last round
  any-conviction                           convinced when any copy was convinced in any round

parsers of logicom: conviction=strict|contains_true, pleasantry=strict, topic=strict. Imported
debates hold no texts of checks, so no parser can read them again; of their rounds is known what
follows from the debate having gone on, and its recorded end.

policies of the other protocols: OPTION=VALUE, or several at once as OPTION=VALUE,OPTION=VALUE, for
any option of the protocol; own-rules changes none. The episode is told again with these options: a
turn of which every role would have been shown the same is taken from the record, its text read by
the parser that the options name. How answers are read is an option there, so --parser is not used.

exit codes:
  0  decided again, whatever came of it
  2  a policy or parser that the protocol does not have, or no texts for a parser
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eristic.ports import EpisodeLog

__all__ = ["add_arguments", "command", "replay_log"]

_FLIPS_SHOWN = 10
"""Of each policy."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `eristic replay`."""
    from eristic.cli import places

    parser.add_argument("run", metavar="RUN", help=places.RUN_HELP)
    parser.add_argument(
        "--policy",
        metavar="NAME[=VALUE]",
        dest="policies",
        action="append",
        default=[],
        help="decide by this policy; several are several tables",
    )
    parser.add_argument(
        "--parser",
        metavar="CHECK=PARSER",
        dest="parsers",
        action="append",
        default=[],
        help="read the recorded answers to this check again, before any policy decides",
    )
    parser.add_argument("--all", action="store_true", help="list every flipped episode")
    places.add_arguments(parser)


def command(args: argparse.Namespace) -> int:
    """Run `eristic replay`; returns the exit code."""
    return asyncio.run(_command(args))


async def _command(args: argparse.Namespace) -> int:
    parsers = _parsers(args.parsers)
    from eristic.cli.places import open_source

    async with open_source(args, args.run) as source:
        return await replay_log(source.log, source.run, args, parsers)


def _parsers(texts: Sequence[str]) -> dict[str, str]:
    from eristic.debate.errors import SpecRefused

    found: dict[str, str] = {}
    for text in texts:
        check, equals, name = (part.strip() for part in text.partition("="))
        if not (check and equals and name):
            raise SpecRefused(f"--parser {text!r} names no parser: write CHECK=PARSER")
        if check in found:
            raise SpecRefused(f"--parser is given twice for {check}; a text is read one way")
        found[check] = name
    return found


async def replay_log(
    log: EpisodeLog, run: str, args: argparse.Namespace, parsers: dict[str, str]
) -> int:
    """Decide the run that this log holds again and print what changes; returns the exit code.

    args: policies, all, json. Raises what `eristic.replay.replay` raises.
    """
    from eristic.cli.replay_tables import print_recomputation
    from eristic.replay import replay

    found = await replay(log, run, policies=args.policies, parsers=parsers)
    print_recomputation(found, as_json=args.json, limit=None if args.all else _FLIPS_SHOWN)
    return 0
