"""What to know of the verdicts: do they change when asked again, and what was said at all?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from eristic.protocols.reports import Context, Row, Section
from eristic.protocols.reports.estimates import counted
from eristic.protocols.scr.metrics.cells import BLOCKS, Cell, cells_of, tally_causes
from eristic.protocols.scr.metrics.facts import Episode
from eristic.protocols.scr.metrics.measuring import share
from eristic.protocols.scr.names import (
    KIND_CRITIQUE,
    KIND_MIXED,
    KIND_NONE,
    NO_SUGGESTION,
    NO_VERDICT,
)

__all__ = ["changing_verdicts", "remarks"]

_KINDS: Final = (KIND_CRITIQUE, KIND_MIXED, KIND_NONE)


def changing_verdicts(context: Context) -> Section | None:
    """T1. None for a run without repetitions."""
    cells = [cell for cell in context.once(cells_of) if _verdicts(cell)[0]]
    if not cells:
        return None
    return Section(
        id="T1",
        title="verdicts that change between repetitions",
        about="cases flagged in some of their repetitions and not in others, of the cases with two "
        f"verdicts or more (S3 over {BLOCKS})",
        rows=tuple(_changing_row(context, cell) for cell in cells),
    )


def _verdicts(cell: Cell) -> tuple[dict[str, list[Episode]], int]:
    """Case -> its episodes with a verdict, where there are two; and how many cases have fewer."""
    found: dict[str, list[Episode]] = {}
    for one in cell.episodes:
        found.setdefault(one.recorded.case.case_id, [])
        if one.flagged is not None:
            found[one.recorded.case.case_id].append(one)
    several = {case: group for case, group in found.items() if len(group) > 1}
    return several, len(found) - len(several)


def _changing_row(context: Context, cell: Cell) -> Row:
    several, fewer = _verdicts(cell)
    hits = [(group[0].block, len({one.flagged for one in group}) > 1) for group in several.values()]
    causes = [*[""] * len(several), *["fewer than two verdicts"] * fewer]
    main = share(
        context,
        "scr.changing_verdicts",
        cell.keys,
        hits,
        tally_causes(causes),
        empty="no case with two verdicts",
    )
    return Row(keys=cell.keys, main=main)


def remarks(context: Context) -> Section | None:
    """T2. None for a run without episodes."""
    rows = [row for cell in context.once(cells_of) for row in _remark_rows(cell)]
    if not rows:
        return None
    return Section(
        id="T2",
        title="what was said",
        about="episodes with each of these (count). Kinds of critique: critique, mixed (a "
        "none-token inside a longer text), none. Remarks decide nothing: copy, rewrite "
        "(the critique repeats or rewrites the suggestion), other_script",
        rows=tuple(rows),
        notes=(
            "a refusal to advise is a suggestion like any other, unless refusal_is_suggestion is "
            "false",
            "praise that names no fault is a critique here; accepting it raises the error rate",
        ),
    )


def _remark_rows(cell: Cell) -> Iterator[Row]:
    counts = Counter[tuple[str, str]]()
    for one in cell.episodes:
        counts["suggestion", "refusal"] += one.is_refusal
        missing = one.cause.partition(" ")[0]
        if missing in (NO_SUGGESTION, NO_VERDICT):
            counts["missing", one.cause] += 1
        for said in one.said:
            if said.kind in _KINDS:
                counts[f"critique of {cell.name_of(said.critic)}", said.kind] += 1
            for flag in said.flags:
                counts[f"critique of {cell.name_of(said.critic)}", f"remark {flag}"] += 1
    for about, what in sorted(counts):
        if counts[about, what]:
            keys = {**cell.keys, "about": about, "what": what}
            yield Row(keys=keys, main=counted("scr.remarks", keys, counts[about, what], "count"))
