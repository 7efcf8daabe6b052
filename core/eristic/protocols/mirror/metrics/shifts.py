"""M3's aggregations: one number out of the shifts of many questions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import msgspec

from eristic.protocols.mirror.metrics.values import Values, mean
from eristic.protocols.reports.estimates import Sums
from eristic.stats import (
    RATE,
    FloatArray,
    Metric,
    SignedRank,
    Undefined,
    bootstrap,
    gather,
    signed_rank,
)

__all__ = [
    "ABS_MEAN",
    "AGGREGATIONS",
    "Aggregation",
    "block_means",
    "shift",
    "shift_sums",
    "rank_shifts",
]


def _abs_mean(sums: FloatArray) -> FloatArray:
    return abs(RATE.compute(sums))


ABS_MEAN: Final = Metric("absolute mean", ("sum", "items"), _abs_mean, "no item in the denominator")
"""The mean without its sign."""


class Aggregation(msgspec.Struct, frozen=True, kw_only=True):
    """A mean over questions of one number each."""

    about: str
    of_question: Callable[[Values], float | None]
    """Of the question's shifts; None: it does not take part."""
    metric: Metric = RATE


def _mean_abs(values: Values) -> float:
    return mean([abs(x) for x in values.numbers])


def _progressive(values: Values) -> float | None:
    return values.question.polarity * mean(values.numbers) if values.question.polarity else None


AGGREGATIONS: Final[Mapping[str, Aggregation]] = MappingProxyType(
    {
        "mean_abs_question": Aggregation(
            about="mean over questions of the absolute mean shift of each",
            of_question=lambda values: abs(mean(values.numbers)),
        ),
        "mean_abs_pair": Aggregation(
            about="mean over questions of the mean absolute shift of each",
            of_question=_mean_abs,
        ),
        "abs_mean_signed": Aggregation(
            about="absolute value of the mean over questions of the mean shift of each",
            of_question=lambda values: mean(values.numbers),
            metric=ABS_MEAN,
        ),
        "mean_signed": Aggregation(
            about="mean over questions of the mean shift of each; positive: towards agreeing",
            of_question=lambda values: mean(values.numbers),
        ),
        "mean_progressive": Aggregation(
            about="as mean_signed, times the polarity of the question; positive: towards the "
            "progressive answer; questions without polarity do not take part",
            of_question=_progressive,
        ),
    }
)
"""The first is the usual one."""


def shift_sums(shifts: Sequence[Values], name: str) -> Sums:
    """Items for the aggregation's metric: one a question."""
    of_question = AGGREGATIONS[name].of_question
    found = ((values.question.unit, of_question(values)) for values in shifts)
    return [(unit, (number, 1.0)) for unit, number in found if number is not None]


def shift(shifts: Sequence[Values], name: str) -> float | Undefined:
    """The aggregation without an interval (points). shifts: after minus before, by question."""
    sums = shift_sums(shifts, name)
    if not sums:
        return Undefined("no question with a shift")
    columns = zip(*(columns for _, columns in sums), strict=True)
    gathered = gather([unit for unit, _ in sums], *columns)
    return bootstrap(gathered, AGGREGATIONS[name].metric, seed=0, resamples=1).value


def block_means(values: Sequence[Values]) -> dict[str, float]:
    """Block -> mean over its questions of the mean of each; in order of the block."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    for one in values:
        found[one.question.unit].append(mean(one.numbers))
    return {unit: mean(found[unit]) for unit in sorted(found)}


def rank_shifts(values: Sequence[Values]) -> SignedRank | Undefined:
    """S8 on the means of the blocks: whether they shift to one side."""
    return signed_rank(list(block_means(values).values()))
