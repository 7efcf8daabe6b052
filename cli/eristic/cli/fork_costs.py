"""What a fork will take, said before anything is spent, and the question whether to spend it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence

from eristic.agents.models.prices import price_of
from eristic.cli.fork_plans import ForkPlan
from eristic.cli.rendering import clean
from eristic.debate import Event
from eristic.debate.envelopes import decode
from eristic.judging import Price
from eristic.replay.fork_estimates import ForkEstimate, estimate

__all__ = ["announce", "ask", "expect"]

_SHOWN = 5


def expect(
    plan: ForkPlan, there: Mapping[str, Sequence[bytes]], prices: Mapping[str, Price]
) -> ForkEstimate:
    """What is still to be asked. there: chains of this run that were begun before."""
    points = {item.episode: point.events for point, item in plan.branches}
    begun: list[tuple[Event, ...]] = []
    for item in plan.production.episodes:
        stored = there.get(item.episode, ())
        past = tuple(decode(line).body for line in stored)
        begun.append(past or (item.opened, *points[item.episode]))
    return estimate(
        plan.production.machine, begun, lambda model: prices.get(model) or price_of(model)
    )


def announce(args: argparse.Namespace, plan: ForkPlan, expected: ForkEstimate) -> None:
    """On standard error, unless the output is for programs."""
    if args.json:
        return
    for line in _lines(plan, expected):
        print(clean(line), file=sys.stderr, flush=True)


def _lines(plan: ForkPlan, expected: ForkEstimate) -> list[str]:
    source, run = plan.source, plan.production.run
    points = [f"{point.episode}@{point.at}" for point in source.points]
    more = f" and {len(points) - _SHOWN} more" if len(points) > _SHOWN else ""
    lines = [
        f"fork of {source.run}: {_number(expected.episodes, 'episode')} "
        f"({len(points)} x {plan.copies}) in the new run {run}",
        f"  kept up to   {', '.join(points[:_SHOWN])}{more}",
    ]
    lines += [f"  left out     {count:,} that {why}" for why, count in source.left_out.items()]
    lines += [f"  otherwise    {line}" for line in plan.differences]
    if not plan.differences:
        lines.append("  otherwise    nothing but the seeds: the same cast once more")
    if expected.open < expected.episodes:
        lines.append(f"  done before  {expected.episodes - expected.open} episodes")
    lines.append(f"  calls        {_calls(expected)}")
    if expected.open:
        lines.append(f"  models       {', '.join(expected.models)}")
        lines.append(f"  cost         {_cost(expected)}")
    return lines


def _number(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _calls(expected: ForkEstimate) -> str:
    if not expected.open:
        return "none: every episode is closed"
    if not expected.is_bounded:
        return "no bound is known for these rules"
    least, longest = sum(expected.least.values()), sum(expected.longest.values())
    text = f"at least {least:,}, at most {longest:,} when every answer can be used"
    if expected.most is None:
        return f"{text}, and no limit is known when answers must be asked for again"
    return f"{text}; {sum(expected.most.values()):,} if all that may be asked again is"


def _cost(expected: ForkEstimate) -> str:
    if not expected.may_cost:
        return "no charge: no provider is asked"
    if not expected.is_bounded:
        return "cannot be estimated"
    tokens = f"about {expected.tokens_in:,} tokens in, {expected.tokens_out:,} out at the longest"
    priced = len(expected.models) - len(expected.unpriced) - len(expected.free)
    if not expected.unpriced:
        return f"about ${expected.usd:.4f} ({tokens})"
    names = ", ".join(expected.unpriced)
    known = f"about ${expected.usd:.4f} and " if priced else ""
    return f"{known}the unknown price of {names} ({tokens}); --price tells it"


def ask(args: argparse.Namespace, plan: ForkPlan, expected: ForkEstimate) -> bool:
    """True when it may be spent. Raises SpecRefused when nobody can be asked."""
    from eristic.cli.judge_choices import confirm

    return confirm(
        args,
        f"fork of {plan.source.run}: calls {_calls(expected)}; cost {_cost(expected)}",
    )
