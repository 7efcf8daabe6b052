"""M7: how often a repair gives other advice, and how often that is better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from eristic.protocols.reports import Context, Judge, Measure, Published, Row, Section
from eristic.protocols.reports.estimates import counted
from eristic.protocols.scr.metrics.cells import BLOCKS, Cell, cells_of, tally_causes, tally_of
from eristic.protocols.scr.metrics.facts import OPEN, Episode
from eristic.protocols.scr.metrics.measuring import mean_of, share
from eristic.protocols.scr.metrics.published import audits, beside, derived
from eristic.protocols.scr.metrics.repair_judges import (
    BETTER,
    TIED,
    WORSE,
    repair_judges,
    verdict_of,
)
from eristic.protocols.scr.names import DEGENERATE, REPAIR
from eristic.stats import Tally, Undefined, cross_ratings, judge_agreement

__all__ = ["judged_repairs", "repair_judge_agreement", "repairs"]

_NUMBERS: Final = {
    "success": ((BETTER, TIED), "valid"),
    "better only": ((BETTER,), "valid"),
    "end to end": ((BETTER, TIED), "attempted"),
    "better end to end": ((BETTER,), "attempted"),
}
"""The four numbers that are always shown together -> values that count, and of what."""
_NO_REPAIR: Final = "no repair that came to an end"
_NO_VALID: Final = "no valid repair that was judged"
_UNJUDGED: Final = "not judged"
_INVALID: Final = "no valid repair"
_VALID: Final = (
    "A repair is valid when the text returned is another one than the original: at least one "
    "candidate passed its comparison. The publication does not say how it counted; this is our "
    "reading"
)


def _attempted(cell: Cell) -> tuple[Episode, ...]:
    """Repairs, and episodes that are still on the way to be one."""
    return tuple(one for one in cell.episodes if one.mending is not None or _is_open(one))


def _is_open(one: Episode) -> bool:
    return one.recorded.condition == REPAIR and one.recorded.closed is None


def _cause(one: Episode) -> str:
    return OPEN if one.mending is None else one.mending.cause


def _cells(context: Context) -> list[Cell]:
    return [cell for cell in context.once(cells_of) if _attempted(cell)]


def repairs(context: Context) -> Section | None:
    """M7 as far as the episodes themselves say it. None for a run without repairs."""
    cells = _cells(context)
    if not cells:
        return None
    return Section(
        id="M7",
        title="repairs",
        about="of the repairs of flagged suggestions that came to an end (T). valid (V): changed; "
        "repaired: the suggester defends the text returned, its own oracle; iterations: that "
        "began, mean; degenerate: candidates that did not pass their comparison, of all candidates",
        rows=tuple(row for cell in cells for row in _rows(context, cell)),
        notes=(
            _VALID,
            "whether changed advice is better advice only a judge can say: M7b",
            "cycle: a candidate equal to an earlier text; budget: changed but still flagged",
        ),
    )


def _rows(context: Context, cell: Cell) -> Iterator[Row]:
    ended = [one for one in _attempted(cell) if not _cause(one)]
    tally = tally_of(_attempted(cell), _cause)
    for name, read in (("valid", "changed"), ("repaired", "repaired")):
        keys = {**cell.keys, "share": name}
        main = share(
            context,
            f"scr.repairs_{name}",
            keys,
            [(one.block, bool(getattr(one.mending, read))) for one in ended],
            tally,
            empty=_NO_REPAIR,
            published=_valid_share(context, cell) if name == "valid" else (),
        )
        yield Row(keys=keys, main=main, beside=_outcomes(ended, keys) if name == "repaired" else {})
    yield _iterations(context, cell, ended, tally)
    yield _degenerate(context, cell, ended)


def _valid_share(context: Context, cell: Cell) -> tuple[Published, ...]:
    return _of_attempts(context, cell, "valid", "scr.repairs_valid")


def _of_attempts(context: Context, cell: Cell, count: str, metric: str) -> tuple[Published, ...]:
    reference = context.reference
    numbers = beside(reference, "scr.repairs", cell.suggester, count=count)
    return derived(numbers, reference.design.get("repair_sample"), metric, "attempted repairs")


def _outcomes(ended: Sequence[Episode], keys: dict[str, str]) -> dict[str, Measure]:
    counts = Counter(one.mending.outcome for one in ended if one.mending is not None)
    return {
        name: counted("scr.repair_outcomes", {**keys, "outcome": name}, counts[name], "count")
        for name in sorted(counts)
    }


def _iterations(context: Context, cell: Cell, ended: Sequence[Episode], tally: Tally) -> Row:
    keys = {**cell.keys, "share": "iterations"}
    main = mean_of(
        context,
        "scr.repair_iterations",
        keys,
        [(one.block, float(one.mending.iterations)) for one in ended if one.mending],
        tally,
        unit="rounds",
        empty=_NO_REPAIR,
    )
    return Row(keys=keys, main=main)


def _degenerate(context: Context, cell: Cell, ended: Sequence[Episode]) -> Row:
    keys = {**cell.keys, "share": "degenerate"}
    told = [(one.block, one.mending) for one in ended if one.mending is not None]
    hits = [
        (block, decision == DEGENERATE)
        for block, mending in told
        for decision, count in sorted(mending.decisions.items())
        for _ in range(count)
    ]
    tally = Tally.of(planned=len(hits), used=len(hits))
    main = share(context, "scr.degenerate_candidates", keys, hits, tally, empty="no candidate")
    hints = Counter[str]()
    for _, mending in told:
        hints.update(mending.hints)
    return Row(
        keys=keys,
        main=main,
        beside={
            f"hint {name}": counted("scr.hints", {**keys, "hint": name}, hints[name], "count")
            for name in sorted(hints)
        },
    )


def judged_repairs(context: Context) -> Section | None:
    """M7's four numbers, judge by judge. None for a run without repairs."""
    cells = _cells(context)
    if not cells:
        return None
    judges = repair_judges(context)
    return Section(
        id="M7b",
        title="repairs as judges see them",
        about="better (B), tied (E) or worse than the original. success: (B + E) / V, the printed "
        "one; better only: B / V; end to end: (B + E) / T; better end to end: B / T. V: valid "
        "repairs with a verdict, T: those and all that changed nothing. Judges: eristic rejudge "
        "RUN --judge scr-repair=MODEL, the text returned beside the original, in both orders; two "
        "orders that disagree are no verdict",
        rows=tuple(
            row
            for cell in cells
            for judge in (judges or (None,))
            for name in _NUMBERS
            for row in (_judged_row(context, cell, judge, name),)
        ),
        notes=("a tie is no improvement: read all four numbers together", _VALID),
        audits=audits(context.reference, "repair-claim"),
    )


