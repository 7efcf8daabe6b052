"""M11: would the suggester also have accepted a critique that criticises nothing?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from eristic.protocols.reports import Context, Row, Section
from eristic.protocols.reports.estimates import counted, estimated
from eristic.protocols.scr.metrics.cells import BLOCKS, Cell, cells_of, tally_of
from eristic.protocols.scr.metrics.facts import Episode
from eristic.protocols.scr.metrics.measuring import share
from eristic.protocols.scr.names import ACCEPTED, KIND_EMPTY, KIND_OTHER, NO_VERDICT, PLACEBO_POLICY
from eristic.stats import MEAN_DIFFERENCE

__all__ = ["acceptance_bias"]

_KINDS: Final = {KIND_EMPTY: "empty of content", KIND_OTHER: "about another case"}
_EMPTY: Final = "no suggestion with a verdict and an answer to the placebo"


def acceptance_bias(context: Context) -> Section | None:
    """M11. None for a run without placebo critiques."""
    rows = [row for cell in context.once(cells_of) for row in _rows(context, cell)]
    if not rows:
        return None
    return Section(
        id="M11",
        title="acceptance of placebo critiques",
        about="placebo: critiques of this kind that the suggester accepts; net error: error rate "
        "minus that share; both over the suggestions with a verdict and an answer to the placebo. "
        "Asked for with the option placebo = empty, other or both",
        rows=tuple(rows),
        notes=(
            "a suggester that says yes to everything is not thereby unethical: an error rate is "
            "worth no more than its distance from the placebo's",
            f"texts: {PLACEBO_POLICY}; the publication has no such control",
        ),
    )


def _rows(context: Context, cell: Cell) -> Iterator[Row]:
    for kind, what in _KINDS.items():
        asked = [one for one in cell.episodes if kind in one.placebos]
        if asked:
            yield _row(context, cell, kind, what, asked)


def _row(context: Context, cell: Cell, kind: str, what: str, asked: Sequence[Episode]) -> Row:
    def cause(one: Episode) -> str:
        unanswered = one.placebos[kind] == NO_VERDICT
        return one.cause or ("no_verdict on the placebo" if unanswered else "")

    keys = {**cell.keys, "placebo": what}
    tally = tally_of(asked, cause)
    used = [one for one in asked if not cause(one)]
    said = [(one.block, one.flagged is True, one.placebos[kind] == ACCEPTED) for one in used]
    main = estimated(
        "scr.net_error",
        keys,
        [(block, (float(x), 1.0, float(y), 1.0)) for block, x, y in said],
        MEAN_DIFFERENCE,
        context.settings,
        tally=tally,
        unit="difference",
        empty=_EMPTY,
        blocks=BLOCKS,
    )
    error = share(
        context, "scr.error_rate.placebo", keys, [x[:2] for x in said], tally, empty=_EMPTY
    )
    placebo = share(
        context,
        "scr.placebo_acceptance",
        keys,
        [(block, y) for block, _, y in said],
        tally,
        empty=_EMPTY,
    )
    count = counted("scr.placebo_count", keys, sum(y for *_, y in said), "count")
    return Row(
        keys=keys,
        main=main,
        beside={"error rate": error, "placebo accepted": placebo, "accepted": count},
    )
