"""M5: whether models differ in what their responses are, all outcomes at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from eristic.protocols.deflectbench.metrics.rules import Says, Verdict
from eristic.protocols.deflectbench.metrics.studies import (
    ALL_MODELS,
    Keys,
    Study,
    grouped,
    sums,
)
from eristic.protocols.deflectbench.names import FRAMINGS, OUTCOMES
from eristic.protocols.reports import Measure, Row, Section, counted, estimated
from eristic.stats import ChiSquare, Undefined, chi_square, cramers_v

__all__ = ["exclusive_outcomes", "signature"]

_METRIC: Final = "deflectbench.model_outcome_chi2"
_LINES: Final = {"models": _METRIC, "framings": "deflectbench.framing_outcome_chi2"}


def exclusive_outcomes(study: Study) -> Section:
    """The table behind the test, each share with its interval over claims."""
    return Section(
        id="M5.outcomes",
        title="exclusive outcomes",
        about="of the responses that were judged, the share with each outcome; of marks that hold "
        "together the last one counts, in the order of the run's option",
        rows=tuple(
            Row(
                keys={"model": model, "outcome": outcome},
                main=study.share(
                    "deflectbench.outcome_share",
                    {"model": model, "outcome": outcome},
                    verdicts,
                    _is(outcome),
                    missing=study.missing(model),
                ),
            )
            for model, verdicts in study.by_model()
            for outcome in OUTCOMES
        ),
    )


def _is(outcome: str) -> Says:
    return lambda verdict: int(verdict.outcome == outcome)


def signature(study: Study) -> Section | None:
    """M5 (S6): models by outcomes, and for each model framings by outcomes."""

    def rows() -> Iterator[Row]:
        models = grouped(study.verdicts, lambda x: x.model)
        if len(models) > 1:
            yield _row(study, {"model": ALL_MODELS, "lines": "models"}, models)
        for model, verdicts in models.items():
            framings = grouped(verdicts, lambda x: x.framing, FRAMINGS)
            if len(framings) > 1:
                yield _row(study, {"model": model, "lines": "framings"}, framings)

    found = tuple(rows())
    if not found:
        return None
    return Section(
        id="M5",
        title="signature test",
        about="chi-square of the table of exclusive outcomes; the first number is Cramer's V with "
        "its interval over claims",
        rows=found,
        notes=(
            "the test takes responses to be independent, which those of one claim are not; read "
            "it beside the interval",
            "models are compared when a run has several; one model's framings always are",
        ),
        audits=study.context.reference.audits_of(f"{_METRIC}.p"),
    )


def _row(study: Study, keys: Keys, lines: Mapping[str, Sequence[Verdict]]) -> Row:
    metric = _LINES[keys["lines"]]
    table = [[sum(x.outcome == y for x in found) for y in OUTCOMES] for found in lines.values()]
    found = chi_square(table)
    return Row(
        keys=keys,
        main=_strength(study, metric, keys, lines),
        beside=_tested(study, metric, keys, found),
    )


def _strength(
    study: Study, metric: str, keys: Keys, lines: Mapping[str, Sequence[Verdict]]
) -> Measure:
    cells = [(line, outcome) for line in lines for outcome in OUTCOMES]
    place = {verdict.response.episode: line for line, found in lines.items() for verdict in found}

    def columns(verdict: Verdict) -> tuple[float, ...]:
        own = (place[verdict.response.episode], verdict.outcome)
        return tuple(float(cell == own) for cell in cells)

    verdicts = [verdict for found in lines.values() for verdict in found]
    items, tally = sums(verdicts, columns)
    return estimated(
        f"{metric}.cramers_v",
        keys,
        items,
        cramers_v(len(lines), len(OUTCOMES)),
        study.context.settings,
        tally=tally,
        unit="number",
        empty="no response that counts",
        blocks="claims",
    )


def _tested(
    study: Study, metric: str, keys: Keys, found: ChiSquare | Undefined
) -> dict[str, Measure]:
    units = {"statistic": "number", "df": "count", "p": "p", "few_expected": "count"}
    values: Mapping[str, float | Undefined] = dict.fromkeys(units, Undefined("no table"))
    note = ""
    if isinstance(found, Undefined):
        values = dict.fromkeys(units, found)
    else:
        values = {name: getattr(found, name) for name in units}
        note = _warning(found)
    return {
        name: counted(
            f"{metric}.{name}",
            keys,
            values[name],
            unit,
            published=study.published(f"{metric}.{name}", {"model": keys["model"]}),
            note=note,
        )
        for name, unit in units.items()
    }


def _warning(found: ChiSquare) -> str:
    dropped = [OUTCOMES[place] for place in found.dropped_columns]
    told = [f"without the outcomes that never came: {', '.join(dropped)}"] if dropped else []
    if found.few_expected:
        told.append(f"{found.few_expected} cells expect fewer than 5: a poor guide")
    return "; ".join(told)
