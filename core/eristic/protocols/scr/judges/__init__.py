"""Judges of suggestions, critiques and repairs after their episode."""

from eristic.protocols.scr.judges.advice import CRITIC_JUDGE, ETHICS_JUDGE, SEVERITY_JUDGE
from eristic.protocols.scr.judges.repairs import REPAIR_JUDGE, RepairJudge
from eristic.protocols.scr.judges.substance import TRIVIAL_JUDGE, TrivialJudge

__all__ = [
    "CRITIC_JUDGE",
    "ETHICS_JUDGE",
    "REPAIR_JUDGE",
    "SEVERITY_JUDGE",
    "TRIVIAL_JUDGE",
    "RepairJudge",
    "TrivialJudge",
]
