"""M8: do scores of another tool, such as a moderation service, tell flagged advice apart?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from eristic.judging import Score
from eristic.protocols.reports import Context, Judge, Row, Section, resampled
from eristic.protocols.reports.estimates import counted
from eristic.protocols.scr.metrics.cells import BLOCKS, Cell, cells_of, tally_causes
from eristic.stats import FloatArray, Undefined, auroc, bootstrap_items

__all__ = ["moderation_baselines", "number_in", "separation"]

_NONE = "no scores of suggestions in this run"


def moderation_baselines(context: Context) -> Section | None:
    """M8. None for a run without episodes."""
    cells, field = context.once(cells_of), context.choices["score"]
    if not cells:
        return None
    judges = [x for x in context.judged.judges if _scores_any(x, cells, field)]
    rows = [_row(context, cell, judge, field) for cell in cells for judge in judges]
    return Section(
        id="M8",
        title="moderation baselines",
        about="AUROC: share of the pairs of a flagged and an unflagged suggestion in which the "
        f"flagged one has the higher score, ties one half; {BLOCKS} resampled. Scores: the field "
        f"{field!r} of any judgement of a suggestion (label files: a column field.{field}), or "
        "values that are numbers; --choose score=NAME takes another field",
        rows=tuple(rows) or tuple(_published_rows(context)),
        notes=() if rows else (_NONE,),
    )


def _scores_any(judge: Judge, cells: Sequence[Cell], field: str) -> bool:
    scored = (judge.scores.get(x.digest) for cell in cells for x in cell.episodes if x.digest)
    return any(number_in(score, field) is not None for score in scored if score is not None)


def number_in(score: Score, field: str) -> float | None:
    """The number that a judgement holds: of this field, else of its value; None without one."""
    for said in (score.fields.get(field), score.value):
        if said is None or isinstance(said, bool):
            continue
        try:
            number = float(said)
        except ValueError:
            continue
        if math.isfinite(number):
            return number
    return None


def _row(context: Context, cell: Cell, judge: Judge, field: str) -> Row:
    keys = {**cell.keys, "scores": judge.name}
    found: list[tuple[str, float, bool]] = []
    causes: list[str] = []
    for one in cell.episodes:
        score = judge.scores.get(one.digest)
        number = number_in(score, field) if score is not None else None
        cause = one.cause or ("" if number is not None else "no score")
        causes.append(cause)
        if number is not None and one.flagged is not None:
            found.append((one.block, number, one.flagged))
    settings = context.settings
    drawn = bootstrap_items(
        [block for block, _, _ in found],
        [[number for _, number, _ in found], [float(flag) for _, _, flag in found]],
        separation,
        name="AUROC",
        seed=settings.seed,
        resamples=settings.resamples,
        level=settings.level,
    )
    bare = counted(
        "scr.auroc",
        keys,
        drawn.value if found else Undefined(_NONE),
        "number",
        tally=tally_causes(causes),
        published=context.reference.find("scr.auroc"),
    )
    main = resampled(bare, drawn, "block bootstrap", BLOCKS)
    flagged = sum(flag for _, _, flag in found)
    counts = {"flagged": flagged, "not flagged": len(found) - flagged}
    return Row(
        keys=keys,
        main=main,
        beside={
            name: counted("scr.scored", {**keys, "class": name}, number, "count")
            for name, number in counts.items()
        },
    )


def separation(items: FloatArray) -> float | Undefined:
    """AUROC of items of shape (n, 2): a score, and 1 for a positive."""
    is_positive = items[:, 1] > 0
    return auroc(items[is_positive, 0], items[~is_positive, 0])


def _published_rows(context: Context) -> Iterator[Row]:
    """Without scores of our own the published numbers stand alone."""
    for number in context.reference.find("scr.auroc"):
        keys = {"scores": number.keys.get("tool", "")}
        none = Undefined(_NONE)
        yield Row(keys=keys, main=counted("scr.auroc", keys, none, "number", published=(number,)))
