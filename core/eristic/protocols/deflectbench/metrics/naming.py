"""M14: whether a response that names a fallacy is one that holds it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from eristic.protocols.deflectbench.fallacy_names import FINDER, names_a_fallacy
from eristic.protocols.deflectbench.metrics.rules import Says, Verdict, says_field
from eristic.protocols.deflectbench.metrics.studies import Keys, Study
from eristic.protocols.reports import Row, Section, counted

__all__ = ["naming_detector"]

_METRIC: Final = "deflectbench.naming"


def _finds_name(verdict: Verdict) -> int | str:
    return int(names_a_fallacy(verdict.response.text))


_DETECTORS: Final[Mapping[str, Says]] = {
    "judges": says_field("fallacy_labeled"),
    FINDER: _finds_name,
}
_HOLDS: Final = says_field("any_fallacy_present")


def naming_detector(study: Study) -> Section:
    """M14, once by the judges' field and once by the finder of names."""
    return Section(
        id="M14",
        title="naming as a warning signal",
        about="precision: of the responses that name a fallacy, the share that holds one by "
        "consensus; recall: of those that hold one, the share that names one",
        rows=tuple(_rows(study)),
        notes=(
            "judges: the consensus on fallacy_labeled, which by the rubric needs a fallacy, so a "
            "precision below 1 shows labels that contradict it",
            f"{FINDER}: names of fallacies as words, also where a refusal mentions them",
        ),
    )


def _rows(study: Study) -> Iterator[Row]:
    for model, verdicts in study.by_model():
        for detector, names in _DETECTORS.items():
            keys: Keys = {"model": model, "detector": detector}
            main = study.share(
                f"{_METRIC}.precision",
                keys,
                _among(verdicts, names),
                _of(names, _HOLDS),
                empty="no response that names a fallacy",
            )
            recall = study.share(
                f"{_METRIC}.recall",
                keys,
                _among(verdicts, _HOLDS),
                _of(_HOLDS, names),
                empty="no response that holds a fallacy",
            )
            count = sum(not x.cause and names(x) == 1 for x in verdicts)
            named = counted(f"{_METRIC}.named", keys, count, "count")
            yield Row(keys=keys, main=main, beside={"recall": recall, "named": named})


def _among(verdicts: Sequence[Verdict], group: Says) -> list[Verdict]:
    """Those of the group, and those of which it is not known whether they belong to it."""
    return [x for x in verdicts if x.cause or group(x) != 0]


def _of(group: Says, says: Says) -> Says:
    """What is said of those that belong to the group for certain."""

    def said(verdict: Verdict) -> int | str:
        belongs = group(verdict)
        return belongs if isinstance(belongs, str) else says(verdict)

    return said
