"""Regenerates what the reference pages take from the code: `.venv/bin/python docs/_generate.py`.

A page is written by hand but for the parts between `<!-- generated: NAME -->` and `<!-- end -->`;
NAME is one of `PARTS`. With --check nothing is written, and what is out of date is shown; a test
does that.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

import _examples
import _server
import _tables

from eristic.bus.wire import Lookup
from eristic.debate import Answer, Ask, Envelope, Event, Outcome

DOCS = Path(__file__).parent
HELP_COLUMNS = 100


def helps() -> str:
    """`--help` of the command and of every verb, at a fixed width."""
    os.environ["COLUMNS"] = str(HELP_COLUMNS)
    from eristic.cli.entry import build_parser

    parts = []
    for parser, depth in _parsers(build_parser(), 0):
        text = parser.format_help().rstrip()
        parts.append(f"{'#' * min(depth + 2, 3)} {parser.prog}\n\n```text\n{text}\n```")
    return "\n\n".join(parts)


def _parsers(
    parser: argparse.ArgumentParser, depth: int
) -> Iterator[tuple[argparse.ArgumentParser, int]]:
    yield parser, depth
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from _parsers(inner, depth + 1)


PARTS: dict[str, Callable[[], str]] = {
    "answer-examples": _examples.answer_examples,
    "answer-fields": lambda: _tables.field_table(Answer),
    "ask-examples": _examples.ask_examples,
    "ask-fields": lambda: _tables.field_table(Ask),
    "ask-parts": lambda: _tables.sections(_tables.parts_of((Ask,))),
    "envelope": lambda: _tables.field_table(Envelope),
    "event-parts": lambda: _tables.sections(_tables.parts_of(get_args(Event))),
    "events": _tables.events,
    "helps": helps,
    "lookup-example": _examples.lookup_example,
    "lookup-fields": lambda: _tables.field_table(Lookup),
    "outcome-parts": lambda: _tables.sections(_tables.parts_of(get_args(Outcome))),
    "outcomes": _tables.outcomes,
    "reading-rights": _server.reading_rights,
    "rights": _server.rights,
    "sealed-example": _examples.sealed_example,
    "stored-example": _examples.stored_example,
    "stream-settings": _server.stream_settings,
}

_PART = re.compile(r"(<!-- generated: ([a-z-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def regenerate(page: str) -> str:
    """The page with every generated part made anew. Raises KeyError for an unknown part."""
    return _PART.sub(lambda found: f"{found[1]}\n{PARTS[found[2]]()}\n\n{found[4]}", page)


def pages() -> list[Path]:
    """The pages that have generated parts."""
    return [path for path in sorted(DOCS.rglob("*.md")) if _PART.search(path.read_text("utf-8"))]


def is_stale(before: str, after: str) -> bool:
    """True when more than white space differs: versions of Python wrap `--help` differently."""
    return before.split() != after.split()


def main() -> int:
    """Exit code 1 when --check finds a page that is out of date."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, show what differs")
    check = parser.parse_args().check
    found = 0
    for path in pages():
        before = path.read_text("utf-8")
        after = regenerate(before)
        if not is_stale(before, after):
            continue
        found = 1
        if check:
            lines = difflib.unified_diff(before.splitlines(), after.splitlines(), str(path), "code")
            print("\n".join(lines))
        else:
            path.write_text(after, "utf-8")
            print(f"{path.relative_to(DOCS.parent)} has changed")
    return found if check else 0


if __name__ == "__main__":
    sys.exit(main())
