"""One `eristic rejudge`: read the run, ask what is due, tell what came of it."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from typing import TYPE_CHECKING

from eristic.cli.judge_choices import confirm
from eristic.cli.judge_outcomes import Work, check_panel, tell
from eristic.cli.judgements import open_judgements
from eristic.cli.places import Place, is_archive, open_place, open_source
from eristic.debate.errors import ModelError, NameRefused, SpecRefused, nearest
from eristic.judging import Budget, Matter, Price, kinds_of, most_of
from eristic.ports import EpisodeLog, SystemClock
from eristic.replay.judges import Seat
from eristic.replay.label_files import LineProblem, judgements, read_labels
from eristic.replay.pairings import pair, singles
from eristic.replay.questions import call_of, room_of
from eristic.replay.rejudging import Rejudging, apply_rules, estimate
from eristic.replay.sittings import Sitting
from eristic.replay.targets import TargetReader, Targets

if TYPE_CHECKING:
    from eristic.bus import JetStreamLog

__all__ = ["judge_run"]


async def judge_run(
    args: argparse.Namespace,
    seats: Sequence[Seat],
    prices: Mapping[str, Price],
    labels: bytes | None,
) -> int:
    """Judge the run that the arguments name; returns the exit code."""
    async with open_place(args) as place:
        found, args.run = await _read(args, place, args.run)
        found = _only(found, args)
        others = (await _read(args, place, args.against))[0] if args.against else None
        looked = [
            (seat, _matters(args, seat, found, others, _kinds(seat, seats))) for seat in seats
        ]
        async with open_judgements(place, args.run, create=not args.dry_run) as log:
            works = [await _seat(args, seat, log, matters) for seat, matters in looked]
            check_panel(args, works)
            problems = await _judge_freely(args, works, found, labels)
            await _ask_models(args, works, prices)
            return tell(args, works, found, problems)


async def _read(args: argparse.Namespace, place: Place, name: str) -> tuple[Targets, str]:
    """What can be judged of a run or an archive, and the run's name.

    Judgements of an archive go where this place keeps those of a run of that name.
    """
    reader = TargetReader()
    async with AsyncExitStack() as stack:
        log: EpisodeLog
        if is_archive(name):
            source = await stack.enter_async_context(open_source(args, name))
            log, run = source.log, source.run
        else:
            log, run = await stack.enter_async_context(place.log(name)), name
        async for episode, stored in log.records():
            reader.take(episode, stored)
    return reader.close(), run


def _only(found: Targets, args: argparse.Namespace) -> Targets:
    """The targets of the episodes that were named. Raises NameRefused for one that is not there."""
    if not args.episodes:
        return found
    compared = (first.episode for first, _ in found.pairs)
    judged = dict.fromkeys((*(x.episode for x in found.targets), *compared))
    names = [*judged, *found.open, *found.silent]
    wanted: set[str] = set()
    for address in args.episodes:
        meant = [name for name in names if name.startswith(address)] if address else []
        if len(meant) != 1:
            few = nearest(address, names) if not meant and len(names) <= 100 else ""
            what = f"{len(meant)} episodes begin with" if meant else "has no episode"
            raise NameRefused(f"--episodes: run {args.run} {what} {address!r}.{few}")
        wanted.update(meant)
    return Targets(
        targets=tuple(x for x in found.targets if x.episode in wanted),
        pairs=tuple(pair for pair in found.pairs if pair[0].episode in wanted),
        open=tuple(x for x in found.open if x in wanted),
        silent=tuple(x for x in found.silent if x in wanted),
    )


async def _seat(
    args: argparse.Namespace, judge: Seat, log: JetStreamLog | None, matters: Sequence[Matter]
) -> Work:
    sitting = await Sitting.open(
        args.run,
        judge,
        log,
        clock=SystemClock(),
        # A rule and a person say the same when asked again.
        samples=args.samples if judge.asks is not None else 1,
        retry_failed=args.retry_failed,
        writes=not args.dry_run,
    )
    return Work(sitting, matters, exclude=args.exclude_family)


def _kinds(seat: Seat, seats: Sequence[Seat]) -> frozenset[str] | None:
    """Kinds of turns that this judge looks at; None: all.

    A person looks at those of the judges beside it, so that they can be compared.
    """
    judges = [x.judge for x in (seats if seat.judge is None else (seat,)) if x.judge is not None]
    return frozenset(kind for judge in judges for kind in kinds_of(judge)) if judges else None


def _matters(
    args: argparse.Namespace,
    seat: Seat,
    found: Targets,
    others: Targets | None,
    kinds: frozenset[str] | None,
) -> Sequence[Matter]:
    """What this judge is to look at. Raises SpecRefused when there is nothing of its kinds."""
    within = [Matter(*pair) for pair in found.pairs if kinds is None or pair[0].kind in kinds]
    targets = [one for one in found.targets if kinds is None or one.kind in kinds]
    if seat.judge is None:
        return (*singles(targets), *within)
    if seat.sides == 2 and within:
        return within
    if not targets and (found.targets or found.pairs):
        there = {one.kind for one in found.targets} | {pair[0].kind for pair in found.pairs}
        raise SpecRefused(
            f"judge {seat.name} looks at no turn of run {args.run}, which has "
            f"{', '.join(sorted(filter(None, there))) or 'last words of debaters'}; "
            "docs/reference/judging.md says which judge looks at what"
        )
    if seat.sides == 2:
        counterparts = others.targets if others is not None else ()
        matters = pair(args.run, targets, against=args.against or "", others=counterparts)
        if not matters:
            raise SpecRefused(
                f"judge {seat.name} compares two turns and finds no pair: name the other run with "
                "--against RUN (same cases, conditions and repetitions), or judge a run with forks"
            )
        return matters
    return singles(targets)


async def _judge_freely(
    args: argparse.Namespace, works: Sequence[Work], found: Targets, labels: bytes | None
) -> list[LineProblem]:
    """Rules and people: no call is made. Returns the lines of labels that were not taken."""
    problems: list[LineProblem] = []
    for work in works:
        if work.seat.rules is not None:
            await apply_rules(work.sitting, work.seat.rules, work.matters)
        elif work.seat.asks is None and labels is not None:
            taken = read_labels(
                args.labels,
                labels,
                work.matters,
                values=work.seat.opened.values,
                annotator=str(work.seat.opened.options["annotator"]),
                known_episodes=(*found.open, *found.silent),
            )
            source = os.path.basename(args.labels)
            await work.sitting.record(*judgements(taken, work.sitting.docket, source=source))
            problems += taken.problems
            lines = len(taken.labels) + len(taken.problems) + taken.of_others
            _say(
                args,
                f"{work.seat.name}: {lines:,} lines, {len(taken.labels):,} labels taken, "
                f"{len(taken.problems):,} not, {taken.of_others:,} of other annotators",
            )
    return problems


async def _ask_models(
    args: argparse.Namespace, works: Sequence[Work], prices: Mapping[str, Price]
) -> None:
    """Ask all that is due, within the limit, unless a person says no to the cost."""
    asking = [work for work in works if work.seat.asks is not None]
    due = [work for work in asking if work.left]
    if not due:
        return
    is_charged = _announce(args, due, prices)
    if args.dry_run or (is_charged and not confirm(args, "the calls above cost money")):
        return
    budget = None
    if args.max_usd is not None:
        spent = sum(_spent(work, prices.get(work.seat.chain)) for work in asking)
        budget = Budget(args.max_usd, spent_usd=spent)
    await _call(args, due, prices, budget)


async def _call(
    args: argparse.Namespace,
    due: Sequence[Work],
    prices: Mapping[str, Price],
    budget: Budget | None,
) -> None:
    from eristic.agents.models import ModelDirectory

    directory = ModelDirectory()
    try:
        for work in due:
            binding = work.seat.opened.binding
            assert binding is not None
            await directory.check(binding.model, binding)
        session = Rejudging(directory, prices=prices, budget=budget, parallel=args.parallel)
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, session.stop)
        try:
            await session.run([(work.sitting, work.allowed) for work in due])
        except* ModelError as group:
            raise group.exceptions[0] from None
        finally:
            loop.remove_signal_handler(signal.SIGINT)
        if session.is_out_of_budget and budget is not None:
            _say(
                args,
                f"stopped before --max-usd {args.max_usd:g}: ${budget.spent_usd:.4f} are spent and "
                "the next call could exceed it",
            )
    finally:
        with suppress(ModelError):
            await directory.aclose()


def _announce(args: argparse.Namespace, due: Sequence[Work], prices: Mapping[str, Price]) -> bool:
    """Say how many calls are due and what they cost; True when any of them may be charged."""
    is_charged = False
    for work in due:
        price = prices.get(work.seat.chain)
        expected = estimate(work.sitting, work.allowed, price)
        cost = "price unknown"
        if price is not None and price.is_free:
            cost = "no charge"
        elif expected.probable_usd is not None:
            cost = f"about ${expected.probable_usd:.4f}, at most ${expected.most_usd:.4f}"
        is_charged = is_charged or price is None or not price.is_free
        _say(args, f"{work.seat.name}: {expected.calls:,} calls, {cost}")
    return is_charged


def _spent(work: Work, price: Price | None) -> float:
    """What this judge has cost on this run; a call whose cost is unknown counts at its bound."""
    docket = work.sitting.docket
    if price is None or not docket.uncosted:
        return docket.spent_usd
    bound = 0.0
    for question in docket.all_questions(work.matters):
        request = call_of(work.sitting.run, work.seat, question)
        bound = max(bound, most_of(price, request.messages, room_of(request)))
    return docket.spent_usd + docket.uncosted * bound


def _say(args: argparse.Namespace, line: str) -> None:
    if not args.json:
        print(line, file=sys.stderr, flush=True)
