"""The metrics M1 to M12 of scr, from its recorded episodes. Needs the extra `stats`."""

from eristic.protocols.scr.metrics.reporting import REPORTER

__all__ = ["REPORTER"]
