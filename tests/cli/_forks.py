"""A small run to be forked, and the fork."""

from __future__ import annotations

from tests.cli._commands import Json, Shell

BASE = ["logicom", "--run", "base", "--limit", "1", "-o", "options.round_limit=3"]
STEADY = "all=script:steady?chars=80"
YIELDING = "conviction=script:yielding?turn=9"


def with_base(shell: Shell) -> Shell:
    """A home with a run in which nobody gives in: 2 motions x 3 conditions, 3 rounds."""
    assert shell.run(*BASE, "--role", STEADY).code == 0
    return shell


def fork(shell: Shell, *words: str, code: int = 0) -> Json:
    """The document of `eristic fork`."""
    said = shell("fork", *words, "--host", "inline", "--json")
    assert said.code == code, said.err
    return said.document
