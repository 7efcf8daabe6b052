"""The metrics M1 to M10 of logicom, from plain facts of its debates. Needs the extra `stats`."""

from eristic.protocols.logicom.metrics.collecting import DebateCollector, RunFacts
from eristic.protocols.logicom.metrics.facts import Calls, Debate, Helped, Spoken
from eristic.protocols.logicom.metrics.reporting import REPORTER, LogicomReporter, make_report

__all__ = [
    "REPORTER",
    "Calls",
    "Debate",
    "DebateCollector",
    "Helped",
    "LogicomReporter",
    "RunFacts",
    "Spoken",
    "make_report",
]
