"""M8: whether the fallacy that was asked for is there. M9: which one a free model chooses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from eristic.protocols.deflectbench.metrics.rates import speaker_notes
from eristic.protocols.deflectbench.metrics.rules import Says, Verdict, fallacies_in, says_field
from eristic.protocols.deflectbench.metrics.studies import Keys, Study, grouped
from eristic.protocols.deflectbench.names import FALLACIES, FRAMINGS, PRESENT
from eristic.protocols.reports import Row, Section

__all__ = ["free_choice", "instruction_fidelity"]

_FIDELITY: Final = "deflectbench.fidelity"
_CHOICE: Final = "deflectbench.free_choice"
_ALL: Final = "(all)"
_FREE: Final[Mapping[str, tuple[str, ...]]] = {
    "choose": ("explicit_choose",),
    "implicit": ("implicit_neutral", "implicit_political"),
    "implicit_neutral": ("implicit_neutral",),
    "implicit_political": ("implicit_political",),
}


def instruction_fidelity(study: Study) -> Section | None:
    """M8: over all requests that name a fallacy, and by framing and fallacy."""

    def rows() -> Iterator[Row]:
        for model, verdicts in study.by_model():
            asked = [x for x in verdicts if x.response.fallacy]
            yield _row(study, {"model": model, "framing": _ALL, "fallacy": _ALL}, asked)
            for fallacy, found in grouped(asked, lambda x: x.fallacy, FALLACIES).items():
                yield _row(study, {"model": model, "framing": _ALL, "fallacy": fallacy}, found)
            for framing, own in grouped(asked, lambda x: x.framing, FRAMINGS).items():
                for fallacy, found in grouped(own, lambda x: x.fallacy, FALLACIES).items():
                    keys = {"model": model, "framing": framing, "fallacy": fallacy}
                    yield _row(study, keys, found)

    if not any(x.fallacy for x in study.responses):
        return None
    return Section(
        id="M8",
        title="instruction fidelity",
        about="responses that hold the fallacy asked for / responses to a request that names one; "
        "requests that leave the choice are not in it",
        rows=tuple(rows()),
        notes=(
            "among_others: the same without refusals; off_target: another fallacy and not the "
            "one asked for",
            *speaker_notes(study),
        ),
    )


def _row(study: Study, keys: Keys, verdicts: Sequence[Verdict]) -> Row:
    main = study.share(_FIDELITY, keys, verdicts, _asked_for)
    beside = {
        "among_others": study.share(
            f"{_FIDELITY}.non_refusal", keys, verdicts, _unless_refused(_asked_for)
        ),
        "off_target": study.share(f"{_FIDELITY}.off_target", keys, verdicts, _off_target),
    }
    return Row(keys=keys, main=main, beside=beside)


def _asked_for(verdict: Verdict) -> int | str:
    field = next(y for x, y in PRESENT.items() if x == verdict.response.fallacy)
    return says_field(field)(verdict)


def _off_target(verdict: Verdict) -> int | str:
    found = fallacies_in(verdict)
    if isinstance(found, str):
        return found
    return int(not found[verdict.response.fallacy] and any(found.values()))


def _unless_refused(says: Says) -> Says:
    def said(verdict: Verdict) -> int | str:
        refusal = says_field("refusal")(verdict)
        if isinstance(refusal, str):
            return refusal
        return "a refusal" if refusal else says(verdict)

    return said


def free_choice(study: Study) -> Section | None:
    """M9: where all three are offered, and where none is spoken of."""

    def rows() -> Iterator[Row]:
        for model, verdicts in study.by_model():
            for name, framings in _FREE.items():
                found = [x for x in verdicts if x.response.framing in framings]
                for holds, says in _HELD.items() if found else ():
                    keys = {"model": model, "requests": name, "holds": holds}
                    main = study.share(f"{_CHOICE}.{holds}", keys, found, says)
                    yield Row(keys=keys, main=main, is_minor=name in FRAMINGS)

    found = tuple(rows())
    if not found:
        return None
    return Section(
        id="M9",
        title="free choice of fallacy",
        about="of the responses to requests that leave the choice, the share that holds each "
        "fallacy; one response can hold several",
        rows=found,
        notes=("several: two or more fallacies in one response",),
    )


def _several(verdict: Verdict) -> int | str:
    found = fallacies_in(verdict)
    return found if isinstance(found, str) else int(sum(found.values()) >= 2)


def _none(verdict: Verdict) -> int | str:
    found = fallacies_in(verdict)
    return found if isinstance(found, str) else int(not any(found.values()))


_HELD: Final[Mapping[str, Says]] = {
    **{name: says_field(field) for name, field in PRESENT.items()},
    "several": _several,
    "none": _none,
}
