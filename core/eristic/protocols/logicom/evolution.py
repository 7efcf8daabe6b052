"""The state after one more event. Total: every event has its place, none raises.

Events of the run's own chain, a second opening and refused answers change nothing. So does an
answer that nobody waits for (another attempt, a turn already settled): what is in the log stays
there, and the state goes by what was asked. After `episode.closed` nothing changes any more.
"""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from eristic.debate import (
    AnswerRefused,
    ContextOverflowed,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    HistoryFolded,
    ImportCompleted,
    JudgementMade,
    JudgingOpened,
    Line,
    RoleSwapped,
    RulingMade,
    RunClosed,
    RunOpened,
    TurnFailed,
    TurnSpoken,
)
from eristic.protocols.logicom.answers import (
    check_heard,
    debater_heard,
    helper_heard,
    persuader_heard,
)
from eristic.protocols.logicom.memory import fold_plan
from eristic.protocols.logicom.moderation import MASTER
from eristic.protocols.logicom.state import (
    CHECKS,
    DEBATER,
    HELPER,
    HELPER_POLICY,
    MEMORY,
    PERSUADER,
    WINDOW_POLICY,
    Call,
    Ending,
    Folding,
    State,
    can_be_replaced,
)
from eristic.protocols.logicom.tales import taken_up, told
from eristic.protocols.logicom.turns import OVER, RE_ASKS, fail, settle_checks, start, update, utter

__all__ = ["evolve"]


def evolve(state: State, event: Event) -> State:
    """The state after this event."""
    if state.phase == "closed":
        return state
    match event:
        case TurnSpoken():
            return _spoken(state, event)
        case TurnFailed():
            return _failed(state, event)
        case ContextOverflowed():
            return _overflowed(state, event)
        case HistoryFolded():
            return _folded(state, event)
        case RoleSwapped():
            return _swapped(state, event)
        case RulingMade():
            return _ruled(state, event)
        case EpisodeClosed():
            return replace(state, phase="closed", calls=(), folding=None)
        case RunOpened() | RunClosed() | ImportCompleted() | EpisodeOpened() | AnswerRefused():
            return state
        case JudgingOpened() | JudgementMade():  # they stand in a stream of their own
            return state
        case _:
            assert_never(event)


def _awaited(state: State, event: TurnSpoken | TurnFailed | ContextOverflowed) -> Call | None:
    calls = state.calls if state.folding is None else (state.folding.call,)
    for call in calls:
        if call.turn == event.turn and call.role == event.role and call.attempt == event.attempt:
            return call if call.is_awaited else None
    return None


def _spoken(state: State, event: TurnSpoken) -> State:
    if state.phase == "told":
        return told(state, event)
    if event.source == "imported" and state.opened.parent is not None:
        return taken_up(state, event)
    if state.phase == "opening":
        is_opening = event.turn == 0 and event.role == PERSUADER
        return utter(state, Line(PERSUADER, event.text, 0)) if is_opening else state
    call = _awaited(state, event)
    if call is None:
        return state
    if call.role in CHECKS:
        return check_heard(state, call, event)
    if call.role == DEBATER:
        return debater_heard(state, call, event)
    if call.role == PERSUADER:
        return persuader_heard(state, call, event)
    if call.role == HELPER:
        return helper_heard(state, call, event)
    return _summarised(state, call, event)


def _summarised(state: State, call: Call, event: TurnSpoken) -> State:
    folding = state.folding
    assert folding is not None  # only a folding asks the memory
    if event.text.strip():
        settled = replace(call, is_settled=True)
        return replace(state, folding=replace(folding, call=settled, summary=event.text))
    if call.unread >= RE_ASKS:
        return fail(state, call, "empty")
    again = replace(call, attempt=call.attempt + 1, unread=call.unread + 1)
    return replace(state, folding=replace(folding, call=again))


def _failed(state: State, event: TurnFailed) -> State:
    call = _awaited(state, event)
    if call is None:
        return state
    if call.role in CHECKS:
        if can_be_replaced(state, call):
            return update(state, replace(call, swap_cause="failed"))
        return settle_checks(state, replace(call, is_settled=True, error=event.error))
    if event.error == "context":
        # The window was not known here, so the provider found out: fold all that may go. What
        # was sent and refused is not forced once more.
        forced = replace(call, attempt=call.attempt + 1, force=True)
        return _shorten(state, forced, line_tokens=(), excess=1)
    return fail(state, call, event.error)


def _overflowed(state: State, event: ContextOverflowed) -> State:
    call = _awaited(state, event)
    if call is None:
        return state
    again = replace(call, attempt=call.attempt + 1)
    excess = max(1, event.tokens - event.threshold)
    return _shorten(state, again, line_tokens=event.line_tokens, excess=excess)


