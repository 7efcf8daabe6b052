"""Chains of events: building, checking, and a journal in memory."""

from eristic.journal.audits import Audit, Finding, Ledger, audit
from eristic.journal.chains import Chain, carry, extend, read_chain

__all__ = ["Audit", "Chain", "Finding", "Ledger", "audit", "carry", "extend", "read_chain"]
