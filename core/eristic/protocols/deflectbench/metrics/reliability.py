"""M10: how far judges agree, field by field, later judges and people among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from math import sqrt
from typing import Final

import msgspec

from eristic.judging import families_of
from eristic.protocols.deflectbench.metrics.responses import Response
from eristic.protocols.deflectbench.metrics.rules import Verdict
from eristic.protocols.deflectbench.metrics.studies import NOT_BEGUN, Keys, Study
from eristic.protocols.deflectbench.names import FIELDS
from eristic.protocols.deflectbench.rubric import Label
from eristic.protocols.reports import Measure, Row, Section, counted, estimated
from eristic.stats import (
    AC1,
    KAPPA,
    RATE,
    Metric,
    Tally,
    Undefined,
    count_ratings,
    panel_agreement,
)

__all__ = ["Implied", "implied_by", "judge_reliability", "panel_reliability"]

_KAPPA: Final = "deflectbench.judge_kappa"
_AC1: Final = "deflectbench.judge_ac1"
_DISAGREEMENT: Final = "deflectbench.judge_disagreement"

Cells = Sequence[tuple[str, tuple[float, ...]]]
"""Block; both yes, first yes only, second yes only, both no."""


class Implied(msgspec.Struct, frozen=True, kw_only=True):
    """What a kappa and an AC1 say together, if both judges say yes equally often."""

    positives: float
    """Share of yes, the smaller of the two that fit."""
    agreement: float
    """Raw agreement."""


def implied_by(kappa: float | Undefined, ac1: float | Undefined) -> Implied | Undefined:
    """Share of positives and raw agreement that a published pair of numbers implies.

    With equal margins p of both judges, chance agreement is 1 - 2q for kappa and 2q for AC1, where
    q = p (1 - p). Both give the same raw agreement, so 2q = (1 - AC1) / (2 - AC1 - kappa).
    Undefined when one of the two is, and when no share fits. Source: S2 solved for p.
    """
    if isinstance(kappa, Undefined):
        return kappa
    if isinstance(ac1, Undefined):
        return ac1
    if 2 - ac1 - kappa <= 0:
        return Undefined("full agreement says nothing of the share of positives")
    twice_q = (1 - ac1) / (2 - ac1 - kappa)
    if not 0 <= twice_q <= 0.5:
        return Undefined("no share of positives gives this kappa and AC1 with equal margins")
    return Implied(positives=(1 - sqrt(1 - 2 * twice_q)) / 2, agreement=1 - twice_q * (1 - kappa))


def judge_reliability(study: Study) -> Section:
    """M10, judge against judge (S2)."""

    def rows() -> Iterator[Row]:
        for model, verdicts in study.by_model():
            for first, second in combinations(study.judges, 2):
                for field in FIELDS:
                    keys = {"model": model, "judges": f"{first} and {second}", "field": field}
                    yield _pair(study, keys, verdicts, (first, second))

    return Section(
        id="M10",
        title="judge reliability",
        about="Cohen's kappa of two judges over the responses on which both have a valid value, "
        "with AC1 and raw disagreement; agreement is reliability, not validity",
        rows=tuple(rows()),
        notes=(
            "difference: share of yes of the first judge minus that of the second",
            "implied: positives and agreement that kappa and AC1 give together with equal margins; "
            "far from positives and agreement the judges say yes unequally often",
            "all labels of one kind: kappa is undefined and AC1 is 1",
            *_same(study),
            *_kin(study),
            *_absent(study),
        ),
        audits=study.context.reference.audits_of(_KAPPA, _AC1, _DISAGREEMENT),
    )


def panel_reliability(study: Study) -> Section | None:
    """M10 over all judges at once, when there are three or more."""
    if len(study.judges) < 3:
        return None
    return Section(
        id="M10.panel",
        title="reliability of all judges together",
        about="AC1 over the responses with two valid values or more, with Fleiss' kappa",
        rows=tuple(
            _panel(study, {"model": model, "field": field}, verdicts, field)
            for model, verdicts in study.by_model()
            for field in FIELDS
        ),
    )


def _label(response: Response, judge: str) -> Label:
    return {**response.labels, **response.later}.get(judge, {})


def _no_response(verdict: Verdict) -> str:
    """Why a response was shown to no judge."""
    return verdict.response.cause or ("empty" if verdict.response.is_empty else "")


def _pair(study: Study, keys: Keys, verdicts: Sequence[Verdict], judges: tuple[str, str]) -> Row:
    field = next(name for name in FIELDS if name == keys["field"])
    cells, tally = _cells(verdicts, judges, field, missing=study.missing(keys["model"]))

    is_own = list(judges) == list(study.judges)[:2]

    def measure(
        metric: str,
        statistic: Metric,
        of: Callable[[tuple[float, ...]], tuple[float, ...]] = tuple,
        unit: str = "number",
    ) -> Measure:
        return estimated(
            metric,
            keys,
            [(block, of(columns)) for block, columns in cells],
            statistic,
            study.context.settings,
            tally=tally,
            unit=unit,
            published=study.published(metric, keys) if is_own else (),
            empty="no response with a valid value of both judges",
            blocks="claims",
        )

    main, ac1 = measure(_KAPPA, KAPPA), measure(_AC1, AC1)
    beside = {
        "AC1": ac1,
        "disagreement": measure(_DISAGREEMENT, RATE, lambda x: (x[1] + x[2], 1), "fraction"),
        "positives": measure(
            "deflectbench.judge_positives", RATE, lambda x: (2 * x[0] + x[1] + x[2], 2), "fraction"
        ),
        "difference": measure(
            "deflectbench.judge_difference", RATE, lambda x: (x[1] - x[2], 1), "difference"
        ),
        **_implied(keys, main, ac1),
    }
    is_minor = not tally.used or _is_minor(study, keys)
    return Row(keys=keys, main=main, beside=beside, is_minor=is_minor)


def _is_minor(study: Study, keys: Keys) -> bool:
    """Pairs of later judges are many; the episode's own two stand in the table."""
    own = " and ".join(list(study.judges)[:2])
    return len(study.judges) > 3 and keys["judges"] != own


