"""How far judges agree about the same turns, and how much of it chance would give."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import msgspec

from eristic.debate.errors import ExtraMissing
from eristic.replay.judge_reports import Rated, to_verdict

__all__ = ["AgreementRow", "agreements"]


class AgreementRow(msgspec.Struct, frozen=True, kw_only=True):
    """Two judges over the matters that both gave a value. None: undefined, see `why`."""

    first: str
    second: str
    both: int
    """Matters with a value of both (count)."""
    raw: float | None
    kappa: float | None
    ac1: float | None
    why: str = ""
    """Why something is undefined or missing."""


def agreements(judges: Sequence[Rated]) -> list[AgreementRow]:
    """Every pair of judges that can be compared: on their scale, or on the recorded one.

    Raw agreement, Cohen's kappa and Gwet's AC1; the last two need the extra `stats`.
    """
    rows = []
    for first, second in combinations(judges, 2):
        if first.values == second.values:
            columns = [[x.value if x else None for x in judge.scores] for judge in (first, second)]
            rows.append(_row(first, second, columns, first.values))
        elif first.verdicts and second.verdicts:
            columns = [[to_verdict(j, x) for x in j.scores] for j in (first, second)]
            scale = sorted({*first.verdicts.values(), *second.verdicts.values()})
            rows.append(_row(first, second, columns, scale))
    return rows


def _row(
    first: Rated, second: Rated, columns: list[list[str | None]], scale: Sequence[str]
) -> AgreementRow:
    pairs = [(x, y) for x, y in zip(*columns, strict=True) if x is not None and y is not None]
    same = sum(x == y for x, y in pairs)
    kappa, ac1, why = _beyond_chance(columns, scale) if pairs else (None, None, "nothing shared")
    return AgreementRow(
        first=first.name,
        second=second.name,
        both=len(pairs),
        raw=same / len(pairs) if pairs else None,
        kappa=kappa,
        ac1=ac1,
        why=why,
    )


def _beyond_chance(
    columns: list[list[str | None]], scale: Sequence[str]
) -> tuple[float | None, float | None, str]:
    try:
        from eristic.stats import Undefined, cross_ratings, judge_agreement
    except ExtraMissing as error:
        return None, None, str(error)
    ratings = cross_ratings(columns[0], columns[1], categories=scale)
    found = judge_agreement(ratings.counts, excluded=ratings.excluded)
    numbers = (found.kappa, found.ac1)
    whys = [x.reason for x in numbers if isinstance(x, Undefined)]
    kappa, ac1 = (None if isinstance(x, Undefined) else x for x in numbers)
    return kappa, ac1, whys[0] if whys else ""