def _judged_row(context: Context, cell: Cell, judge: Judge | None, name: str) -> Row:
    keys = {**cell.keys, "judge": judge.name if judge is not None else "none", "number": name}
    values, below = _NUMBERS[name]
    metric = f"scr.repair_{name.replace(' ', '_')}"
    published = _published(context, cell, name, metric)
    if judge is None:
        none = Undefined("no judge looked at the repairs")
        return Row(keys=keys, main=counted(metric, keys, none, "fraction", published=published))
    told = [(one, *_told(judge, one, below)) for one in _attempted(cell)]
    main = share(
        context,
        metric,
        keys,
        [(one.block, value in values) for one, value, cause in told if not cause],
        tally_causes(cause for _, _, cause in told),
        empty=_NO_VALID if below == "valid" else _NO_REPAIR,
        published=published,
    )
    return Row(keys=keys, main=main, beside=_counts(told, keys) if name == "success" else {})


def _told(judge: Judge, one: Episode, below: str) -> tuple[str, str]:
    """What the judge says of a repair, or empty when it changed nothing; why it does not count."""
    cause = _cause(one)
    if cause or one.mending is None:
        return "", cause
    if not one.mending.changed:
        return "", _INVALID if below == "valid" else ""
    score = verdict_of(judge, one)
    if score is None:
        return "", _UNJUDGED
    if score.value not in (BETTER, TIED, WORSE):
        return "", f"no verdict of the judge ({score.cause or score.value})"
    return score.value, ""


def _counts(told: Sequence[tuple[Episode, str, str]], keys: dict[str, str]) -> dict[str, Measure]:
    counts = Counter(value for _, value, _ in told)
    return {
        name: counted("scr.repair_verdicts", {**keys, "verdict": name}, counts[name], "count")
        for name in (BETTER, TIED, WORSE)
    }


def _published(context: Context, cell: Cell, name: str, metric: str) -> tuple[Published, ...]:
    (*_, least), below = _NUMBERS[name]
    count = "successful" if least == TIED else BETTER
    if below == "attempted":
        return _of_attempts(context, cell, count, metric)
    return beside(context.reference, "scr.repair_success_rate", cell.suggester, rate=count)


def repair_judge_agreement(context: Context) -> Section | None:
    """S2 of the judges of repairs. None with fewer than two, or without repairs."""
    judges, cells = repair_judges(context), _cells(context)
    if len(judges) < 2 or not cells:
        return None
    valid = [x for c in cells for x in _attempted(c) if x.mending is not None and x.mending.changed]
    return Section(
        id="M7c",
        title="agreement of repair judges",
        about=f"valid repairs with a verdict ({BETTER}, {TIED}, {WORSE}) of both judges",
        rows=tuple(_agreement_row(valid, *pair) for pair in combinations(judges, 2)),
        notes=(f"no interval: read beside the intervals of M7b, which are over {BLOCKS}",),
    )


def _agreement_row(valid: Sequence[Episode], first: Judge, second: Judge) -> Row:
    keys = {"first": first.name, "second": second.name}
    values = [[_told(judge, one, "valid")[0] or None for one in valid] for judge in (first, second)]
    counts = cross_ratings(*values, categories=(BETTER, TIED, WORSE))
    found = judge_agreement(counts.counts, excluded=counts.excluded)
    metric = "scr.repair_judge_agreement"
    return Row(
        keys=keys,
        main=counted(f"{metric}.raw", keys, found.raw, "fraction", tally=found.tally),
        beside={
            "kappa": counted(f"{metric}.kappa", keys, found.kappa, "number"),
            "AC1": counted(f"{metric}.ac1", keys, found.ac1, "number"),
        },
    )
