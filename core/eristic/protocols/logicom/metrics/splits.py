"""Success looked at another way: without pleasantry stops, by folding, by length of utterances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from eristic.protocols.logicom.metrics.arms import Arm, claim_sums
from eristic.protocols.logicom.metrics.context import Context
from eristic.protocols.logicom.metrics.facts import Debate, Spoken
from eristic.protocols.reports import Measure, Row, Section
from eristic.protocols.reports.estimates import contrasted, estimated
from eristic.stats import DIFFERENCE, MEAN_RATE, RATE, Tally

__all__ = ["lengths", "subsets"]

_FOLDS_UNKNOWN = "folding is not recorded"


def _pleasantries(debate: Debate) -> str:
    return "stopped by pleasantries" if debate.reason == "pleasantries" else ""


def _unfolded(debate: Debate) -> str:
    if debate.folds is None:
        return _FOLDS_UNKNOWN
    return "" if debate.folds else "no history was folded"


def _folded(debate: Debate) -> str:
    if debate.folds is None:
        return _FOLDS_UNKNOWN
    return "a history was folded" if debate.folds else ""


_SUBSETS: tuple[tuple[str, Callable[[Debate], str]], ...] = (
    ("all", lambda _: ""),
    ("no pleasantry stops", _pleasantries),
    ("with folding", _unfolded),
    ("without folding", _folded),
)
"""Name, and why a debate is left out of it."""


def subsets(context: Context) -> Section:
    """Success rate of parts of the debates."""
    return Section(
        id="T1",
        title="success in parts of the debates",
        about="success rate as M1, over the debates that a threat to validity leaves untouched",
        rows=tuple(row for arm in context.arms for row in _subset_rows(context, arm)),
        notes=("folding: a history grew over its window and a summary stands for a part of it",),
    )


def _subset_rows(context: Context, arm: Arm) -> Iterator[Row]:
    pairs = arm.pairs()
    for name, left_out in _SUBSETS:
        causes = arm.causes
        kept = {}
        for debate in arm.used:
            cause = left_out(debate)
            if cause:
                causes[cause] += 1
            else:
                kept[debate.claim, debate.repetition] = debate.convinced is True
        keys = {**arm.keys, "debates": name}
        repetitions = sorted({number for _, number in kept})
        is_unknown = causes[_FOLDS_UNKNOWN] and not kept
        main = estimated(
            "logicom.success_rate.subset",
            keys,
            claim_sums(kept, pairs, repetitions),
            MEAN_RATE,
            context.settings,
            tally=Tally.of(planned=arm.planned, used=len(kept), excluded=causes),
            empty=_FOLDS_UNKNOWN if is_unknown else "no such debate with an outcome",
        )
        yield Row(keys=keys, main=main)


def lengths(context: Context) -> Section:
    """Words of an utterance in debates that convinced and in those that did not."""
    rows = []
    for arm in context.arms:
        rows.append(_length_row(context, arm, "persuader", lambda debate: debate.persuader))
        rows.append(_length_row(context, arm, "debater", lambda debate: debate.debater))
    return Section(
        id="T2",
        title="length of utterances and success",
        about="mean words of an utterance that was sent (the opening left out), in debates that "
        "ended convinced minus in those that did not",
        rows=tuple(rows),
        notes=("n counts debates", "a debate in which that side sent nothing has no length"),
    )


def _length_row(context: Context, arm: Arm, role: str, spoken: Callable[[Debate], Spoken]) -> Row:
    keys, metric = {**arm.keys, "role": role}, "logicom.words_per_utterance"
    causes: Counter[str] = arm.causes
    used = [debate for debate in arm.used if spoken(debate).utterances]
    causes["nothing was sent"] += len(arm.used) - len(used)
    tally = Tally.of(planned=arm.planned, used=len(used), excluded=causes)
    groups: dict[str, list[tuple[str, tuple[int, int]]]] = {"convinced": [], "not convinced": []}
    for debate in used:
        said = spoken(debate)
        name = "convinced" if debate.convinced else "not convinced"
        groups[name].append((debate.pair, (said.words, said.utterances)))
    beside: dict[str, Measure] = {
        name: estimated(
            metric,
            {**keys, "ended": name},
            items,
            RATE,
            context.settings,
            tally=Tally.of(
                planned=arm.planned,
                used=len(items),
                excluded=causes + Counter({"ended otherwise": len(used) - len(items)}),
            ),
            unit="words",
            empty="no such debate",
        )
        for name, items in groups.items()
    }
    main = contrasted(
        f"{metric}.difference",
        keys,
        groups["convinced"],
        groups["not convinced"],
        RATE,
        DIFFERENCE,
        context.settings,
        tally=tally,
        unit="words",
    )
    return Row(keys=keys, main=main, beside=beside)
