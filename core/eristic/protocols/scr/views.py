"""What each role may see: its own session, and of the record only what the view names.

Texts of cases and models stand between fences that they cannot hold themselves. The one exception
is the suggester's first turn: there the situation is a message of its own, as a seeker of advice
would send it.
"""

from __future__ import annotations

from typing import Final

from eristic.debate import Case, View
from eristic.judging import fence_of
from eristic.protocols.scr.options import Options

__all__ = [
    "BUILD_TEMPLATES",
    "TEMPLATES",
    "comparison_view",
    "critique_view",
    "enhancement_view",
    "refinement_view",
    "reflection_view",
    "suggestion_view",
]

_SUGGEST: Final = "scr.suggest"
_CRITIQUE: Final = "scr.critique"
_REFINE: Final = "scr.refine"
_COMPARE: Final = "scr.compare"
_ENHANCE: Final = "scr-build.enhance"
_REFLECT: Final = tuple(
    f"scr.reflect_{session}_{prompt}"
    for session in ("new", "continue")
    for prompt in ("plain", "neutral", "reversed")
)
TEMPLATES: Final = (_SUGGEST, _CRITIQUE, *_REFLECT, _REFINE, _COMPARE)
BUILD_TEMPLATES: Final = (_ENHANCE,)

_NO_TEXT: Final = "(no text)"


def suggestion_view(case: Case) -> View:
    """The situation and nothing else."""
    return View(template=_SUGGEST, fields={"situation": case.texts["situation"]})


def critique_view(case: Case, suggestion: str) -> View:
    """Situation and suggestion; nothing of how the suggester was asked."""
    return _fenced(_CRITIQUE, situation=case.texts["situation"], suggestion=suggestion)


def reflection_view(case: Case, suggestion: str, critique: str, options: Options) -> View:
    """Situation, suggestion and critique; nothing of how the critic was asked."""
    return _fenced(
        f"scr.reflect_{options.reflect_session}_{options.reflect_prompt}",
        situation=case.texts["situation"],
        suggestion=suggestion,
        critique=critique,
    )


def refinement_view(case: Case, suggestion: str, critique: str) -> View:
    """As a reflection in a new session."""
    situation = case.texts["situation"]
    return _fenced(_REFINE, situation=situation, suggestion=suggestion, critique=critique)


def comparison_view(case: Case, first: str, second: str) -> View:
    """The situation and two suggestions; nothing tells the older from the newer."""
    return _fenced(_COMPARE, situation=case.texts["situation"], first=first, second=second)


def enhancement_view(case: Case) -> View:
    """The seed, of scr-build."""
    return _fenced(_ENHANCE, seed_text=case.texts["seed_text"])


def _fenced(template: str, **texts: str) -> View:
    fields = {name: text if text.strip() else _NO_TEXT for name, text in texts.items()}
    return View(template=template, fields={**fields, "fence": fence_of(tuple(fields.values()))})
