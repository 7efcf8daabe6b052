"""Judges of repairs and critiques after their episode."""

from eristic.protocols.scr.judges.repairs import REPAIR_JUDGE, RepairJudge
from eristic.protocols.scr.judges.substance import TRIVIAL_JUDGE, TrivialJudge

__all__ = ["REPAIR_JUDGE", "TRIVIAL_JUDGE", "RepairJudge", "TrivialJudge"]
