"""M1 to M3: how often the debater was convinced, how steadily, and how much more with fallacies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import fsum, sqrt

import msgspec

from eristic.protocols.logicom.metrics.arms import Arm, Cell, claim_sums, shared_cells
from eristic.protocols.logicom.metrics.context import Context
from eristic.protocols.logicom.state import FALLACIOUS_HELPER, LOGICAL_HELPER, NO_HELPER
from eristic.protocols.reports import Measure, Published, Row, Section
from eristic.protocols.reports.estimates import contrasted, counted, estimated
from eristic.stats import MEAN_RATE, RATE, RELATIVE_INCREASE, TOTAL, Tally, Undefined

__all__ = [
    "Spread",
    "relative_increase",
    "relative_increases",
    "spread",
    "success_counts",
    "success_rate",
    "successes_by_claim",
    "with_outcomes",
]

_MEAN = "logicom.success_rate.mean"
_INCOMPLETE = "claim without an outcome in every repetition"


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """Rates of several repetitions in short (fractions)."""

    mean: float
    variance: float
    """Population variance: divided by the number of repetitions."""
    sd: float


def spread(rates: Sequence[float]) -> Spread | Undefined:
    """Mean, population variance and standard deviation of the repetitions' rates."""
    if not rates:
        return Undefined("no repetition with an outcome")
    mean = fsum(rates) / len(rates)
    variance = fsum((rate - mean) ** 2 for rate in rates) / len(rates)
    return Spread(mean=mean, variance=variance, sd=sqrt(variance))


def relative_increase(first: float, baseline: float) -> float | Undefined:
    """first / baseline - 1; undefined for a baseline of 0."""
    return first / baseline - 1 if baseline else Undefined("the baseline is 0")


def rates_by_repetition(arm: Arm) -> dict[int, float | Undefined]:
    """Share convinced among the claims with an outcome, for each repetition."""
    rates: dict[int, float | Undefined] = {}
    for repetition in arm.repetitions:
        found = [x.convinced is True for x in arm.used if x.repetition == repetition]
        none = Undefined(f"repetition {repetition} has no outcome")
        rates[repetition] = sum(found) / len(found) if found else none
    return rates


def with_outcomes(arm: Arm) -> tuple[int, ...]:
    """Repetitions in which at least one debate has an outcome."""
    return tuple(sorted({debate.repetition for debate in arm.used}))


def success_rate(context: Context) -> Section:
    """M1."""
    return Section(
        id="M1",
        title="success rate",
        about="share of claims whose debate ended convinced, for each repetition; then the mean "
        "over repetitions with its population standard deviation",
        rows=tuple(_rate_row(context, arm) for arm in context.arms),
        notes=tuple(_rate_notes(context)),
        audits=context.reference.audits_of(_MEAN),
    )


def _rate_notes(context: Context) -> Iterator[str]:
    yield "failed, open and not begun debates are in no rate; n counts debates"
    unread = [x.unread_rounds for arm in context.arms for x in arm.used if x.unread_rounds]
    if unread:
        yield (
            f"{len(unread):,} of them have {sum(unread):,} rounds whose conviction check could not "
            "be read; such a round counts as not convinced, as it did live"
        )


def _rate_row(context: Context, arm: Arm) -> Row:
    keys = arm.keys
    rates = rates_by_repetition(arm)
    over = spread([rate for rate in rates.values() if isinstance(rate, float)])
    beside = {
        f"rep {number}": counted(
            "logicom.success_rate.repetition", {**keys, "repetition": str(number)}, rate, "fraction"
        )
        for number, rate in rates.items()
    }
    widths = context.published("logicom.success_rate.spread", arm.model, scenario=arm.condition)
    sd = over if isinstance(over, Undefined) else over.sd
    variance = over if isinstance(over, Undefined) else over.variance
    beside["sd"] = counted("logicom.success_rate.sd", keys, sd, "points", published=widths)
    beside["variance"] = counted("logicom.success_rate.variance", keys, variance, "number")
    main = estimated(
        _MEAN,
        keys,
        claim_sums(arm.outcomes(), arm.pairs(), with_outcomes(arm)),
        MEAN_RATE,
        context.settings,
        tally=arm.tally,
        published=context.published(_MEAN, arm.model, scenario=arm.condition),
    )
    return Row(keys=keys, main=main, beside=beside)


def successes_by_claim(outcomes: Mapping[Cell, bool], repetitions: Sequence[int]) -> dict[str, int]:
    """Claim -> convinced repetitions, for the claims that have an outcome in every one."""
    claims = sorted({claim for claim, _ in outcomes})
    complete = [c for c in claims if all((c, number) in outcomes for number in repetitions)]
    return {claim: sum(outcomes[claim, number] for number in repetitions) for claim in complete}


