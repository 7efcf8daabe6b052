"""What an answer of each role does: accepted, asked for again, or given up."""

from __future__ import annotations

from msgspec.structs import replace

from eristic.debate import Line, TurnSpoken
from eristic.protocols.logicom.readings import CHECK_VALUES
from eristic.protocols.logicom.state import (
    DEBATER,
    HELPER,
    NO_HELPER,
    PERSUADER,
    Call,
    State,
    can_be_replaced,
)
from eristic.protocols.logicom.turns import RE_ASKS, fail, settle_checks, start, update, utter

__all__ = ["check_heard", "debater_heard", "helper_heard", "persuader_heard"]


def debater_heard(state: State, call: Call, event: TurnSpoken) -> State:
    """Any text stands, a refusal too: the checks judge it as it is."""
    if not event.text.strip():
        return _ask_again(state, call)
    return utter(state, Line(DEBATER, event.text, event.turn))


def persuader_heard(state: State, call: Call, event: TurnSpoken) -> State:
    """A draft: the utterance itself without a helper, else what the helper works on."""
    if not event.text.strip():
        return _ask_again(state, call)
    draft = Line(PERSUADER, event.text, event.turn)
    if state.opened.condition == NO_HELPER:
        return utter(state, draft)
    return start(replace(state, draft=draft), "help", HELPER)


def _ask_again(state: State, call: Call) -> State:
    if call.unread >= RE_ASKS:
        return fail(state, call, "empty")
    return update(state, replace(call, attempt=call.attempt + 1, unread=call.unread + 1))


def helper_heard(state: State, call: Call, event: TurnSpoken) -> State:
    """A readable rewrite becomes the utterance.

    Otherwise: one request to re-format the broken output (if there is any), then fresh calls,
    then the draft is used as it was.
    """
    reading = event.reading
    if reading is not None and reading.value is not None and reading.value.strip():
        if "label_leak" in reading.flags:
            tally = replace(state.tally, label_leaks=state.tally.label_leaks + 1)
            state = replace(state, tally=tally)
        shown = event.text if state.options.moderator_sees_helper else None
        return utter(state, Line(PERSUADER, reading.value, event.turn), shown)
    again = replace(call, attempt=call.attempt + 1, broken="")
    if event.text.strip() and not call.reformatted:
        return update(state, replace(again, broken=event.text, reformatted=True))
    if call.unread < RE_ASKS:
        return update(state, replace(again, unread=call.unread + 1))
    return replace(state, phase="rescue", calls=(replace(call, is_settled=True),))


def check_heard(state: State, call: Call, event: TurnSpoken) -> State:
    """A token settles the check; an unreadable text does so after two re-asks, with the default.

    A refused or empty answer is asked for once more, then the next model takes over.
    """
    reading = event.reading
    cause = _decline(event)
    if cause:
        return _declined(state, call, cause)
    # An imported log was read by other parsers: a value of theirs is no value of this check.
    if reading is not None and reading.value in CHECK_VALUES[call.role]:
        flagged = bool(reading.flags)
        return settle_checks(
            state, replace(call, is_settled=True, value=reading.value, is_flagged=flagged)
        )
    if call.unread < RE_ASKS:
        return update(state, replace(call, attempt=call.attempt + 1, unread=call.unread + 1))
    return settle_checks(state, replace(call, is_settled=True, is_flagged=True))


def _decline(event: TurnSpoken) -> str:
    status = event.reading.status if event.reading is not None else ""
    if status == "refused" or (event.call is not None and event.call.refusal):
        return "refusal"
    return "empty" if status == "empty" or not event.text.strip() else ""


def _declined(state: State, call: Call, cause: str) -> State:
    if call.declined == 0:
        return update(state, replace(call, attempt=call.attempt + 1, declined=1))
    if can_be_replaced(state, call):
        return update(state, replace(call, swap_cause=cause))
    return settle_checks(state, replace(call, is_settled=True, error=cause))
