"""How many calls a debate can still take, from its state and its rules alone."""

from __future__ import annotations

from collections import Counter

from eristic.protocols.logicom.state import (
    CHECKS,
    DEBATER,
    HELPER,
    MEMORY,
    NO_HELPER,
    PERSUADER,
    State,
)
from eristic.protocols.logicom.turns import RE_ASKS
from eristic.protocols.suffixes import CallsLeft

__all__ = ["calls_left", "last_round"]

_REFORMATS = 1
"""Times a helper is asked to re-format what it said."""
_DECLINES = 1
"""Refused or empty answers of a check that are asked for again of the same model."""


def calls_left(state: State) -> CallsLeft | None:
    """Calls from here to the close; None when the options set no last round.

    Counts of the memory are those of folds that texts may or may not make necessary: none at
    best, and at worst every line of both histories is folded by itself.
    """
    least = _to_the_ruling(state)
    last = last_round(state)
    if last is None:
        return None
    is_over = state.phase in ("closing", "closed", "told")
    rounds = 0 if is_over else max(0, last - state.round)
    longest = least + _times(_round(state), rounds)
    return CallsLeft(least=dict(least), longest=dict(longest), most=dict(_at_worst(state, longest)))


def last_round(state: State) -> int | None:
    """The round after which no debate of these rules goes on; None when there is no such round.

    Counts that start anew with every moderator (`fresh`) end with the last model of the chain,
    if one moderator rules alone; copies that count for themselves may never agree.
    """
    rules = state.rules
    limits = [] if rules.hard_limit is None else [rules.hard_limit + 1]
    if not rules.fresh_counter:
        limits.append(rules.round_limit)
    elif rules.panel_rule == "single":
        limits.append(rules.round_limit * (1 + _fallbacks(state)))
    return min(limits, default=None)


def _fallbacks(state: State) -> int:
    cast = state.opened.cast
    return max((len(cast[role].fallback) for role in CHECKS if role in cast), default=0)


def _round(state: State) -> Counter[str]:
    """A whole round from draft to ruling, in whatever order."""
    helped = state.opened.condition != NO_HELPER
    utterances = Counter({PERSUADER: 1, HELPER: int(helped), DEBATER: 1})
    return +utterances + _checks(state)


def _checks(state: State) -> Counter[str]:
    is_replaced = state.options.fallback_panel == "single" and any(state.ranks)
    return Counter(dict.fromkeys(CHECKS, 1 if is_replaced else state.options.moderator_panel))


def _to_the_ruling(state: State) -> Counter[str]:
    """What is needed before this round can be ruled on."""
    is_late = state.options.check_timing == "after_persuader"
    helped = Counter({HELPER: int(state.opened.condition != NO_HELPER)})
    draft = Counter({PERSUADER: 1}) + helped
    reply, checks = Counter({DEBATER: 1}), _checks(state)
    match state.phase:
        case "opening" | "debater":
            # Of the first round the opening is the persuader's part.
            return reply + checks + (draft if is_late else Counter())
        case "draft" | "help" | "rescue":
            left = {"draft": draft, "help": helped, "rescue": Counter[str]()}[state.phase]
            return +left + checks + (Counter() if is_late else reply)
        case "checks":
            return Counter(call.role for call in state.calls if not call.is_settled)
        case "ruling" | "closing" | "closed" | "told":
            return Counter()


def _at_worst(state: State, calls: Counter[str]) -> Counter[str]:
    """Every answer but the last that can be asked for again is asked for again."""
    folds = _folds(state, calls)
    tries = {
        PERSUADER: 1 + RE_ASKS,
        DEBATER: 1 + RE_ASKS,
        HELPER: 1 + RE_ASKS + _REFORMATS,
        **{role: _tries_of_check(state, role) for role in CHECKS},
    }
    most = Counter({role: count * tries[role] for role, count in calls.items()})
    for role in (PERSUADER, DEBATER):
        if most[role]:
            most[role] += folds  # a provider may find a prompt too long, which is a call
    if most[HELPER]:
        most[HELPER] += folds
    # A memory prompt that is too long itself is halved, and asked for once more each time.
    halvings = (_lines(state, calls)).bit_length()
    most[MEMORY] = folds * (1 + RE_ASKS + halvings)
    return most


def _tries_of_check(state: State, role: str) -> int:
    binding = state.opened.cast.get(role)
    models = 1 + (len(binding.fallback) if binding is not None else 0)
    return models * (1 + RE_ASKS + _DECLINES)


def _folds(state: State, calls: Counter[str]) -> int:
    """Each takes a line or more out of one of two histories, of which the first always stays."""
    if state.folding is None and not (calls[PERSUADER] or calls[DEBATER] or calls[HELPER]):
        return 0  # checks keep no history
    return 2 * max(0, _lines(state, calls) - 1)


def _lines(state: State, calls: Counter[str]) -> int:
    return len(state.moderated) + calls[PERSUADER] + calls[DEBATER]


def _times(calls: Counter[str], number: int) -> Counter[str]:
    return Counter({role: count * number for role, count in calls.items() if number})
