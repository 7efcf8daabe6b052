"""M8: which fallacies the helper used, and what came right after each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from eristic.judging import normalise_label
from eristic.protocols.logicom.metrics.arms import Arm
from eristic.protocols.logicom.metrics.context import Context
from eristic.protocols.logicom.metrics.facts import Debate, Helped
from eristic.protocols.logicom.state import FALLACIOUS_HELPER
from eristic.protocols.reports import Judge, Measure, Row, Section
from eristic.protocols.reports.estimates import counted, estimated
from eristic.stats import RATE, Tally, Undefined

__all__ = ["Labelled", "confirmation", "convinced_after", "fallacy_profile", "labelled_turns"]

_UNJUDGED = "no judge looked at the helper's texts"
_SHOWN = 12
"""Labels of each debater in tables for people."""


class Labelled(msgspec.Struct, frozen=True, kw_only=True):
    """One labelled text that the debater got."""

    pair: str
    label: str
    convinced: bool
    """At the check that followed."""
    digest: str = ""


def convinced_after(debate: Debate, helped: Helped) -> bool:
    """Whether the debater was convinced at the check after this text.

    Every earlier check let the debate go on, so only the last reply can be the convinced one.
    """
    return debate.convinced is True and helped.reply == debate.debater.utterances


def labelled_turns(debates: Iterable[Debate]) -> tuple[list[Labelled], Counter[str]]:
    """Sent helper texts with a label, and cause -> those that are left out."""
    found: list[Labelled] = []
    causes: Counter[str] = Counter()
    for debate in debates:
        for helped in debate.helped:
            if not debate.counts:
                causes["in a debate that counts in no rate"] += 1
            elif helped.label is None:
                causes["the helper gave no label"] += 1
            else:
                found.append(
                    Labelled(
                        pair=debate.pair,
                        label=helped.label,
                        convinced=convinced_after(debate, helped),
                        digest=helped.digest,
                    )
                )
    return found, causes


def confirmation(
    turns: Sequence[Labelled], judges: Sequence[Judge]
) -> tuple[float | Undefined, int]:
    """Share of judged labels in which the judge names the same fallacy, and how many are judged."""
    same = both = 0
    for turn in turns:
        for judge in judges:
            score = judge.scores.get(turn.digest) if turn.digest else None
            if score is not None and score.value is not None:
                both += 1
                same += normalise_label(score.value) == turn.label
    return (same / both if both else Undefined(_UNJUDGED)), both


def fallacy_profile(context: Context) -> Section:
    """M8."""
    rows: list[Row] = []
    for model in context.models:
        arm = context.arm(model, FALLACIOUS_HELPER)
        if arm is not None:
            rows += _rows(context, arm)
    return Section(
        id="M8",
        title="fallacy profile",
        about="texts of the fallacious helper that the debater got, by normalised label; after: "
        "the debater was convinced at the check that followed / texts with that label",
        rows=tuple(rows),
        notes=(
            "n counts texts; a text that no reply followed was not sent and is in no row",
            "confirmed: a judge names the same label / texts with both",
        ),
    )


def _rows(context: Context, arm: Arm) -> list[Row]:
    turns, causes = labelled_turns(arm.debates)
    total = Tally.of(planned=len(turns) + causes.total(), used=len(turns), excluded=dict(causes))
    grouped: dict[str, list[Labelled]] = defaultdict(list)
    for turn in turns:
        grouped[turn.label].append(turn)
    ordered = sorted(grouped.items(), key=lambda group: (-len(group[1]), group[0]))
    whole = [_row(context, arm, "(all)", turns, total)]
    for place, (label, group) in enumerate(ordered):
        row = _row(context, arm, label, group, Tally.of(planned=len(group), used=len(group)))
        whole.append(msgspec.structs.replace(row, is_minor=place >= _SHOWN))
    return whole


def _row(context: Context, arm: Arm, label: str, turns: Sequence[Labelled], tally: Tally) -> Row:
    keys = {"debater": arm.model, "label": label}
    main = estimated(
        "logicom.conviction_after_label",
        keys,
        sorted((turn.pair, (int(turn.convinced), 1)) for turn in turns),
        RATE,
        context.settings,
        tally=tally,
        empty="no labelled text was sent",
    )
    share, both = confirmation(turns, context.judged.judges)
    beside: dict[str, Measure] = {
        "texts": counted("logicom.label_count", keys, len(turns), "count"),
        "convinced": counted(
            "logicom.label_convictions", keys, sum(turn.convinced for turn in turns), "count"
        ),
        "confirmed": counted(
            "logicom.label_confirmation",
            keys,
            share,
            "fraction",
            tally=Tally.of(planned=both, used=both),
        ),
    }
    return Row(keys=keys, main=main, beside=beside)
