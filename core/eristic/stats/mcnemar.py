"""S7: whether one arm says yes more often than the other, block by block."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from eristic.stats._numbers import whole
from eristic.stats.outcomes import Undefined
from eristic.stats.tallies import Tally

__all__ = ["BlockPairs", "McNemar", "mcnemar", "pair_blocks"]


class McNemar(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """McNemar's test of paired yes/no values."""

    first_only: int
    second_only: int
    p: float
    """Exact, two-sided; 1 when no pair differs."""
    statistic: float | Undefined
    """Chi-square with 1 degree of freedom and continuity correction."""
    p_large_sample: float | Undefined
    """Of the statistic; the exact p is the one to report."""


class BlockPairs(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Blocks by what they say in two arms (counts)."""

    both: int
    first_only: int
    second_only: int
    neither: int
    tally: Tally
    """Blocks seen in any arm; those without a value in both are excluded."""


def mcnemar(first_only: int, second_only: int) -> McNemar:
    """Test that yes-no and no-yes pairs are equally likely.

    first_only, second_only: pairs (count) with yes in that arm only; one pair a block, so reduce
    repetitions by `block_majorities` first. The large-sample version is undefined when no pair
    differs. Raises SampleRefused for counts that are negative or not whole.
    Source: McNemar 1947, Edwards 1948 (S7); the binomial from scipy.
    """
    from scipy.stats import binomtest, chi2

    first_only = whole(first_only, what="first_only")
    second_only = whole(second_only, what="second_only")
    different = first_only + second_only
    counts = {"first_only": first_only, "second_only": second_only}
    if different == 0:
        none = Undefined("no pair differs")
        return McNemar(**counts, p=1.0, statistic=none, p_large_sample=none)
    statistic = (abs(first_only - second_only) - 1) ** 2 / different
    return McNemar(
        **counts,
        p=float(binomtest(first_only, different).pvalue),
        statistic=statistic,
        p_large_sample=float(chi2.sf(statistic, 1)),
    )


def pair_blocks(first: Mapping[str, bool], second: Mapping[str, bool]) -> BlockPairs:
    """Two arms over the same blocks, block -> yes or no, counted as pairs.

    A block with a value in one arm only is excluded and counted under the arm that lacks it.
    """
    shared = first.keys() & second.keys()
    pairs = [(first[name], second[name]) for name in shared]
    tally = Tally.of(
        planned=len(first.keys() | second.keys()),
        used=len(shared),
        excluded={
            "no value in the first arm": len(second.keys() - shared),
            "no value in the second arm": len(first.keys() - shared),
        },
    )
    return BlockPairs(
        both=pairs.count((True, True)),
        first_only=pairs.count((True, False)),
        second_only=pairs.count((False, True)),
        neither=pairs.count((False, False)),
        tally=tally,
    )
