"""Tables of runs and episodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eristic.cli.rendering import Screen, Span

if TYPE_CHECKING:
    from eristic.replay import ConditionRow, EpisodeRow, RunSummary

__all__ = ["print_episodes"]

_STATES = {"open": "yellow", "closed": "", "failed": "red"}
NOT_KNOWN = "-"


def print_episodes(screen: Screen, found: RunSummary, *, limit: int | None) -> None:
    """The episodes of a run, and how many ended how in each condition."""
    started = found.started.strftime("%Y-%m-%d %H:%M UTC") if found.started else "unknown"
    state = "closed" if found.is_closed else "imported" if found.is_imported else "open"
    screen.line(Span(f"run {found.run}", "bold"), f" · {state} · started {started}")
    waiting = found.planned - len(found.rows)
    screen.line(
        f"{found.protocol or 'no episode yet'} · {found.software} · {found.events:,} events · "
        f"{found.planned:,} episodes {'imported' if found.imports else 'planned'}"
        + (f", {waiting:,} not begun" if waiting > 0 else "")
    )
    if not found.rows:
        return
    screen.line()
    shown = found.rows[:limit]
    screen.table(
        (
            "#",
            "episode",
            "case",
            "condition",
            "rep",
            "result",
            "rounds",
            "turns",
            "tokens",
            "model",
        ),
        [_episode(row) for row in shown],
        right=("#", "rep", "rounds", "turns", "tokens"),
        keep=("#", "episode"),
        spare=("rep", "turns", "tokens", "model"),
    )
    if len(shown) < len(found.rows):
        screen.line(Span(f"... {len(found.rows) - len(shown):,} more", "dim"))
    screen.line()
    _print_outcomes(screen, found.conditions)


def _episode(row: EpisodeRow) -> list[str | Span]:
    result = row.state if row.outcome is None else row.outcome
    remarks = [row.reason] if row.reason not in ("", result) else []
    if row.by_default and row.outcome is not None:
        remarks.append("by default")
    reason = f" ({', '.join(remarks)})" if remarks else ""
    return [
        str(row.number),
        row.episode,
        row.case_id,
        row.condition,
        str(row.repetition),
        Span(result + reason, _STATES[row.state]),
        _known(row.rounds),
        str(row.turns),
        _tokens(row),
        ", ".join(row.models) or NOT_KNOWN,
    ]


def _known(number: int | None) -> str:
    return NOT_KNOWN if number is None else f"{number:,}"


def _tokens(row: EpisodeRow) -> str:
    if row.tokens_in is None or row.tokens_out is None:
        return NOT_KNOWN
    # A sum with turns missing is a lower bound.
    least = "≥" if row.turns_uncounted else ""
    return f"{least}{row.tokens_in + row.tokens_out:,}"


def _print_outcomes(screen: Screen, conditions: Sequence[ConditionRow]) -> None:
    outcomes = sorted({name for row in conditions for name in row.outcomes})
    defaults = ("by default",) if any(row.by_default for row in conditions) else ()
    names = ("condition", "n", *outcomes, *defaults, "failed", "open", "causes of failure")
    rows = [
        [
            row.condition,
            str(row.n),
            *(_share(row.outcomes.get(name, 0), row.n) for name in outcomes),
            *(str(row.by_default) for _ in defaults),
            str(sum(row.failed.values())),
            str(row.open),
            ", ".join(f"{cause} {count}" for cause, count in row.failed.items()) or NOT_KNOWN,
        ]
        for row in conditions
    ]
    screen.table(names, rows, right=names[1:-1])
    screen.line(Span("n: episodes with an outcome; failed and open ones are not in it", "dim"))


def _share(count: int, n: int) -> str:
    return f"{count} ({100 * count / n:.0f} %)" if n else str(count)
