"""The metrics M1 to M14 of deflectbench, functions of a recorded run. Needs the extra `stats`."""

from eristic.protocols.deflectbench.fallacy_names import FINDER, names_a_fallacy
from eristic.protocols.deflectbench.metrics.reliability import Implied, implied_by
from eristic.protocols.deflectbench.metrics.reporting import REPORTER
from eristic.protocols.deflectbench.metrics.responses import Response
from eristic.protocols.deflectbench.metrics.rules import RATES, Rule, Verdict, decide
from eristic.protocols.deflectbench.metrics.studies import Study

__all__ = [
    "FINDER",
    "RATES",
    "REPORTER",
    "Implied",
    "Response",
    "Rule",
    "Study",
    "Verdict",
    "decide",
    "implied_by",
    "names_a_fallacy",
]
