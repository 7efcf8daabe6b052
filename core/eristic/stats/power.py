"""S9: how many items an experiment needs, and what a given number can see."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import msgspec
import numpy as np

from eristic.stats._numbers import (
    SampleRefused,
    Vector,
    check_open_fraction,
    finite_vector,
    mean,
    whole,
)
from eristic.stats.blocks import group_by_block
from eristic.stats.effects import cohens_h
from eristic.stats.outcomes import Undefined

__all__ = ["SampleSize", "achieved_power", "block_correlation", "sample_size"]

_NOISE = 1e-9
"""Below what a product of floats may be off: 10 * 1.9 must not round up to 20."""


class SampleSize(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Items that each of two arms needs."""

    per_arm: int
    """With the correlation given."""
    per_arm_rho_0: int
    """If items of one block were independent: the lower bound."""
    per_arm_rho_1: int
    """If items of one block were copies of each other: the upper bound."""
    blocks_per_arm: int
    """Blocks that hold per_arm items."""
    h: float
    """Cohen's |h| of the two rates."""
    design_effect: float
    alpha: float
    power: float


def sample_size(
    first: float,
    second: float,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    items_per_block: int = 1,
    rho: float = 0.0,
) -> SampleSize | Undefined:
    """Items per arm to see the difference of two independent rates, two-sided.

    first, second: rates in [0, 1]. rho: correlation of items of one block (`block_correlation`);
    a negative one counts as 0. Undefined when the rates are equal.
    Raises SampleRefused for rates, alpha, power or rho out of range and items_per_block below 1.
    Source: Cohen 1988, chapter 6; design effect Kish 1965 (S9).
    """
    from scipy.stats import norm

    check_open_fraction(alpha, what="alpha")
    check_open_fraction(power, what="power")
    effect = _design_effect(items_per_block, rho)
    h = cohens_h(first, second).h
    if h == 0:
        return Undefined("the two rates are equal; no number of items tells them apart")
    z = float(norm.isf(alpha / 2)) + float(norm.ppf(power))
    independent = ceil(2 * (z / h) ** 2)
    per_arm = ceil(independent * effect - _NOISE)
    return SampleSize(
        per_arm=per_arm,
        per_arm_rho_0=independent,
        per_arm_rho_1=independent * items_per_block,
        blocks_per_arm=ceil(per_arm / items_per_block),
        h=h,
        design_effect=effect,
        alpha=alpha,
        power=power,
    )


def achieved_power(
    first: float,
    second: float,
    *,
    per_arm: int,
    alpha: float = 0.05,
    items_per_block: int = 1,
    rho: float = 0.0,
) -> float:
    """Chance that per_arm items an arm show the difference of two rates, two-sided.

    Equal rates give alpha. Raises SampleRefused as `sample_size` does, and for per_arm below 1.
    Source: S9 turned round, as in statsmodels.
    """
    from statsmodels.stats.power import normal_power

    check_open_fraction(alpha, what="alpha")
    if whole(per_arm, what="per_arm") < 1:
        raise SampleRefused("per_arm must be 1 or more")
    independent = per_arm / _design_effect(items_per_block, rho)
    return float(normal_power(cohens_h(first, second).h, independent / 2, alpha))


def block_correlation(labels: Sequence[str], values: Vector) -> float | Undefined:
    """Rho of S9, estimated from a run: how alike items of one block are.

    labels: block of each item; values: one number or yes/no an item, same length.
    One-way analysis of variance; from 1 (copies) down to a little below 0 (chance).
    Undefined with fewer than two blocks, without a block of two items, and when no value varies.
    Raises SampleRefused for NaN and differing lengths. Source: Donner & Koval 1980.
    """
    grouped = group_by_block(labels, (finite_vector(values, what="values"),))
    column = grouped.items[:, 0]
    sizes = grouped.sizes.astype(np.float64)
    items, blocks = column.size, sizes.size
    if blocks < 2:
        return Undefined("fewer than two blocks")
    if items == blocks:
        return Undefined("no block has two items")
    if np.ptp(column) == 0:
        return Undefined("no value varies")
    means = np.array([mean(x) for x in np.split(column, grouped.starts[1:])])
    between = float((sizes * (means - mean(column)) ** 2).sum()) / (blocks - 1)
    inside = float(((column - np.repeat(means, grouped.sizes)) ** 2).sum()) / (items - blocks)
    usual_size = (items - float((sizes**2).sum()) / items) / (blocks - 1)
    return (between - inside) / (between + (usual_size - 1) * inside)


def _design_effect(items_per_block: int, rho: float) -> float:
    if whole(items_per_block, what="items_per_block") < 1:
        raise SampleRefused("items_per_block must be 1 or more")
    if not -1 <= rho <= 1:
        raise SampleRefused(f"rho must lie between -1 and 1, got {rho}")
    return 1 + (items_per_block - 1) * max(rho, 0.0)
