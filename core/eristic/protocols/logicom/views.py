"""What each role may see. Nothing else of the record reaches a prompt.

The fields of a view are those that the role's template uses, and no more: a field that is not
there cannot leak.
"""

from __future__ import annotations

from typing import Final

from eristic.debate import Line, View
from eristic.protocols.logicom.readings import HELPER_EXPECTED
from eristic.protocols.logicom.state import (
    DEBATER,
    FALLACIOUS_HELPER,
    Call,
    Folding,
    State,
)

__all__ = ["TEMPLATES", "memory_view", "view"]

TEMPLATES: Final = (
    "logicom.opening",
    "logicom.persuader",
    "logicom.debater",
    "logicom.helper_fallacious",
    "logicom.helper_logical",
    "logicom.helper_reformat",
    "logicom.conviction",
    "logicom.pleasantry",
    "logicom.topic",
    "logicom.memory",
)

_WINDOW = 6
"""Messages that a code window holds (count)."""


def view(state: State, call: Call) -> View:
    """The view of a turn of this role. Memory turns have their own, see `memory_view`."""
    texts = state.opened.case.texts
    match call.role:
        case "persuader":
            return View(
                template="logicom.persuader",
                fields={"claim": texts["claim"], "reason": texts["reason"]},
                history=state.persuader.lines,
                summary=state.persuader.summary,
            )
        case "debater":
            return View(
                template="logicom.debater",
                history=state.debater.lines,
                summary=state.debater.summary,
            )
        case "helper":
            return _helper_view(state, call)
        case "conviction":
            return View(
                template="logicom.conviction",
                fields={
                    "topic": texts["topic"],
                    "claim": texts["claim"],
                    "reason": texts["reason"],
                    "message": _last_reply(state),
                },
            )
        case "pleasantry":
            return View(template="logicom.pleasantry", history=_window(state))
        case "topic":
            return View(
                template="logicom.topic",
                fields={
                    "topic": texts["topic"],
                    "claim": texts["claim"],
                    "reason": texts["reason"],
                },
                history=_window(state),
            )
        case role:
            raise ValueError(f"no view for {role!r}")


def _helper_view(state: State, call: Call) -> View:
    condition = state.opened.condition
    if call.broken:
        keys = ", ".join(HELPER_EXPECTED[condition].keys)
        return View(
            template="logicom.helper_reformat", fields={"keys": keys, "broken": call.broken}
        )
    is_fallacious = condition == FALLACIOUS_HELPER
    return View(
        template="logicom.helper_fallacious" if is_fallacious else "logicom.helper_logical",
        fields={"draft": state.draft.text if state.draft is not None else ""},
        history=state.persuader.lines,
        summary=state.persuader.summary,
    )


def memory_view(state: State, folding: Folding) -> View:
    """The old summary of one side's history and the lines that are folded into it."""
    history = state.debater if folding.whose == DEBATER else state.persuader
    return View(template="logicom.memory", history=folding.lines, summary=history.summary)


def _last_reply(state: State) -> str:
    for line in reversed(state.moderated):
        if line.speaker == DEBATER:
            return line.text
    return ""


def _window(state: State) -> tuple[Line, ...]:
    if state.options.check_window == "full_history":
        return state.moderated
    return state.moderated[-_WINDOW:]
