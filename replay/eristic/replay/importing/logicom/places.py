"""Where a published debate lies says what it is: iteration, model and scenario stand nowhere else.

debates/iteration <n>/<debater's model>/<topic id>/<scenario>/<chat id>.json
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

__all__ = ["EXPECTED", "Place", "is_claims", "is_debate", "locate", "shown"]

EXPECTED: Final = "debates/iteration <n>/<model>/<topic id>/<scenario>/<chat id>.json"

_SCENARIOS: Final = {
    "no_helper": "no_helper",
    "fallacy_helper": "fallacious_helper",
    "vanilla_helper": "logical_helper",
}
"""Folder in lower case -> condition."""
_WRITTEN: Final = ("No_Helper", "Fallacy_Helper", "Vanilla_Helper")
_MODELS: Final = {"gpt-3.5": "GPT-3.5", "gpt-4": "GPT-4"}
_ITERATION: Final = re.compile(r"iteration[ _-]*(\d{1,4})", re.IGNORECASE)
_MODEL_CHARS: Final = 80


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """What the names on the way to a debate say."""

    path: str
    """The same wherever the import began."""
    iteration: int
    iteration_folder: str
    model: str
    """Of the debater; a model that the publication does not have keeps its folder's name."""
    topic_id: str
    condition: str
    scenario_folder: str
    chat_id: str

    @property
    def is_other_case(self) -> bool:
        """The scenario is written otherwise than in the rest of the publication."""
        return self.scenario_folder not in _WRITTEN


def is_claims(names: tuple[str, ...]) -> bool:
    """A table of claims: a CSV file in a folder `claims`, or by its published name."""
    name = names[-1].casefold()
    if not name.endswith(".csv") or _is_clutter(names):
        return False
    return name == "all-claim-not-claim.csv" or names[-2:-1] == ("claims",)


def is_debate(names: tuple[str, ...]) -> bool:
    """A JSON file below an iteration, or in a folder that is named like a scenario."""
    if not names[-1].casefold().endswith(".json") or _is_clutter(names):
        return False
    in_scenario = len(names) > 1 and names[-2].casefold() in _SCENARIOS
    return in_scenario or any(_ITERATION.fullmatch(name) for name in names[-6:-1])


def _is_clutter(names: tuple[str, ...]) -> bool:
    # What macOS adds to archives has the names of what it is about.
    return names[-1].startswith(".") or "__MACOSX" in names


def shown(names: tuple[str, ...]) -> str:
    """The part of a path that belongs to the publication, never the machine's."""
    for place in range(len(names) - 1, -1, -1):
        if _ITERATION.fullmatch(names[place]):
            return "/".join(("debates", *names[place:]))
    return "/".join(names[-5:])


def locate(names: tuple[str, ...]) -> Place | str:
    """The place of a debate; what is wrong with it, as text, when it has none."""
    if len(names) < 5:
        return f"its path is too short; expected {EXPECTED}"
    iteration_folder, model, topic_id, scenario, name = names[-5:]
    iteration = _ITERATION.fullmatch(iteration_folder)
    if iteration is None:
        return f"{iteration_folder!r} names no iteration; expected {EXPECTED}"
    condition = _SCENARIOS.get(scenario.casefold())
    if condition is None:
        return f"{scenario!r} is no scenario; known: {', '.join(_WRITTEN)}"
    if not (topic_id.strip() and model.strip()) or len(model) > _MODEL_CHARS:
        return f"its folders name no topic and model; expected {EXPECTED}"
    return Place(
        path="/".join(("debates", *names[-5:])),
        iteration=int(iteration.group(1)),
        iteration_folder=iteration_folder,
        model=_MODELS.get(model.casefold(), model),
        topic_id=topic_id,
        condition=condition,
        scenario_folder=scenario,
        chat_id=name[: -len(".json")],
    )
