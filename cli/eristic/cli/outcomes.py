"""What a run came to: the table at its end, where its log is, and what to do next."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from eristic.agents.episodes import Ending
from eristic.agents.posts import Performance
from eristic.cli.places import Place
from eristic.cli.productions import Production
from eristic.cli.rendering import clean, print_json
from eristic.debate import errors

__all__ = ["report"]

_EXIT_REFUSED = 2
_EXIT_UNFINISHED = 3
_EXIT_SOME_FAILED = 8
_STATES = {0: "finished", _EXIT_SOME_FAILED: "finished", _EXIT_REFUSED: "refused"}
_BROKEN_SHOWN = 10


def report(
    args: argparse.Namespace,
    production: Production,
    place: Place,
    performance: Performance,
    *,
    more: Mapping[str, object] = MappingProxyType({}),
) -> int:
    """Print it; returns the exit code of the run. more: further facts for programs."""
    code = _exit_code(performance, planned=len(production.episodes))
    rows = _rows(production, performance.endings)
    if args.json:
        print_json({**_facts(production, place, performance, rows, code), **more})
    elif rows:
        _print_table(rows)
        for line in _remarks(performance.endings):
            print(line)
    _complain(performance)
    if not args.json and code != _EXIT_REFUSED:
        _print_next(args, production, place, performance, code)
    return code


def _exit_code(performance: Performance, *, planned: int) -> int:
    if performance.error:
        kind = getattr(errors, performance.error_kind, errors.EristicError)
        return int(kind.exit_code)
    closed = [ending for ending in performance.endings if ending.how == "closed"]
    if any(ending.how == "broken" for ending in performance.endings):
        return errors.LogError.exit_code
    if len(closed) < planned:
        return _EXIT_UNFINISHED
    return _EXIT_SOME_FAILED if any(map(_says_nothing, closed)) else 0


def _says_nothing(ending: Ending) -> bool:
    return ending.outcome is None or ending.is_default


def _rows(production: Production, endings: Sequence[Ending]) -> dict[str, Counter[str]]:
    """Condition -> outcome -> episodes; `failed` and `open` are no outcomes."""
    conditions = {e.episode: e.opened.condition for e in production.episodes}
    rows: dict[str, Counter[str]] = {name: Counter() for name in production.experiment.conditions}
    for ending in endings:
        name = (ending.outcome or "failed") if ending.how == "closed" else "open"
        rows[conditions[ending.episode]][name] += 1
    return rows if endings else {}


def _columns(rows: dict[str, Counter[str]]) -> list[str]:
    names = {name for row in rows.values() for name in row} - {"failed", "open"}
    return [*sorted(names), "failed", "open"]


def _print_table(rows: dict[str, Counter[str]]) -> None:
    columns = _columns(rows)
    width = max(len(name) for name in [*rows, "condition"])
    print(
        f"\n{'condition':{width}}  " + "  ".join(f"{name:>13}" for name in [*columns, "episodes"])
    )
    for name, row in rows.items():
        counts = [*(row[column] for column in columns), row.total()]
        print(f"{name:{width}}  " + "  ".join(f"{count:>13}" for count in counts))
    print()


def _remarks(endings: Sequence[Ending]) -> Iterator[str]:
    """What the table does not say about the episodes in it."""
    closed = [ending for ending in endings if ending.how == "closed"]
    causes = Counter(_why(ending) for ending in closed if ending.outcome is None)
    for cause, count in sorted(causes.items()):
        yield f"failed, no outcome, excluded: {count} x {cause}"
    unread = Counter(
        (role, ending.has_defaults) for ending in closed if ending.outcome for role in ending.unread
    )
    for (role, has_defaults), count in sorted(unread.items()):
        whole = "" if has_defaults else " as a whole"
        instead = "its default" if has_defaults else "what else could be read"
        yield f"no verdict of {role} could be read{whole}, {instead} decided: {count} episodes"
    defaults = sum(ending.is_default for ending in closed if ending.outcome)
    if defaults:
        yield f"outcome by default alone, worth nothing: {defaults} episodes"


def _why(ending: Ending) -> str:
    return f"{ending.reason} ({ending.cause})" if ending.cause else ending.reason


def _complain(performance: Performance) -> None:
    """What stopped the run or an episode, on standard error."""
    if performance.error:
        print(f"eristic: {clean(performance.error)}", file=sys.stderr)
    stuck = [ending for ending in performance.endings if ending.how in ("broken", "taken_over")]
    for ending in stuck[:_BROKEN_SHOWN]:
        print(f"eristic: episode {ending.episode}: {clean(ending.error)}", file=sys.stderr)
    if len(stuck) > _BROKEN_SHOWN:
        print(f"eristic: and {len(stuck) - _BROKEN_SHOWN:,} more episodes", file=sys.stderr)


def _print_next(
    args: argparse.Namespace,
    production: Production,
    place: Place,
    performance: Performance,
    code: int,
) -> None:
    run = production.run
    # What names the place now must name it next time; the environment is still there then.
    words = [f"--home {args.home}" if args.home else "", f"--nats {args.nats}" if args.nats else ""]
    there = "".join(f" {word}" for word in words if word and "@" not in word)
    if code not in (0, _EXIT_SOME_FAILED):
        print(f"run {run} is not finished; the same command goes on from the log")
    kept = f"{place.home}/nats/store" if place.is_embedded else place.described
    print(f"log     {kept}, stream ERISTIC_{run}")
    print(f"look    eristic show {run}{there}    the episodes; add a number for a transcript")
    print(f"check   eristic verify {run}{there}    chain, decisions and prompts, no model called")
    if performance.head:
        print(f"head    {performance.head}")
        print("        noted elsewhere, it proves with `verify --head` that this is the same run")


def _facts(
    production: Production,
    place: Place,
    performance: Performance,
    rows: dict[str, Counter[str]],
    code: int,
) -> dict[str, Any]:
    return {
        "run": production.run,
        "state": _STATES.get(code, "unfinished"),
        "exit_code": code,
        "error": performance.error_kind or None,
        "message": performance.error,
        "episodes": len(production.episodes),
        "outcomes": {name: dict(row) for name, row in rows.items()},
        "remarks": list(_remarks(performance.endings)),
        "head": performance.head,
        "log": {
            "at": place.described,
            "stream": f"ERISTIC_{production.run}",
            "durability": place.durability,
        },
        "endings": [
            {
                "episode": ending.episode,
                "how": ending.how,
                "outcome": ending.outcome,
                "reason": ending.reason,
                "cause": ending.cause,
                "rounds": ending.rounds,
                "unread": ending.unread,
                "is_default": ending.is_default,
                "error": ending.error,
            }
            for ending in performance.endings
        ],
    }
