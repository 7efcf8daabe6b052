"""Items gathered by the block they belong to: the independent unit of every interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from eristic.stats._numbers import FloatArray, IntArray, SampleRefused, Vector, finite_vector
from eristic.stats.tallies import Tally

__all__ = [
    "Aligned",
    "BlockMajorities",
    "Blocks",
    "Grouped",
    "align",
    "block_majorities",
    "gather",
    "group_by_block",
]


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """Items in one order, whatever order they came in: by block, then by value."""

    names: tuple[str, ...]
    """Blocks, sorted."""
    items: FloatArray
    """Shape (items, columns)."""
    sizes: IntArray
    """Items of each block, shape (blocks,)."""
    starts: IntArray
    """Place of each block's first item, shape (blocks,)."""


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Column sums of each block: all that a metric of counts needs to know."""

    names: tuple[str, ...]
    """Sorted, so that a seed draws the same blocks whatever the order of reading."""
    sums: FloatArray
    """Shape (blocks, columns); cannot be written to."""
    sizes: IntArray
    """Items behind the sums of each block, shape (blocks,)."""

    @property
    def items(self) -> int:
        """Items of all blocks (count)."""
        return int(self.sizes.sum())


class Aligned(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Two arms cut down to the blocks that both have."""

    first: Blocks
    second: Blocks
    tally: Tally
    """Blocks seen in any arm; those of one arm only are excluded."""


class BlockMajorities(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One yes or no a block."""

    values: dict[str, bool]
    """Block -> what most of its items say; blocks in order of name."""
    ties: tuple[str, ...]
    """Blocks with as many yes as no; they have no value."""
    tally: Tally
    """Of blocks."""


def group_by_block(labels: Sequence[str], columns: Sequence[FloatArray]) -> Grouped:
    """Put items of one block side by side. Raises SampleRefused when lengths differ."""
    for place, column in enumerate(columns):
        if column.size != len(labels):
            raise SampleRefused(
                f"{len(labels)} labels and {column.size} values in column {place}; "
                "give each item one label and one value a column"
            )
    names = sorted(set(labels))
    place_of = {name: place for place, name in enumerate(names)}
    places = np.fromiter((place_of[x] for x in labels), dtype=np.int64, count=len(labels))
    items = np.stack(columns, axis=1) if columns else np.zeros((places.size, 0))
    # Sorting by value as well makes sums and resamples independent of the order of reading.
    order = np.lexsort((*items.T[::-1], places))
    sizes = np.bincount(places, minlength=len(names)).astype(np.int64)
    starts = np.cumsum(sizes) - sizes
    return Grouped(names=tuple(names), items=items[order], sizes=sizes, starts=starts)


def gather(labels: Sequence[str], *columns: Vector) -> Blocks:
    """Sum columns by block.

    labels: shape (items,), the block of each item. columns: shape (items,) each, what the metric
    asks for: for RATE first 1 for a hit and 0 else, then 1 for an item of the denominator.
    Sums are exactly rounded. Raises SampleRefused for NaN, differing lengths, no column.
    """
    if not columns:
        raise SampleRefused("give at least one column; RATE asks for hits and items")
    checked = [finite_vector(x, what=f"column {place}") for place, x in enumerate(columns)]
    grouped = group_by_block(labels, checked)
    sums = np.empty((len(grouped.names), len(columns)))
    for place, block in enumerate(np.split(grouped.items, grouped.starts[1:])):
        if grouped.names:
            sums[place] = [math.fsum(column) for column in block.T]
    sums.setflags(write=False)
    return Blocks(names=grouped.names, sums=sums, sizes=grouped.sizes)


def align(first: Blocks, second: Blocks) -> Aligned:
    """Keep the blocks that both arms have, and say which were left out, arm by arm."""
    shared = sorted(set(first.names) & set(second.names))
    tally = Tally.of(
        planned=len(set(first.names) | set(second.names)),
        used=len(shared),
        excluded={
            "not in the first arm": len(second.names) - len(shared),
            "not in the second arm": len(first.names) - len(shared),
        },
    )
    return Aligned(first=_keep(first, shared), second=_keep(second, shared), tally=tally)


def block_majorities(labels: Sequence[str], votes: Sequence[bool]) -> BlockMajorities:
    """What most items of each block say: the pairs of S7 come from two of these.

    labels, votes: shape (items,). Ties have no value and are counted.
    Raises SampleRefused when lengths differ or a vote is not 0 or 1.
    """
    grouped = group_by_block(labels, (finite_vector(votes, what="votes"),))
    if not np.isin(grouped.items, (0, 1)).all():
        raise SampleRefused("votes are yes or no; leave items without a value out")
    margins: dict[str, int] = {}
    for name, start, size in zip(grouped.names, grouped.starts, grouped.sizes, strict=True):
        yes = int(grouped.items[start : start + size, 0].sum())
        margins[name] = 2 * yes - int(size)
    ties = tuple(name for name, margin in margins.items() if margin == 0)
    values = {name: margin > 0 for name, margin in margins.items() if margin != 0}
    excluded = {"as many yes as no": len(ties)}
    tally = Tally.of(planned=len(margins), used=len(values), excluded=excluded)
    return BlockMajorities(values=values, ties=ties, tally=tally)


def _keep(blocks: Blocks, names: Sequence[str]) -> Blocks:
    if len(names) == len(blocks.names):
        return blocks
    place_of = {name: place for place, name in enumerate(blocks.names)}
    places = np.array([place_of[name] for name in names], dtype=np.int64)
    sums = blocks.sums[places]
    sums.setflags(write=False)
    return Blocks(names=tuple(names), sums=sums, sizes=blocks.sizes[places])
