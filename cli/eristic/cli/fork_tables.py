"""Branches beside their originals, as a table."""

from __future__ import annotations

from eristic.cli.rendering import clean
from eristic.replay.fork_pairs import ForkComparison

__all__ = ["print_comparison"]


def print_comparison(found: ForkComparison) -> None:
    """The shifts, and the paired test where there is one."""
    if not found.pairs:
        return
    print("\nbefore -> after (branches)")
    for shift in found.shifts:
        before, after = (clean(name or "no outcome") for name in (shift.before, shift.after))
        print(f"  {before:>14} -> {after:<14} {shift.count:>6,}")
    if not found.yes:
        return
    blocks = found.both + found.first_only + found.second_only + found.neither
    print(
        f"{found.yes}, by majority of each motion and condition ({blocks} pairs, "
        f"{found.left_out} left out): before only {found.first_only}, after only "
        f"{found.second_only}, both {found.both}, neither {found.neither}"
    )
    if found.p is not None:
        print(f"McNemar exact p = {found.p:.4g}, two-sided")
    elif blocks:
        print("no p: pip install 'eristic[stats]'")
