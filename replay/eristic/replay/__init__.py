"""Reading logs again: is a run whole, what was said in it, how did it end."""

from eristic.replay.entries import Entry, EntryKind
from eristic.replay.findings import Finding, Verification
from eristic.replay.summaries import (
    ConditionRow,
    EpisodeRow,
    RunSummary,
    Summarizer,
    summarise,
)
from eristic.replay.transcripts import Header, Transcript, transcribe
from eristic.replay.verification import FINDINGS_KEPT, Verifier, verify

__all__ = [
    "FINDINGS_KEPT",
    "ConditionRow",
    "Entry",
    "EntryKind",
    "EpisodeRow",
    "Finding",
    "Header",
    "RunSummary",
    "Summarizer",
    "Transcript",
    "Verification",
    "Verifier",
    "summarise",
    "transcribe",
    "verify",
]
