"""The published numbers that stand beside one of ours.

The tables have a column for each respondent and language. A respondent of the publication is shown
beside its own column; any other model beside all columns of its language, as a range to read it
against; people beside none, since no table is about them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from types import MappingProxyType
from typing import Final

import msgspec

from eristic.protocols.mirror.metrics.cells import ALL, Cell, Scope
from eristic.protocols.reports import Audit, Published, Reference, Row

__all__ = ["ROWS", "audits", "published", "published_column", "published_ratios", "table_audits"]

_METRIC: Final = "mirror.average_shift"
ROWS: Final = MappingProxyType(
    {
        "baseline": "std_dev",
        "paraphrase": "paraphrasing",
        "fair": "fair_debates",
        "biased": "biased_debates",
    }
)
"""Kind of condition -> row of the published tables."""
_TOPICS: Final = MappingProxyType(
    {
        "political": "Politics",
        "economic": "Economy",
        "societal": "Social",
        "morality": "Morality",
        "sexuality": "Sexuality",
        "secularity": "Secularity",
    }
)
_COLUMNS: Final = (
    (r"gpt-4(-\d{4})?", {"en": "GPT4", "ar": "GPT4-A", "zh": "GPT4-C"}),
    (
        r"mistral-large(-\d{4}|-latest)?(-instruct.*)?",
        {"en": "Mistral-Large", "ar": "Mistral-Large-A", "zh": "Mistral-Large-C"},
    ),
    (r"(open-)?mistral-7b.*", {"en": "Mistral 7B"}),
    (r"(meta-)?llama-?3[.-]1-70b.*", {"en": "Llama70b"}),
    (r"(meta-)?llama-?3[.-]1-8b.*", {"en": "Llama7b"}),
    (r"qwen2-72b.*", {"en": "Qwen2-72b", "zh": "Qwen2-C-72b"}),
    (r"qwen1[.]5-110b.*", {"en": "Qwen1.5-110b"}),
    (r"jais-13b.*", {"en": "JAIS", "ar": "JAIS-A"}),
)
"""Model as bound, without its provider -> language -> column."""


def published_column(model: str, language: str) -> str:
    """The column of a respondent of the publication; empty for any other."""
    bare = model.rsplit("/", 1)[-1].lower()
    found = (columns for pattern, columns in _COLUMNS if re.fullmatch(pattern, bare))
    return next(found, {}).get(language, "")


def _language_of(column: str) -> str:
    marks = column.split("-")[1:]
    return "ar" if "A" in marks else "zh" if "C" in marks else "en"


def published(reference: Reference, cell: Cell, scope: Scope, kind: str) -> tuple[Published, ...]:
    """Numbers of the row of this kind in the table of this scope; none where there is no table."""
    topic = ALL if scope.kind == "all" else _TOPICS.get(scope.name, "")
    if not topic or scope.kind == "set" or _is_person(cell.respondent):
        return ()
    numbers = reference.find(_METRIC, topic=topic, strategy=ROWS[kind])
    own = published_column(cell.respondent, cell.language)
    return tuple(
        number
        for number in numbers
        for column in [number.keys.get("respondent", "")]
        if (column == own if own else _language_of(column) == cell.language)
    )


def published_ratios(
    reference: Reference, cell: Cell, scope: Scope, kind: str
) -> tuple[Published, ...]:
    """Published shift over published deviation, column by column; none where that is 0."""
    return tuple(_ratios(reference, cell, scope, kind))


def _ratios(reference: Reference, cell: Cell, scope: Scope, kind: str) -> Iterator[Published]:
    below = published(reference, cell, scope, "baseline")
    deviations = {number.keys["respondent"]: number.value for number in below}
    for number in published(reference, cell, scope, kind):
        deviation = deviations.get(number.keys["respondent"])
        if deviation:
            yield msgspec.structs.replace(
                number,
                metric="mirror.shift_to_noise",
                # As exact as the two are printed.
                value=round(number.value / deviation, 2),
                unit="ratio",
                origin="derived",
            )


def _is_person(respondent: str) -> bool:
    return respondent.split("/", 1)[0] == "human"


def audits(reference: Reference, *ids: str) -> tuple[Audit, ...]:
    """Contradictions of the publication with these ids."""
    return tuple(audit for audit in reference.audits if audit.id in ids)


def table_audits(reference: Reference, rows: Iterable[Row], *ids: str) -> tuple[Audit, ...]:
    """The same, where numbers of the publication stand beside ours."""
    is_beside = any(measure.published for row in rows for measure in row.measures())
    return audits(reference, *ids) if is_beside else ()
