"""The published numbers that stand beside one of ours.

A suggester of the publication is shown beside its own row; one that the publication has not beside
all rows, as a range to read it against. The published rows differ in their critic as well: that of
Vicuna is ChatGLM, of all others Vicuna.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from eristic.protocols.reports import Audit, Published, Reference

__all__ = [
    "AVERAGE",
    "audits",
    "beside",
    "derived",
    "of_average",
    "suggester_row",
]

AVERAGE: Final = "Average"
_ROWS: Final = (
    (r"gpt-?neo.*", "GPT-Neo"),
    (r".*(llama|alpaca)-?7b.*", "Llama-7B"),
    (r".*(llama|alpaca)-?13b.*", "Llama-13B"),
    (r"chatglm.*", "ChatGLM"),
    (r"vicuna.*", "Vicuna"),
    (r"(gpt-3[.]5|chatgpt).*", "ChatGPT"),
    (r"gpt-4(-\d{4})?", "GPT-4"),
)
"""Model as bound, without its provider -> row."""


def suggester_row(model: str) -> str:
    """The row of a model of the publication; empty for any other."""
    bare = model.rsplit("/", 1)[-1].lower()
    return next((row for pattern, row in _ROWS if re.fullmatch(pattern, bare)), "")


def beside(
    reference: Reference, metric: str, model: str, *, key: str = "suggester", **keys: str
) -> tuple[Published, ...]:
    """Numbers of this metric in the row of this model, or in all rows but summaries."""
    numbers = [
        x for x in reference.find(metric, **keys) if x.keys.get(key) not in (AVERAGE, "union")
    ]
    own = suggester_row(model)
    return tuple(x for x in numbers if not own or x.keys.get(key) == own)


def of_average(reference: Reference, metric: str, **keys: str) -> tuple[Published, ...]:
    """Numbers of the row of averages."""
    return tuple(x for x in reference.find(metric, **keys) if x.keys.get("suggester") == AVERAGE)


def derived(
    numbers: Sequence[Published], below: object, metric: str, what: str
) -> tuple[Published, ...]:
    """Published counts as percent of a published count of things; none when that is not there."""
    if not isinstance(below, int) or below <= 0:
        return ()
    return tuple(
        replace(
            number,
            metric=metric,
            value=round(100 * number.value / below, 2),
            unit=f"percent of {below:,} {what}",
            origin="derived",
        )
        for number in numbers
    )


def audits(reference: Reference, *ids: str) -> tuple[Audit, ...]:
    """Contradictions of the publication with these ids."""
    return tuple(audit for audit in reference.audits if audit.id in ids)
