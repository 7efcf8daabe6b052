"""How far rates of blocks spread by chance alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum

import msgspec
import numpy as np

from eristic.stats._numbers import (
    FloatArray,
    IntArray,
    SampleRefused,
    Vector,
    check_seed,
    finite_vector,
    whole,
)
from eristic.stats.outcomes import Undefined

__all__ = ["Spread", "block_spread"]

_CHUNK_DRAWS = 1 << 20
"""Draws held at a time: 8 MiB an array. Changing it changes no number."""


class Spread(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Largest minus smallest rate of the blocks, beside what chance gives."""

    value: float
    """Of the blocks as they are."""
    low: float
    """Smallest rate of a block."""
    high: float
    """Largest rate of a block."""
    expected: float
    """Mean spread when blocks are told apart by chance."""
    expected_high: float
    """Below it lies 0.95 of the spreads that chance gives."""
    p: float
    """Share of permutations, the observed one among them, with a spread as large."""
    blocks: int
    permutations: int
    seed: int


def block_spread(
    labels: Sequence[str],
    strata: Sequence[str],
    hits: Vector,
    *,
    seed: int,
    permutations: int = 1000,
) -> Spread | Undefined:
    """The spread of block rates, and the spread of rates that differ by chance only.

    labels, strata, hits: shape (items,): block, stratum, and 1 for a hit or 0. In a permutation
    the blocks of a stratum's items are dealt anew among them, so that a difference between strata
    is never taken for one between blocks. Undefined with fewer than two blocks.
    Raises SampleRefused for hits other than 0 and 1, differing lengths, no permutation.
    Source: permutation test, e.g. Good 2005; M2 of deflectbench.
    """
    check_seed(seed)
    values = finite_vector(hits, what="hits")
    if not len(labels) == len(strata) == values.size:
        raise SampleRefused("give every item one block, one stratum and one value")
    if not np.isin(values, (0, 1)).all():
        raise SampleRefused("hits are 1 or 0; leave items without a value out")
    if whole(permutations, what="permutations") < 1:
        raise SampleRefused("permutations must be 1 or more")
    names = sorted(set(labels))
    if len(names) < 2:
        return Undefined("fewer than two blocks")
    place = {name: number for number, name in enumerate(names)}
    blocks = np.fromiter((place[x] for x in labels), dtype=np.int64, count=values.size)
    sizes = np.bincount(blocks, minlength=len(names))
    rates = np.bincount(blocks, weights=values, minlength=len(names)) / sizes
    found = _spreads(_dealt(blocks, strata, values, len(names), permutations, seed) / sizes)
    value = float(np.ptp(rates))
    # A sum of whole hits over whole sizes can be off in the last bit only.
    as_large = int((found >= value - 1e-12).sum())
    return Spread(
        value=value,
        low=float(rates.min()),
        high=float(rates.max()),
        expected=fsum(found) / permutations,
        expected_high=float(np.quantile(found, 0.95, method="linear")),
        p=(as_large + 1) / (permutations + 1),
        blocks=len(names),
        permutations=permutations,
        seed=seed,
    )


def _spreads(rates: FloatArray) -> FloatArray:
    spreads: FloatArray = rates.max(axis=1) - rates.min(axis=1)
    return spreads


def _dealt(
    blocks: IntArray,
    strata: Sequence[str],
    hits: FloatArray,
    count: int,
    permutations: int,
    seed: int,
) -> FloatArray:
    """Hits of each block in each permutation, shape (permutations, blocks)."""
    source = np.random.PCG64(seed)
    sums = np.zeros((permutations, count))
    of_items = np.array(strata)
    for stratum in sorted(set(strata)):
        chosen = of_items == stratum
        # Sorted, so that the order in which items were read changes nothing.
        mine, wins = np.sort(blocks[chosen]), int(hits[chosen].sum())
        for start, drawn in _choices(source, mine.size, wins, permutations):
            rows = np.repeat(np.arange(len(drawn)), wins)
            cells = rows * count + mine[drawn].ravel()
            found = np.bincount(cells, minlength=len(drawn) * count)
            sums[start : start + len(drawn)] += found.reshape(len(drawn), count)
    return sums


def _choices(
    source: np.random.PCG64, items: int, wins: int, permutations: int
) -> Iterator[tuple[int, IntArray]]:
    """Which items win, `wins` of them without replacement: first row, and rows of places."""
    # Raw output of PCG64 is promised to stay as it is; numpy's Generator methods are not.
    rows = max(1, _CHUNK_DRAWS // items)
    for start in range(0, permutations, rows):
        size = min(rows, permutations - start)
        raw = np.asarray(source.random_raw(size * items), dtype=np.uint64).reshape(size, items)
        yield start, np.argsort(raw, axis=1, kind="stable")[:, :wins]
