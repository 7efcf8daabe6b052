"""What is judged, what a judge says of it, and the scale on which judges are compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal

import msgspec

from eristic.debate import Reading, Setting

__all__ = [
    "CONVINCED",
    "NOT_CONVINCED",
    "STANCES",
    "STANCE_VERDICTS",
    "VERDICTS",
    "Score",
    "Target",
    "combine_orders",
    "combine_samples",
    "score_of",
    "unscored",
]

CONVINCED: Final = "convinced"
NOT_CONVINCED: Final = "not_convinced"
VERDICTS: Final = (CONVINCED, NOT_CONVINCED)
"""The scale of the recorded verdicts, to which finer scales are brought for comparison."""

STANCES: Final = ("agrees", "unclear", "disagrees")
"""What an author holds of a claim at the end of a message."""

STANCE_VERDICTS: Final[Mapping[str, str]] = MappingProxyType(
    {"agrees": CONVINCED, "unclear": NOT_CONVINCED, "disagrees": NOT_CONVINCED}
)
"""A moderator asks whether the claim is held now; whoever says nothing does not say so."""


class Target(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A turn that is judged, with all that any judge may know of it."""

    episode: str
    turn: int
    digest: str
    """Of the event's stored bytes."""
    text: str
    """Untrusted, as are claim and reason."""
    claim: str = ""
    reason: str = ""
    outcome: str | None = None
    """Recorded outcome of the episode."""
    close_reason: str = ""
    check: str | None = None
    """What the last conviction check after this turn said; None without one that was read."""
    models: tuple[str, ...] = ()
    """The speaker's model as bound and as served."""
    case_id: str = ""
    condition: str = ""
    repetition: int = 0
    parent: str = ""
    """`run/episode` that the episode branched from; empty when it did not."""
    facts: dict[str, Setting] = {}
    """What an imported episode's source says beside its texts."""
    kind: str = ""
    """What the turn is in its protocol; empty for the last word of a debater."""
    fields: dict[str, str] = {}
    """Texts of the case and the episode that a judge of this kind is shown; untrusted."""


class Score(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What a judge made of a target. Unscored is no value and has a cause."""

    status: Literal["scored", "unscored"]
    value: str | None = None
    cause: str = ""
    """refused, unreadable, truncated, failed, blank, inconsistent (orders or samples differ)."""
    evidence: str = ""
    flags: tuple[str, ...] = ()
    fields: dict[str, Setting] = {}
    """Of a rubric with several fields: field -> value; an invalid one is absent. They can be there
    without a value, when some field is missing."""


def unscored(cause: str, *, flags: tuple[str, ...] = (), evidence: str = "") -> Score:
    """A score without a value."""
    return Score(status="unscored", cause=cause, flags=flags, evidence=evidence)


def score_of(reading: Reading, *, evidence: str = "", flags: tuple[str, ...] = ()) -> Score:
    """The score that a reading comes to; what could not be read is `unreadable` or `refused`.

    flags: more of them, beside those of the reading.
    """
    flags = (*reading.flags, *flags)
    if reading.status == "read" and reading.value is not None:
        return Score(status="scored", value=reading.value, evidence=evidence, flags=flags)
    cause = "refused" if reading.status == "refused" else "unreadable"
    return unscored(cause, flags=("empty", *flags) if reading.status == "empty" else flags)


def combine_orders(scores: Sequence[Score]) -> Score:
    """One score from the two orders of a comparison, values already told as in order 0.

    Both must have one: a preference that turns with the order is none (`inconsistent`), and an
    order without a value leaves the pair without one, with its cause.
    """
    missing = next((score for score in scores if score.value is None), None)
    if missing is not None:
        return missing
    if len({score.value for score in scores}) > 1:
        return unscored("inconsistent", evidence=" / ".join(str(x.value) for x in scores))
    return scores[0]


def combine_samples(scores: Sequence[Score]) -> Score:
    """One score from repeated asks: the value of more than half of those that were scored.

    No such value: `inconsistent`. None scored: the most frequent cause, of equals the first by
    name, so that the order of the samples changes nothing. Raises ValueError without a sample.
    """
    if len(scores) == 1:
        return scores[0]
    if not scores:
        raise ValueError("no sample to combine")
    values = Counter(score.value for score in scores if score.value is not None)
    fields = _combined_fields(scores)
    if not values:
        causes = Counter(score.cause for score in scores)
        cause = min(causes, key=lambda cause: (-causes[cause], cause))
        return Score(status="unscored", cause=cause, fields=fields)
    value, count = values.most_common(1)[0]
    told = f"{count} of {len(scores)} samples"
    if count * 2 <= values.total():
        spread = ", ".join(f"{name} {values[name]}" for name in sorted(values))
        evidence = f"samples: {spread}"
        return Score(status="unscored", cause="inconsistent", evidence=evidence, fields=fields)
    return Score(status="scored", value=value, evidence=told, fields=fields)


def _combined_fields(scores: Sequence[Score]) -> dict[str, Setting]:
    """Field by field as values are: what more than half of the samples that have it say."""
    fields: dict[str, Setting] = {}
    for name in sorted({name for score in scores for name in score.fields}):
        said = Counter(score.fields[name] for score in scores if name in score.fields)
        value, count = said.most_common(1)[0]
        if count * 2 > said.total():
            fields[name] = value
    return fields
