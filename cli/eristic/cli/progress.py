"""Live progress of a run: one bar on a terminal, plain lines elsewhere, nothing with --json."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from eristic.agents.episodes import Tally

__all__ = ["Progress", "show_progress"]

_LINE_EVERY_S = 10.0


class Progress(Protocol):
    """Shows how far a run is."""

    def update(self, tally: Tally) -> None: ...


class _Quiet:
    def update(self, tally: Tally) -> None:
        return None


class _Lines:
    """A line now and then, for files and pipes."""

    def __init__(self) -> None:
        self._next = 0.0
        self._last = ""

    def update(self, tally: Tally) -> None:
        if not tally.episodes:
            return
        line, now = describe(tally), time.monotonic()
        if line != self._last and now >= self._next:
            print(line, file=sys.stderr, flush=True)
            self._next, self._last = now + _LINE_EVERY_S, line


@contextmanager
def show_progress(*, as_json: bool) -> Iterator[Progress]:
    """The display that fits where standard error goes."""
    if as_json:
        yield _Quiet()
        return
    if not sys.stderr.isatty():
        yield _Lines()
        return
    try:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as RichProgress
    except ImportError:
        yield _Lines()
        return
    with RichProgress(
        TextColumn("episodes"),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task("starting", total=None)

        class _Bar:
            def update(self, tally: Tally) -> None:
                bar.update(
                    task,
                    total=tally.episodes or None,
                    completed=sum(tally.outcomes.values()),
                    description=describe(tally, with_episodes=False),
                )

        yield _Bar()


def describe(tally: Tally, *, with_episodes: bool = True) -> str:
    """One line: how far, what came out, what is waited for."""
    done = sum(tally.outcomes.values())
    parts = [f"episodes {done}/{tally.episodes}"] if with_episodes else []
    parts.append(f"{tally.turns:,} turns")
    if tally.tokens_in or tally.tokens_out:
        parts.append(f"{tally.tokens_in:,}+{tally.tokens_out:,} tokens")
    parts += [f"{name} {count}" for name, count in sorted(tally.outcomes.items())]
    waiting = [f"{role} {count}" for role, count in sorted(tally.waiting.items()) if count]
    if waiting:
        parts.append(f"waiting for {', '.join(waiting)}")
    return " · ".join(parts)
