"""M1: how often each model refuses, hedges, names, or writes what was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from eristic.protocols.deflectbench.metrics.responses import Response
from eristic.protocols.deflectbench.metrics.rules import RATES, Verdict
from eristic.protocols.deflectbench.metrics.studies import Keys, Study, grouped
from eristic.protocols.deflectbench.names import CONDITIONS, CONTEXTS, FALLACIES, FRAMINGS, LEVELS
from eristic.protocols.reports import Row, Section

__all__ = [
    "METRICS",
    "NOT_STATED",
    "by_context",
    "by_domain",
    "by_fallacy",
    "by_framing",
    "by_level",
    "by_template",
    "mixture_notes",
    "outcome_rates",
    "rate_row",
    "speaker_notes",
]

METRICS: Final[Mapping[str, str]] = {name: f"deflectbench.{name}_rate" for name in RATES}
NOT_STATED: Final = "(not stated)"

_LEVEL_NAMES: Final = tuple(str(level) for level in LEVELS)


def outcome_rates(study: Study) -> Section:
    """M1, model by model."""
    return Section(
        id="M1",
        title="outcome rates",
        about="of the responses that were judged, the share with each mark, by consensus; the "
        "rates are not exclusive",
        rows=tuple(
            Row(
                keys={"model": model, "rate": name},
                main=study.share(
                    METRICS[name],
                    {"model": model, "rate": name},
                    verdicts,
                    says,
                    missing=study.missing(model),
                ),
            )
            for model, verdicts in study.by_model()
            for name, says in RATES.items()
        ),
        notes=(
            "a run has one author: tables over several models come from the reports of several "
            "runs, with the same claims",
            "other: no refusal and no fallacy, so neither compliance nor refusal",
        ),
        audits=study.context.reference.audits_of(*METRICS.values()),
    )


def by_framing(study: Study) -> Section:
    """M1 by framing of the request."""
    return _cut(study, "framing", "by framing", lambda x: x.framing, FRAMINGS)


def by_template(study: Study) -> Section:
    """M1 by each of the 15 templates; tables hold the same rows by framing and by fallacy."""
    found = _cut(study, "template", "by template", lambda x: x.template, CONDITIONS)
    return replace(found, rows=tuple(replace(row, is_minor=True) for row in found.rows))


def by_level(study: Study) -> Section:
    """M1 by level of the claim."""
    levels = tuple(str(level) for level in LEVELS)
    return _cut(study, "level", "by level of the claim", lambda x: x.level, levels)


def by_context(study: Study) -> Section:
    """M1 by context of the claim."""
    return _cut(study, "context", "by context of the claim", lambda x: x.context, CONTEXTS)


def by_domain(study: Study) -> Section:
    """M1 by domain of the claim."""
    return _cut(study, "domain", "by domain of the claim", lambda x: x.domain, ())


def _cut(
    study: Study, name: str, title: str, key: Callable[[Response], str], order: Sequence[str]
) -> Section:
    values = grouped(study.verdicts, key, order)
    rows = [
        rate_row(study, {"model": model, name: value or NOT_STATED}, found)
        for model, verdicts in study.by_model()
        for value, found in grouped(verdicts, key, order).items()
    ]
    return Section(
        id=f"M1.{name}",
        title=f"outcome rates {title}",
        about="as M1; the first number is the refusal rate",
        # Of a single value the numbers are those of M1.
        rows=tuple(replace(row, is_minor=len(values) == 1) for row in rows),
    )


def by_fallacy(study: Study) -> Section | None:
    """M1 by framing and fallacy: the tables of the publication's appendix E."""

    def rows() -> Iterator[Row]:
        for model, verdicts in study.by_model():
            asked = [x for x in verdicts if x.response.fallacy]
            for framing, own in grouped(asked, lambda x: x.framing, FRAMINGS).items():
                for fallacy, found in grouped(own, lambda x: x.fallacy, FALLACIES).items():
                    keys = {"model": model, "framing": framing, "fallacy": fallacy}
                    yield rate_row(study, keys, found)

    found = tuple(rows())
    if not found:
        return None
    return Section(
        id="M1.fallacy",
        title="outcome rates by framing and fallacy asked for",
        about="as M1, for the requests that name one fallacy; the first number is the refusal rate",
        rows=found,
        notes=speaker_notes(study),
    )


def speaker_notes(study: Study) -> tuple[str, ...]:
    """The flag of tables that compare fallacies, where that compares speakers as well."""
    named = {x.options.speaker_named for x in study.responses if x.fallacy}
    return tuple(
        f"speaker_named = {name}: of these requests only those for ad hominem name who made the "
        "claim, so that a difference between fallacies is one of speakers too"
        for name in sorted(named.difference(("all", "none")))
    )


def mixture_notes(study: Study) -> tuple[str, ...]:
    """The flag of framings that were not asked for the same fallacies, as in part of a sweep."""
    asked: dict[str, set[str]] = {}
    for response in study.responses:
        if response.fallacy:
            asked.setdefault(response.framing, set()).add(response.fallacy)
    if len({frozenset(fallacies) for fallacies in asked.values()}) < 2:
        return ()
    return (
        "the framings do not ask for the same fallacies in this run, so that a swing between them "
        "is one of fallacies too",
    )


def rate_row(study: Study, keys: Keys, verdicts: Sequence[Verdict], *, missing: int = 0) -> Row:
    """All rates of some responses in one row."""
    measures = {
        name: study.share(METRICS[name], {**keys}, verdicts, says, missing=missing)
        for name, says in RATES.items()
    }
    return Row(keys=keys, main=measures.pop("refusal"), beside=measures)
