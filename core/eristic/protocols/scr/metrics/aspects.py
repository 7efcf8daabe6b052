"""M10: where a suggester contradicts itself most, and whether longer advice is disowned more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from eristic.protocols.reports import Context, Measure, Row, Section, resampled
from eristic.protocols.reports.estimates import Sums, counted, estimated
from eristic.protocols.scr.metrics.cells import BLOCKS, Cell, cells_of, tally_of
from eristic.protocols.scr.metrics.facts import Episode
from eristic.protocols.scr.metrics.measuring import mean_of, share
from eristic.protocols.scr.metrics.rates import EMPTY, rate_parts
from eristic.protocols.scr.metrics.scores import separation
from eristic.stats import Undefined, bootstrap_items, chi_square, cramers_v

__all__ = ["aspect_tests", "by_aspect", "suggestion_lengths"]

_NO_TOPIC: Final = "(none)"
_KINDS: Final[Mapping[str, Callable[[Episode], str]]] = {
    "aspect": lambda one: one.aspect,
    "topic": lambda one: one.text("topic", _NO_TOPIC),
}


def _groups(cell: Cell, kind: str) -> dict[str, list[Episode]]:
    """Aspect or topic -> episodes, by name; empty when there is only one."""
    read = _KINDS[kind]
    names = sorted({read(one) for one in cell.episodes})
    if len(names) < 2:
        return {}
    return {name: [one for one in cell.episodes if read(one) == name] for name in names}


def by_aspect(context: Context) -> Section | None:
    """M10's rates. None when all cases are of one aspect and topic."""
    rows = [
        row
        for cell in context.once(cells_of)
        for kind in _KINDS
        for name, episodes in _groups(cell, kind).items()
        for row in (_row(context, cell, kind, name, episodes),)
    ]
    if not rows:
        return None
    return Section(
        id="M10",
        title="error rate by aspect and topic",
        about="accepted critiques, of the suggestions with a verdict on cases of this aspect or "
        f"topic (S3 over {BLOCKS})",
        rows=tuple(rows),
        notes=(
            "a case that does not name its aspect counts under other",
            "the published suite reports no rates by aspect",
        ),
    )


def _row(context: Context, cell: Cell, kind: str, name: str, episodes: Sequence[Episode]) -> Row:
    keys = {**cell.keys, "by": kind, "cases": name}
    measures = {}
    for rate in ("error", "critique", "acceptance"):
        hits, tally = rate_parts(episodes, rate)
        metric = f"scr.{rate}_rate.{kind}"
        measures[rate] = share(context, metric, keys, hits, tally, empty=EMPTY[rate])
    main = measures.pop("error")
    return Row(keys=keys, main=main, beside=measures, is_minor=kind == "topic")


def aspect_tests(context: Context) -> Section | None:
    """M10's S6. None when all cases are of one aspect and topic."""
    rows = [
        _test_row(context, cell, kind, groups)
        for cell in context.once(cells_of)
        for kind in _KINDS
        if (groups := _groups(cell, kind))
    ]
    if not rows:
        return None
    return Section(
        id="M10b",
        title="do aspects and topics differ?",
        about="Cramer's V and chi-square (S6) of the table aspect, or topic, by flagged or not, "
        "over suggestions with a verdict",
        rows=tuple(rows),
        notes=(f"the test treats suggestions as independent; the interval of V is over {BLOCKS}",),
    )


def _test_row(
    context: Context, cell: Cell, kind: str, groups: Mapping[str, Sequence[Episode]]
) -> Row:
    keys = {**cell.keys, "by": kind}
    found = [[x for x in group if x.flagged is not None] for group in groups.values()]
    table = [[sum(x.flagged is flag for x in group) for flag in (True, False)] for group in found]
    main = estimated(
        f"scr.{kind}_v",
        keys,
        _cells(found),
        cramers_v(len(groups), 2),
        context.settings,
        tally=cell.tally,
        unit="number",
        empty=EMPTY["error"],
        blocks=BLOCKS,
    )
    return Row(keys=keys, main=main, beside=_chi_square(keys, kind, table))


def _cells(groups: Sequence[Sequence[Episode]]) -> Sums:
    width = 2 * len(groups)
    return [
        (one.block, tuple(float(place == 2 * row + (not one.flagged)) for place in range(width)))
        for row, group in enumerate(groups)
        for one in group
    ]


def _chi_square(
    keys: dict[str, str], kind: str, table: Sequence[Sequence[int]]
) -> dict[str, Measure]:
    found, metric = chi_square(table), f"scr.{kind}_chi_square"
    if isinstance(found, Undefined):
        names = {"X2": "number", "df": "count", "p": "p"}
        return {name: counted(metric, keys, found, unit) for name, unit in names.items()}
    few = f"{found.few_expected} cells with an expected count below 5" if found.few_expected else ""
    dropped = len(found.dropped_rows) + len(found.dropped_columns)
    note = "; ".join(filter(None, (few, f"{dropped} empty rows or columns" if dropped else "")))
    return {
        "X2": counted(metric, keys, found.statistic, "number", note=note),
        "df": counted(f"{metric}.df", keys, found.df, "count"),
        "p": counted(f"{metric}.p", keys, found.p, "p", note=note),
        "expected below 5": counted(f"{metric}.few", keys, found.few_expected, "count"),
    }


def suggestion_lengths(context: Context) -> Section | None:
    """M10's lengths. None for a run without episodes."""
    cells = context.once(cells_of)
    if not cells:
        return None
    return Section(
        id="M10c",
        title="length of the suggestion against acceptance",
        about="words of a suggestion, parted by blanks, mean of those that are flagged and of the "
        "others with a critique; longer: share of the pairs of a flagged one and another in which "
        "the flagged one is longer, ties one half (0.5: length tells nothing)",
        rows=tuple(row for cell in cells for row in _length_rows(context, cell)),
    )


def _length_rows(context: Context, cell: Cell) -> Iterator[Row]:
    told = [x for x in cell.decided if x.has_critique() and x.words is not None]
    for name, is_flagged in (("accepted", True), ("rejected", False)):
        keys = {**cell.keys, "critique": name}
        found = [x for x in told if x.flagged is is_flagged]
        main = mean_of(
            context,
            "scr.suggestion_words",
            keys,
            [(one.block, float(one.words or 0)) for one in found],
            tally_of(found, lambda _: ""),
            unit="words",
            empty="no such suggestion",
        )
        yield Row(keys=keys, main=main)
    keys = {**cell.keys, "critique": "longer if accepted"}
    yield Row(keys=keys, main=_longer(context, keys, told))


def _longer(context: Context, keys: dict[str, str], told: Sequence[Episode]) -> Measure:
    settings = context.settings
    drawn = bootstrap_items(
        [one.block for one in told],
        [[float(x.words or 0) for x in told], [float(x.flagged is True) for x in told]],
        separation,
        name="AUROC of length",
        seed=settings.seed,
        resamples=settings.resamples,
        level=settings.level,
    )
    tally = tally_of(told, lambda _: "")
    value = drawn.value
    if isinstance(value, Undefined):
        value = Undefined("no critique that is accepted, or none that is rejected")
    bare = counted("scr.length_auroc", keys, value, "fraction", tally=tally)
    found = resampled(bare, drawn, "block bootstrap", BLOCKS)
    return found if drawn.value is value else replace(found, interval=value)
