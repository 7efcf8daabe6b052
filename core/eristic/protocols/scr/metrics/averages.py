"""M2: two averages over suggesters, which are easily taken for one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from eristic.protocols.reports import Context, Measure, Row, Section
from eristic.protocols.reports.estimates import Sums, counted, estimated
from eristic.protocols.scr.metrics.cells import BLOCKS, Cell, cells_of
from eristic.protocols.scr.metrics.measuring import Hits
from eristic.protocols.scr.metrics.published import AVERAGE, audits
from eristic.protocols.scr.metrics.rates import EMPTY, rate_parts
from eristic.stats import MEAN_RATE, RATE

__all__ = ["averages"]

_RATES: Final = ("acceptance", "error")
_OWN: Final = "each with its own"


def averages(context: Context) -> Section | None:
    """M2. None with fewer than two suggesters before the same critics."""
    groups = list(_groups(context.once(cells_of)))
    if not groups:
        return None
    return Section(
        id="M2",
        title="averages over suggesters",
        about="ratio of averages: sum of numerators over sum of denominators (the printed one); "
        "mean of ratios: mean of the suggesters' rates, each of equal weight",
        rows=tuple(
            row
            for critics, cells in groups
            for rate in _RATES
            for row in _rows(context, critics, cells, rate)
        ),
        notes=(
            f"{_OWN}: suggesters before different critics, as in the published table; their rates "
            "do not compare",
        ),
        audits=audits(context.reference, "average-rates"),
    )


def _groups(cells: Sequence[Cell]) -> Iterator[tuple[str, Sequence[Cell]]]:
    """Critics, and the cells of one condition that they have in common."""
    for condition in sorted({cell.condition for cell in cells}):
        here = [cell for cell in cells if cell.condition == condition]
        panels = sorted({cell.panel for cell in here})
        for panel in panels:
            same = [cell for cell in here if cell.panel == panel]
            if len(same) > 1:
                yield panel, same
        if len(panels) > 1 and 1 < len(here) == len({cell.suggester for cell in here}):
            yield _OWN, here


def _rows(context: Context, critics: str, cells: Sequence[Cell], rate: str) -> Iterator[Row]:
    keys = {"critic": critics, "condition": cells[0].condition, "rate": rate}
    hits = [rate_parts(cell.episodes, rate)[0] for cell in cells]
    for name in ("ratio of averages", "mean of ratios"):
        measure = _measure(context, {**keys, "average": name}, cells, hits, rate)
        number = counted("scr.suggesters", measure.keys, len(cells), "count")
        yield Row(keys=measure.keys, main=measure, beside={"suggesters": number})


def _measure(
    context: Context, keys: dict[str, str], cells: Sequence[Cell], hits: Sequence[Hits], rate: str
) -> Measure:
    is_pooled = keys["average"] == "ratio of averages"
    _, tally = rate_parts([one for cell in cells for one in cell.episodes], rate)
    find = context.reference.find
    return estimated(
        f"scr.{rate}_rate.{'pooled' if is_pooled else 'mean'}",
        keys,
        _pooled(hits) if is_pooled else _apart(hits),
        RATE if is_pooled else MEAN_RATE,
        context.settings,
        tally=tally,
        published=find("scr.rates", rate=f"{rate}_rate", suggester=AVERAGE) if is_pooled else (),
        empty=EMPTY[rate],
        blocks=BLOCKS,
    )


def _pooled(hits: Sequence[Hits]) -> Sums:
    return [(block, (float(hit), 1.0)) for found in hits for block, hit in found]


def _apart(hits: Sequence[Hits]) -> Sums:
    """Hits and items of the first suggester, of the second, ..."""
    none = (0.0, 0.0)
    return [
        (block, (*none * place, float(hit), 1.0, *none * (len(hits) - place - 1)))
        for place, found in enumerate(hits)
        for block, hit in found
    ]
