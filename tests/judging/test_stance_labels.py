"""The hand labels, and how often the judge made of words and the recorded verdict miss them.

The published debates are not part of the project; without them only the labels' form is tested.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from itertools import chain

import msgspec
import pytest
from tests.judging._published_debates import ROOT, Debate, published_debates, samples

from eristic.judging.stance_words import stance

DATA = files("eristic.judging").joinpath("data")
LABELS = ("agrees", "disagrees", "unclear")
needs_debates = pytest.mark.skipif(not ROOT.is_dir(), reason="the published debates are not here")


class Label(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sample: int
    topic: str
    model: str
    scenario: str
    iteration: int
    message_sha256: str
    label: str
    reason: str


def labels() -> list[Label]:
    lines = DATA.joinpath("stance_labels.jsonl").read_text("utf-8").splitlines()
    return [msgspec.convert(json.loads(x), Label) for x in lines]


@pytest.fixture(scope="module")
def drawn() -> tuple[list[Debate], list[Debate]]:
    return samples(published_debates())


def test_every_label_is_one_of_three_with_a_reason_and_no_text_of_a_debate() -> None:
    found = labels()
    assert Counter(x.sample for x in found) == {1: 60, 2: 36}
    assert len({x.message_sha256 for x in found}) == len(found)
    for label in found:
        assert label.label in LABELS
        assert re.fullmatch("[0-9a-f]{64}", label.message_sha256)
        # Longer than this and it would be a quotation.
        assert 10 < len(label.reason) < 120


@needs_debates
def test_the_labelled_debates_are_the_drawn_ones(drawn: tuple[list[Debate], ...]) -> None:
    for number, sample in enumerate(drawn, 1):
        expected = {(*x.key, x.digest) for x in sample}
        found = {
            (x.model, x.scenario, x.iteration, x.topic, x.message_sha256)
            for x in labels()
            if x.sample == number
        }
        assert found == expected


@needs_debates
def test_a_sample_takes_as_many_from_each_stratum_and_one_a_title(
    drawn: tuple[list[Debate], ...],
) -> None:
    for size, sample in zip((5, 3), drawn, strict=True):
        assert set(Counter(x.stratum for x in sample).values()) == {size}
        assert len({x.title for x in sample}) == len(sample) == 12 * size
    assert not set(drawn[0]) & set(drawn[1])


@needs_debates
@pytest.mark.parametrize("number", [1, 2])
def test_the_documented_errors_are_the_measured_ones(
    number: int, drawn: tuple[list[Debate], ...]
) -> None:
    pytest.importorskip("scipy")
    sample = drawn[number - 1]
    known = {x.message_sha256: x.label for x in labels()}
    truth = [known[x.digest] for x in sample]
    words: list[str] = [stance(x.message, claim=x.claim, reason=x.reason).value for x in sample]
    agrees = [str(x == "agrees") for x in truth]
    measured = [
        row("`stance-words.v1`", number, "three stances", truth, words, LABELS),
        row("`stance-words.v1`", number, "agrees or not", agrees, map_agrees(words), BOTH),
        row("recorded verdict", number, "agrees or not", agrees, recorded(sample), BOTH),
    ]
    confusions = Counter(zip(truth, words, strict=True))
    measured += [
        f"| {number} | {label} | {' | '.join(str(confusions[label, x]) for x in LABELS)} |"
        for label in LABELS
    ]
    documented = DATA.joinpath("README.md").read_text("utf-8").splitlines()
    missing = [x for x in measured if x not in documented]
    assert not missing, "write into data/README.md:\n" + "\n".join(missing)


BOTH = ("True", "False")


def map_agrees(values: Sequence[str]) -> list[str]:
    return [str(x == "agrees") for x in values]


def recorded(sample: Sequence[Debate]) -> list[str]:
    return [str(x.is_convinced) for x in sample]


def row(
    who: str,
    number: int,
    what: str,
    truth: Sequence[str],
    said: Sequence[str],
    categories: Sequence[str],
) -> str:
    """One line of the README: errors, rate with Wilson interval, kappa against the labels."""
    from eristic.stats import Interval, judge_agreement, wilson

    pairs = Counter(zip(truth, said, strict=True))
    table = [[pairs[x, y] for y in categories] for x in categories]
    n = sum(chain.from_iterable(table))
    errors = n - sum(pairs[x, x] for x in categories)
    interval, kappa = wilson(errors, n), judge_agreement(table).kappa
    assert isinstance(interval, Interval) and isinstance(kappa, float)
    spread = f"{100 * interval.low:.1f} to {100 * interval.high:.1f} %"
    rate = f"{100 * errors / n:.1f} %"
    return f"| {who} | {number} | {what} | {errors} of {n} | {rate} | {spread} | {kappa:.2f} |"
