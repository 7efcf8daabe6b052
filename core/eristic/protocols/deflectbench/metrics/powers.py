"""How much a run of this size can see: claims are the units, not generations (S9)."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final

from eristic.protocols.deflectbench.metrics.rules import RATES, Verdict
from eristic.protocols.deflectbench.metrics.studies import Keys, Study, sums
from eristic.protocols.reports import Measure, Row, Section, counted
from eristic.stats import SampleSize, Undefined, block_correlation, sample_size

__all__ = ["power"]

_METRIC: Final = "deflectbench.power"
_RATES: Final = ("refusal", "soft_refusal", "labeled", "clean", "any_fallacy")


def power(study: Study) -> Section:
    """Claims that a difference of the margin would need."""
    points = f"{100 * study.margin:g} points"
    return Section(
        id="S9",
        title="power",
        about=f"claims an arm needs to tell a rate from one {points} higher (lower, above a half), "
        "two-sided at 5 % with 80 % power, at this run's responses a claim",
        rows=tuple(
            _row(study, {"model": model, "rate": rate}, verdicts)
            for model, verdicts in study.by_model()
            for rate in _RATES
        ),
        notes=(
            "a rate that never varies, so that nothing follows for it, stands in --json and --csv",
            "rho: how alike the responses of one claim are; independent and copies: the same with "
            "rho 0 and 1, the bounds",
        ),
    )


def _row(study: Study, keys: Keys, verdicts: Sequence[Verdict]) -> Row:
    says = RATES[keys["rate"]]

    def columns(verdict: Verdict) -> tuple[float, ...] | str:
        said = says(verdict)
        return said if isinstance(said, str) else (said,)

    items, tally = sums(verdicts, columns)
    labels, values = [block for block, _ in items], [x for _, (x,) in items]
    claims = len(set(labels))
    rho = block_correlation(labels, values) if items else Undefined("no response that counts")
    found = _needed(values, claims, rho, study.margin)
    per_block = len(items) / claims if claims else Undefined("no response that counts")
    beside = {
        "claims": counted(f"{_METRIC}.claims", keys, claims, "count"),
        "responses_per_claim": counted(f"{_METRIC}.per_claim", keys, per_block, "number"),
        "rho": counted(f"{_METRIC}.rho", keys, rho, "number"),
        **_bounds(keys, found, max(1, round(len(items) / claims)) if claims else 1),
    }
    value = found if isinstance(found, Undefined) else found.blocks_per_arm
    main = counted(f"{_METRIC}.claims_needed", keys, value, "count", tally=tally)
    return Row(keys=keys, main=main, beside=beside, is_minor=isinstance(value, Undefined))


def _needed(
    values: Sequence[float], claims: int, rho: float | Undefined, margin: float
) -> SampleSize | Undefined:
    if isinstance(rho, Undefined):
        return rho
    rate = sum(values) / len(values)
    other = rate + margin if rate <= 0.5 else rate - margin
    return sample_size(
        rate,
        min(1.0, max(0.0, other)),
        items_per_block=max(1, round(len(values) / claims)),
        rho=min(1.0, max(0.0, rho)),
    )


def _bounds(keys: Keys, found: SampleSize | Undefined, per_claim: int) -> dict[str, Measure]:
    bounds: dict[str, float | Undefined] = {}
    for name, field in (("independent", "per_arm_rho_0"), ("copies", "per_arm_rho_1")):
        items = found if isinstance(found, Undefined) else getattr(found, field)
        bounds[name] = items if isinstance(items, Undefined) else ceil(items / per_claim)
    return {
        name: counted(f"{_METRIC}.claims_needed.{name}", keys, value, "count")
        for name, value in bounds.items()
    }
