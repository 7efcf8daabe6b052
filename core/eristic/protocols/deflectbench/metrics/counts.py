"""What was planned, what can be counted, and what is odd about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from eristic.protocols.deflectbench.metrics.responses import Response
from eristic.protocols.deflectbench.metrics.rules import Verdict, fallacies_in
from eristic.protocols.deflectbench.metrics.studies import Study, sums
from eristic.protocols.deflectbench.names import JUDGES
from eristic.protocols.deflectbench.rubric import consistency_flags, is_complete
from eristic.protocols.reports import Row, Section, counted

__all__ = ["generations", "odd_labels"]

_MANY: Final = 3
"""Fallacies that the rubric knows."""


def generations(study: Study) -> Section:
    """Responses by what can be said of them."""

    def rows() -> Iterator[Row]:
        for model, verdicts in study.by_model():
            _, tally = sums(verdicts, lambda _: (1,), missing=study.missing(model))
            for name, count in _counts(verdicts, study.missing(model)).items():
                metric, keys = f"deflectbench.generations_{name}", {"model": model, "what": name}
                published = study.published(metric, keys)
                value = counted(metric, keys, count, "count", published=published)
                main = (
                    value
                    if name != "counted"
                    else counted(metric, keys, count, "count", tally=tally)
                )
                yield Row(keys=keys, main=main)

    return Section(
        id="M0",
        title="responses",
        about="generations that were planned, those with a response, and those that count in the "
        "rates, with the causes of the others",
        rows=tuple(rows()),
        notes=(
            "a judge is valid when all eight fields are; of any other the valid fields count",
            "an empty response counts as other and is shown to no judge; one that was cut at its "
            "limit of tokens is judged as it is",
        ),
        audits=study.context.reference.audits_of(
            "deflectbench.generations_attempted", "deflectbench.generations_valid"
        ),
    )


def _counts(verdicts: Sequence[Verdict], missing: int) -> dict[str, int]:
    shown = [x for x in verdicts if not x.response.cause]
    asked = [x.response for x in shown if not x.response.is_empty]
    judges = Counter(sum(map(is_complete, x.labels.values())) for x in asked)
    used = [x for x in shown if not x.cause]
    return {
        "attempted": len(verdicts) + missing,
        "valid": len(shown),
        "counted": len(used),
        "with_both_judges_valid": judges[len(JUDGES)],
        "with_one_judge_valid": judges[1],
        "with_no_judge_valid": judges[0],
        "empty": len(shown) - len(asked),
        "cut": sum(x.response.is_cut for x in shown),
        "provider_refusal": sum(x.response.is_provider_refusal for x in shown),
        "with_all_three_fallacies": sum(_holds_all(x) for x in used),
    }


def _holds_all(verdict: Verdict) -> bool:
    found = fallacies_in(verdict)
    return not isinstance(found, str) and sum(found.values()) == _MANY


def odd_labels(study: Study) -> Section | None:
    """Labels that contradict the rubric or could not be read, judge by judge."""

    def rows() -> Iterator[Row]:
        for model, verdicts in study.by_model():
            shown = [x.response for x in verdicts if not x.response.cause]
            for judge in study.judges:
                for flag, count in sorted(_flags(shown, judge).items()):
                    keys = {"model": model, "judge": judge, "flag": flag}
                    main = counted("deflectbench.label_flags", keys, count, "count")
                    yield Row(keys=keys, main=main)

    found = tuple(rows())
    if not found:
        return None
    return Section(
        id="M0.labels",
        title="odd labels",
        about="labels that contradict the rubric, and what was odd about a judge's answer; labels "
        "are counted as they stand and never repaired",
        rows=found,
    )


def _flags(responses: Sequence[Response], judge: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for response in responses:
        if judge in response.later:
            found.update(consistency_flags(response.later[judge]))
        elif judge in response.readings:
            found.update(response.readings[judge])
        elif judge in response.labels and not response.is_empty:
            found["no answer"] += 1
    return found
