"""Look whether this machine, its server and the models are fit for a run, and say what to do.

  eristic doctor
  eristic doctor --role debater=openai/gpt-4o --role all=local
  eristic doctor --nats nats://host:4222 --skip-ray

One line a check: ok, warn (works, but look at it) or fail. Nothing is paid unless --call is
given. The server of the home is started for the checks if it does not run; where there is no home
yet, a temporary one beside it is used. Starting Ray takes about 10 s; --skip-ray leaves it out.

exit codes:
  0  nothing failed
  1  something did
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eristic.cli.doctor_checks import Check, Finding
    from eristic.cli.places import Place
    from eristic.cli.rendering import Screen
    from eristic.debate import Binding

__all__ = ["add_arguments", "command"]

_EXIT_FAILED = 1
_STATE = 6
_NAME = 15
_STYLES = {"ok": "green", "warn": "bold yellow", "fail": "bold red"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to look at beside this machine."""
    from eristic.cli import places

    parser.add_argument(
        "--role",
        action="append",
        default=[],
        metavar="ROLE=MODEL",
        help="check the model of a role, written as for `eristic run`; may be repeated",
    )
    parser.add_argument(
        "--model",
        action="append",
        default=[],
        metavar="MODEL",
        help="check a model, e.g. 'openai/NAME?api_base=http://host:8000/v1'; may be repeated",
    )
    parser.add_argument("--skip-ray", action="store_true", help="do not start Ray (about 10 s)")
    parser.add_argument(
        "--call", action="store_true", help="ask each model for one word; this is paid for"
    )
    places.add_arguments(parser)


def command(args: argparse.Namespace) -> int:
    """Run `eristic doctor`; returns the exit code."""
    from eristic.cli.doctor_models import bindings

    models = bindings(args.role, args.model)  # words that cannot be read are refused at once
    return asyncio.run(_examine(args, models))


async def _examine(args: argparse.Namespace, models: Mapping[str, Binding]) -> int:
    from eristic.cli.rendering import open_screen

    report = _Report(None if args.json else open_screen())
    url = args.nats or os.environ.get("NATS_URL")
    await _examine_software(report, args, is_embedded=not url)
    async with AsyncExitStack() as stack:
        place = await _open(report, args, stack)
        if place is not None:
            await _examine_place(report, place)
        await _examine_ray(report, args, place)
    await _examine_models(report, models, call=args.call)
    return report.close()


async def _examine_software(
    report: _Report, args: argparse.Namespace, *, is_embedded: bool
) -> None:
    from eristic.cli import doctor_checks
    from eristic.cli.places import home_of

    await report.take("python", doctor_checks.check_python)
    await report.take("packages", doctor_checks.check_extras)
    await report.take("tokenizers", doctor_checks.check_tokenizers)
    if is_embedded:
        from eristic.cli import doctor_bus

        home = home_of(args)
        await report.take("nats-server", doctor_bus.check_program)
        await report.take("home", functools.partial(doctor_checks.check_home, home))
        await report.take("disk", functools.partial(doctor_checks.check_disk, home))


async def _open(report: _Report, args: argparse.Namespace, stack: AsyncExitStack) -> Place | None:
    """The server of the runs, open as long as the stack; None when it does not start."""
    opened: list[Place] = []

    async def check() -> list[Finding]:
        opened.append(await stack.enter_async_context(_trial_place(args)))
        return []

    await report.take("server", check)
    return opened[0] if opened else None


@asynccontextmanager
async def _trial_place(args: argparse.Namespace) -> AsyncIterator[Place]:
    """As open_place, but where there is no home yet none is left behind."""
    from eristic.cli.doctor_checks import nearest_folder
    from eristic.cli.places import home_of, open_place

    home = home_of(args)
    if args.nats or os.environ.get("NATS_URL") or home.exists():
        async with open_place(args) as place:
            yield place
        return
    # Beside where it would be: the same disk.
    with tempfile.TemporaryDirectory(prefix=".eristic-doctor-", dir=nearest_folder(home)) as trial:
        async with open_place(argparse.Namespace(home=trial, nats=None)) as place:
            yield place


