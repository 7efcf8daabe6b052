"""Judges of the free replies after their episode."""

from eristic.protocols.lofa.judges.naming import NAMES, Names
from eristic.protocols.lofa.judges.stances import STANCE_JUDGE, StanceJudge

__all__ = ["NAMES", "STANCE_JUDGE", "Names", "StanceJudge"]
