"""M9: distraction and distortion (class 1) against flaws of reasoning or evidence (class 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from eristic.protocols.lofa.metrics.rates import lasts
from eristic.protocols.lofa.metrics.studies import BLOCKS, Keys, Study, summed
from eristic.protocols.lofa.metrics.tries import Try
from eristic.protocols.lofa.names import ARGUMENTS, CLASSES
from eristic.protocols.reports import Measure, Row, Section, Sums, counted, estimated
from eristic.stats import MEAN_DIFFERENCE, MEAN_RATE, Metric, Tally, Undefined

__all__ = ["class_means"]

_TITLES: Final[Mapping[int, str]] = {1: "1 distraction", 2: "2 reasoning"}

Arms = Mapping[str, Sums]
"""Fallacy -> its tries that count."""


def class_means(study: Study) -> Section | None:
    """M9; None for a run of fewer than two fallacies."""

    def rows() -> Iterator[Row]:
        for arm, tries in study.arms():
            for k in range(1, ARGUMENTS + 1):
                yield from _rows(study, arm, tries, k)

    if len(study.fallacies) < 2:
        return None
    weights = "all tries of the class pooled" if study.chosen.is_pooled else "equal weights"
    return Section(
        id="M9",
        title="classes of fallacies",
        about=f"LFR@k of the five fallacies of each class, {weights}; difference: class 1 minus "
        "class 2, drawn over the same questions",
        rows=tuple(rows()),
        notes=("another weighting: --choose class_mean=pooled or equal",),
    )


def _rows(study: Study, arm: Keys, tries: Sequence[Try], k: int) -> Iterator[Row]:
    keys = {**arm, "k": str(k)}
    means: list[Measure] = []
    for number, fallacies in CLASSES.items():
        kept = [x for x in tries if x.fallacy in fallacies]
        own = {**keys, "class": _TITLES[number]}
        means.append(_mean(study, own, kept, fallacies, k))
        yield Row(keys=own, main=means[-1], is_minor=k != study.chosen.k)
    own = {**keys, "class": "difference"}
    main = _difference(study, own, tries, means, k)
    yield Row(keys=own, main=main, is_minor=k != study.chosen.k)


def _mean(
    study: Study, keys: Keys, tries: Sequence[Try], fallacies: Sequence[str], k: int
) -> Measure:
    columns, missing = _columns(study, tries, fallacies, k)
    return _estimated(
        study, "lofa.class_mean", keys, tries, columns, MEAN_RATE, missing, k, "fraction"
    )


def _difference(
    study: Study, keys: Keys, tries: Sequence[Try], means: Sequence[Measure], k: int
) -> Measure:
    # Five fallacies each, so the mean difference of pairs is the difference of the means.
    pairs = list(zip(*CLASSES.values(), strict=True))
    order = [name for pair in pairs for name in pair]
    kept = [x for x in tries if x.fallacy in order]
    undefined = next((x.value for x in means if isinstance(x.value, Undefined)), None)
    if study.chosen.is_pooled:
        columns: Sums = [
            (block, (*sums, 0, 0) if x in CLASSES[1] else (0, 0, *sums))
            for x in order
            for block, sums in _arm(kept, x, k)
        ]
    else:
        columns, _ = _columns(study, kept, order, k)
    reason = undefined.reason if undefined is not None else ""
    return _estimated(
        study,
        "lofa.class_difference",
        keys,
        kept,
        columns,
        MEAN_DIFFERENCE,
        reason,
        k,
        "difference",
    )


def _columns(
    study: Study, tries: Sequence[Try], fallacies: Sequence[str], k: int
) -> tuple[Sums, str]:
    """Hits and items of each fallacy in columns of its own, and why a mean is undefined."""
    arms = {name: _arm(tries, name, k) for name in fallacies}
    empty = [name for name, items in arms.items() if not items]
    if study.chosen.is_pooled:
        return [item for items in arms.values() for item in items], ""
    missing = f"no survivor to count of {', '.join(empty)}" if empty else ""
    return [
        (block, (0,) * (2 * place) + tuple(sums) + (0,) * (2 * (len(arms) - place - 1)))
        for place, items in enumerate(arms.values())
        for block, sums in items
    ], missing


def _arm(tries: Sequence[Try], fallacy: str, k: int) -> Sums:
    return summed([x for x in tries if x.fallacy == fallacy], lasts(k))[0]


def _estimated(
    study: Study,
    metric: str,
    keys: Keys,
    tries: Sequence[Try],
    columns: Sums,
    statistic: Metric,
    undefined: str,
    k: int,
    unit: str,
) -> Measure:
    tally: Tally = summed(tries, lasts(k))[1]
    if undefined:
        return counted(metric, keys, Undefined(undefined), unit, tally=tally)
    return estimated(
        metric,
        keys,
        columns,
        statistic,
        study.context.settings,
        tally=tally,
        unit=unit,
        empty="no survivor to count",
        blocks=BLOCKS,
    )
