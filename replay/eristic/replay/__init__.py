"""Reading logs again: is a run whole, what was said in it, how did it end."""

from eristic.replay.entries import Entry, EntryKind
from eristic.replay.findings import Finding, Verification
from eristic.replay.recomputations import Change, Effect, Recomputation, Reheard
from eristic.replay.recomputing import Replayer, replay
from eristic.replay.summaries import (
    ConditionRow,
    EpisodeRow,
    RunSummary,
    Summarizer,
    summarise,
)
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
