"""What judges said of a run, in numbers: one by one, as a panel, and against the log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from eristic.judging import Matter, PanelVerdict, Score, convene

__all__ = [
    "Change",
    "JudgeRow",
    "PanelRow",
    "Rated",
    "compare",
    "convene_all",
    "count",
    "rows_by",
    "to_verdict",
]


class Rated(msgspec.Struct, frozen=True, kw_only=True):
    """One judge and what it said of every matter."""

    name: str
    chain: str
    values: tuple[str, ...]
    verdicts: Mapping[str, str]
    scores: tuple[Score | None, ...]
    """As the matters; None: not asked yet."""
    excluded: tuple[bool, ...]
    """Kept out of the panel for this matter: same family as the speaker."""


class JudgeRow(msgspec.Struct, frozen=True, kw_only=True):
    """One judge in numbers (counts)."""

    judge: str
    chain: str
    n: int
    """Matters that this judge was to look at."""
    scored: int
    values: dict[str, int]
    """Every value of its scale, in its order."""
    rates: dict[str, float] | None
    """Value -> share of the scored; None when nothing was scored: undefined, not 0."""
    unscored: dict[str, int]
    """Cause -> count."""
    not_asked: int
    """Still due: the judging was stopped or is not finished."""
    excluded: int
    """Not asked, or not counted in the panel: same family as the speaker."""


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A judge against the verdicts in the log, on their scale (counts)."""

    judge: str
    both: int
    """With a verdict of both."""
    same: int
    changed: dict[str, int]
    """`recorded -> now` of those that differ."""
    only_recorded: int
    only_judge: int


class PanelRow(msgspec.Struct, frozen=True, kw_only=True):
    """What the panel came to (counts)."""

    quorum: int
    judges: tuple[str, ...]
    scale: tuple[str, ...]
    n: int
    decided: dict[str, int]
    tie: int
    no_quorum: int


def count(rated: Rated) -> JudgeRow:
    """One judge's scores, counted. Nothing is guessed for a matter without one."""
    given = [x for x, out in zip(rated.scores, rated.excluded, strict=True) if not out or x]
    scores = [score for score in given if score is not None]
    values = Counter(score.value for score in scores if score.value is not None)
    scored = values.total()
    causes = Counter(score.cause for score in scores if score.value is None)
    return JudgeRow(
        judge=rated.name,
        chain=rated.chain,
        n=len(given),
        scored=scored,
        values={value: values[value] for value in rated.values},
        rates={x: values[x] / scored for x in rated.values} if scored else None,
        unscored=dict(sorted(causes.items())),
        not_asked=len(given) - len(scores),
        excluded=sum(rated.excluded),
    )


def to_verdict(rated: Rated, score: Score | None) -> str | None:
    """The score on the recorded scale; None for what has none there."""
    return rated.verdicts.get(score.value) if score is not None and score.value else None


def compare(recorded: Rated, rated: Rated) -> Change:
    """How a judge's verdicts differ from those in the log; pairs of the same matters."""
    pairs = [
        (to_verdict(recorded, old), to_verdict(rated, new))
        for old, new in zip(recorded.scores, rated.scores, strict=True)
    ]
    both = [(old, new) for old, new in pairs if old is not None and new is not None]
    changed = Counter(f"{old} -> {new}" for old, new in both if old != new)
    return Change(
        judge=rated.name,
        both=len(both),
        same=sum(old == new for old, new in both),
        changed=dict(sorted(changed.items())),
        only_recorded=sum(old is not None and new is None for old, new in pairs),
        only_judge=sum(old is None and new is not None for old, new in pairs),
    )


def convene_all(
    judges: Sequence[Rated], *, quorum: int
) -> tuple[PanelRow, tuple[PanelVerdict, ...]]:
    """The panel's verdict on every matter, and their counts.

    Judges with one scale vote in its values; judges of several scales vote on the recorded scale.
    Raises ValueError when a judge of another scale says nothing on the recorded one.
    """
    scales = {judge.values for judge in judges}
    scale = scales.pop() if len(scales) == 1 else ()
    for judge in judges if not scale else ():
        if not judge.verdicts:
            raise ValueError(f"judge {judge.name} has values that no other judge has")
    if not scale:
        scale = tuple(sorted({x for judge in judges for x in judge.verdicts.values()}))
        judges = [_on_verdicts(judge) for judge in judges]
    columns = [
        [None if out else score for score, out in zip(x.scores, x.excluded, strict=True)]
        for x in judges
    ]
    verdicts = tuple(
        convene([x for x in votes if x is not None], quorum=quorum)
        for votes in zip(*columns, strict=True)
    )
    values = Counter(x.value for x in verdicts if x.value is not None)
    states = Counter(x.status for x in verdicts)
    row = PanelRow(
        quorum=quorum,
        judges=tuple(judge.name for judge in judges),
        scale=scale,
        n=len(verdicts),
        decided={value: values[value] for value in scale},
        tie=states["tie"],
        no_quorum=states["no_quorum"],
    )
    return row, verdicts


def _on_verdicts(judge: Rated) -> Rated:
    scores = tuple(
        msgspec.structs.replace(x, value=judge.verdicts.get(x.value)) if x and x.value else x
        for x in judge.scores
    )
    return msgspec.structs.replace(judge, scores=scores)


def rows_by(rated: Rated, matters: Sequence[Matter], *, by: str) -> dict[str, JudgeRow]:
    """The same counts for every condition (or other field of a target), sorted by name."""
    groups: dict[str, list[int]] = {}
    for place, matter in enumerate(matters):
        groups.setdefault(str(getattr(matter.target, by)), []).append(place)
    return {
        name: count(
            msgspec.structs.replace(
                rated,
                scores=tuple(rated.scores[place] for place in places),
                excluded=tuple(rated.excluded[place] for place in places),
            )
        )
        for name, places in sorted(groups.items())
    }
