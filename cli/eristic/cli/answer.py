"""Play a role of a run yourself: prompts are shown one by one, what you type is your answer.

  eristic run mirror --role respondent=human --role all=openai/gpt-4o ...     in one terminal
  eristic answer RUN respondent --person p07                                  in another

PERSON is a pseudonym; the log holds it as the model `human/PERSON`, with your texts and how long
you took, and nothing else about you. An answer is one line; with --lines it may be several and
ends with a line that holds a single dot. A line that holds `/skip` declines the turn, which counts
as a missing answer; a blank one is no answer at all. End of input (Ctrl-D) or Ctrl-C leaves; what
is not answered is shown again to whoever comes next. Several people may answer at the same time:
each prompt goes to one of them and waits there. A run plays many episodes side by side, so prompts
of one come between those of another; with `--parallel 1` it plays one after the other.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from eristic.cli.typed_lines import Typed

if TYPE_CHECKING:
    from eristic.agents.people import PersonServant, Shown
    from eristic.cli.places import Place
    from eristic.debate.prompting import Template

__all__ = ["add_arguments", "command"]

_LOOK_S = 1.0
"""Pause between two looks whether the run is closed."""
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
    from eristic.cli.answer_runs import templates_of
    from eristic.cli.places import open_place

    desk = _Desk(has_lines=args.lines, as_json=args.json)
    async with open_place(args) as place:
        templates = await templates_of(place, args.run, args.role, say=desk.say)
        if templates is None:
            return _leave(args, desk, is_closed=True)
        link = await connect(place.settings("role"))
        door = NatsDoor(link, args.run)
        try:
            await door.serve(args.role, _servant(args, templates, desk))
            desk.say(f"{args.person} plays {args.role} of run {args.run}; waiting for prompts")
            has_ended = await _until_closed(place, args.run, desk)
        finally:
            await link.close()
    return _leave(args, desk, is_closed=has_ended)


def _leave(args: argparse.Namespace, desk: _Desk, *, is_closed: bool) -> int:
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


async def _until_closed(place: Place, run: str, desk: _Desk) -> bool:
    """True once the run is closed, False when the person left."""
    from eristic.cli.answer_runs import is_closed

    async with place.log(run) as log:
        while not await is_closed(log):
            with suppress(TimeoutError):
                await asyncio.wait_for(desk.left.wait(), _LOOK_S)
                return False
    return True


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
        while text is not None and not text.strip():
            # A key pressed by mistake is no answer, and would be recorded as an empty one.
            self._ask(f"nothing was said; {_SKIP} declines")
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
        title = f"{ask.role}, episode {ask.episode}, turn {ask.turn}{again}"
        print(f"\n--- {title} ---", file=self._out)
        for message in shown.messages:
            print(f"[{_LABELS[message.role]}]\n{clean(message.content)}\n", file=self._out)
        how = "end with a line holding one dot" if self._has_lines else "one line"
        self._ask(f"your answer ({how}; {_SKIP} to decline):")

    def _ask(self, line: str) -> None:
        print(line, file=self._out, flush=True)

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
