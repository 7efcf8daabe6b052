"""The metrics M1 to M12 of lofa, from its recorded rulings. Needs the extra `stats`."""

from eristic.protocols.lofa.metrics.reporting import REPORTER
from eristic.protocols.lofa.metrics.tries import Probe, Try, read_tries

__all__ = ["REPORTER", "Probe", "Try", "read_tries"]
