"""The spread of block rates beside the one that chance gives."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from eristic.stats import SampleRefused, Spread, Undefined, block_spread


def spread(*rows: tuple[str, str, int], seed: int = 1, drawn: int = 500) -> Spread:
    labels, strata, hits = zip(*rows, strict=True)
    found = block_spread(labels, strata, hits, seed=seed, permutations=drawn)
    assert isinstance(found, Spread)
    return found


def test_91_and_58_of_300_spread_by_11_points() -> None:
    rows = [("a", "s", int(n < 91)) for n in range(300)]
    rows += [("b", "s", int(n < 58)) for n in range(300)]
    found = spread(*rows)
    assert (found.value, found.low, found.high) == pytest.approx((0.11, 58 / 300, 91 / 300))
    assert 0 < found.expected < found.expected_high < found.value
    assert found.p < 0.05


def test_the_expected_spread_tends_to_the_mean_over_all_permutations() -> None:
    hits, blocks = (1, 1, 0, 0), "aabb"
    every = [
        abs(sum(x for x, b in zip(dealt, blocks, strict=True) if b == "a") / 2 - 0.5) * 2
        for dealt in permutations(hits)
    ]
    found = spread(*((b, "s", x) for b, x in zip(blocks, hits, strict=True)), drawn=4000)
    assert found.expected == pytest.approx(sum(every) / len(every), abs=0.03)
    assert found.p == pytest.approx(1 / 3, abs=0.03)


def test_a_difference_between_strata_is_none_between_blocks() -> None:
    # Everything hits in one stratum and nothing in the other: chance cannot move a hit.
    rows = [(block, stratum, int(stratum == "x")) for block in "ab" for stratum in "xy"]
    found = spread(*rows)
    assert (found.value, found.expected, found.p) == (0, 0, 1)


def test_the_order_of_items_changes_no_bit() -> None:
    rows = [(f"b{n % 7}", f"s{n % 3}", int(n % 5 == 0)) for n in range(90)]
    shuffled = list(rows)
    random.Random(3).shuffle(shuffled)
    assert spread(*rows) == spread(*shuffled)


def test_one_block_has_no_spread() -> None:
    assert isinstance(block_spread(["a"], ["s"], [1], seed=1), Undefined)


@pytest.mark.parametrize(
    ("labels", "hits", "drawn"),
    [(["a", "b"], [1], 5), (["a", "b"], [1, 2], 5), (["a", "b"], [1, 0], 0)],
    ids=["lengths", "hits", "no permutation"],
)
def test_what_cannot_be_dealt_is_refused(labels: list[str], hits: list[int], drawn: int) -> None:
    with pytest.raises(SampleRefused):
        block_spread(labels, ["s"] * len(labels), hits, seed=1, permutations=drawn)
