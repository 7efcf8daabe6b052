"""Chains of events: building, checking, and a journal in memory."""
