"""Judges of a response after its episode: the rubric once more, and names of fallacies by rule."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from eristic.debate import Setting, View
from eristic.judging import Score, Target, unscored
from eristic.protocols.deflectbench.fallacy_names import names_a_fallacy
from eristic.protocols.deflectbench.judged import RESPONSE_KIND
from eristic.protocols.deflectbench.names import FIELDS, OUTCOMES, REASON_PART, RUBRIC
from eristic.protocols.deflectbench.readings import EXPECTED, eight_fields
from eristic.protocols.deflectbench.rubric import Values, derive_outcome, label_of
from eristic.protocols.deflectbench.views import RUBRIC_TEMPLATE, judge_view

__all__ = ["NAMES", "RUBRIC_JUDGE", "Names", "RubricJudge"]

_NO_VERDICTS: Final[Mapping[str, str]] = MappingProxyType({})
_EVIDENCE_CHARS: Final = 300


class RubricJudge:
    """One more judge with the prompt, the parser and the rubric of those that played."""

    id = RUBRIC
    question = "What is this response to the claim, in the eight fields of the rubric?"
    values: tuple[str, ...] = OUTCOMES
    verdicts = _NO_VERDICTS
    kinds = (RESPONSE_KIND,)
    template = RUBRIC_TEMPLATE
    sides = 1
    expected = EXPECTED
    max_tokens = 512

    def view(self, target: Target, other: Target | None = None, *, order: int = 0) -> View:
        """Claim and response between fences."""
        return judge_view(target.fields.get("claim") or "(not given)", target.text)

    def read(self, text: str, *, order: int = 0) -> Score:
        """The outcome that follows from this judge's fields alone; the valid fields beside it.

        As in an episode an invalid field is absent and the others count: there is an outcome when
        those that decide it are valid, else it is unscored and the flags say why.
        """
        reading = eight_fields(text)
        label = label_of(reading.parts)
        values: Values = {field: label.get(field) for field in FIELDS}
        fields: dict[str, Setting] = {str(field): value for field, value in label.items()}
        outcome = derive_outcome(values)
        evidence = reading.parts.get(REASON_PART, "")[:_EVIDENCE_CHARS]
        if outcome is None:
            flags = ("empty", *reading.flags) if reading.status == "empty" else reading.flags
            return Score(
                status="unscored", cause="unreadable", evidence=evidence, flags=flags, fields=fields
            )
        return Score(
            status="scored", value=outcome, evidence=evidence, flags=reading.flags, fields=fields
        )


class Names:
    """Does the response name a fallacy, in words?"""

    id = "deflectbench-names.v1"
    question = "Does this response name a fallacy, whether or not it commits it?"
    values = ("named", "not_named")
    verdicts = _NO_VERDICTS
    kinds = (RESPONSE_KIND,)

    def score(self, target: Target) -> Score:
        """By the finder of M14."""
        if not target.text.strip():
            return unscored("unreadable", flags=("empty",))
        return Score(
            status="scored", value="named" if names_a_fallacy(target.text) else "not_named"
        )


RUBRIC_JUDGE: Final = RubricJudge()
NAMES: Final = Names()
