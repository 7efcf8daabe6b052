"""What is due in a state: calls to roles, facts that follow from the log, or nothing more."""

from __future__ import annotations

from typing import assert_never

from eristic.debate import (
    EpisodeClosed,
    Event,
    HistoryFolded,
    RoleSwapped,
    RulingMade,
    Setting,
    TurnSpoken,
)
from eristic.protocols.logicom.moderation import MASTER, master
from eristic.protocols.logicom.opening import opening_text
from eristic.protocols.logicom.readings import (
    ANY_TEXT,
    EXPECTED,
    HELPER_EXPECTED,
    HELPER_PARSERS,
)
from eristic.protocols.logicom.state import (
    CHECKS,
    CONVICTION,
    HELPER,
    HELPER_POLICY,
    PERSUADER,
    WINDOW_POLICY,
    Call,
    Folding,
    State,
)
from eristic.protocols.logicom.views import memory_view, view
from eristic.protocols.machine import Due, Record, Step, Wait

__all__ = ["decide"]


def decide(state: State) -> Step:
    """The next step. Raises SpecRefused for a case without topic, claim or reason."""
    match state.phase:
        case "debater" | "draft" | "help" | "checks":
            return _pending(state)
        case "ruling":
            return Record((_ruling(state),))
        case "rescue":
            return Record((_rescue(state),))
        case "opening":
            text = opening_text(state.opened.case)
            return Record((TurnSpoken(turn=0, role=PERSUADER, text=text, source="template"),))
        case "closing":
            return Record((_closing(state),))
        case "closed" | "told":
            return None
        case _:
            assert_never(state.phase)


def _pending(state: State) -> Step:
    folding = state.folding
    if folding is not None:
        return _fold(state, folding)
    facts: list[Event] = []
    waiting: list[Due] = []
    for call in state.calls:
        if call.swap_cause:
            facts += _swaps(state, call, facts)
        elif call.is_stuck:
            facts.append(_forced(state, call))
        elif not call.is_settled:
            waiting.append(_due(state, call))
    return Record(tuple(facts)) if facts else Wait(tuple(waiting))


def _due(state: State, call: Call) -> Due:
    role = call.role
    if role in CHECKS:
        rule = state.options.verdict_parse if role == CONVICTION else "strict"
        return Due(
            turn=call.turn,
            role=role,
            attempt=call.attempt,
            rank=call.rank,
            view=view(state, call),
            expected=EXPECTED[role],
            parser=f"{role}.{rule}",
            force=call.force,
        )
    condition = state.opened.condition
    is_helper = role == HELPER
    return Due(
        turn=call.turn,
        role=role,
        attempt=call.attempt,
        view=view(state, call),
        expected=HELPER_EXPECTED[condition] if is_helper else ANY_TEXT,
        parser=HELPER_PARSERS[condition] if is_helper else "",
        memory_trigger=None if is_helper else state.options.memory_trigger,
        force=call.force,
    )


def _fold(state: State, folding: Folding) -> Step:
    call = folding.call
    if folding.summary is not None:
        return Record(
            (
                HistoryFolded(
                    role=folding.whose,
                    folded=tuple(line.turn for line in folding.lines),
                    summary_turn=call.turn,
                    policy=state.options.memory_policy,
                ),
            )
        )
    if call.is_stuck:
        return Record((_forced(state, call),))
    due = Due(
        turn=call.turn,
        role=call.role,
        attempt=call.attempt,
        view=memory_view(state, folding),
        force=call.force,
    )
    return Wait((due,))


def _forced(state: State, call: Call) -> RulingMade:
    return RulingMade(
        policy=WINDOW_POLICY,
        inputs=(call.turn,),
        decision="send_anyway",
        reason="context_overflow",
        round=state.round,
    )


def _swaps(state: State, call: Call, known: list[Event]) -> list[Event]:
    """The replacement of this call's model and, if one moderator takes over all, of the others."""
    rank, options = call.rank + 1, state.options
    swaps: list[Event] = [_swap(state, call.role, call, rank)]
    if options.fallback_panel != "single":
        return swaps
    moved = {event.role for event in known if isinstance(event, RoleSwapped)}
    for place, role in enumerate(CHECKS):
        binding = state.opened.cast.get(role)
        can_follow = binding is not None and len(binding.fallback) >= rank
        if role not in moved and role != call.role and state.ranks[place] < rank and can_follow:
            swaps.append(_swap(state, role, call, rank))
    return swaps


def _swap(state: State, role: str, call: Call, rank: int) -> RoleSwapped:
    return RoleSwapped(
        role=role,
        epoch=state.epochs[CHECKS.index(role)],
        rank=rank,
        cause=call.swap_cause,
        turn=call.turn,
        scope=state.options.fallback_scope,
    )


def _ruling(state: State) -> RulingMade:
    ruling = master(state.rounds, state.rules)
    decision = "continue"
    if ruling.stop:
        decision = "convinced" if ruling.convinced else "not_convinced"
    return RulingMade(
        policy=MASTER,
        inputs=ruling.inputs,
        decision=decision,
        reason=ruling.reason,
        round=state.round,
        facts=ruling.facts,
    )


def _rescue(state: State) -> RulingMade:
    """The helper gave nothing usable: the draft stands, and the log says so."""
    draft = () if state.draft is None else (state.draft.turn,)
    return RulingMade(
        policy=HELPER_POLICY,
        inputs=(*draft, *(call.turn for call in state.calls)),
        decision="use_draft",
        reason="helper_failed",
        round=state.round + (state.options.check_timing == "after_persuader"),
    )


def _unread(state: State) -> dict[str, Setting]:
    """How much of the outcome rests on checks that nobody could read.

    An unreadable conviction counts as not convinced (section 4.3 of the specification). An outcome
    of such defaults alone says nothing about the debater, so it must not look like one that does.
    """
    verdicts = [
        [check.value for check in judged.checks if check.check == CONVICTION]
        for judged in state.rounds
    ]
    unread = sum(None in values for values in verdicts)
    silent = sum(all(value is None for value in values) for values in verdicts)
    return {
        "conviction_unread_rounds": unread,
        "by_default": bool(verdicts) and silent == len(verdicts),
    }


def _closing(state: State) -> EpisodeClosed:
    ending = state.ending
    assert ending is not None  # only an ending leads to this phase
    tally = state.tally
    facts: dict[str, Setting] = {
        # The published program does not count a round in which the moderator was replaced.
        "rounds_as_code": state.replies - len(state.switches),
        "helper_failed": tally.helper_failed,
        "label_leaks": tally.label_leaks,
        "folds": tally.folds,
        "forced": tally.forced,
        "moderator_switches": len(state.switches),
        **_unread(state),
    }
    if ending.role:
        facts |= {"failed_role": ending.role, "failed_turn": ending.turn, "error": ending.error}
    return EpisodeClosed(
        outcome=ending.outcome, reason=ending.reason, rounds=state.replies, facts=facts
    )
