"""Contracts that every adapter of a port must keep; needs pytest."""

from eristic.testing.logs import EpisodeLogContract
from eristic.testing.transports import Shelf, Transport, TransportContract, make_ask, reply_to

__all__ = [
    "EpisodeLogContract",
    "Shelf",
    "Transport",
    "TransportContract",
    "make_ask",
    "reply_to",
]
