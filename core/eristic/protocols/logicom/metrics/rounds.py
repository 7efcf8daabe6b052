"""M6: how many rounds it takes to convince the debater."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from eristic.protocols.logicom.metrics.arms import Arm
from eristic.protocols.logicom.metrics.context import Context
from eristic.protocols.reports import Measure, Row, Section
from eristic.protocols.reports.estimates import counted, estimated, resampled
from eristic.stats import RATE, FloatArray, Undefined, bootstrap_items

__all__ = ["CENSORED", "median_rounds", "rounds_to_conviction", "share_by"]

CENSORED: Final = 1e9
"""Stands for a debate that stopped unconvinced: later than any round that is known."""
_SHOWN: Final = (1, 2, 3, 5, 10)
_NO_MEDIAN: Final = "more than half of the debates were never convinced"


def median_rounds(rounds: Sequence[float]) -> float | Undefined:
    """Middle order statistic over all debates, the lower of two; CENSORED ones come last."""
    if not rounds:
        return Undefined("no debate with an outcome")
    middle = sorted(rounds)[(len(rounds) - 1) // 2]
    return Undefined(_NO_MEDIAN) if middle >= CENSORED else middle


def share_by(rounds: Sequence[float], k: int) -> float | Undefined:
    """Share of all debates, not only of the convinced ones, convinced by round k."""
    if not rounds:
        return Undefined("no debate with an outcome")
    return sum(number <= k for number in rounds) / len(rounds)


def rounds_to_conviction(context: Context) -> Section:
    """M6."""
    return Section(
        id="M6",
        title="rounds to conviction",
        about="median over all debates, and the share convinced by a round; debates that stopped "
        "unconvinced count as never convinced (censored)",
        rows=tuple(_row(context, arm) for arm in context.arms),
        notes=("rounds are the debater's replies; the median is the lower middle value",),
    )


def _row(context: Context, arm: Arm) -> Row:
    debates = [x for x in arm.used if x.rounds is not None]
    labels = [x.pair for x in debates]
    rounds = [float(x.rounds or 0) if x.convinced else CENSORED for x in debates]
    beside = {
        f"by {k}": estimated(
            "logicom.convinced_by_round",
            {**arm.keys, "round": str(k)},
            [(pair, (int(n <= k), 1)) for pair, n in zip(labels, rounds, strict=True)],
            RATE,
            context.settings,
            tally=arm.tally,
        )
        for k in _SHOWN
    }
    never = sum(number >= CENSORED for number in rounds)
    beside["censored"] = counted("logicom.never_convinced", arm.keys, never, "count")
    return Row(keys=arm.keys, main=_median(context, arm, labels, rounds), beside=beside)


def _median(context: Context, arm: Arm, labels: Sequence[str], rounds: Sequence[float]) -> Measure:
    settings, metric = context.settings, "logicom.rounds_to_conviction.median"
    value = median_rounds(rounds)
    if isinstance(value, Undefined):
        return counted(metric, arm.keys, value, "rounds", tally=arm.tally)

    def statistic(items: FloatArray) -> float | Undefined:
        return median_rounds(items[:, 0].tolist())

    found = bootstrap_items(
        labels,
        [rounds],
        statistic,
        name=metric,
        seed=settings.seed,
        resamples=settings.resamples,
        level=settings.level,
    )
    bare = counted(metric, arm.keys, found.value, "rounds", tally=arm.tally)
    drawn = resampled(bare, found, "block bootstrap", "pairs")
    if found.undefined > (1 - settings.level) / 2 * settings.resamples:
        # Without these resamples the upper end would be too low.
        none = Undefined(
            "no upper end of an interval: in too many resamples more than half were never convinced"
        )
        return replace(drawn, interval=none)
    return drawn