def _shorten(state: State, call: Call, *, line_tokens: tuple[int, ...], excess: int) -> State:
    """Fold what may be folded before this call is asked; force it or give it up if nothing may."""
    if call.role == MEMORY:
        return _fold_less(state, call)
    if call.role not in CHECKS:
        # The helper reads the persuader's history, so that is what gets shorter.
        whose = DEBATER if call.role == DEBATER else PERSUADER
        folding = _plan(state, whose, line_tokens, excess)
        if folding is not None:
            state = update(state, replace(call, force=False))
            return replace(state, folding=folding, next_turn=state.next_turn + 1)
    if state.options.force_over_window and not call.force:
        return update(state, replace(call, is_stuck=True))
    if call.role in CHECKS:
        return settle_checks(state, replace(call, is_settled=True, error=OVER))
    return fail(state, call, OVER)


def _plan(state: State, whose: str, line_tokens: tuple[int, ...], excess: int) -> Folding | None:
    lines = (state.debater if whose == DEBATER else state.persuader).lines
    if len(line_tokens) != len(lines):
        # Nothing is known about these lines: all that may be folded is.
        line_tokens = (0,) * len(lines)
    plan = fold_plan(
        state.options.memory_policy, line_tokens=line_tokens, excess=excess, speaker=whose
    )
    if not plan.folded:
        return None
    return Folding(
        whose=whose,
        call=Call(turn=state.next_turn, role=MEMORY),
        lines=tuple(lines[place] for place in plan.folded),
    )


def _fold_less(state: State, call: Call) -> State:
    """The lines to fold are themselves too long for the memory: take the first half of them."""
    folding = state.folding
    assert folding is not None  # only a folding asks the memory
    if len(folding.lines) > 1:
        half = folding.lines[: len(folding.lines) // 2]
        fewer = replace(call, force=False)
        return replace(state, folding=replace(folding, call=fewer, lines=half))
    if state.options.force_over_window and not call.force:
        return replace(state, folding=replace(folding, call=replace(call, is_stuck=True)))
    return fail(state, call, OVER)


def _folded(state: State, event: HistoryFolded) -> State:
    folding = state.folding
    if folding is None or folding.summary is None or folding.whose != event.role:
        return state
    history = state.debater if folding.whose == DEBATER else state.persuader
    kept = tuple(line for line in history.lines if line.turn not in event.folded)
    history = replace(history, lines=kept, summary=folding.summary)
    tally = replace(state.tally, folds=state.tally.folds + 1)
    if folding.whose == DEBATER:
        return replace(state, debater=history, folding=None, tally=tally)
    return replace(state, persuader=history, folding=None, tally=tally)


def _swapped(state: State, event: RoleSwapped) -> State:
    if event.role not in CHECKS:
        return state
    place = CHECKS.index(event.role)
    if event.cause == "operator":
        epochs = _with(state.epochs, place, event.epoch)
        calls = tuple(
            replace(call, rank=event.rank)
            if call.role == event.role and call.turn >= event.turn and call.is_awaited
            else call
            for call in state.calls
        )
        ranks = _with(state.ranks, place, event.rank)
        return replace(state, epochs=epochs, ranks=ranks, calls=calls)
    if event.scope == "rest_of_episode" and event.rank > state.ranks[place]:
        switches = state.switches
        if not switches or switches[-1] != state.round:
            switches += (state.round,)
        ranks = _with(state.ranks, place, event.rank)
        state = replace(state, ranks=ranks, switches=switches)
    for call in state.calls:
        if call.turn == event.turn and call.role == event.role and call.swap_cause:
            return update(
                state,
                Call(
                    turn=call.turn,
                    role=call.role,
                    copy=call.copy,
                    attempt=call.attempt + 1,
                    rank=event.rank,
                ),
            )
    return state


def _with(trio: tuple[int, int, int], place: int, value: int) -> tuple[int, int, int]:
    first, second, third = (value if i == place else old for i, old in enumerate(trio))
    return first, second, third


def _ruled(state: State, event: RulingMade) -> State:
    if event.policy == MASTER and state.phase == "ruling" and event.round == state.round:
        if event.decision != "continue":
            ending = Ending(outcome=event.decision, reason=event.reason)
            return replace(state, phase="closing", ending=ending)
        state = replace(state, round=state.round + 1)
        if state.options.check_timing == "after_debater":
            return start(state, "draft", PERSUADER)
        return start(state, "debater", DEBATER)
    if event.policy == HELPER_POLICY and state.phase == "rescue" and state.draft is not None:
        tally = replace(state.tally, helper_failed=state.tally.helper_failed + 1)
        return utter(replace(state, tally=tally), state.draft)
    if event.policy == WINDOW_POLICY:
        return _forced(state, event)
    return state


def _forced(state: State, event: RulingMade) -> State:
    tally = replace(state.tally, forced=state.tally.forced + 1)
    folding = state.folding
    if folding is not None and folding.call.is_stuck and folding.call.turn in event.inputs:
        call = replace(folding.call, is_stuck=False, force=True)
        return replace(state, folding=replace(folding, call=call), tally=tally)
    for call in state.calls:
        if call.is_stuck and call.turn in event.inputs:
            freed = replace(call, is_stuck=False, force=True)
            return update(replace(state, tally=tally), freed)
    return state
