"""What judges said, as tables for people and one document for programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from eristic.cli.rendering import Screen, Span

if TYPE_CHECKING:
    from eristic.judging import Matter, PanelVerdict
    from eristic.replay.judge_agreement import AgreementRow
    from eristic.replay.judge_reports import Change, JudgeRow, PanelRow, Rated

__all__ = ["Findings", "print_findings", "to_document"]

_UNDEFINED = "undefined: nothing scored"


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is said at the end about one group of judges."""

    matters: Sequence[Matter]
    rated: Sequence[Rated]
    rows: Sequence[JudgeRow]
    changes: Sequence[Change]
    panel: PanelRow | None
    verdicts: Sequence[PanelVerdict]
    agreement: Sequence[AgreementRow]


def print_findings(screen: Screen, found: Findings) -> None:
    """Judges, changes against the log, panel, agreement; undefined is said in words."""
    _print_judges(screen, found.rows)
    if found.changes:
        _print_changes(screen, found.changes)
    if found.panel is not None:
        _print_panel(screen, found.panel)
    if found.agreement:
        _print_agreement(screen, found.agreement)


def _print_judges(screen: Screen, rows: Sequence[JudgeRow]) -> None:
    values = list(dict.fromkeys(value for row in rows for value in row.values))
    names = ["judge", "n", "scored", *values, "unscored", "left"]
    table = [
        [
            row.judge,
            f"{row.n:,}",
            f"{row.scored:,}",
            *(_share(row, value) for value in values),
            f"{sum(row.unscored.values()):,}",
            f"{row.not_asked:,}",
        ]
        for row in rows
    ]
    screen.table(names, table, right=names[1:], keep=names[1:])
    screen.line()
    for row in rows:
        for text in _remarks(row):
            screen.block(text, indent=2, label="")
    screen.line()


def _share(row: JudgeRow, value: str) -> str:
    if value not in row.values:
        return "-"
    share = f" ({row.rates[value]:.1%})" if row.rates is not None else ""
    return f"{row.values[value]:,}{share}"


def _remarks(row: JudgeRow) -> Iterable[str]:
    if row.rates is None:
        yield f"{row.judge}: rates are {_UNDEFINED}"
    if row.unscored:
        causes = ", ".join(f"{cause} {count:,}" for cause, count in row.unscored.items())
        yield f"{row.judge}: unscored, excluded from its rates: {causes}"
    if row.excluded:
        yield f"{row.judge}: {row.excluded:,} left out, of the debater's own model family"


def _print_changes(screen: Screen, changes: Sequence[Change]) -> None:
    screen.line(Span("against the verdict in the log", "bold"))
    for change in changes:
        screen.block(_change(change), indent=2, label="")
    screen.line()


def _change(change: Change) -> str:
    if not change.both:
        return f"{change.judge}: undefined, no episode has a verdict of both"
    changed = ", ".join(f"{name}: {count:,}" for name, count in change.changed.items())
    lone = f"; only in the log {change.only_recorded:,}, only of the judge {change.only_judge:,}"
    return (
        f"{change.judge}: {change.same:,} of {change.both:,} the same "
        f"({change.same / change.both:.1%}){f'; {changed}' if changed else ''}"
        f"{lone if change.only_recorded or change.only_judge else ''}"
    )


def _print_panel(screen: Screen, panel: PanelRow) -> None:
    screen.line(Span(f"panel of {len(panel.judges)}, quorum {panel.quorum}", "bold"))
    names = ["n", *panel.scale, "tie", "no_quorum"]
    row = [panel.n, *panel.decided.values(), panel.tie, panel.no_quorum]
    screen.table(names, [[f"{count:,}" for count in row]], right=names)
    screen.line()


def _print_agreement(screen: Screen, rows: Sequence[AgreementRow]) -> None:
    screen.line(Span("agreement", "bold"))
    names = ["first", "second", "both", "raw", "kappa", "AC1"]
    table = [
        [row.first, row.second, f"{row.both:,}", *map(_number, (row.raw, row.kappa, row.ac1))]
        for row in rows
    ]
    screen.table(names, table, right=names[2:], keep=names[2:])
    for why in dict.fromkeys(row.why for row in rows if row.why):
        screen.block(f"undefined: {why}", indent=2)
    screen.line()


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def to_document(groups: Sequence[Findings]) -> dict[str, Any]:
    """The same for programs, with every single score. groups: at least one; one has the panel."""
    panel = next((found.panel for found in groups if found.panel is not None), None)
    return {
        "judges": [msgspec.to_builtins(row) for found in groups for row in found.rows],
        "against_recorded": [msgspec.to_builtins(x) for found in groups for x in found.changes],
        "panel": msgspec.to_builtins(panel) if panel is not None else None,
        "agreement": [msgspec.to_builtins(row) for found in groups for row in found.agreement],
        "scores": [
            _scores(found, place) for found in groups for place in range(len(found.matters))
        ],
    }


def _scores(found: Findings, place: int) -> dict[str, Any]:
    matter = found.matters[place]
    target, other = matter.target, matter.other
    scores = {rated.name: rated.scores[place] for rated in found.rated}
    document: dict[str, Any] = {
        "episode": target.episode,
        "turn": target.turn,
        "kind": target.kind,
        "case_id": target.case_id,
        "condition": target.condition,
        "repetition": target.repetition,
        "scores": {
            name: {"status": "left"} if score is None else msgspec.to_builtins(score)
            for name, score in scores.items()
        },
    }
    if other is not None:
        document["other"] = {
            "run": matter.other_run,
            "episode": other.episode,
            "turn": other.turn,
        }
    if found.verdicts:
        document["panel"] = msgspec.to_builtins(found.verdicts[place])
    return document
