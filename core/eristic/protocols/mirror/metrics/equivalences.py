"""Whether a respondent is unmoved: shown to be within a margin, not merely not shown to move.

S5 knows shares from 0 to 1. Scores lie on a scale of 20 points, so one point is 0.05 of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from eristic.protocols.mirror.metrics.cells import Cell, Scope, table_of, tally_of, values_of
from eristic.protocols.mirror.metrics.choices import margin_of
from eristic.protocols.mirror.metrics.measuring import keyed, missing_share
from eristic.protocols.mirror.metrics.shifts import block_means
from eristic.protocols.mirror.metrics.values import Values, mean
from eristic.protocols.mirror.names import SCALE_END
from eristic.protocols.reports import Context, Measure, Row, Section
from eristic.protocols.reports.estimates import counted
from eristic.stats import Equivalence, Interval, Undefined, equivalence

__all__ = ["paired_equivalence", "two_arm_equivalence", "unmoved"]

_SCALE: Final = 2.0 * SCALE_END
"""Of scores, from end to end (points)."""
_FEW: Final = "fewer than two statements with a shift"
_NOTHING_VARIES: Final = "all statements moved alike, so there is no spread to test against"


def two_arm_equivalence(
    before: Sequence[Values], after: Sequence[Values], margin: float
) -> Equivalence | Undefined:
    """S5, block version: mean scores of the blocks before and after, as two arms (points).

    Differences between the statements count as noise here, so it needs many of them.
    """
    arms = [[_share(x, _SCALE) for x in block_means(arm).values()] for arm in (after, before)]
    return _scaled(equivalence(arms[0], arms[1], margin=margin / _SCALE), _SCALE, len(arms[0]))


def paired_equivalence(shifts: Sequence[Values], margin: float) -> Equivalence | Undefined:
    """S5 on the blocks' own shifts against no shift at all (points).

    The second arm never varies, so Welch's t is the one-sample t of the shifts: every statement is
    its own control.
    """
    moved = [_share(x, 2 * _SCALE) for x in block_means(shifts).values()]
    found = equivalence(moved, [0.5] * len(moved), margin=margin / (2 * _SCALE))
    return _scaled(found, 2 * _SCALE, len(moved))


def _share(score: float, scale: float) -> float:
    return min(1.0, max(0.0, 0.5 + score / scale))


def _scaled(found: Equivalence | Undefined, scale: float, blocks: int) -> Equivalence | Undefined:
    """Back from shares to points, and to the words of this protocol."""
    if isinstance(found, Undefined):
        return Undefined(_NOTHING_VARIES if blocks > 1 else _FEW)
    ends = found.interval
    return msgspec.structs.replace(
        found,
        difference=found.difference * scale,
        se=found.se * scale,
        interval=Interval(ends.low * scale, ends.high * scale, ends.level),
        margin=found.margin * scale,
    )


def unmoved(context: Context) -> Section | None:
    """The section."""
    table, margin = context.once(table_of), margin_of(context.choices)
    rows = tuple(
        _row(context, cell, scope, kind, margin)
        for cell in table.cells
        for kind in cell.debates()
        for scope in table.within(*cell.kind(kind))
    )
    if not rows:
        return None
    return Section(
        id="M3e",
        title="unmoved within a margin",
        about="mean signed shift and its 90 % interval by statements; the respondent is shown to "
        f"be unmoved when the interval lies between -{margin:g} and {margin:g}, that is p below "
        "0.05",
        rows=rows,
        notes=(
            "p: two one-sided tests (S5) on the shifts of the statements, each its own control",
            "p arms: the same test with the scores after and before as two arms (Welch), in which "
            "differences between statements count as noise",
            "not significant in M3 is not the same as unmoved, and not shown here is not moved",
        ),
    )


def _row(context: Context, cell: Cell, scope: Scope, kind: str, margin: float) -> Row:
    keys, episodes = keyed(cell, scope, kind), cell.kind(kind, scope)
    shifts = values_of(episodes, lambda one: one.shift)
    paired = paired_equivalence(shifts, margin)
    arms = two_arm_equivalence(
        values_of(episodes, lambda one: one.counted_before),
        values_of(episodes, lambda one: one.counted_after),
        margin,
    )
    main = counted("mirror.unmoved.shift", keys, _mean(shifts), "score", tally=tally_of(episodes))
    interval = paired if isinstance(paired, Undefined) else paired.interval
    main = msgspec.structs.replace(main, interval=interval, rule="Welch's t over statements")
    beside: dict[str, Measure] = {
        "p": counted("mirror.unmoved.p", keys, _of(paired, "p"), "p"),
        "p arms": counted("mirror.unmoved.p_arms", keys, _of(arms, "p"), "p"),
        "p moved": counted("mirror.moved.p", keys, _of(paired, "p_different"), "p"),
        "missing": missing_share(keys, episodes),
    }
    return Row(keys=keys, main=main, beside=beside)


def _mean(shifts: Sequence[Values]) -> float | Undefined:
    """Of the blocks; it is there also where nothing varies and there is no test."""
    means = list(block_means(shifts).values())
    return mean(means) if means else Undefined("no question with a shift")


def _of(found: Equivalence | Undefined, name: str) -> float | Undefined:
    if isinstance(found, Undefined):
        return found
    return {"p": found.p, "p_different": found.p_different}[name]
