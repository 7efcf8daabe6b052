"""Let judges look again at what was said, and keep what they say beside the run.

  eristic rejudge RUN --judge stance-words
  eristic rejudge RUN --judge openai/gpt-4o --judge stance-words --quorum 2 --max-usd 5
  eristic rejudge RUN --judge human:ann --labels labels.csv

--judge takes a rule, RUBRIC=MODEL (named as litellm names it; `local` and `script:...` too), MODEL
alone (rubric llm-stance), or human:NAME. Models are asked at temperature 0; MODEL?temperature=1 and
MODEL?constrain=json_schema say otherwise, and are judges of their own.

  rules     recorded, stance-words, deflectbench-names, lofa-names
  rubrics   llm-stance, llm-compare (two runs, or forks), deflectbench-rubric, lofa-stance,
            mirror-side, scr-critic, scr-ethics, scr-repair, scr-severity, scr-trivial; and those
            that other packages install

Nothing in the run is changed. Every answer is stored before the next is asked for, so the same
command goes on after a kill, asks nothing twice, and at the end asks nothing at all. --max-usd
counts what these judges have cost on this run so far.

exit codes:
  0  all judged
  3  something is left: the limit was reached or it was stopped; the same command goes on
  8  finished, but a judge scored nothing, or lines of labels could not be taken
"""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

from eristic.cli.hosting import count

if TYPE_CHECKING:
    from eristic.replay.judges import Seat

__all__ = ["add_arguments", "command"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `eristic rejudge`."""
    from eristic.cli import places

    parser.add_argument("run", metavar="RUN", help=places.RUN_HELP)
    parser.add_argument(
        "--judge", action="append", default=[], metavar="JUDGE", help="see above; repeatable"
    )
    parser.add_argument("--quorum", type=count, metavar="N", help="panel: so many must agree")
    parser.add_argument(
        "--exclude-family",
        action="store_true",
        help="a model judges no debater of its own family (by name)",
    )
    parser.add_argument(
        "--episodes", action="append", metavar="ID", help="only these episodes; repeatable"
    )
    parser.add_argument("--against", metavar="RUN", help="comparing judges: with this run")
    parser.add_argument("--samples", type=count, default=1, metavar="K", help="asks each (1)")
    parser.add_argument("--labels", metavar="PATH", help="CSV or JSONL of human labels")
    parser.add_argument("--values", metavar="A,B", help="scale of the labels (the stances)")
    parser.add_argument("--max-usd", type=_dollars, metavar="X", help="never spend more than this")
    parser.add_argument(
        "--price",
        action="append",
        default=[],
        metavar="MODEL=IN,OUT",
        help="dollars for a million tokens, for a model that litellm has no price of",
    )
    parser.add_argument("--parallel", type=count, default=8, metavar="N", help="calls at once (8)")
    parser.add_argument("--retry-failed", action="store_true", help="ask failed calls once more")
    parser.add_argument("--yes", action="store_true", help="spend without asking first")
    parser.add_argument("--dry-run", action="store_true", help="call nobody, write nothing")
    places.add_arguments(parser)


def _dollars(text: str) -> float:
    number = float(text)
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError("must be 0 or more dollars")
    return number


def command(args: argparse.Namespace) -> int:
    """Check the words first, then judge; returns the exit code."""
    from eristic.cli.judge_choices import choose_judges, price_seats
    from eristic.cli.judge_sessions import judge_run
    from eristic.debate.errors import SpecRefused

    if not args.judge:
        raise SpecRefused("name a judge: --judge stance-words, --judge provider/model, ...")
    seats = choose_judges(args.judge, values=_values(args))
    prices = price_seats(args, seats)
    labels = _labels(args, seats)
    if args.quorum is not None and args.quorum > len(seats):
        raise SpecRefused(f"--quorum {args.quorum} can never be met by {len(seats)} judges")
    try:
        import uvloop
    except ImportError:
        return asyncio.run(judge_run(args, seats, prices, labels))
    return uvloop.run(judge_run(args, seats, prices, labels))


def _values(args: argparse.Namespace) -> tuple[str, ...]:
    """The scale of the labels; empty for the stances."""
    from eristic.debate.errors import SpecRefused

    if args.values is None:
        return ()
    values = tuple(x.strip() for x in args.values.split(","))
    if len(set(values)) < 2 or len(set(values)) < len(values) or "" in values:
        raise SpecRefused("--values needs two or more different values, such as better,tied,worse")
    return values


def _labels(args: argparse.Namespace, seats: tuple[Seat, ...]) -> bytes | None:
    from pathlib import Path

    from eristic.debate.errors import SpecRefused

    is_labeled = any(seat.judge is None for seat in seats)
    for option, given in (("--labels", args.labels), ("--values", args.values)):
        if given is not None and not is_labeled:
            raise SpecRefused(f"{option} needs the annotator: add --judge human:NAME")
    if args.labels is None:
        return None
    try:
        return Path(args.labels).read_bytes()
    except OSError as error:
        raise SpecRefused(f"--labels {args.labels}: {error.strerror}") from error
