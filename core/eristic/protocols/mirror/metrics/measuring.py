"""Measures as several sections make them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from eristic.protocols.mirror.metrics.cells import Cell, Scope
from eristic.protocols.mirror.metrics.facts import OPEN, Episode
from eristic.protocols.mirror.metrics.shifts import AGGREGATIONS, rank_shifts, shift_sums
from eristic.protocols.mirror.metrics.values import Values
from eristic.protocols.mirror.names import SKIPPED_NEUTRAL
from eristic.protocols.reports import Context, Measure, Published
from eristic.protocols.reports.estimates import counted, estimated
from eristic.stats import SignedRank, Tally, Undefined, holm

__all__ = [
    "BLOCKS",
    "aggregated",
    "chosen_first",
    "holm_column",
    "keyed",
    "missing_share",
    "sampling",
    "sign_test",
]

BLOCKS = "statements"
NO_SHIFT = "no question with a shift"
_NO_POLARITY = "no question with a shift and a polarity"


def keyed(cell: Cell, scope: Scope, kind: str = "") -> dict[str, str]:
    """Keys of a row."""
    condition = {"condition": kind} if kind else {}
    return {**cell.keys, **condition, "questions": scope.label}


def chosen_first(context: Context) -> tuple[str, ...]:
    """Names of the aggregations, the chosen one first."""
    chosen = context.choices["shift"]
    return (chosen, *(name for name in AGGREGATIONS if name != chosen))


def aggregated(
    context: Context,
    metric: str,
    keys: Mapping[str, str],
    shifts: Sequence[Values],
    tally: Tally,
    numbers: Iterable[Published] = (),
) -> tuple[Measure, dict[str, Measure]]:
    """The chosen aggregation, with published numbers, and all others by name."""
    names = chosen_first(context)
    made = {
        name: estimated(
            f"{metric}.{name}",
            dict(keys),
            shift_sums(shifts, name),
            AGGREGATIONS[name].metric,
            context.settings,
            tally=tally,
            unit="score",
            published=numbers if name == names[0] else (),
            empty=_NO_POLARITY if shifts and name == "mean_progressive" else NO_SHIFT,
            blocks=BLOCKS,
        )
        for name in names
    }
    return made.pop(names[0]), made


def sign_test(metric: str, keys: Mapping[str, str], differences: Sequence[Values]) -> Measure:
    """p of S8 on one number a block, with the number of zeros that were dropped."""
    found = rank_shifts(differences)
    if isinstance(found, Undefined):
        return counted(metric, dict(keys), found, "p")
    return counted(metric, dict(keys), found.p, "p", note=_ranked(found))


def _ranked(found: SignedRank) -> str:
    return (
        f"Wilcoxon signed rank, {found.method}: W {found.w:g} over {found.n} statements, "
        f"{found.zeros} without a difference dropped"
    )


def holm_column(metric: str, tests: Sequence[Measure], *, family: str) -> Iterator[Measure]:
    """Holm's p of each test, of one family."""
    adjusted = holm([test.value for test in tests], family=family).adjusted
    for test, p in zip(tests, adjusted, strict=True):
        yield counted(metric, test.keys, p, "p", note=f"Holm; family: {family}")


def missing_share(keys: Mapping[str, str], episodes: Sequence[Episode]) -> Measure:
    """Share of the episodes that came to an end without the numbers, whatever the cause.

    What was left out by a choice has its numbers, so it is not missing.
    """
    aside = Counter(one.cause for one in episodes if one.cause in (OPEN, SKIPPED_NEUTRAL))
    ended = [one for one in episodes if one.cause not in aside]
    missing = sum(_lacks_numbers(one) for one in ended)
    tally = Tally.of(planned=len(episodes), used=len(ended), excluded=aside)
    value = missing / len(ended) if ended else Undefined("no episode came to an end")
    return counted("mirror.missing_episodes", dict(keys), value, "fraction", tally=tally)


def _lacks_numbers(one: Episode) -> bool:
    numbers = (one.debate.before, one.debate.after) if one.debate is not None else (one.score,)
    return None in numbers


def sampling(cell: Cell) -> str:
    """Parameters of the respondent as sent."""
    sent = sorted({one.params for one in cell.episodes})
    return "; ".join(x or "provider defaults" for x in sent)
