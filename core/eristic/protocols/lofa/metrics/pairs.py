"""M10: fallacies against each other on one model. M11: plain against cot, and model by model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import Final

from eristic.protocols.lofa.metrics.comparisons import arm_of, compare, compared_rows
from eristic.protocols.lofa.metrics.rates import correct, lasts, lasts_of_all
from eristic.protocols.lofa.metrics.studies import ALL, Keys, Says, Study
from eristic.protocols.lofa.metrics.tries import Try
from eristic.protocols.reports import Row, Section

__all__ = ["fallacy_pairs", "model_pairs", "plain_against_cot"]

_QUESTION: Final = ("case_id", "repetition", "is_shared")
_CELL: Final = (*_QUESTION, "fallacy")
_METRICS: Final[Mapping[str, str]] = MappingProxyType(
    {"lfr": "lofa.lfr", "of_all": "lofa.held_of_all", "accuracy": "lofa.accuracy"}
)
_NOTES: Final = (
    "b: held in the first arm only; c: in the second only; p: exact McNemar test on what most "
    "tries of a question say, questions with a tie left out",
)


def _rates(study: Study) -> dict[str, Says]:
    """lfr only over who survives the bare claim in both arms; of_all over all with a verdict."""
    k = study.chosen.k
    return {"lfr": lasts(k), "of_all": lasts_of_all(k), "accuracy": correct}


def fallacy_pairs(study: Study) -> Section | None:
    """M10; None for a run of one fallacy."""

    def rows() -> Iterator[Row]:
        for arm, tries in study.arms():
            fallacies = [x for x in study.fallacies if any(y.fallacy == x for y in tries)]
            pairs = list(combinations(fallacies, 2))
            if not pairs:
                continue
            arms = {
                x: arm_of([y for y in tries if y.fallacy == x], lasts(k), _QUESTION)
                for x in fallacies
            }
            compared = [
                compare(
                    study.context,
                    _METRICS["lfr"],
                    {**arm, "first": first, "second": second},
                    arms[first],
                    arms[second],
                )
                for first, second in pairs
            ]
            family = f"all {len(pairs)} pairs of fallacies of {arm['model']}, {arm['form']}"
            is_minor = len(pairs) > _MANY
            yield from compared_rows(_METRICS["lfr"], compared, family=family, is_minor=is_minor)

    k = study.chosen.k
    if len(study.fallacies) < 2:
        return None
    return Section(
        id="M10",
        title=f"fallacies compared, held at k = {k}",
        about="difference of LFR over the questions that survive the bare claim before both "
        "fallacies; h: Cohen's effect size",
        rows=tuple(rows()),
        notes=(
            *_NOTES,
            "Holm's adjustment over all pairs of fallacies of one model and style; of many pairs "
            "the table shows those below 0.05",
        ),
    )


_MANY: Final = 10


def plain_against_cot(study: Study) -> Section | None:
    """M11; None unless a model has both styles."""

    def rows() -> Iterator[Row]:
        for model in study.models:
            tries = [x for x in study.tries if x.model == model]
            arms = [[x for x in tries if x.form == form] for form in ("plain", "cot")]
            if all(arms):
                yield from _compared(study, {"model": model}, arms[0], arms[1])

    return _section(
        study,
        tuple(rows()),
        id="M11.cot",
        title="plain against step by step",
        arms="plain minus cot",
        audits=("cot-boolq",) if study.has_yes_no else (),
    )


def model_pairs(study: Study) -> Section | None:
    """M11; None for a run of one model."""

    def rows() -> Iterator[Row]:
        for first, second in combinations(study.models, 2):
            for form in sorted({x.form for x in study.tries}, reverse=True):
                arms = [
                    [x for x in study.tries if (x.model, x.form) == (model, form)]
                    for model in (first, second)
                ]
                if all(arms):
                    keys = {"models": f"{first} - {second}", "form": form}
                    yield from _compared(study, keys, arms[0], arms[1])

    return _section(
        study,
        tuple(rows()),
        id="M11.models",
        title="models compared",
        arms="first model minus second, for sizes of one series",
    )


def _compared(
    study: Study, keys: Keys, first: Sequence[Try], second: Sequence[Try]
) -> Iterator[Row]:
    """All fallacies together, then each, by three rates."""
    fallacies = [
        x
        for x in study.fallacies
        if all(any(y.fallacy == x for y in arm) for arm in (first, second))
    ]
    for rate, says in _rates(study).items():
        compared = [
            compare(
                study.context,
                _METRICS[rate],
                {**keys, "rate": rate, "fallacy": fallacy},
                *(
                    arm_of([x for x in arm if fallacy in (ALL, x.fallacy)], says, _CELL)
                    for arm in (first, second)
                ),
                is_whole=fallacy == ALL,
            )
            for fallacy in (*((ALL,) if len(fallacies) != 1 else ()), *fallacies)
        ]
        family = f"{len(fallacies)} fallacies, {rate}, {', '.join(keys.values())}"
        is_minor = len(fallacies) > 1
        yield from compared_rows(_METRICS[rate], compared, family=family, is_minor=is_minor)


def _section(
    study: Study,
    rows: tuple[Row, ...],
    *,
    id: str,
    title: str,
    arms: str,
    audits: Sequence[str] = (),
) -> Section | None:
    if not rows:
        return None
    return Section(
        id=id,
        title=f"{title}, held at k = {study.chosen.k}",
        about=f"{arms}, over the same questions; lfr: over who survives the bare claim in both "
        "arms; of_all: over all with a verdict in both; accuracy: of first answers",
        rows=rows,
        notes=(
            *_NOTES,
            "Holm's adjustment over the fallacies of one row of arms and one rate; the table shows "
            "all fallacies together and those below 0.05",
        ),
        audits=study.audits(*audits),
    )
