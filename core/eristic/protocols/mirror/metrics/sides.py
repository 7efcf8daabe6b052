"""What to know of the numbers: scale ends, sides, weak sides, flags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from eristic.protocols.mirror.metrics.cells import Cell, Scope, table_of
from eristic.protocols.mirror.metrics.facts import Episode
from eristic.protocols.mirror.metrics.measuring import BLOCKS, keyed
from eristic.protocols.mirror.metrics.published import audits
from eristic.protocols.mirror.metrics.values import Step
from eristic.protocols.mirror.names import AGAINST, BIASED, FOR, KINDS, SCALE_END
from eristic.protocols.reports import Context, Row, Section
from eristic.protocols.reports.estimates import counted, estimated
from eristic.stats import RATE, Tally, Undefined

__all__ = ["debate_sides", "flag_counts", "scale_ends"]

_STEPS: Final[tuple[Step, ...]] = ("alone", "before", "after")


def scale_ends(context: Context) -> Section | None:
    """Share of the answers at the ends of the scale, from which only one way is open."""
    table = context.once(table_of)
    rows = tuple(
        row
        for cell in table.cells
        for kind in KINDS
        for scope in table.within(*cell.kind(kind))
        for row in _end_rows(context, cell, scope, kind)
    )
    if not rows:
        return None
    return Section(
        id="T1",
        title="answers at the scale's ends",
        about=f"answers of {SCALE_END} or -{SCALE_END}, of all answers with a number: an answer "
        f"of {SCALE_END} cannot rise",
        rows=rows,
        notes=("--choose pairs=without_pre_10 or without_pre_ends leaves such debates out",),
    )


def _end_rows(context: Context, cell: Cell, scope: Scope, kind: str) -> Iterator[Row]:
    episodes = cell.kind(kind, scope)
    for step in _STEPS:
        asks = [(one, ask) for one in episodes for ask in one.asks if ask.step == step]
        if not asks:
            continue
        keys = {**keyed(cell, scope, kind), "answer": step}
        read = [(one.question.unit, ask.value) for one, ask in asks if ask.value is not None]
        causes = Counter(ask.cause for _, ask in asks if ask.value is None)
        main = estimated(
            "mirror.scale_ends",
            keys,
            [(unit, (float(abs(x) >= SCALE_END), 1.0)) for unit, x in read],
            RATE,
            context.settings,
            tally=Tally.of(planned=len(asks), used=len(read), excluded=causes),
            empty="no answer with a number",
            blocks=BLOCKS,
        )
        shares = {
            "at 10": sum(x >= SCALE_END for _, x in read),
            "at -10": sum(x <= -SCALE_END for _, x in read),
            "at 0": sum(x == 0 for _, x in read),
        }
        none = Undefined("no answer with a number")
        beside = {
            name: counted(
                "mirror.scale_share",
                {**keys, "share": name},
                count / len(read) if read else none,
                "fraction",
            )
            for name, count in shares.items()
        }
        yield Row(keys=keys, main=main, beside=beside, is_minor=scope.kind == "topic")


def debate_sides(context: Context) -> Section | None:
    """Who spoke first, which side was weak, and by which rule."""
    table = context.once(table_of)
    rows = tuple(
        _side_row(cell, kind, cell.kind(kind)) for cell in table.cells for kind in cell.debates()
    )
    if not rows:
        return None
    return Section(
        id="T2",
        title="sides of the debates",
        about="debates with a first number by the side that spoke first and, of biased ones, the "
        "side that was told to argue badly and the rule that chose it (counts)",
        rows=rows,
        notes=(
            "whether the weak side really was weak, and whether sides were kept, only a judge of "
            "the speeches can say",
        ),
        audits=audits(context.reference, "table9-sign"),
    )


def _side_row(cell: Cell, kind: str, episodes: Sequence[Episode]) -> Row:
    keys = {**cell.keys, "condition": kind}
    debates = [one.debate for one in episodes if one.debate and one.debate.before is not None]
    counts = {
        "for first": sum(x.first == FOR for x in debates),
        "against first": sum(x.first == AGAINST for x in debates),
    }
    if kind == BIASED:
        counts |= {
            "for weak": sum(x.weak == FOR for x in debates),
            "against weak": sum(x.weak == AGAINST for x in debates),
            "none weak": sum(not x.weak for x in debates),
            "began at 0": sum(x.before == 0 for x in debates),
        }
        rules = Counter(x.weak_rule for x in debates if x.weak_rule)
        counts |= {f"rule {rule}": rules[rule] for rule in sorted(rules)}
    lacking = {"without a first number": len(episodes) - len(debates)}
    tally = Tally.of(planned=len(episodes), used=len(debates), excluded=lacking)
    main = counted("mirror.debates_begun", keys, len(debates), "count", tally=tally)
    beside = {
        name: counted("mirror.debate_sides", {**keys, "side": name}, count, "count")
        for name, count in counts.items()
    }
    return Row(keys=keys, main=main, beside=beside)


def flag_counts(context: Context) -> Section | None:
    """Remarks that decide nothing. None when there are none."""
    table = context.once(table_of)
    rows = tuple(row for cell in table.cells for kind in KINDS for row in _flag_rows(cell, kind))
    if not rows:
        return None
    return Section(
        id="T3",
        title="flags",
        about="episodes with a remark that decides nothing (count), and where it was made",
        rows=rows,
    )


def _flag_rows(cell: Cell, kind: str) -> Iterator[Row]:
    episodes = cell.kind(kind)
    counts = Counter(flag for one in episodes for flag in set(one.flags))
    for flag in sorted(counts):
        where, _, name = flag.rpartition(":")
        keys = {**cell.keys, "condition": kind, "where": where or "-", "flag": name}
        main = counted("mirror.flags", keys, counts[flag], "count")
        yield Row(keys=keys, main=main)
