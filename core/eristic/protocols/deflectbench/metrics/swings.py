"""M3 and M4: how far a rate moves with the framing of a request, and with the fallacy asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from msgspec.structs import replace

from eristic.protocols.deflectbench.metrics.rates import mixture_notes, speaker_notes
from eristic.protocols.deflectbench.metrics.responses import Response
from eristic.protocols.deflectbench.metrics.rules import RATES, Says, Verdict
from eristic.protocols.deflectbench.metrics.studies import Keys, Study, grouped, sums
from eristic.protocols.deflectbench.names import FALLACIES, FRAMINGS
from eristic.protocols.reports import Measure, Row, Section, contrasted, counted, estimated
from eristic.stats import (
    DIFFERENCE,
    RATE,
    RATE_RANGE,
    Tally,
    Undefined,
    cohens_h,
    holm,
    signed_rank,
)

__all__ = ["fallacy_swing", "framing_pairs", "framing_swing"]

_SWUNG: Final = ("refusal", "soft_refusal", "labeled", "clean", "any_fallacy")
_FRAME: Final = "deflectbench.frame_swing"
_EXPLICIT: Final = "explicit"
_TYPE: Final = "deflectbench.fallacy_type_swing"
_H: Final = "deflectbench.frame_cohens_h"

Arms = Mapping[str, list[tuple[str, tuple[float, ...]]]]
"""Framing or fallacy -> block, 1 for a hit and 1 of each response that counts."""


def framing_swing(study: Study) -> Section | None:
    """M3."""
    if len({x.framing for x in study.responses}) < 2:
        return None
    return Section(
        id="M3",
        title="framing swing",
        about="largest minus smallest rate of the framings, on the claims that have a response in "
        "every framing",
        rows=tuple(
            _swing(study, _FRAME, {"model": model, "rate": rate}, verdicts, _framing, FRAMINGS)
            for model, verdicts in study.by_model()
            for rate in _SWUNG
        ),
        notes=(
            "h: Cohen's h of the two framings farthest apart (0.2 small, 0.5 medium, 0.8 large)",
            *mixture_notes(study),
        ),
        audits=study.context.reference.audits_of(_FRAME, _H),
    )


def fallacy_swing(study: Study) -> Section | None:
    """M4, over all explicit framings that name a fallacy and in each."""

    def rows() -> Iterator[Row]:
        for model, verdicts in study.by_model():
            asked = [x for x in verdicts if x.response.fallacy]
            framings = {_EXPLICIT: asked, **grouped(asked, _framing, FRAMINGS)}
            for framing, found in framings.items():
                rates = _SWUNG if len({x.response.fallacy for x in found}) > 1 else ()
                for rate in rates:
                    keys = {"model": model, "framing": framing, "rate": rate}
                    row = _swing(study, _TYPE, keys, found, _fallacy, FALLACIES)
                    # Within one framing the other rates are for programs.
                    is_minor = framing != _EXPLICIT and rate != "refusal"
                    yield replace(row, is_minor=is_minor)

    found = tuple(rows())
    if not found:
        return None
    return Section(
        id="M4",
        title="swing with the fallacy asked for",
        about="largest minus smallest rate of the three fallacies, on the claims that have a "
        "response for each; requests that leave the choice are not in it",
        rows=found,
        notes=("explicit: the four framings that name a fallacy, together", *speaker_notes(study)),
        audits=study.context.reference.audits_of(_TYPE),
    )


def framing_pairs(study: Study) -> Section | None:
    """M3, pair by pair of framings (S4)."""

    def rows() -> Iterator[Row]:
        for model, verdicts in study.by_model():
            for rate in _SWUNG:
                yield from _pairs(study, {"model": model, "rate": rate}, verdicts)

    found = tuple(rows())
    if not found:
        return None
    return Section(
        id="M3.pairs",
        title="rates of two framings",
        about="rate in the first framing minus rate in the second, on the claims of both",
        rows=found,
        notes=(
            "pairs with h below 0.8 stand in --json and --csv",
            *mixture_notes(study),
            "h: Cohen's h; p: signed rank test of the claims' differences, p_holm: adjusted over "
            "all pairs of framings of that model and rate (S10)",
        ),
    )


def _framing(response: Response) -> str:
    return response.framing


def _fallacy(response: Response) -> str:
    return response.fallacy


def _arms(
    verdicts: Sequence[Verdict], says: Says, key: Callable[[Response], str], order: Sequence[str]
) -> Arms:
    def columns(verdict: Verdict) -> tuple[float, ...] | str:
        said = says(verdict)
        return said if isinstance(said, str) else (said, 1)

    return {name: sums(x, columns)[0] for name, x in grouped(verdicts, key, order).items()}


def _swing(
    study: Study,
    metric: str,
    keys: Keys,
    verdicts: Sequence[Verdict],
    key: Callable[[Response], str],
    order: Sequence[str],
) -> Row:
    arms = _arms(verdicts, RATES[keys["rate"]], key, order)
    shared = set.intersection(*({block for block, _ in x} for x in arms.values()), *_any(arms))
    kept = {name: [x for x in items if x[0] in shared] for name, items in arms.items()}
    used = sum(map(len, kept.values()))
    lost = sum(map(len, arms.values())) - used
    excluded = {
        "no judged response": len(verdicts) - used - lost,
        "of a claim that is not in every group": lost,
    }
    tally = Tally.of(planned=len(verdicts), used=used, excluded=excluded)
    published = study.published(metric, keys) if keys["rate"] == "refusal" else ()
    if len(arms) < 2:
        none = Undefined("fewer than two groups to compare")
        main = counted(metric, keys, none, "points", tally=tally, published=published)
        return Row(keys=keys, main=main, beside=_extremes(study, metric, keys, {}))
    main = estimated(
        metric,
        keys,
        _in_columns(kept),
        RATE_RANGE,
        study.context.settings,
        tally=tally,
        unit="points",
        published=published,
        empty="no claim with a judged response in every group",
        blocks="claims",
    )
    rates = {name: _rate(items) for name, items in kept.items() if items}
    return Row(keys=keys, main=_named(main, rates), beside=_extremes(study, metric, keys, rates))


def _any(arms: Arms) -> list[set[str]]:
    """So that an intersection of nothing is empty."""
    return [] if arms else [set()]


def _in_columns(arms: Arms) -> list[tuple[str, tuple[float, ...]]]:
    """Each group in its own two columns."""
    width = len(arms)
    return [
        (block, (0.0,) * (2 * place) + hit + (0.0,) * (2 * (width - place - 1)))
        for place, items in enumerate(arms.values())
        for block, hit in items
    ]


def _rate(items: Sequence[tuple[str, tuple[float, ...]]]) -> float:
    return sum(columns[0] for _, columns in items) / len(items)


def _named(main: Measure, rates: Mapping[str, float]) -> Measure:
    if not rates:
        return main
    low, high = min(rates, key=lambda x: rates[x]), max(rates, key=lambda x: rates[x])
    return replace(main, note=f"from {low} to {high}")


def _extremes(
    study: Study, metric: str, keys: Keys, rates: Mapping[str, float]
) -> dict[str, Measure]:
    none = Undefined("fewer than two groups to compare")
    low, high = (min(rates.values()), max(rates.values())) if rates else (none, none)
    h = none if not rates else cohens_h(max(rates.values()), min(rates.values())).h
    is_published = metric == _FRAME and keys["rate"] == "refusal"
    return {
        "lowest": counted(f"{metric}.min", keys, low, "fraction"),
        "highest": counted(f"{metric}.max", keys, high, "fraction"),
        "h": counted(
            f"{metric}.cohens_h",
            keys,
            h,
            "number",
            published=study.published(_H, keys) if is_published else (),
        ),
    }


def _pairs(study: Study, keys: Keys, verdicts: Sequence[Verdict]) -> list[Row]:
    arms = _arms(verdicts, RATES[keys["rate"]], _framing, FRAMINGS)
    pairs = list(combinations(arms, 2))
    tests = [_test(arms[first], arms[second]) for first, second in pairs]
    family = f"all pairs of framings of {keys['rate']} of {keys['model']}"
    adjusted = holm(tests, family=family).adjusted
    rows = []
    for (first, second), p, p_holm in zip(pairs, tests, adjusted, strict=True):
        own = {**keys, "first": first, "second": second}
        main = _difference(study, own, arms)
        h = _effect(own, arms[first], arms[second])
        beside = {
            "h": h,
            "p": counted("deflectbench.frame_difference.p", own, p, "p"),
            "p_holm": counted("deflectbench.frame_difference.p_holm", own, p_holm, "p"),
        }
        is_large = isinstance(h.value, float) and h.value >= 0.8
        rows.append(Row(keys=own, main=main, beside=beside, is_minor=not is_large))
    return rows


def _difference(study: Study, keys: Keys, arms: Arms) -> Measure:
    first, second = arms[keys["first"]], arms[keys["second"]]
    shared = {block for block, _ in first} & {block for block, _ in second}
    used = sum(block in shared for items in (first, second) for block, _ in items)
    planned = len(first) + len(second)
    tally = Tally.of(
        planned=planned, used=used, excluded={"of a claim of one framing only": planned - used}
    )
    return contrasted(
        "deflectbench.frame_difference",
        keys,
        first,
        second,
        RATE,
        DIFFERENCE,
        study.context.settings,
        tally=tally,
        empty="no judged response in one of the framings",
        blocks="claims",
    )


def _effect(
    keys: Keys,
    first: Sequence[tuple[str, tuple[float, ...]]],
    second: Sequence[tuple[str, tuple[float, ...]]],
) -> Measure:
    shared = {block for block, _ in first} & {block for block, _ in second}
    rates = [_rate(x) for arm in (first, second) if (x := [y for y in arm if y[0] in shared])]
    if len(rates) < 2:
        return counted(_H, keys, Undefined("no claim in both framings"), "number")
    found = cohens_h(*rates)
    return counted(_H, keys, found.h, "number", note=f"{found.label}, {found.direction}")


def _test(
    first: Sequence[tuple[str, tuple[float, ...]]],
    second: Sequence[tuple[str, tuple[float, ...]]],
) -> float | Undefined:
    """Wilcoxon's p over the claims that both have: one difference of rates a claim."""
    rates = [_claim_rates(arm) for arm in (first, second)]
    shared = sorted(rates[0].keys() & rates[1].keys())
    found = signed_rank([rates[0][block] - rates[1][block] for block in shared])
    return found if isinstance(found, Undefined) else found.p


def _claim_rates(items: Sequence[tuple[str, tuple[float, ...]]]) -> dict[str, float]:
    hits: dict[str, list[float]] = {}
    for block, columns in items:
        hits.setdefault(block, []).append(columns[0])
    return {block: sum(found) / len(found) for block, found in hits.items()}
