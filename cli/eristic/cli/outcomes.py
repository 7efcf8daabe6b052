"""What a run came to: the table at its end, where its log is, and what to do next."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

from eristic.agents.episodes import Ending
from eristic.agents.posts import Performance
from eristic.cli.places import Place
from eristic.cli.productions import Production
from eristic.debate import errors

__all__ = ["report"]

_EXIT_UNFINISHED = 3
_EXIT_SOME_FAILED = 8


def report(
    args: argparse.Namespace, production: Production, place: Place, performance: Performance
) -> int:
    """Print it; returns the exit code of the run."""
    code = _exit_code(performance, planned=len(production.episodes))
    rows = _rows(production, performance.endings)
    if args.json:
        facts = _facts(production, place, performance, rows)
        print(json.dumps(facts, ensure_ascii=False, allow_nan=False))
        return code
    if performance.error:
        print(f"eristic: {performance.error}", file=sys.stderr)
    if rows:
        _print_table(rows)
    for line in _troubles(performance.endings):
        print(line)
    _print_next(production, place, performance, code)
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
    return _EXIT_SOME_FAILED if any(ending.outcome is None for ending in closed) else 0


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


def _troubles(endings: Sequence[Ending]) -> list[str]:
    causes = Counter(e.reason for e in endings if e.how == "closed" and e.outcome is None)
    lines = [f"failed, no outcome, excluded: {count} x {cause}" for cause, count in causes.items()]
    lines += [f"{e.episode}: {e.error}" for e in endings if e.how in ("broken", "taken_over")]
    return lines


def _print_next(production: Production, place: Place, performance: Performance, code: int) -> None:
    run = production.run
    where = "" if place.is_embedded else f" (at {place.described})"
    home = f"{place.home}/nats/store" if place.is_embedded else place.described
    if code == _EXIT_UNFINISHED:
        print(f"run {run} is not finished{where}; the same command goes on from the log")
    print(f"log     {home}, stream ERISTIC_{run}")
    if performance.head:
        print(f"head    {performance.head}  (note it: `eristic verify {run} --head ...` proves it)")
    print(f"look    eristic show {run}          the episodes; add an id for a transcript")
    print(f"check   eristic verify {run}        chain, decisions and prompts, without a model")


def _facts(
    production: Production,
    place: Place,
    performance: Performance,
    rows: dict[str, Counter[str]],
) -> dict[str, Any]:
    return {
        "run": production.run,
        "state": "finished" if performance.head else "unfinished",
        "episodes": len(production.episodes),
        "outcomes": {name: dict(row) for name, row in rows.items()},
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
                "rounds": ending.rounds,
                "error": ending.error,
            }
            for ending in performance.endings
        ],
        "error": performance.error or None,
    }
