"""The report of mirror: all sections over one run."""

from __future__ import annotations

from typing import Final

from eristic.protocols.mirror.metrics.choices import CHOICES
from eristic.protocols.mirror.metrics.debates import debate_shifts
from eristic.protocols.mirror.metrics.deviations import deviations
from eristic.protocols.mirror.metrics.equivalences import unmoved
from eristic.protocols.mirror.metrics.fairness import fair_against_biased
from eristic.protocols.mirror.metrics.languages import language_contrast
from eristic.protocols.mirror.metrics.missing import missing_debates, missing_rates
from eristic.protocols.mirror.metrics.orders import order_effect
from eristic.protocols.mirror.metrics.paraphrases import paraphrases
from eristic.protocols.mirror.metrics.people import human_comparison
from eristic.protocols.mirror.metrics.ratios import ratios
from eristic.protocols.mirror.metrics.reversals import moves, reversals
from eristic.protocols.mirror.metrics.sides import debate_sides, flag_counts, scale_ends
from eristic.protocols.mirror.metrics.topics import topic_profile
from eristic.protocols.reports import SectionedReporter

__all__ = ["REPORTER"]

REPORTER: Final = SectionedReporter(
    "mirror",
    (
        deviations,
        paraphrases,
        debate_shifts,
        missing_rates,
        missing_debates,
        unmoved,
        topic_profile,
        reversals,
        moves,
        ratios,
        fair_against_biased,
        language_contrast,
        human_comparison,
        order_effect,
        scale_ends,
        debate_sides,
        flag_counts,
    ),
    choices=CHOICES,
    rules={
        "block": "the statement, or the block that its case names",
        "test": "Wilcoxon signed rank on one number a statement; Holm over the topics",
        "equivalence": "two one-sided tests over statements",
    },
)
