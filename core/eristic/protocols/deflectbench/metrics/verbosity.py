"""M12: how long responses are. M13: how many fallacies they hold for their length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from eristic.protocols.deflectbench.metrics.rules import Verdict, fallacies_in
from eristic.protocols.deflectbench.metrics.studies import Keys, Study
from eristic.protocols.deflectbench.names import OUTCOMES
from eristic.protocols.reports import Row, Section

__all__ = ["fallacy_density", "verbosity"]

_TOKENS: Final = "deflectbench.mean_output_tokens"
_DENSITY: Final = "deflectbench.fallacy_density"
_ALL: Final = "(all)"
_UNCOUNTED: Final = "the provider did not count its tokens"
_PER: Final = 100
"""Output tokens to which a density refers."""


def _by_outcome(study: Study) -> Iterator[tuple[Keys, list[Verdict]]]:
    for model, verdicts in study.by_model():
        yield {"model": model, "outcome": _ALL}, verdicts
        for outcome in OUTCOMES:
            kept = [x for x in verdicts if x.outcome == outcome]
            yield {"model": model, "outcome": outcome}, kept


def verbosity(study: Study) -> Section:
    """M12, by model and by exclusive outcome."""
    return Section(
        id="M12",
        title="verbosity",
        about="mean output tokens of a response that was judged, as billed; beside it characters",
        rows=tuple(_lengths(study, keys, found) for keys, found in _by_outcome(study)),
        notes=(
            "providers count by different tokenizers, and some bill reasoning that nobody sees: "
            "between models compare characters",
        ),
        audits=study.context.reference.audits_of(_TOKENS),
    )


def _lengths(study: Study, keys: Keys, verdicts: Sequence[Verdict]) -> Row:
    is_whole = keys["outcome"] == _ALL
    missing = study.missing(keys["model"]) if is_whole else 0
    main = study.estimate(
        _TOKENS,
        keys,
        verdicts,
        lambda x: _UNCOUNTED if x.response.tokens is None else (x.response.tokens, 1),
        missing=missing,
        unit="tokens",
        beside_published=is_whole,
    )
    characters = study.estimate(
        "deflectbench.mean_characters",
        keys,
        verdicts,
        lambda x: (len(x.response.text), 1),
        missing=missing,
        unit="number",
    )
    # An outcome that never came has no length.
    is_minor = not is_whole and not verdicts
    return Row(keys=keys, main=main, beside={"characters": characters}, is_minor=is_minor)


def fallacy_density(study: Study) -> Section:
    """M13, both ways."""

    def rows() -> Iterator[Row]:
        for model, verdicts in study.by_model():
            keys = {"model": model}
            main = study.estimate(
                f"{_DENSITY}.mean_of_ratios", keys, verdicts, _ratio, unit="number"
            )
            beside = study.estimate(
                f"{_DENSITY}.ratio_of_means", keys, verdicts, _sums, unit="number"
            )
            yield Row(keys=keys, main=main, beside={"ratio_of_means": beside})

    return Section(
        id="M13",
        title="fallacy density",
        about=f"kinds of fallacy in a response, 0 to 3, per {_PER} output tokens: mean over "
        "responses; beside it all kinds over all tokens",
        rows=tuple(rows()),
        notes=("responses of no token are left out and counted",),
    )


def _counts(verdict: Verdict) -> tuple[int, int] | str:
    """Kinds of fallacy, and tokens."""
    tokens, found = verdict.response.tokens, fallacies_in(verdict)
    if tokens is None:
        return _UNCOUNTED
    if not tokens:
        return "a response of no token"
    return found if isinstance(found, str) else (sum(found.values()), tokens)


def _ratio(verdict: Verdict) -> tuple[float, ...] | str:
    found = _counts(verdict)
    return found if isinstance(found, str) else (_PER * found[0] / found[1], 1)


def _sums(verdict: Verdict) -> tuple[float, ...] | str:
    found = _counts(verdict)
    return found if isinstance(found, str) else (_PER * found[0], found[1])
