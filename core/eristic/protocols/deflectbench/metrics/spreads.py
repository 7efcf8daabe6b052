"""M2: how much refusal differs from claim to claim, and how much of it is chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from eristic.protocols.deflectbench.metrics.rules import RATES, Verdict
from eristic.protocols.deflectbench.metrics.studies import Study, grouped, sums
from eristic.protocols.reports import Row, Section, counted
from eristic.stats import Spread, Undefined, block_spread

__all__ = ["claim_spread"]

_METRIC: Final = "deflectbench.refusal_rate.per_claim"


def claim_spread(study: Study) -> Section:
    """M2, over all models together and for each."""

    def rows() -> Iterator[Row]:
        for model, verdicts in study.by_model():
            yield _range(study, model, verdicts)
        for model, verdicts in study.by_model():
            yield from _claims(study, model, verdicts)

    return Section(
        id="M2",
        title="spread of refusal over claims",
        about="largest minus smallest refusal rate of a claim, over all templates and samples",
        rows=tuple(rows()),
        notes=(
            "expected: mean spread when the claims are dealt anew among the responses of each "
            "model and template, so when all claims have one rate; high: 95 % of those lie below",
            "p: share of such permutations with a spread as large; no interval, since a resample "
            "of claims can only make the spread smaller",
        ),
        audits=study.context.reference.audits_of(f"{_METRIC}.range", f"{_METRIC}.min"),
    )


def _range(study: Study, model: str, verdicts: Sequence[Verdict]) -> Row:
    keys, settings = {"model": model}, study.context.settings
    found = _spread(verdicts, seed=settings.seed, permutations=settings.resamples)
    _, tally = sums(verdicts, _refused, missing=study.missing(model))
    units = {
        "range": "points",
        "min": "fraction",
        "max": "fraction",
        "expected": "points",
        "expected_high": "points",
        "p": "p",
    }
    values = dict.fromkeys(units, found) if isinstance(found, Undefined) else _values(found)
    measures = {
        name: counted(
            f"{_METRIC}.{name}",
            keys,
            values[name],
            unit,
            tally=tally if name == "range" else None,
            published=study.published(f"{_METRIC}.{name}", keys),
        )
        for name, unit in units.items()
    }
    return Row(keys=keys, main=measures.pop("range"), beside=measures)


def _values(found: Spread) -> dict[str, float | Undefined]:
    return {
        "range": found.value,
        "min": found.low,
        "max": found.high,
        "expected": found.expected,
        "expected_high": found.expected_high,
        "p": found.p,
    }


def _refused(verdict: Verdict) -> tuple[float, ...] | str:
    said = RATES["refusal"](verdict)
    return said if isinstance(said, str) else (said, 1)


def _spread(verdicts: Sequence[Verdict], *, seed: int, permutations: int) -> Spread | Undefined:
    used = [
        (x.response, said)
        for x in verdicts
        if not x.cause and not isinstance(said := RATES["refusal"](x), str)
    ]
    return block_spread(
        [response.block for response, _ in used],
        [f"{response.model}\n{response.template}" for response, _ in used],
        [said for _, said in used],
        seed=seed,
        permutations=permutations,
    )


def _claims(study: Study, model: str, verdicts: Sequence[Verdict]) -> Iterator[Row]:
    for claim, found in grouped(verdicts, lambda x: x.block).items():
        items, tally = sums(found, _refused)
        hits = sum(columns[0] for _, columns in items)
        value = hits / len(items) if items else Undefined("no response that counts")
        keys = {"model": model, "claim": claim}
        main = counted(_METRIC, keys, value, "fraction", tally=tally)
        yield Row(keys=keys, main=main, is_minor=True)
