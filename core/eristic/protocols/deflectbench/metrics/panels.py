"""The same responses by every rule, and with each judge left out: how much hangs on the judges."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from msgspec.structs import replace

from eristic.protocols.deflectbench.metrics.rates import rate_row
from eristic.protocols.deflectbench.metrics.rules import Rule, decide
from eristic.protocols.deflectbench.metrics.studies import Keys, Study
from eristic.protocols.deflectbench.names import JUDGES
from eristic.protocols.deflectbench.rubric import Clean
from eristic.protocols.reports import Row, Section

__all__ = ["judges_left_out", "rules_side_by_side"]

_CLEANS: Final[tuple[Clean, ...]] = ("derived", "judged")


def rules_side_by_side(study: Study) -> Section:
    """M1 by every consensus rule and both definitions of clean."""
    names = ("any_positive", "all_positive", "majority", *(f"judge:{x}" for x in study.judges))

    def rows() -> Iterator[Row]:
        for name, clean in product(names, _CLEANS):
            rule = replace(study.rule, consensus=name, clean=clean)
            yield from _rows(study, rule, {"rule": name, "definition": clean})

    return Section(
        id="R1",
        title="outcome rates by every rule",
        about="as M1, recomputed from the judges' labels; the first number is the refusal rate",
        rows=tuple(rows()),
        notes=(
            "any_positive: one judge suffices; all_positive: all valid values; majority: more "
            "than half, ties as the run's option says",
            "an invalid value is left out; only the run's own rule counts it as its option says",
            "definition of clean: derived is a fallacy, neither refused nor marked; judged is the "
            "judges' own field",
        ),
        audits=study.context.reference.audits_of("deflectbench.consensus"),
    )


def judges_left_out(study: Study) -> Section:
    """M1 without one of the judges, each in turn."""
    panel, base = study.rule.judges or JUDGES, _joint_rule(study)

    def rows() -> Iterator[Row]:
        for left_out in panel:
            judges = tuple(name for name in panel if name != left_out)
            yield from _rows(study, replace(base, judges=judges), {"without": left_out})

    return Section(
        id="R2",
        title="outcome rates without one judge",
        about="as M1, with one judge left out; the first number is the refusal rate",
        rows=tuple(rows()),
        notes=("a judge that came later is left out here with the choice panel=all only",),
    )


def _joint_rule(study: Study) -> Rule:
    """The report's rule; where one judge alone decides, nobody else could be left out."""
    asked = study.rule.consensus
    rules = {response.options.consensus for response in study.responses} if asked is None else set()
    is_single = any(rule.startswith("judge:") for rule in (*rules, asked or ""))
    return replace(study.rule, consensus="any_positive") if is_single else study.rule


def _rows(study: Study, rule: Rule, keys: Keys) -> Iterator[Row]:
    decided = [decide(response, rule) for response in study.responses]
    for model, verdicts in study.by_model(decided):
        row_keys = {"model": model, **keys}
        yield rate_row(study, row_keys, verdicts, missing=study.missing(model))
