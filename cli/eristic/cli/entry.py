"""`eristic`: what the words on the command line mean. Imports nothing heavy."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from eristic.cli.words import CommandParser, parse

if TYPE_CHECKING:
    from eristic.debate.errors import EristicError

__all__ = ["build_parser", "main", "refuse"]

VERBS = {
    "run": "run an experiment, or go on with it",
    "plan": "calls, tokens and dollars of an experiment, before anything is spent",
    "answer": "play a role of a run yourself: a person in place of a model",
    "ls": "list the runs and how they ended",
    "show": "show a run's episodes, or one as a transcript at any turn",
    "verify": "prove that a run is what was written and follows from itself",
    "report": "metrics of a run with intervals, beside the published numbers",
    "replay": "what would other rules have decided? No model is called",
    "rejudge": "let judges score recorded debates again; panels, labels of people, agreement",
    "fork": "go on from any recorded turn with other models or options",
    "import": "bring published debates into a run",
    "export": "write a run to Parquet, lines of JSON or CSV",
    "bus": "keep the embedded NATS server up, or look whether it runs",
    "doctor": "check software, server, Ray and models, and say what to do",
    "local-llm": "serve the small local model until Ctrl-C",
}
"""Verb -> what it does. Each is a module of this package with `add_arguments(parser)` and
`command(args)`; only the module of the verb that is called is imported."""

_MODULES = {"import": "imports"}
"""Verb -> module, where the verb is a word of Python's own."""

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
  8  finished, but some episodes failed and have no outcome, or rest on no readable verdict
  9  some files could not be imported; the rest was
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
  ERISTIC_DEBUG        1: a traceback for errors of Eristic itself

A first run without any key:  eristic run logicom --role all=local --limit 1
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code. Nothing but `--help` and `--version` raises."""
    words = list(sys.argv[1:] if argv is None else argv)
    as_json = "--json" in words
    try:
        parser = build_parser(words)
        args = parse(parser, words)
        if args.command is None:
            parser.print_help()
            return 0
        return int(args.command(args))
    except KeyboardInterrupt:
        return _end("Stopped", "stopped; the same command goes on from the log", 130, as_json)
    except BrokenPipeError:
        # The reader of our output left (`eristic show ... | head`); that is no error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        known = _foreseen(error)
        if known is not None:
            return refuse(known, as_json=as_json)
        if os.environ.get("ERISTIC_DEBUG"):
            raise
        return _surprise(error, as_json=as_json)


def refuse(error: EristicError, *, as_json: bool) -> int:
    """Say what was refused; returns the exit code. With --json also a document on stdout."""
    return _end(type(error).__name__, str(error), error.exit_code, as_json)


def _surprise(error: Exception, *, as_json: bool) -> int:
    """An error that nobody foresaw: never a traceback, and never a secret out of its text."""
    import traceback

    from eristic.agents.models import scrub

    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{os.path.basename(frame.filename)}, line {frame.lineno}"
    text = (
        f"{type(error).__name__} in {where}: {scrub(str(error)) or 'no message'}. This is an "
        "error of Eristic: nothing that is in a log is lost, the same command goes on from there. "
        "ERISTIC_DEBUG=1 shows the traceback, which may hold secrets"
    )
    return _end(type(error).__name__, text, 1, as_json)


def _foreseen(error: BaseException) -> EristicError | None:
    """The refusal inside a group of errors; None when there is another error in it."""
    from eristic.debate.errors import EristicError

    if isinstance(error, EristicError):
        return error
    if not isinstance(error, BaseExceptionGroup):
        return None
    inner = [_foreseen(one) for one in error.exceptions]
    return inner[0] if all(inner) else None


def _end(kind: str, message: str, code: int, as_json: bool) -> int:
    from eristic.cli.rendering import clean, print_json

    if as_json:
        print_json({"error": kind, "message": message, "exit_code": code})
    print(f"eristic: {clean(message)}", file=sys.stderr)
    return code


def build_parser(words: Sequence[str] | None = None) -> CommandParser:
    """The parser of all verbs; of the verb that these words call, when words are given."""
    parser = CommandParser(
        prog="eristic",
        description="Run, replay and re-judge debates between language models. "
        "Every role is an actor, every turn an event in an append-only log.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, help="show the version and exit")
    parser.set_defaults(command=None)
    verbs = parser.add_subparsers(title="commands", metavar="COMMAND")
    called = next((word for word in words or () if word in VERBS), None)
    for verb, summary in VERBS.items():
        if words is not None and verb != called:
            verbs.add_parser(verb, help=summary)
            continue
        module = import_module(f"eristic.cli.{_MODULES.get(verb, verb.replace('-', '_'))}")
        sub = verbs.add_parser(
            verb,
            help=summary,
            description=module.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(sub)
        sub.set_defaults(command=module.command, parser=sub)
    return parser


class _Version(argparse.Action):
    """Looks the version up only when it is asked for."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str | None = None) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from eristic.cli.software import software

        print(software())
        parser.exit()
