"""What every section of the report works on."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from eristic.protocols.logicom.metrics.arms import Arm
from eristic.protocols.logicom.metrics.collecting import RunFacts
from eristic.protocols.logicom.state import FALLACIOUS_HELPER, LOGICAL_HELPER, NO_HELPER
from eristic.protocols.reports import Judged, Published, Reference, Settings

__all__ = ["CONTRASTS", "Context", "published_name"]

CONTRASTS = (
    (FALLACIOUS_HELPER, NO_HELPER),
    (FALLACIOUS_HELPER, LOGICAL_HELPER),
    (LOGICAL_HELPER, NO_HELPER),
)
"""Scenarios compared within each debater: first against second."""

_GPT_35 = re.compile(r"gpt-3\.5(?:-turbo)?(?:-\d{4})?", re.IGNORECASE)
_GPT_4 = re.compile(r"gpt-4(?:-\d{4})?", re.IGNORECASE)


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """A run, its arms, and how numbers are made."""

    facts: RunFacts
    arms: tuple[Arm, ...]
    settings: Settings
    reference: Reference
    judged: Judged

    @property
    def models(self) -> tuple[str, ...]:
        """Debater models, sorted."""
        return tuple(dict.fromkeys(arm.model for arm in self.arms))

    def arm(self, model: str, condition: str) -> Arm | None:
        """That arm, if anybody planned it."""
        found = (x for x in self.arms if (x.model, x.condition) == (model, condition))
        return next(found, None)

    def arms_by_model(self) -> Iterator[tuple[str, tuple[Arm, ...]]]:
        """Each model with its arms."""
        for model in self.models:
            yield model, tuple(arm for arm in self.arms if arm.model == model)

    def published(self, metric: str, model: str, **keys: str) -> tuple[Published, ...]:
        """The published numbers to show beside one of ours: of the same debater model where the
        publication has it, of all its models where not."""
        name = published_name(model)
        if name:
            return self.reference.find(metric, debater=name, **keys)
        return self.reference.find(metric, **keys)


def published_name(model: str) -> str:
    """The model's name in the publication; empty for a model that it did not test."""
    bare = model.rsplit("/", 1)[-1]
    if _GPT_35.fullmatch(bare):
        return "GPT-3.5"
    return "GPT-4" if _GPT_4.fullmatch(bare) else ""
