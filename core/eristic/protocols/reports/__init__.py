"""Reports: numbers with interval, n, exclusions and, beside them, what was published."""

from eristic.protocols.reports.judged import Judge, Judged, read_judged
from eristic.protocols.reports.measures import UNITS, Measure, Report, Row, Section, Settings
from eristic.protocols.reports.references import Audit, Published, Reference, parse_reference
from eristic.protocols.reports.reporters import Collector, Reporter, find_reporter

__all__ = [
    "UNITS",
    "Audit",
    "Collector",
    "Judge",
    "Judged",
    "Measure",
    "Published",
    "Reference",
    "Report",
    "Reporter",
    "Row",
    "Section",
    "Settings",
    "find_reporter",
    "parse_reference",
    "read_judged",
]
