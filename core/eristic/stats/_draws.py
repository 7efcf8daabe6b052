"""Seeded draws of blocks, the same on every machine and with every numpy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eristic.stats._numbers import IntArray, check_seed

__all__ = ["draw_blocks"]

_CHUNK_DRAWS = 1 << 21
"""Draws held at a time: 16 MiB an array. Changing it changes no number."""


def draw_blocks(blocks: int, *, resamples: int, seed: int) -> Iterator[IntArray]:
    """How often each block is drawn, in chunks of shape (some resamples, blocks).

    Every row sums to `blocks`, which must be 1 or more.
    """
    # Raw output of PCG64 is promised to stay as it is; numpy's Generator methods are not. The
    # upper 32 bits, scaled, favour no block by more than blocks / 2**32.
    source = np.random.PCG64(check_seed(seed))
    rows = max(1, _CHUNK_DRAWS // blocks)
    for start in range(0, resamples, rows):
        size = min(rows, resamples - start)
        raw = np.asarray(source.random_raw(size * blocks), dtype=np.uint64)
        drawn = ((raw >> np.uint64(32)) * np.uint64(blocks)) >> np.uint64(32)
        first_cells = np.repeat(np.arange(size, dtype=np.int64) * blocks, blocks)
        cells = first_cells + drawn.astype(np.int64)
        yield np.bincount(cells, minlength=size * blocks).reshape(size, blocks).astype(np.int64)
