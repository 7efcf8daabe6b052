"""Play a role of a run yourself: prompts are shown one by one, what you type is your answer.

  eristic run mirror --role respondent=human --role all=openai/gpt-4o ...     in one terminal
  eristic answer RUN respondent --person p07                                  in another

PERSON is a pseudonym; the log holds it as the model `human/PERSON`, with your texts and how long
you took, and nothing else about you. An answer is one line; with --lines it may be several and
ends with a line that holds a single dot. A line that holds `/skip` declines the turn, which counts
as a missing answer. End of input (Ctrl-D) or Ctrl-C leaves; what is not answered is shown again to
whoever comes next. Several people may answer at the same time: each prompt goes to one of them.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from typing import TYPE_CHECKING

from eristic.cli.typed_lines import Typed

if TYPE_CHECKING:
    from eristic.agents.people import PersonServant, Shown
    from eristic.cli.places import Place
    from eristic.debate.prompting import Template

__all__ = ["add_arguments", "command"]

_LOOK_S = 1.0
"""Pause between two looks whether the run has begun or is closed."""
_PSEUDONYM = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
_SKIP = "/skip"
_END = "."
_LABELS = {"system": "you are told", "user": "they say", "assistant": "you said"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `eristic answer`."""
    from eristic.cli import places

    parser.add_argument("run", metavar="RUN", help="a run in which the role is bound to `human`")
    parser.add_argument("role", metavar="ROLE", help="the role that you play")
    parser.add_argument(
        "--person", required=True, metavar="NAME", help="your pseudonym: a-z, 0-9 and -"
    )
    parser.add_argument("--lines", action="store_true", help="answers of several lines")
    places.add_arguments(parser)


def command(args: argparse.Namespace) -> int:
    """Serve the role until the run is closed or the input ends; returns the exit code."""
    from eristic.debate.errors import SpecRefused
    from eristic.debate.ids import check_run_name

    check_run_name(args.run)
    if not _PSEUDONYM.fullmatch(args.person):
        raise SpecRefused(
            f"--person {args.person[:40]!r} is no pseudonym: up to 32 of a-z, 0-9 and -; a name or "
            "an address has no place in a log"
        )
    return asyncio.run(_answer(args))


async def _answer(args: argparse.Namespace) -> int:
    from eristic.bus import NatsDoor, connect
    from eristic.cli.places import open_place

    async with open_place(args) as place:
        templates = await _templates(place, args.run, args.role)
        desk = _Desk(has_lines=args.lines, as_json=args.json)
        link = await connect(place.settings("role"))
        door = NatsDoor(link, args.run)
        try:
            await door.serve(args.role, _servant(args, templates, desk))
            desk.say(f"{args.person} plays {args.role} of run {args.run}; waiting for prompts")
            is_closed = await _until_closed(place, args.run, desk)
        finally:
            await link.close()
    desk.say("the run is closed" if is_closed else "left; open prompts go to whoever comes next")
    if args.json:
        from eristic.cli.rendering import print_json

        print_json({"run": args.run, "role": args.role, "answered": desk.answered})
    return 0 if is_closed else 3


def _servant(
    args: argparse.Namespace, templates: dict[str, Template], desk: _Desk
) -> PersonServant:
    from eristic.agents.people import PersonServant

    return PersonServant(args.role, args.person, templates=templates, converse=desk.converse)


async def _templates(place: Place, run: str, role: str) -> dict[str, Template]:
    """The run's prompt files out of its first event. Raises SpecRefused for a role that has no
    person, NameRefused for a run that is not there."""
    from eristic.debate import EpisodeOpened, RunOpened
    from eristic.debate.envelopes import decode
    from eristic.debate.errors import LogDamaged, SpecRefused
    from eristic.debate.ids import RUN_CHAIN
    from eristic.debate.prompting import parse_template

    async with place.log(run) as log:
        opened: RunOpened | None = None
        while True:
            async for chain, stored in log.records():
                event = decode(stored).body
                if isinstance(event, RunOpened):
                    opened = event
                elif isinstance(event, EpisodeOpened):
                    bound = event.cast.get(role)
                    if bound is None or bound.model == "human":
                        break
                    raise SpecRefused(
                        f"run {run}: {role} is played by {bound.model}, not by a person; begin "
                        f"the run with --role {role}=human"
                    )
                elif chain == RUN_CHAIN and opened is None:
                    raise LogDamaged(f"run {run} does not begin with run.opened")
            if opened is not None:
                return {name: parse_template(text) for name, text in opened.prompts.items()}
            await asyncio.sleep(_LOOK_S)


async def _until_closed(place: Place, run: str, desk: _Desk) -> bool:
    """True once the run is closed, False when the person left."""
    from eristic.debate import RunClosed
    from eristic.debate.envelopes import decode
    from eristic.debate.ids import RUN_CHAIN

    async with place.log(run) as log:
        while True:
            chain = await log.read(RUN_CHAIN)
            if chain and isinstance(decode(chain[-1]).body, RunClosed):
                return True
            try:
                await asyncio.wait_for(desk.left.wait(), _LOOK_S)
                return False
            except TimeoutError:
                continue


class _Desk:
    """Where a person reads prompts and types answers."""

    def __init__(self, *, has_lines: bool, as_json: bool) -> None:
        self.answered = 0
        self.left = asyncio.Event()
        self._has_lines = has_lines
        self._out = sys.stderr if as_json else sys.stdout
        self._typed = Typed()

    def say(self, line: str) -> None:
        """A line that is no prompt."""
        print(line, file=sys.stderr, flush=True)

    async def converse(self, shown: Shown) -> str | None:
        """See Converse. After the end of input every prompt waits for ever: it stays open."""
        self._show(shown)
        text = await self._read()
        if text is None:
            self.left.set()
            await asyncio.Event().wait()
        if text == _SKIP:
            return None
        self.answered += 1
        return text

    def _show(self, shown: Shown) -> None:
        from eristic.cli.rendering import clean

        ask = shown.ask
        again = f", asked again ({ask.attempt})" if ask.attempt else ""
        print(f"\n--- {ask.role}, turn {ask.turn}{again} ---", file=self._out)
        for message in shown.messages:
            print(f"[{_LABELS[message.role]}]\n{clean(message.content)}\n", file=self._out)
        how = "end with a line holding one dot" if self._has_lines else "one line"
        print(f"your answer ({how}; {_SKIP} to decline):", file=self._out, flush=True)

    async def _read(self) -> str | None:
        """One answer; None at the end of input."""
        lines: list[str] = []
        while (line := await self._typed.line()) is not None:
            if not self._has_lines or line == _SKIP:
                return line
            if line == _END:
                return "\n".join(lines)
            lines.append(line)
        return None
