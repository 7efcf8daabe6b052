"""`eristic`: what the words on the command line mean. Imports nothing heavy."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from eristic.debate.errors import EristicError

__all__ = ["build_parser", "main"]

VERBS = ("run", "ls", "show", "verify")
"""Each is a module of this package with `add_arguments(parser)`, `SUMMARY` and `command(args)`."""

EXIT_CODES = """\
exit codes:
  0  done, and nothing is left to do
  1  an error of Eristic itself or of a dependency
  2  input refused: a spec, an option, a case file, a run name
  3  unfinished: the run was stopped or some episodes are still open; the same command goes on
  4  the log is damaged, missing, or from a newer version
  5  NATS is not reachable or refuses
  6  a model cannot be called: unknown, no key, or it failed
  7  an optional dependency is not installed
  8  finished, but some episodes failed and have no outcome
  130  stopped at once (Ctrl-C twice)
"""

EPILOG = f"""\
{EXIT_CODES}
environment:
  ERISTIC_HOME         where runs are kept (default: .eristic in the current folder)
  NATS_URL             an external NATS server instead of the embedded one
  ERISTIC_NATS_SERVER  path of the nats-server program to embed
  OPENAI_API_KEY, ...  keys of model providers, as litellm names them; never an option
  NO_COLOR             no colours

A first run without any key:  eristic run logicom --role all=local --limit 1
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    parser = build_parser()
    args = parser.parse_args(argv)
    if args.command is None:
        parser.print_help()
        return 0
    try:
        return int(args.command(args))
    except EristicError as error:
        _say(error, as_json=getattr(args, "json", False))
        return error.exit_code
    except KeyboardInterrupt:
        print("stopped; the same command goes on from the log", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output left (`eristic show ... | head`); that is no error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _say(error: EristicError, *, as_json: bool) -> None:
    if as_json:
        fact = {"error": type(error).__name__, "message": str(error)}
        print(json.dumps(fact, ensure_ascii=False))
    print(f"eristic: {error}", file=sys.stderr)


def build_parser() -> argparse.ArgumentParser:
    """The parser of all verbs."""
    parser = argparse.ArgumentParser(
        prog="eristic",
        description="Run, replay and re-judge debates between language models. "
        "Every role is an actor, every turn an event in an append-only log.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=_version())
    parser.set_defaults(command=None)
    verbs = parser.add_subparsers(title="commands", metavar="COMMAND")
    for verb in VERBS:
        module = import_module(f"eristic.cli.{verb.replace('-', '_')}")
        sub = verbs.add_parser(
            verb,
            help=module.SUMMARY,
            description=module.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(sub)
        sub.set_defaults(command=module.command)
    return parser


def _version() -> str:
    from eristic.cli.software import software

    return software()