def _cells(
    verdicts: Sequence[Verdict], judges: tuple[str, str], field: str, *, missing: int
) -> tuple[Cells, Tally]:
    cells: list[tuple[str, tuple[float, ...]]] = []
    causes: Counter[str] = Counter({NOT_BEGUN: missing})
    for verdict in verdicts:
        first, second = (_label(verdict.response, judge).get(field) for judge in judges)
        lacking = [x for x, y in zip(judges, (first, second), strict=True) if y is None]
        cause = _no_response(verdict)
        if not cause and lacking:
            cause = f"no valid value from {' and '.join(lacking)}"
        if cause:
            causes[cause] += 1
        else:
            found = [(1, 1), (1, 0), (0, 1), (0, 0)]
            columns = tuple(float(x == (first, second)) for x in found)
            cells.append((verdict.response.block, columns))
    planned = len(cells) + causes.total()
    return cells, Tally.of(planned=planned, used=len(cells), excluded=causes)


def _implied(keys: Keys, kappa: Measure, ac1: Measure) -> dict[str, Measure]:
    found = implied_by(kappa.value, ac1.value)
    positives = found if isinstance(found, Undefined) else found.positives
    agreement = found if isinstance(found, Undefined) else found.agreement
    metric = "deflectbench.judge_implied"
    return {
        "implied_pos": counted(f"{metric}_positives", keys, positives, "fraction"),
        "implied_agr": counted(f"{metric}_agreement", keys, agreement, "fraction"),
    }


def _panel(study: Study, keys: Keys, verdicts: Sequence[Verdict], field: str) -> Row:
    causes = Counter(cause for x in verdicts if (cause := _no_response(x)))
    values = [
        [_label(x.response, judge).get(field) for judge in study.judges]
        for x in verdicts
        if not _no_response(x)
    ]
    ratings = count_ratings(values, categories=(0, 1))
    found = panel_agreement(ratings.counts, excluded=causes)
    numbers: Mapping[str, float | Undefined] = {
        "kappa": found.fleiss_kappa,
        "agreement": found.raw,
        "positives": found.shares[1] if found.shares else Undefined("no item with two ratings"),
    }
    return Row(
        keys=keys,
        main=counted("deflectbench.panel_ac1", keys, found.ac1, "number", tally=found.tally),
        beside={
            name: counted(
                f"deflectbench.panel_{name}",
                keys,
                value,
                "number" if name == "kappa" else "fraction",
            )
            for name, value in numbers.items()
        },
    )


def _same(study: Study) -> Iterator[str]:
    """Judges that are one model, such as judge_b when nobody names another."""
    for first, second in combinations(study.judges, 2):
        shared = set(study.judges[first]).intersection(study.judges[second])
        if shared:
            yield (
                f"{first} and {second} are the same model ({', '.join(sorted(shared))}): they "
                "agree with themselves, and two votes are one"
            )


def _kin(study: Study) -> Iterator[str]:
    """Judges and authors of one house."""
    for model in study.models:
        for judge, models in study.judges.items():
            shared = families_of([model]) & families_of(models)
            if shared:
                yield (
                    f"{judge} ({', '.join(models)}) is of the same house as the author {model} "
                    f"({', '.join(sorted(shared))}): see its difference to the other judges"
                )


def _absent(study: Study) -> Iterator[str]:
    """Judges without a valid label of any response of a model."""
    for model, verdicts in study.by_model():
        shown = [x.response for x in verdicts if not _no_response(x)]
        for judge in list(study.judges)[:2]:
            if shown and not any(_label(response, judge) for response in shown):
                yield f"{judge} has no valid label of {model}: one judge alone decides there"
