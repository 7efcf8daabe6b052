"""Reading logs again: is a run whole, what was said in it, how did it end."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eristic.replay.entries import Entry, EntryKind
    from eristic.replay.findings import Finding, Verification
    from eristic.replay.recomputations import Change, Effect, Recomputation, Reheard
    from eristic.replay.recomputing import Replayer, replay
    from eristic.replay.summaries import ConditionRow, EpisodeRow, RunSummary, Summarizer, summarise
    from eristic.replay.tables import calls, episodes, ledger, runs, table_schema, turns, verdicts
    from eristic.replay.transcripts import Header, Transcript, transcribe
    from eristic.replay.verification import FINDINGS_KEPT, Verifier, verify

__all__ = [
    "FINDINGS_KEPT",
    "Change",
    "ConditionRow",
    "Effect",
    "Entry",
    "EntryKind",
    "EpisodeRow",
    "Finding",
    "Header",
    "Recomputation",
    "Reheard",
    "Replayer",
    "RunSummary",
    "Summarizer",
    "Transcript",
    "Verification",
    "Verifier",
    "calls",
    "episodes",
    "ledger",
    "replay",
    "runs",
    "summarise",
    "table_schema",
    "transcribe",
    "turns",
    "verdicts",
    "verify",
]

_HOMES = {
    "FINDINGS_KEPT": "verification",
    "Change": "recomputations",
    "ConditionRow": "summaries",
    "Effect": "recomputations",
    "Entry": "entries",
    "EntryKind": "entries",
    "EpisodeRow": "summaries",
    "Finding": "findings",
    "Header": "transcripts",
    "Recomputation": "recomputations",
    "Reheard": "recomputations",
    "Replayer": "recomputing",
    "RunSummary": "summaries",
    "Summarizer": "summaries",
    "Transcript": "transcripts",
    "Verification": "findings",
    "Verifier": "verification",
    "calls": "tables",
    "episodes": "tables",
    "ledger": "tables",
    "replay": "recomputing",
    "runs": "tables",
    "summarise": "summaries",
    "table_schema": "tables",
    "transcribe": "transcripts",
    "turns": "tables",
    "verdicts": "tables",
    "verify": "verification",
}


def __getattr__(name: str) -> object:
    # Half of a short command was the import of what it does not use.
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{home}"), name)