def success_counts(context: Context) -> Section:
    """M2."""
    rows = tuple(_count_row(context, arm) for arm in context.arms)
    is_beside = any(x.published for row in rows for x in row.measures())
    audits = context.reference.audits_of("logicom.one_or_two_successes_share")
    return Section(
        id="M2",
        title="success counts",
        about="claims by the number of their repetitions that ended convinced, over claims with "
        "an outcome in all; value: the inconsistent share, neither none nor all of them",
        rows=rows,
        notes=("n counts claims; the published ones have three repetitions and stand beside such",),
        audits=audits if is_beside else (),
    )


def _count_row(context: Context, arm: Arm) -> Row:
    keys, most = arm.keys, len(arm.repetitions)
    counts = successes_by_claim(arm.outcomes(), arm.repetitions)
    pairs = arm.pairs()
    excluded = {_INCOMPLETE: arm.claims_planned - len(counts)}
    tally = Tally.of(planned=arm.claims_planned, used=len(counts), excluded=excluded)
    histogram = Counter(counts.values())
    beside: dict[str, Measure] = {}
    for k in range(most + 1):
        known = context.published(
            "logicom.success_count", arm.model, scenario=arm.condition, successes_of_3=str(k)
        )
        beside[f"k={k}"] = counted(
            "logicom.success_count",
            {**keys, f"successes_of_{most}": str(k)},
            histogram[k] if counts else Undefined(f"no claim: {_INCOMPLETE}"),
            "count",
            published=known if most == 3 else (),
        )
    main = estimated(
        "logicom.one_or_two_successes_share" if most == 3 else "logicom.inconsistent_share",
        keys,
        [(pairs[claim], (int(0 < k < most), 1)) for claim, k in counts.items()],
        RATE,
        context.settings,
        tally=tally,
        published=context.published("logicom.one_or_two_successes_share", arm.model)
        if most == 3
        else (),
        empty=f"no claim is left: {_INCOMPLETE}",
    )
    return Row(keys=keys, main=main, beside=beside)


def relative_increases(context: Context) -> Section:
    """M3."""
    rows = [row for model in context.models for row in _increase_rows(context, model)]
    return Section(
        id="M3",
        title="relative increase",
        about="success with the fallacious helper over success in the baseline, minus 1; on "
        "debates (mean success) or claims (success in every repetition) with outcomes in both",
        rows=tuple(rows),
        notes=(
            "undefined for a baseline of 0",
            "the published number stands beside every statistic and baseline, since the one that "
            "its text names does not give it",
        ),
        audits=context.reference.audits_of("logicom.relative_increase"),
    )


def _increase_rows(context: Context, model: str) -> Iterator[Row]:
    first = context.arm(model, FALLACIOUS_HELPER)
    for baseline in (NO_HELPER, LOGICAL_HELPER):
        second = context.arm(model, baseline)
        if first is not None and second is not None:
            keys = {"debater": model, "baseline": baseline}
            yield _mean_increase(context, first, second, {**keys, "statistic": "mean success"})
            yield _every_increase(context, first, second, {**keys, "statistic": "every repetition"})


def _mean_increase(context: Context, first: Arm, second: Arm, keys: dict[str, str]) -> Row:
    cells, tally = shared_cells(first, second)
    repetitions = sorted({number for _, number in cells})
    arms = []
    for arm in (first, second):
        outcomes = arm.outcomes()
        found = {cell: outcomes[cell] for cell in cells}
        arms.append(claim_sums(found, first.pairs(), repetitions))
    main = contrasted(
        "logicom.relative_increase",
        keys,
        arms[0],
        arms[1],
        MEAN_RATE,
        RELATIVE_INCREASE,
        context.settings,
        tally=tally,
        unit="relative",
        published=_headline(context, keys),
    )
    return Row(keys=keys, main=main)


def _every_increase(context: Context, first: Arm, second: Arm, keys: dict[str, str]) -> Row:
    most = len(first.repetitions)
    here, there = (successes_by_claim(x.outcomes(), x.repetitions) for x in (first, second))
    shared, pairs = sorted(here.keys() & there.keys()), first.pairs()
    known = len(pairs.keys() | second.pairs().keys())
    known = max(known, first.claims_planned, second.claims_planned)
    excluded = {f"{_INCOMPLETE} of both arms": known - len(shared)}
    main = contrasted(
        "logicom.relative_increase",
        keys,
        [(pairs[claim], (int(here[claim] == most),)) for claim in shared],
        [(pairs[claim], (int(there[claim] == most),)) for claim in shared],
        TOTAL,
        RELATIVE_INCREASE,
        context.settings,
        tally=Tally.of(planned=known, used=len(shared), excluded=excluded),
        unit="relative",
        published=_headline(context, keys),
    )
    return Row(keys=keys, main=main)


def _headline(context: Context, keys: dict[str, str]) -> tuple[Published, ...]:
    return context.published("logicom.relative_increase", keys["debater"])
