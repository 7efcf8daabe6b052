"""The metrics M1 to M12 of mirror, from its recorded episodes. Needs the extra `stats`."""

from eristic.protocols.mirror.metrics.reporting import REPORTER

__all__ = ["REPORTER"]