async def _examine_place(report: _Report, place: Place) -> None:
    from eristic.cli import doctor_bus

    await report.take("jetstream", functools.partial(doctor_bus.check_jetstream, place))
    if place.is_embedded:
        await report.take("durability", functools.partial(doctor_bus.check_durability, place))
        await report.take("fsync", functools.partial(doctor_bus.check_fsync, place.home))
    else:
        await report.take("durability", doctor_bus.check_external_sync)
    await report.take("streams", functools.partial(doctor_bus.check_runs, place))


async def _examine_ray(report: _Report, args: argparse.Namespace, place: Place | None) -> None:
    from eristic.cli import doctor_ray

    await report.take("RAY_ADDRESS", doctor_ray.check_ray_address)
    if args.skip_ray:
        return
    report.say("starting a private Ray, about 10 s (--skip-ray leaves it out) ...")
    settings = place.settings("role") if place is not None else None
    await report.take("ray", functools.partial(doctor_ray.check_ray, settings))


async def _examine_models(report: _Report, models: Mapping[str, Binding], *, call: bool) -> None:
    from eristic.cli import doctor_models

    if models:
        report.say("asking about the models ...")
    for name, binding in models.items():
        check = functools.partial(doctor_models.check_model, name, binding, call=call)
        await report.take(name, check)
    if not models or any(binding.model == "local" for binding in models.values()):
        await report.take("local", doctor_models.check_local)


class _Report:
    """Findings as they come. screen: None prints one JSON document at the end instead."""

    def __init__(self, screen: Screen | None) -> None:
        self._screen = screen
        self._findings: list[Finding] = []
        self._is_watched = screen is not None and sys.stderr.isatty() and sys.stdout.isatty()

    async def take(self, name: str, check: Check) -> None:
        """Do one check and print what it found."""
        from eristic.cli.doctor_checks import perform

        found = await perform(name, check)
        self.say("")
        self._findings += found
        if self._screen is not None:
            for finding in found:
                _print_finding(self._screen, finding)
            sys.stdout.flush()

    def say(self, what: str) -> None:
        """What takes a while now; the next finding takes its place. For terminals only."""
        if self._is_watched:
            print(f"\r\x1b[K{what}", end="", file=sys.stderr, flush=True)

    def close(self) -> int:
        """The last line, or the document; returns the exit code."""
        import msgspec

        from eristic.cli.rendering import print_json

        names = {state: [x.name for x in self._findings if x.state == state] for state in _STYLES}
        if self._screen is None:
            findings = msgspec.to_builtins(self._findings)
            counts = {state: len(found) for state, found in names.items()}
            print_json({"is_fit": not names["fail"], "counts": counts, "findings": findings})
        else:
            _print_end(self._screen.line, names, len(self._findings))
        return _EXIT_FAILED if names["fail"] else 0


def _print_finding(screen: Screen, finding: Finding) -> None:
    from eristic.cli.rendering import Span, clean, width_of, wrap

    indent = _STATE + _NAME
    state = Span(finding.state.ljust(_STATE), _STYLES[finding.state])
    name = clean(finding.name).replace("\n", " ")
    lines = list(wrap(finding.found, screen.width - indent))
    if width_of(name) < _NAME:
        first = Span(name + " " * (_NAME - width_of(name)), "bold")
        screen.line(state, first, lines.pop(0))
    else:
        screen.line(state, Span(name, "bold"))
    for line in lines:
        screen.line(" " * indent, line)
    if finding.advice:
        for place, line in enumerate(wrap(finding.advice, screen.width - indent - 3)):
            lead = "-> " if place == 0 else "   "
            screen.line(" " * indent, Span(f"{lead}{line}", _STYLES[finding.state]))


def _print_end(line: Callable[..., None], names: Mapping[str, list[str]], count: int) -> None:
    from eristic.cli.rendering import Span

    line()
    failed, warned = names["fail"], names["warn"]
    if failed:
        text = f"{len(failed)} of {count} checks failed: {', '.join(failed)}"
        line(Span(text, "bold red"))
    elif warned:
        line(Span(f"nothing failed; look at {', '.join(warned)}", "bold yellow"))
    else:
        line(Span(f"all {count} checks are well", "bold green"))
