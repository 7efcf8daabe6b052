"""The report of logicom: all sections over one run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from eristic.debate import Envelope
from eristic.debate.errors import SpecRefused, nearest
from eristic.protocols.logicom.metrics.arms import arms_of
from eristic.protocols.logicom.metrics.collecting import DebateCollector, RunFacts
from eristic.protocols.logicom.metrics.comparisons import model_comparisons, scenario_comparisons
from eristic.protocols.logicom.metrics.context import Context
from eristic.protocols.logicom.metrics.contradictions import contradictions
from eristic.protocols.logicom.metrics.costs import costs
from eristic.protocols.logicom.metrics.discordance import discordances
from eristic.protocols.logicom.metrics.fallacies import fallacy_profile
from eristic.protocols.logicom.metrics.headers import describe, design_of
from eristic.protocols.logicom.metrics.moderation import agreement, stop_reasons
from eristic.protocols.logicom.metrics.opinions import initial_rule, opinion_change
from eristic.protocols.logicom.metrics.rounds import rounds_to_conviction
from eristic.protocols.logicom.metrics.splits import lengths, subsets
from eristic.protocols.logicom.metrics.successes import (
    relative_increases,
    success_counts,
    success_rate,
)
from eristic.protocols.logicom.moderation import MASTER
from eristic.protocols.reports import Judged, Reference, Report, Section, Settings
from eristic.stats import PERCENTILE_RULE

__all__ = ["REPORTER", "LogicomReporter", "make_report"]

_SECTIONS: Final[tuple[Callable[[Context], Section], ...]] = (
    success_rate,
    scenario_comparisons,
    model_comparisons,
    success_counts,
    relative_increases,
    opinion_change,
    discordances,
    rounds_to_conviction,
    contradictions,
    fallacy_profile,
    stop_reasons,
    agreement,
    subsets,
    lengths,
    costs,
)
_CHOICES: Final = ("initial_rule",)


def make_report(
    facts: RunFacts, judged: Judged, settings: Settings, reference: Reference
) -> Report:
    """All numbers. Raises SpecRefused for a choice that this report does not offer."""
    for name in settings.choices:
        if name not in _CHOICES:
            raise SpecRefused(f"logicom's report has no choice {name!r}.{nearest(name, _CHOICES)}")
    chosen = initial_rule(settings.choices)
    arms = arms_of(facts.debates, design_of(facts))
    context = Context(facts=facts, arms=arms, settings=settings, reference=reference, judged=judged)
    return Report(
        protocol="logicom",
        header=describe(facts, arms),
        sections=tuple(section(context) for section in _SECTIONS),
        settings=settings,
        source=", ".join(filter(None, (reference.title, reference.source))),
        rules={
            "verdict": MASTER,
            "initial_rule": chosen,
            "interval": PERCENTILE_RULE,
            "block": "pair_id: both claims of a topic",
            "spread": "population standard deviation over repetitions",
            "test": "exact McNemar on majorities of claims; Holm over the contrasts",
        },
    )


class _Collector:
    def __init__(self, judged: Judged) -> None:
        self._judged = judged
        self._debates = DebateCollector(judged.turns)

    def take(self, envelope: Envelope, stored: bytes) -> None:
        """See Collector."""
        self._debates.take(envelope, stored)

    def report(self, settings: Settings, reference: Reference) -> Report:
        """See Collector."""
        return make_report(self._debates.close(), self._judged, settings, reference)


class LogicomReporter:
    """See Reporter. Has no state."""

    reference = "reference.toml"

    def collect(self, judged: Judged) -> _Collector:
        """A fresh collector."""
        return _Collector(judged)


REPORTER: Final = LogicomReporter()
