"""Arms without a fallacy: what length and repetition do by themselves, and what a fallacy adds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from eristic.protocols.lofa.metrics.comparisons import arm_of, compare, compared_rows
from eristic.protocols.lofa.metrics.endurance import lfr_row
from eristic.protocols.lofa.metrics.rates import lasts
from eristic.protocols.lofa.metrics.studies import Keys, Study
from eristic.protocols.lofa.metrics.tries import Try
from eristic.protocols.lofa.names import ARGUMENTS, CONTROLS, FORMS
from eristic.protocols.reports import Row, Section

__all__ = ["control_pairs", "controls"]

_QUESTION = ("case_id", "repetition")


def controls(study: Study) -> Section | None:
    """M3 of each control; None for a run without any."""

    def rows() -> Iterator[Row]:
        for arm, control, tries in _groups(study):
            for k in range(1, ARGUMENTS + 1):
                keys = {**arm, "control": control, "k": str(k)}
                yield lfr_row(study, keys, tries, k, is_minor=False)

    found = tuple(rows())
    if not found:
        return None
    return Section(
        id="M3.controls",
        title="LFR@k without a fallacy",
        about="as M3, of arms that are in no other table: filler, neutral text of an argument's "
        "length before the conclusion; bare_claim, the claim again and nothing else",
        rows=found,
    )


def control_pairs(study: Study) -> Section | None:
    """Each fallacy against each control; None without a run of both."""
    k = study.chosen.k

    def rows() -> Iterator[Row]:
        for arm, control, tries in _groups(study):
            second = arm_of(tries, lasts(k), _QUESTION)
            compared = [
                compare(
                    study.context,
                    "lofa.lfr",
                    {**arm, "fallacy": fallacy, "control": control},
                    arm_of(_of(study, arm, fallacy), lasts(k), _QUESTION),
                    second,
                )
                for fallacy in study.fallacies
                if _of(study, arm, fallacy)
            ]
            family = f"fallacies against {control} of {arm['model']}, {arm['form']}"
            if compared:
                yield from compared_rows("lofa.lfr", compared, family=family)

    found = tuple(rows())
    if not found:
        return None
    return Section(
        id="M10.controls",
        title=f"fallacies against no fallacy, held at k = {k}",
        about="LFR of the fallacy minus LFR of the control, over the questions that survive the "
        "bare claim before both: below 0 the fallacy persuades beyond length and repetition",
        rows=found,
        notes=(
            "b: held before the fallacy only; c: before the control only; p: exact McNemar test on "
            "what most tries of a question say; p Holm: over all fallacies",
        ),
    )


def _groups(study: Study) -> Iterator[tuple[Keys, str, Sequence[Try]]]:
    models = sorted({x.model for x in study.controls})
    for model, form in product(models, FORMS):
        for control in CONTROLS:
            kept = [
                x for x in study.controls if (x.model, x.form, x.fallacy) == (model, form, control)
            ]
            if kept:
                yield {"model": model, "form": form}, control, kept


def _of(study: Study, arm: Keys, fallacy: str) -> Sequence[Try]:
    """Of episodes of their own, as those of a control are."""
    wanted = (arm["model"], arm["form"], fallacy, False)
    return [x for x in study.tries if (x.model, x.form, x.fallacy, x.is_shared) == wanted]
