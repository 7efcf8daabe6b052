"""Estimators with their intervals: pure, seeded, and honest about what is undefined."""

from __future__ import annotations

import importlib.util

from eristic.debate.errors import ExtraMissing

if any(importlib.util.find_spec(name) is None for name in ("numpy", "scipy", "statsmodels")):
    raise ExtraMissing(needs="numpy, scipy and statsmodels", extra="stats")

from eristic.stats._numbers import FloatArray, IntArray, SampleRefused, Vector
from eristic.stats.agreement import (
    Agreement,
    PanelAgreement,
    Ratings,
    count_ratings,
    cross_ratings,
    judge_agreement,
    panel_agreement,
)
from eristic.stats.blocks import Aligned, BlockMajorities, Blocks, align, block_majorities, gather
from eristic.stats.bootstrap import (
    PERCENTILE_RULE,
    Bootstrap,
    BootstrapContrast,
    bootstrap,
    bootstrap_contrast,
    bootstrap_items,
    resampled_values,
)
from eristic.stats.comparisons import Family, holm
from eristic.stats.contingency import ChiSquare, chi_square
from eristic.stats.detection import (
    DETECTION_ESTIMATES,
    DetectionSample,
    detection,
    detection_metric,
)
from eristic.stats.effects import EffectSize, cohens_h
from eristic.stats.equivalence import Equivalence, equivalence, equivalence_pooled
from eristic.stats.mcnemar import BlockPairs, McNemar, mcnemar, pair_blocks
from eristic.stats.metrics import (
    AC1,
    DIFFERENCE,
    JACCARD,
    KAPPA,
    MEAN_DIFFERENCE,
    MEAN_RATE,
    RATE,
    RATE_RANGE,
    RAW_AGREEMENT,
    RELATIVE_INCREASE,
    TOTAL,
    Contrast,
    Metric,
    cramers_v,
)
from eristic.stats.outcomes import Interval, Undefined
from eristic.stats.permutations import Spread, block_spread
from eristic.stats.power import SampleSize, achieved_power, block_correlation, sample_size
from eristic.stats.rankings import auroc
from eristic.stats.rates import Rate, measure_rate, wilson
from eristic.stats.signed_rank import SignedRank, signed_rank
from eristic.stats.strata import bootstrap_strata
from eristic.stats.tallies import Exclusion, Tally, TallyUnbalanced

__all__ = [
    "AC1",
    "DETECTION_ESTIMATES",
    "DIFFERENCE",
    "JACCARD",
    "KAPPA",
    "MEAN_DIFFERENCE",
    "MEAN_RATE",
    "PERCENTILE_RULE",
    "RATE",
    "RATE_RANGE",
    "RAW_AGREEMENT",
    "RELATIVE_INCREASE",
    "TOTAL",
    "Agreement",
    "Aligned",
    "BlockMajorities",
    "BlockPairs",
    "Blocks",
    "Bootstrap",
    "BootstrapContrast",
    "ChiSquare",
    "Contrast",
    "DetectionSample",
    "EffectSize",
    "Equivalence",
    "Exclusion",
    "Family",
    "FloatArray",
    "IntArray",
    "Interval",
    "McNemar",
    "Metric",
    "PanelAgreement",
    "Rate",
    "Ratings",
    "SampleRefused",
    "SampleSize",
    "SignedRank",
    "Spread",
    "Tally",
    "TallyUnbalanced",
    "Undefined",
    "Vector",
    "achieved_power",
    "align",
    "auroc",
    "block_correlation",
    "block_majorities",
    "block_spread",
    "bootstrap",
    "bootstrap_contrast",
    "bootstrap_items",
    "bootstrap_strata",
    "chi_square",
    "cohens_h",
    "count_ratings",
    "cramers_v",
    "cross_ratings",
    "detection",
    "detection_metric",
    "equivalence",
    "equivalence_pooled",
    "gather",
    "holm",
    "judge_agreement",
    "mcnemar",
    "measure_rate",
    "pair_blocks",
    "panel_agreement",
    "resampled_values",
    "sample_size",
    "signed_rank",
    "wilson",
]
