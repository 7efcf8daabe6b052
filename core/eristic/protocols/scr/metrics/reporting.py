"""The report of scr: all sections over one run."""

from __future__ import annotations

from typing import Final

from eristic.protocols.reports import SectionedReporter
from eristic.protocols.scr.metrics.agreements import critic_agreement
from eristic.protocols.scr.metrics.aspects import aspect_tests, by_aspect, suggestion_lengths
from eristic.protocols.scr.metrics.averages import averages
from eristic.protocols.scr.metrics.controls import acceptance_bias
from eristic.protocols.scr.metrics.costs import calls_per_episode, phase_costs
from eristic.protocols.scr.metrics.critics import critic_comparison
from eristic.protocols.scr.metrics.precision import estimated_precision, labeller_agreement
from eristic.protocols.scr.metrics.rates import critique_rates, totals
from eristic.protocols.scr.metrics.repairs import (
    judged_repairs,
    repair_judge_agreement,
    repairs,
)
from eristic.protocols.scr.metrics.scores import moderation_baselines
from eristic.protocols.scr.metrics.stability import changing_verdicts, remarks
from eristic.protocols.scr.metrics.suites import plausibility, realism, topic_counts
from eristic.protocols.scr.names import CRITIQUE_POLICY, PLACEBO_POLICY, REPAIR_POLICY

__all__ = ["REPORTER"]

REPORTER: Final = SectionedReporter(
    "scr",
    (
        critique_rates,
        averages,
        totals,
        estimated_precision,
        labeller_agreement,
        critic_comparison,
        critic_agreement,
        repairs,
        judged_repairs,
        repair_judge_agreement,
        moderation_baselines,
        realism,
        plausibility,
        topic_counts,
        by_aspect,
        aspect_tests,
        suggestion_lengths,
        acceptance_bias,
        phase_costs,
        calls_per_episode,
        changing_verdicts,
        remarks,
    ),
    choices={"labels": ("people", "*"), "score": ("score", "*")},
    rules={
        "block": "seed text, or situation: the block that its case names",
        "verdicts": f"{CRITIQUE_POLICY}, {PLACEBO_POLICY}, {REPAIR_POLICY}",
        "test": "McNemar on one pair a seed; chi-square of a table",
    },
)
"""M1 to M12, and what to know of the verdicts."""
