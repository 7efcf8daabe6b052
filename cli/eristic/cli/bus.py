"""Keep the embedded NATS server of a home running, or look whether it runs.

  eristic bus up            in one terminal; `eristic run`, `ls`, `show` ... in others join it
  eristic bus status        starts nothing

Without `bus up` every command starts the server when it needs it, and the last one stops it. Keep
it up to spare that second, or to let other programs play roles or read logs.

exit codes of status:
  0  the server runs
  3  it does not
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eristic.bus import ServerHandle, ServerSighting

__all__ = ["add_arguments", "command"]

_EXIT_NOT_RUNNING = 3
_LOOK_S = 0.2
_LABEL = 13
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`up` and `status`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    up = actions.add_parser("up", help="start or join the server and keep it up until Ctrl-C")
    up.add_argument("--port", type=int, default=0, metavar="N", help="default: any free one")
    up.add_argument(
        "--durability",
        choices=("always", "fast"),
        help="always: a turn is on disk before the next begins (default); fast: a power cut may "
        "lose the last 0.1 s",
    )
    status = actions.add_parser("status", help="is the server running, where, with what in it")
    for action in (up, status):
        action.add_argument(
            "--home", metavar="DIR", help="folder of the server (or ERISTIC_HOME; .eristic)"
        )
        action.add_argument("--json", action="store_true", help="JSON on stdout, one line a fact")


def command(args: argparse.Namespace) -> int:
    """Run `eristic bus up` or `eristic bus status`; returns the exit code."""
    return asyncio.run(_up(args) if args.action == "up" else _status(args))


# -- up


async def _up(args: argparse.Namespace) -> int:
    from eristic.bus import ensure_server
    from eristic.cli.places import home_of
    from eristic.debate.errors import SpecRefused

    if not 0 <= args.port <= 65535:
        raise SpecRefused(f"--port {args.port} is no port; choose one from 1024 to 65535")
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    # Before the start: a Ctrl-C in between must not leave a server that nobody stops.
    for number in _SIGNALS:
        loop.add_signal_handler(number, told.set)
    home = home_of(args)
    server = await asyncio.to_thread(ensure_server, home, profile=args.durability, port=args.port)
    try:
        if not told.is_set():
            _check_port(server, args.port)
            await _keep(server, home, told, as_json=args.json)
    finally:
        await asyncio.to_thread(server.close)
    _say_end(home, as_json=args.json)
    return 0


def _check_port(server: ServerHandle, port: int) -> None:
    from eristic.debate.errors import BusRefused

    if port and server.port != port:
        raise BusRefused(
            f"the server of this home already runs at port {server.port}, not {port}; leave out "
            "--port to join it, or end the commands that use it"
        )


async def _keep(server: ServerHandle, home: Path, told: asyncio.Event, *, as_json: bool) -> None:
    """Until told to end: start the server again whenever it dies. Raises BusError if it cannot."""
    watching = asyncio.create_task(server.watch())
    ending = asyncio.create_task(told.wait())
    _say_up(server, home, as_json=as_json)
    pid = server.pid
    try:
        while not (ending.done() or watching.done()):
            await asyncio.wait(
                {watching, ending}, timeout=_LOOK_S, return_when=asyncio.FIRST_COMPLETED
            )
            if server.pid != pid:
                _say_restarted(pid, server.pid, as_json=as_json)
                pid = server.pid
        if watching.done():
            watching.result()
    finally:
        for task in (watching, ending):
            task.cancel()
        await asyncio.wait({watching, ending})


def _say_up(server: ServerHandle, home: Path, *, as_json: bool) -> None:
    from eristic.bus import sight_server
    from eristic.cli.rendering import Span, open_screen

    seen = sight_server(home)
    version = seen.version if seen is not None else "unknown"
    passwords = home / "nats" / "users.json"
    if as_json:
        _print_json(
            event="up",
            url=server.url,
            port=server.port,
            pid=server.pid,
            profile=server.profile,
            version=version,
            home=str(home),
            passwords_file=str(passwords),
        )
        return
    screen = open_screen()
    screen.line(Span("NATS is up at ", "bold"), Span(server.url, "bold green"))
    facts = {
        "server": f"nats-server {version}, pid {server.pid}",
        "durability": _durability(server.profile),
        "home": str(home),
        "log": str(home / "nats" / "server.log"),
        "join it": f"any eristic command with {_home_option(home)}",
        "from others": f"connect to {server.url} as user `role` to answer for a role (see "
        "examples/plain_role.py), as `reader` to read logs; the inbox prefix is _INBOX.<user>, "
        f"the passwords are in {passwords}, which you alone can read",
    }
    for label, text in facts.items():
        screen.block(text, indent=_LABEL, label=label)
    screen.line()
    screen.line(Span("Ctrl-C leaves; the server stays as long as other commands use it", "dim"))
    sys.stdout.flush()


def _durability(profile: str) -> str:
    if profile == "always":
        return "always: every event is on disk before it is acknowledged"
    return f"{profile}: a power cut may lose the last 0.1 s of events"


def _home_option(home: Path) -> str:
    if home == Path(".eristic").absolute() and not os.environ.get("ERISTIC_HOME"):
        return "the same home (here: in this folder, without any option)"
    return f"--home {home}"


def _say_restarted(before: int, pid: int, *, as_json: bool) -> None:
    if as_json:
        _print_json(event="restarted", pid=pid, died=before)
        return
    print(f"the server (pid {before}) died and runs again as pid {pid}; nothing in it is lost")
    sys.stdout.flush()


def _say_end(home: Path, *, as_json: bool) -> None:
    from eristic.bus import sight_server

    still = sight_server(home)
    if as_json:
        _print_json(event="left", server_stopped=still is None)
    elif still is None:
        print("nobody else uses the server: it is stopped")
    else:
        print(f"left; other commands still use the server at {still.url}")


def _print_json(**facts: object) -> None:
    from eristic.cli.rendering import print_json

    print_json(facts)
    sys.stdout.flush()


# -- status


async def _status(args: argparse.Namespace) -> int:
    from eristic.bus import sight_server
    from eristic.cli.places import home_of

    home = home_of(args)
    seen = sight_server(home)
    runs = await _runs(seen, home)
    stored = _bytes_in(home / "nats" / "store")
    if args.json:
        _print_json(
            running=seen is not None,
            url=seen.url if seen else None,
            port=seen.port if seen else None,
            pid=seen.pid if seen else None,
            profile=seen.profile if seen else None,
            version=seen.version if seen else None,
            home=str(home),
            runs=runs,
            bytes=stored,
        )
    else:
        _print_status(seen, home, runs, stored)
    return 0 if seen is not None else _EXIT_NOT_RUNNING


async def _runs(seen: ServerSighting | None, home: Path) -> int:
    """How many runs are kept: as the server says, or by its folders when it does not run."""
    if seen is None:
        streams = home / "nats" / "store" / "jetstream" / "$G" / "streams"
        return sum(1 for _ in streams.glob("ERISTIC_*"))
    from eristic.bus import connect, list_runs

    link = await connect(seen.reader)
    try:
        return len(await list_runs(link))
    finally:
        await link.close()


def _bytes_in(folder: Path) -> int:
    """Bytes of the files in a folder; those that vanish meanwhile count for nothing."""
    found = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                found += os.lstat(os.path.join(place, name)).st_size
            except FileNotFoundError:
                continue
    return found


def _print_status(seen: ServerSighting | None, home: Path, runs: int, stored: int) -> None:
    from eristic.cli.rendering import Span, open_screen

    screen = open_screen()
    if seen is None:
        screen.line(Span("NATS is not running", "bold yellow"))
        facts = {
            "start it": f"any eristic command with {_home_option(home)} does while it needs it; "
            "`eristic bus up` keeps it up"
        }
    else:
        screen.line(Span("NATS is running at ", "bold"), Span(seen.url, "bold green"))
        facts = {
            "server": f"nats-server {seen.version}, pid {seen.pid}",
            "durability": _durability(seen.profile),
        }
    facts |= {"home": str(home), "runs": f"{runs:,}, {_megabytes(stored)} on disk"}
    for label, text in facts.items():
        screen.block(text, indent=_LABEL, label=label)


def _megabytes(count: int) -> str:
    return f"{count / 1e6:,.1f} MB" if count >= 100_000 else f"{count / 1e3:,.1f} kB"
