"""Numbers at the door: what cannot be counted is refused here, before any formula sees it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import index

import numpy as np
import numpy.typing as npt

from eristic.debate.errors import InputRefused

__all__ = [
    "FloatArray",
    "IntArray",
    "SampleRefused",
    "Vector",
    "check_fraction",
    "check_open_fraction",
    "check_seed",
    "count_table",
    "finite_vector",
    "mean",
    "sample_variance",
    "whole",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Vector = Sequence[float] | npt.NDArray[np.float64] | npt.NDArray[np.int64] | npt.NDArray[np.bool_]
"""Numbers of one kind, in one dimension; True counts as 1."""


class SampleRefused(InputRefused):
    """Numbers that cannot be counted as they stand: NaN, wrong shape, outside their range."""


def finite_vector(values: Vector, *, what: str) -> FloatArray:
    """A new float array of shape (n,).

    Raises SampleRefused for NaN, an infinity, None, text, or more than one dimension.
    """
    try:
        # A copy: the caller's array can neither change ours nor be sorted by us.
        vector = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise SampleRefused(
            f"{what}: not all values are numbers; leave missing ones out and count them in a Tally"
        ) from error
    if vector.ndim != 1:
        raise SampleRefused(f"{what}: expected one dimension, got shape {vector.shape}")
    bad = np.flatnonzero(~np.isfinite(vector))
    if bad.size:
        raise SampleRefused(
            f"{what}: value {bad[0]} is {vector[bad[0]]}; "
            "leave missing values out and count them in a Tally"
        )
    return vector


def count_table(table: Sequence[Sequence[int]] | IntArray, *, what: str) -> IntArray:
    """Counts of shape (rows, columns); an empty sequence gives (0, 0).

    Raises SampleRefused for ragged rows, negative counts, and counts that are not whole.
    """
    try:
        cells = np.array(table, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise SampleRefused(f"{what}: rows differ in length, or a count is not a number") from error
    if cells.size == 0:
        return np.zeros((0, 0), dtype=np.int64)
    if cells.ndim != 2:
        raise SampleRefused(f"{what}: expected rows and columns, got shape {cells.shape}")
    if not np.isfinite(cells).all() or (cells < 0).any() or (cells % 1 != 0).any():
        raise SampleRefused(f"{what}: counts must be whole numbers from 0 on")
    return cells.astype(np.int64)


def whole(value: int, *, what: str) -> int:
    """A whole number from 0 on. Raises SampleRefused for any other, floats included."""
    try:
        number = index(value)
    except TypeError as error:
        raise SampleRefused(f"{what} must be a whole number, got {value!r}") from error
    if number < 0:
        raise SampleRefused(f"{what} must be 0 or more, got {number}")
    return number


def check_fraction(value: float, *, what: str) -> float:
    """A number in [0, 1]. Raises SampleRefused for any other, such as a percentage."""
    if not 0 <= value <= 1:
        raise SampleRefused(f"{what} must be a fraction from 0 to 1, got {value}; 5 % is 0.05")
    return float(value)


def check_open_fraction(value: float, *, what: str, below: float = 1.0) -> float:
    """A number between 0 and `below`, ends excluded. Raises SampleRefused."""
    if not 0 < value < below:
        raise SampleRefused(f"{what} must lie between 0 and {below:g}, got {value}; 5 % is 0.05")
    return float(value)


def check_seed(seed: int) -> int:
    """Raises SampleRefused unless the seed is a whole number from 0 on."""
    return whole(seed, what="seed")


def mean(values: FloatArray) -> float:
    """Exactly rounded, so that the order of the values changes no bit. At least one value."""
    return math.fsum(values) / values.size


def sample_variance(values: FloatArray) -> float:
    """With n - 1 below; at least two values. Exactly 0 for equal values."""
    # A mean of equal values can be off by one bit, which would give a tiny variance and a huge t.
    if np.ptp(values) == 0:
        return 0.0
    return math.fsum((values - mean(values)) ** 2) / (values.size - 1)
