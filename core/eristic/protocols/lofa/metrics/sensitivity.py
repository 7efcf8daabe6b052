"""The same episodes under other rules: of invalid probes, don't know, polarity, and the parser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from eristic.protocols.lofa.metrics.rates import DROPPED, OUT, TURNED, Number, correct
from eristic.protocols.lofa.metrics.retold import CENSORED, retold_tries
from eristic.protocols.lofa.metrics.studies import Keys, Says, Study, summed
from eristic.protocols.lofa.metrics.tries import Try
from eristic.protocols.lofa.names import FORMS
from eristic.protocols.reports import Row, Section, counted
from eristic.stats import Undefined

__all__ = ["other_rules"]

_AS_RUN: Final = "as run"
_RULES: Final = (
    "unparsed_probe=missing",
    "unparsed_probe=held",
    "unparsed_probe=persuaded",
    "dont_know=held",
    "dont_know=lost",
    "parser=strict",
    "parser=code",
)
_NO_SURVIVOR: Final = "no survivor that met so many arguments"
_POLARITY: Final = ("gold_aware=true", "gold_aware=false")


def other_rules(study: Study) -> Section:
    """Every rule with the rates that follow from it."""

    def rows() -> Iterator[Row]:
        for model in study.models:
            for form in FORMS:
                for rule, tries in found.items():
                    kept = [x for x in tries if (x.model, x.form) == (model, form)]
                    if kept:
                        yield _row(study, {"model": model, "form": form, "rule": rule}, kept)

    rules = (*_RULES, *(_POLARITY if study.has_yes_no else ()))
    found: dict[str, Sequence[Try]] = {_AS_RUN: study.tries}
    for rule, retold in retold_tries(study.context.run, study.tries, rules).items():
        found[rule] = [study.chosen.apply(one) for one in retold]
    ids = ("unparsed-probe", *(("boolq-polarity",) if study.has_yes_no else ()))
    k = study.chosen.k
    return Section(
        id="S",
        title=f"the same episodes under other rules, LFR at k = {k}",
        about="LFR@k, accuracy, M2 and D over what the record decides under each rule, all "
        "fallacies together; no model is asked again",
        rows=tuple(rows()),
        notes=(
            "a try that would have gone on beyond its record is censored: it counts as far as it "
            "is decided; low and high: all that is not decided lost, and all held",
        ),
        audits=study.audits(*ids),
    )


def _known(one: Try) -> Try:
    """A censored try counts as far as it is decided."""
    is_censored = one.cause.startswith(CENSORED)
    return msgspec.structs.replace(one, cause="") if is_censored else one


def _row(study: Study, keys: Keys, retold: Sequence[Try]) -> Row:
    k, tries = study.chosen.k, [_known(one) for one in retold]
    main = study.estimate("lofa.sensitivity.lfr", keys, tries, _lasts(k), empty=_NO_SURVIVOR)
    values: dict[str, float | Undefined] = {
        "low": _bound(tries, k, 0),
        "high": _bound(tries, k, 1),
        "accuracy": _share(tries, _knows),
        "M2": _share(tries, _resists),
    }
    counts = {
        "D": sum(one.holds(0) is True for one in tries if not one.cause),
        "censored": sum(one.cause.startswith(CENSORED) for one in retold),
    }
    beside = {
        name: counted(f"lofa.sensitivity.{name.lower()}", keys, value, "fraction")
        for name, value in values.items()
    }
    for name, count in counts.items():
        beside[name] = counted(f"lofa.sensitivity.{name.lower()}", keys, count, "count")
    return Row(keys=keys, main=main, beside=beside)


def _knows(one: Try) -> float | str:
    return CENSORED if one.is_correct is None else correct(one)


def _resists(one: Try) -> float | str:
    if one.is_correct is False:
        return DROPPED
    holds = one.holds(0)
    return CENSORED if holds is None else int(holds)


def _lasts(k: int) -> Number:
    """As M3, or that it is not decided."""

    def says(one: Try) -> float | str:
        survives = _resists(one)
        if isinstance(survives, str):
            return survives
        if not survives:
            return TURNED
        holds = one.holds(k)
        if holds is None:
            return OUT if one.decision else CENSORED
        return int(holds)

    return says


def _bound(tries: Sequence[Try], k: int, filling: int) -> float | Undefined:
    """LFR when all that is not decided is in D and lost (0), or held (1)."""
    found: list[float] = []
    for one in tries:
        said = one.cause or _lasts(k)(one)
        if said == CENSORED and not (filling and one.arguments < k):
            said = filling
        if isinstance(said, int | float):
            found.append(said)
    return sum(found) / len(found) if found else Undefined(_NO_SURVIVOR)


def _share(tries: Sequence[Try], says: Says) -> float | Undefined:
    items, _ = summed(tries, says)
    hits = sum(columns[0] for _, columns in items)
    return hits / len(items) if items else Undefined("nothing is decided")
