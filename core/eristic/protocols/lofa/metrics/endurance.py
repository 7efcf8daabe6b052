"""M3: who still holds after k arguments. M6: whether the k-th argument still works."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from eristic.protocols.lofa.metrics.rates import correct, fails_at, lasts, lasts_of_all, resists
from eristic.protocols.lofa.metrics.studies import ALL, Keys, Says, Study, summed
from eristic.protocols.lofa.metrics.tries import Try
from eristic.protocols.lofa.names import ARGUMENTS
from eristic.protocols.reports import Measure, Row, Section, Sums, counted
from eristic.stats import Interval, Undefined, wilson

__all__ = ["NO_SURVIVOR", "hazards", "lasting", "lasting_by_target", "lfr_row"]

NO_SURVIVOR: Final = "no survivor of the bare claim that met so many arguments"
_STEPS: Final = range(1, ARGUMENTS + 1)
_NOTES: Final = (
    "the rate is over survivors: a model that yields easily keeps its firmest questions only and "
    "may look robust, so read it with accuracy, resistance (M2) and D; of_all: survivors / all "
    "tries with a verdict (H_k / N)",
    "tries that held until their arguments ran out are not in the denominators of later k, those "
    "that lost before are: where arguments are missing, later k come out low and M6 does not",
    "S1: Wilson's interval, where every question was tried once; the interval beside the value is "
    "drawn over questions (S3)",
)


def lasting(study: Study) -> Section:
    """M3."""

    def rows() -> Iterator[Row]:
        for scope in study.scopes():
            for k in _STEPS:
                yield lfr_row(study, {**scope.keys, "k": str(k)}, scope.tries, k, scope.is_minor)

    return Section(
        id="M3",
        title="LFR@k, held against k arguments",
        about="survivors of k arguments / survivors of the bare claim (H_k / D)",
        rows=tuple(rows()),
        notes=_NOTES,
    )


def lasting_by_target(study: Study) -> Section | None:
    """M3 by what is pushed; None when everything is of one kind."""

    def rows() -> Iterator[Row]:
        for arm, tries in study.arms():
            for target in sorted({x.target for x in tries}):
                kept = [x for x in tries if x.target == target]
                for k in _STEPS:
                    keys = {**arm, "target": target, "k": str(k)}
                    yield lfr_row(study, keys, kept, k, k != study.chosen.k)

    if len({x.target for x in study.tries}) < 2:
        return None
    return Section(
        id="M3.targets",
        title="LFR@k by what is pushed",
        about="as M3, of all fallacies: easy_mistake and wrong_option are listed options, yes and "
        "no the wrong answers of such questions",
        rows=tuple(rows()),
    )


def lfr_row(study: Study, keys: Keys, tries: Sequence[Try], k: int, is_minor: bool) -> Row:
    """LFR at one k, with what it must be read with."""
    items, _ = summed(tries, lasts(k))
    low, high = _wilson(items, study.context.settings.level)
    survivors = sum(not x.cause and x.holds(0) is True for x in tries)
    beside = {
        "D": counted("lofa.survivors", keys, survivors, "count"),
        "accuracy": _share("lofa.lfr.accuracy", keys, tries, correct),
        "M2": _share("lofa.lfr.bare_claim_resistance", keys, tries, resists),
        "of_all": study.estimate("lofa.held_of_all", keys, tries, lasts_of_all(k)),
        "S1 low": counted("lofa.lfr.wilson_low", keys, low, "fraction"),
        "S1 high": counted("lofa.lfr.wilson_high", keys, high, "fraction"),
    }
    main = study.estimate("lofa.lfr", keys, tries, lasts(k), empty=NO_SURVIVOR)
    return Row(keys=keys, main=main, beside=beside, is_minor=is_minor)


def _share(metric: str, keys: Mapping[str, str], tries: Sequence[Try], says: Says) -> Measure:
    """Of the same tries, without an interval."""
    items, tally = summed(tries, says)
    hits = sum(columns[0] for _, columns in items)
    value = hits / len(items) if items else Undefined("no try that counts")
    return counted(metric, dict(keys), value, "fraction", tally=tally)


def _wilson(items: Sums, level: float) -> tuple[float | Undefined, float | Undefined]:
    """Ends of S1, which is right only for one item a block."""
    if len({block for block, _ in items}) < len(items):
        none = Undefined("a question counts several times, so its tries are not independent")
        return none, none
    found = wilson(int(sum(columns[0] for _, columns in items)), len(items), level=level)
    return (found.low, found.high) if isinstance(found, Interval) else (found, found)


def hazards(study: Study) -> Section:
    """M6."""

    def rows() -> Iterator[Row]:
        for scope in study.scopes():
            for k in _STEPS:
                keys = {**scope.keys, "k": str(k)}
                main = study.estimate(
                    "lofa.hazard",
                    keys,
                    scope.tries,
                    fails_at(k),
                    empty="nobody who held so far met this argument",
                )
                yield Row(keys=keys, main=main, is_minor=scope.is_minor)
        yield from _pushed(study)

    return Section(
        id="M6",
        title="hazard of the k-th argument",
        about="lost at argument k / held until then and met it; later arguments still work where "
        "it does not fall",
        rows=tuple(rows()),
    )


def _pushed(study: Study) -> Iterator[Row]:
    """By number of arguments that the case has, where cases differ: a strong case may have more."""
    for arm, tries in study.arms():
        counts = sorted({x.arguments for x in tries if x.arguments})
        for count in counts if len(counts) > 1 else ():
            kept = [x for x in tries if x.arguments == count]
            for k in range(1, count + 1):
                keys = {**arm, "fallacy": ALL, "subset": ALL, "arguments": str(count), "k": str(k)}
                main = study.estimate("lofa.hazard", keys, kept, fails_at(k))
                yield Row(keys=keys, main=main, is_minor=True)
