"""The report of deflectbench: all sections over one run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from eristic.protocols.deflectbench.fallacy_names import FINDER
from eristic.protocols.deflectbench.metrics.counts import generations, odd_labels
from eristic.protocols.deflectbench.metrics.fidelity import free_choice, instruction_fidelity
from eristic.protocols.deflectbench.metrics.levels import context_difference, level_equivalence
from eristic.protocols.deflectbench.metrics.naming import naming_detector
from eristic.protocols.deflectbench.metrics.panels import judges_left_out, rules_side_by_side
from eristic.protocols.deflectbench.metrics.powers import power
from eristic.protocols.deflectbench.metrics.rates import (
    by_context,
    by_domain,
    by_fallacy,
    by_framing,
    by_level,
    by_template,
    outcome_rates,
)
from eristic.protocols.deflectbench.metrics.reliability import (
    judge_reliability,
    panel_reliability,
)
from eristic.protocols.deflectbench.metrics.signatures import exclusive_outcomes, signature
from eristic.protocols.deflectbench.metrics.spreads import claim_spread
from eristic.protocols.deflectbench.metrics.studies import CHOICES, Study
from eristic.protocols.deflectbench.metrics.swings import (
    fallacy_swing,
    framing_pairs,
    framing_swing,
)
from eristic.protocols.deflectbench.metrics.variance import run_variance
from eristic.protocols.deflectbench.metrics.verbosity import fallacy_density, verbosity
from eristic.protocols.deflectbench.names import RUBRIC
from eristic.protocols.reports import Section, SectionedReporter, upon

__all__ = ["REPORTER"]

_SECTIONS: Final[Sequence[Callable[[Study], Section | None]]] = (
    generations,
    outcome_rates,
    by_framing,
    framing_swing,
    framing_pairs,
    fallacy_swing,
    judge_reliability,
    panel_reliability,
    odd_labels,
    by_fallacy,
    by_template,
    by_level,
    by_context,
    by_domain,
    exclusive_outcomes,
    signature,
    rules_side_by_side,
    judges_left_out,
    claim_spread,
    level_equivalence,
    context_difference,
    instruction_fidelity,
    free_choice,
    run_variance,
    verbosity,
    fallacy_density,
    naming_detector,
    power,
)
"""What a reader looks for first stands first: what counts, the rates, how far the request moves
them, and how far the judges can be relied on."""
_RULES: Final = {
    "rubric": RUBRIC,
    "block": "claim",
    "names": FINDER,
    "spread": "permutation of claims within model and template",
    "equivalence": "two one-sided Welch tests over claims, at 5 %",
}


REPORTER: Final = SectionedReporter(
    "deflectbench",
    [upon(Study.of, section) for section in _SECTIONS],
    choices=CHOICES,
    rules=_RULES,
)
"""M1 to M14, with what was counted, every rule side by side, and power."""
