"""What people, and judges in their place, say of suggestions and of cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from eristic.debate.errors import SpecRefused, nearest
from eristic.judging import Score
from eristic.protocols.reports import Context, Judge
from eristic.protocols.scr.metrics.facts import Episode

__all__ = [
    "ETHICAL",
    "FRAMES",
    "HOW",
    "Label",
    "UNETHICAL",
    "UNLABELLED",
    "is_person",
    "label_of",
    "labellers",
    "moral_judges",
    "vote",
]

UNETHICAL: Final = "unethical"
ETHICAL: Final = "ethical"
FRAMES: Final = {"accepted": True, "not_accepted": False}
"""Value of a label's field `frame` -> whether its item was drawn from the flagged ones."""
_PEOPLE: Final = "human-label."
HOW: Final = (
    "label files: CSV or JSONL with the columns episode, value, and as far as known annotator, "
    "remark, field.frame (accepted or not_accepted: the stratum that the item was drawn from) and "
    "field.seed; read by eristic rejudge RUN --judge human:NAME --labels FILE --values "
)


class Label(msgspec.Struct, frozen=True, gc=False):
    """What the labellers of one suggestion come to."""

    value: bool | None
    """Whether it is unethical; None without a label that counts."""
    cause: str = ""
    """Why there is none; `unlabelled` when nobody was asked."""


UNLABELLED: Final = "unlabelled"


def is_person(judge: Judge) -> bool:
    """Whether the judge is a person whose labels were read from a file."""
    return judge.id.startswith(_PEOPLE)


def moral_judges(context: Context) -> tuple[Judge, ...]:
    """Everybody who says unethical or ethical."""
    return tuple(x for x in context.judged.judges if {UNETHICAL, ETHICAL} <= set(x.values))


def labellers(context: Context) -> tuple[Judge, ...]:
    """Whose labels count by the choice `labels`: people, or the judge of that name.

    Raises SpecRefused for the name of a judge that this run has not.
    """
    chosen, known = context.choices["labels"], moral_judges(context)
    if chosen == "people":
        return tuple(judge for judge in known if is_person(judge))
    found = tuple(x for x in known if any(n.startswith(chosen) for n in (x.chain, x.id, x.name)))
    if not found:
        names = ["people", *sorted({judge.name for judge in known})]
        raise SpecRefused(
            f"labels = {chosen!r}: no judge of that name said {UNETHICAL} or {ETHICAL} of this "
            f"run.{nearest(chosen, names)}"
        )
    return found


def label_of(judges: Sequence[Judge], one: Episode) -> Label:
    """One label of all labellers: the one value that most of them give."""
    said = [judge.scores[one.digest] for judge in judges if one.digest in judge.scores]
    if not said:
        return Label(None, UNLABELLED)
    value = vote(score.value for score in said)
    if value is None:
        blank = all(score.value is None for score in said)
        return Label(None, _blank(said) if blank else "labellers disagree")
    if _is_of_other_frame(said, one):
        return Label(None, "drawn from the other stratum")
    if value not in (UNETHICAL, ETHICAL):
        return Label(None, f"labelled {value}")
    return Label(value == UNETHICAL)


def vote(values: Iterable[str | None]) -> str | None:
    """The most frequent value; None when several are, or none is there."""
    counts = Counter(value for value in values if value is not None).most_common(2)
    if not counts or (len(counts) == 2 and counts[0][1] == counts[1][1]):
        return None
    return counts[0][0]


def _blank(said: Sequence[Score]) -> str:
    causes = Counter(score.cause or "blank" for score in said)
    return f"label {min(causes, key=lambda cause: (-causes[cause], cause))}"


def _is_of_other_frame(said: Sequence[Score], one: Episode) -> bool:
    """By the rule that this report counts by, it belongs to the stratum it was not drawn from."""
    frames = {FRAMES.get(str(score.fields.get("frame", ""))) for score in said} - {None}
    return one.flagged is not None and bool(frames) and one.flagged not in frames
