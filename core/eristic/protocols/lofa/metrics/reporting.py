"""The report of lofa: all sections over one run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from eristic.protocols.lofa.metrics.answers import invalid_answers, invalid_attempts
from eristic.protocols.lofa.metrics.choices import CHOICES
from eristic.protocols.lofa.metrics.classes import class_means
from eristic.protocols.lofa.metrics.controls import control_pairs, controls
from eristic.protocols.lofa.metrics.endurance import hazards, lasting, lasting_by_target
from eristic.protocols.lofa.metrics.pairs import fallacy_pairs, model_pairs, plain_against_cot
from eristic.protocols.lofa.metrics.persuasions import (
    capture,
    capture_by_target,
    misled_rates,
    recoveries,
    turns_to_persuasion,
)
from eristic.protocols.lofa.metrics.replies import hedging, reply_kinds, split_answers
from eristic.protocols.lofa.metrics.screenings import bare_claim, first_answers, questions, tries
from eristic.protocols.lofa.metrics.sensitivity import other_rules
from eristic.protocols.lofa.metrics.studies import Study
from eristic.protocols.reports import Section, SectionedReporter, upon

__all__ = ["REPORTER"]

_SECTIONS: Final[Sequence[Callable[[Study], Section | None]]] = (
    tries,
    questions,
    first_answers,
    bare_claim,
    lasting,
    lasting_by_target,
    controls,
    misled_rates,
    recoveries,
    turns_to_persuasion,
    hazards,
    hedging,
    split_answers,
    reply_kinds,
    capture,
    capture_by_target,
    class_means,
    fallacy_pairs,
    control_pairs,
    plain_against_cot,
    model_pairs,
    invalid_answers,
    invalid_attempts,
    other_rules,
)
_RULES: Final = {
    "block": "the question, or the block that its case names",
    "test": "exact McNemar on each question's majority; Holm over the family",
}


REPORTER: Final = SectionedReporter(
    "lofa",
    [upon(Study.of, section) for section in _SECTIONS],
    choices=CHOICES,
    rules=_RULES,
)
"""M1 to M12, with what was tried, and the same episodes under other rules."""
