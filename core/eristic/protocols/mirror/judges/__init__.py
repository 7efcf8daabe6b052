"""Judges of the speeches after their episode."""

from eristic.protocols.mirror.judges.sides import SIDE_JUDGE, SideJudge

__all__ = ["SIDE_JUDGE", "SideJudge"]
