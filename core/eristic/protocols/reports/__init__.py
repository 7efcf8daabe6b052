"""Reports: numbers with interval, n, exclusions and, beside them, what was published."""

from eristic.protocols.reports.estimates import (
    Sums,
    contrasted,
    counted,
    estimated,
    resampled,
)
from eristic.protocols.reports.judged import Judge, Judged, read_judged
from eristic.protocols.reports.measures import UNITS, Measure, Report, Row, Section, Settings
from eristic.protocols.reports.recorded import Recorded, RecordedRun, RunCollector
from eristic.protocols.reports.references import (
    Audit,
    Published,
    Reference,
    names_apart,
    parse_reference,
)
from eristic.protocols.reports.reporters import Collector, Reporter, find_reporter
from eristic.protocols.reports.sectioned import Context, SectionedReporter, SectionMaker, upon

__all__ = [
    "UNITS",
    "Audit",
    "Collector",
    "Context",
    "Judge",
    "Judged",
    "Measure",
    "Published",
    "Reference",
    "Recorded",
    "RecordedRun",
    "Report",
    "Reporter",
    "Row",
    "RunCollector",
    "Section",
    "SectionMaker",
    "SectionedReporter",
    "Settings",
    "Sums",
    "contrasted",
    "counted",
    "estimated",
    "find_reporter",
    "names_apart",
    "parse_reference",
    "read_judged",
    "resampled",
    "upon",
]
