"""M6: how far two critics criticise, and get accepted on, the same suggestions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Final

from eristic.protocols.reports import Context, Measure, Row, Section
from eristic.protocols.reports.estimates import counted
from eristic.protocols.scr.metrics.cells import Cell, cells_of, tally_causes
from eristic.protocols.scr.metrics.facts import Episode, Said
from eristic.protocols.scr.metrics.measuring import Pairs, agreement
from eristic.stats import Undefined, block_majorities, mcnemar, pair_blocks

__all__ = ["critic_agreement"]

_ON: Final[dict[str, Callable[[Said], bool | None]]] = {
    "acceptances": lambda said: said.accepts,
    "critiques": lambda said: said.criticises,
}


def critic_agreement(context: Context) -> Section | None:
    """M6. None when no suggestion had several critics."""
    cells = [cell for cell in context.once(cells_of) if len(cell.critics) > 1]
    if not cells:
        return None
    return Section(
        id="M6",
        title="agreement of critics",
        about="two critics on the suggestions on which both have a verdict. Jaccard: those of both "
        "over those of at least one; kappa and AC1 over all of them. acceptances: accepted "
        "critiques; critiques: any critique, accepted or not",
        rows=tuple(row for cell in cells for row in _rows(context, cell)),
        notes=(
            "p: McNemar, exact, one pair a seed (what most of its suggestions say, ties left out): "
            "b seeds of the first critic only, c of the second only",
            "the publication shows overlaps as areas and names no measure",
        ),
    )


def _rows(context: Context, cell: Cell) -> Iterator[Row]:
    for on, read in _ON.items():
        for first, second in combinations(cell.critics, 2):
            keys = {
                "suggester": cell.suggester,
                "condition": cell.condition,
                "first": cell.name_of(first),
                "second": cell.name_of(second),
                "on": on,
            }
            pairs, causes = _pairs(cell.episodes, first, second, read)
            tally = tally_causes(causes)
            names = ("Jaccard", "kappa", "AC1", "raw")
            main, others = agreement(context, "scr.critic_agreement", keys, pairs, tally, names)
            yield Row(keys=keys, main=main, beside={**others, **_tested(keys, pairs)})


def _pairs(
    episodes: Sequence[Episode], first: str, second: str, read: Callable[[Said], bool | None]
) -> tuple[Pairs, Sequence[str]]:
    pairs: list[tuple[str, bool, bool]] = []
    causes: list[str] = []
    for one in episodes:
        said = [one.critic(role) for role in (first, second)]
        x, y = (read(found) if found is not None else None for found in said)
        if x is not None and y is not None:
            pairs.append((one.block, x, y))
            causes.append("")
        elif None in said:
            causes.append(one.cause or "no word of both critics")
        else:
            names = [f"{found.critic} {found.cause}" for found in said if found and found.cause]
            causes.append(f"no_verdict ({names[0]})")
    return pairs, causes


def _tested(keys: dict[str, str], pairs: Pairs) -> dict[str, Measure]:
    labels = [block for block, _, _ in pairs]
    first = block_majorities(labels, [x for _, x, _ in pairs]).values
    second = block_majorities(labels, [y for _, _, y in pairs]).values
    counts = pair_blocks(first, second)
    found = mcnemar(counts.first_only, counts.second_only)
    p = found.p if counts.tally.used else Undefined("no seed with a verdict of both")
    metric = "scr.critic_mcnemar"
    return {
        "b": counted(metric, {**keys, "cell": "b"}, counts.first_only, "count"),
        "c": counted(metric, {**keys, "cell": "c"}, counts.second_only, "count"),
        "p": counted(f"{metric}.p", keys, p, "p", note=f"McNemar, seeds: {counts.tally}"),
    }
