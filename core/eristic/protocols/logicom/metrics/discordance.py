"""M5: claims on which one helper succeeds and the other fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import msgspec

from eristic.protocols.logicom.metrics.arms import Arm, Cell, claim_sums, shared_cells
from eristic.protocols.logicom.metrics.context import Context
from eristic.protocols.logicom.metrics.majorities import compare_majorities
from eristic.protocols.logicom.state import FALLACIOUS_HELPER, LOGICAL_HELPER
from eristic.protocols.reports import Row, Section
from eristic.protocols.reports.estimates import contrasted, counted, estimated
from eristic.stats import DIFFERENCE, MEAN_RATE

__all__ = ["Discordance", "discordance", "discordances"]

_METRIC = "logicom.discordance"


class Discordance(msgspec.Struct, frozen=True, kw_only=True):
    """Exact shares, means over repetitions, on cells with both outcomes."""

    second_only: Fraction
    """D10: the logical helper fails, the fallacious one succeeds."""
    first_only: Fraction
    """D01: the other way round."""
    difference: Fraction
    """Success of the fallacious helper minus that of the logical one, on the same cells."""


def discordance(first: Mapping[Cell, bool], second: Mapping[Cell, bool]) -> Discordance | None:
    """first: logical helper, second: fallacious helper; (claim, repetition) -> convinced.

    None without a cell that both have. The identity D10 - D01 = difference is asserted: it holds
    by arithmetic, so its failure is an error of ours.
    """
    shared = sorted(first.keys() & second.keys())
    repetitions = sorted({number for _, number in shared})
    if not repetitions:
        return None
    means = [Fraction(0)] * 4
    for number in repetitions:
        cells = [cell for cell in shared if cell[1] == number]
        sums = (
            sum(second[c] and not first[c] for c in cells),
            sum(first[c] and not second[c] for c in cells),
            sum(second[c] for c in cells),
            sum(first[c] for c in cells),
        )
        for place, total in enumerate(sums):
            means[place] += Fraction(total, len(cells)) / len(repetitions)
    found = Discordance(second_only=means[0], first_only=means[1], difference=means[2] - means[3])
    if found.second_only - found.first_only != found.difference:
        raise AssertionError(f"D10 - D01 is not the difference of success rates: {found}")
    return found


def discordances(context: Context) -> Section:
    """M5."""
    rows = []
    for model in context.models:
        logical = context.arm(model, LOGICAL_HELPER)
        fallacious = context.arm(model, FALLACIOUS_HELPER)
        if logical is not None and fallacious is not None:
            rows.append(_row(context, model, logical, fallacious))
    return Section(
        id="M5",
        title="discordance",
        about="share of claims on which the logical helper fails and the fallacious one succeeds "
        "(D10), and the reverse (D01); means over repetitions, cells with both outcomes",
        rows=tuple(rows),
        notes=(
            "D10 - D01 = difference of success on the same cells: checked exactly",
            "p: exact McNemar test on each claim's majority over repetitions, ties excluded",
        ),
        audits=context.reference.audits_of(_METRIC),
    )


def _row(context: Context, model: str, logical: Arm, fallacious: Arm) -> Row:
    keys = {"debater": model}
    cells, tally = shared_cells(logical, fallacious)
    repetitions = sorted({number for _, number in cells})
    here, there = logical.outcomes(), fallacious.outcomes()
    discordance(here, there)
    pairs = logical.pairs()

    def items(
        first: Mapping[Cell, bool], second: Mapping[Cell, bool]
    ) -> Sequence[tuple[str, tuple[int, ...]]]:
        """Cells that say yes in first and no in second."""
        return claim_sums({c: first[c] and not second[c] for c in cells}, pairs, repetitions)

    outcome = "outcome(logical/fallacious)"
    shares = {
        name: estimated(
            _METRIC,
            {**keys, outcome: key},
            items(*order),
            MEAN_RATE,
            context.settings,
            tally=tally,
            published=context.published(_METRIC, model, **{outcome: key}),
            empty="no claim with an outcome in both arms",
        )
        for name, key, order in (
            ("D10", "fail/success", (there, here)),
            ("D01", "success/fail", (here, there)),
        )
    }
    main = contrasted(
        "logicom.discordance.difference",
        keys,
        claim_sums({c: there[c] for c in cells}, pairs, repetitions),
        claim_sums({c: here[c] for c in cells}, pairs, repetitions),
        MEAN_RATE,
        DIFFERENCE,
        context.settings,
        tally=tally,
    )
    tested = compare_majorities(fallacious, logical)
    p = counted("logicom.discordance.p", keys, tested.p, "p", tally=tested.tally)
    return Row(keys=keys, main=main, beside={**shares, "p": p})
