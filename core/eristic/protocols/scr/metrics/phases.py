"""Which phase each turn of an episode belongs to, and what its calls took."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from eristic.debate import RulingMade, TurnFailed, TurnSpoken
from eristic.protocols.reports import Recorded
from eristic.protocols.scr.names import (
    COMPARER,
    CRITICS,
    CRITIQUE_POLICY,
    PLACEBO_POLICY,
    REPAIR_POLICY,
    SUGGESTER,
)

__all__ = ["PHASES", "REPAIR_PHASES", "SCR_PHASES", "Call", "calls_of"]

SCR_PHASES: Final = ("suggest", "critique", "reflect")
PLACEBO_PHASE: Final = "reflect on placebo"
REPAIR_PHASES: Final = ("refine", "compare", "critique again", "reflect again")
PHASES: Final = (*SCR_PHASES, PLACEBO_PHASE, *REPAIR_PHASES)


class Call(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One ask of a model, answered or not; asking again is another one."""

    turn: int
    phase: str
    is_answered: bool
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float | None = None
    """None when nobody measured it."""
    is_cut: bool = False
    """The text was cut off at its length."""


def calls_of(one: Recorded) -> tuple[Call, ...]:
    """Calls of this episode; those that a branch took over from its source were not made again."""
    phases = _phases(one)
    return tuple(
        _call(event, phases[event.turn])
        for event in one.own_events
        if isinstance(event, TurnFailed)
        or (isinstance(event, TurnSpoken) and event.call is not None)
        if event.turn in phases
    )


def _call(event: TurnSpoken | TurnFailed, phase: str) -> Call:
    served = event.call if isinstance(event, TurnSpoken) else None
    if served is None:
        return Call(turn=event.turn, phase=phase, is_answered=False)
    return Call(
        turn=event.turn,
        phase=phase,
        is_answered=True,
        tokens_in=served.tokens_in,
        tokens_out=served.tokens_out,
        seconds=served.latency_s or None,
        is_cut=served.finish == "length",
    )


def _phases(one: Recorded) -> dict[int, str]:
    """Turn -> phase: as rulings say, and of turns that no ruling looked at yet, as they look."""
    told = {turn: phase for ruling in one.rulings() for turn, phase in _ruled(ruling)}
    found: dict[int, str] = {}
    is_repair = False
    for turn, event in sorted(one.last_attempts().items()):
        phase = told.get(turn) or _looks(event, is_first=not found, is_repair=is_repair)
        is_repair = is_repair or phase == "refine"
        if phase:
            found[turn] = phase
    return found


def _ruled(ruling: RulingMade) -> Iterator[tuple[int, str]]:
    """Phases of the turns that a ruling looked at, but for the text that it is about."""
    again = " again" if ruling.round else ""
    match ruling.policy:
        case policy if policy == CRITIQUE_POLICY:
            names: tuple[str, ...] = (f"critique{again}", f"reflect{again}")
            yield from zip(ruling.inputs[1:], names, strict=False)
        case policy if policy == PLACEBO_POLICY:
            yield from ((turn, PLACEBO_PHASE) for turn in ruling.inputs[2:])
        case policy if policy == REPAIR_POLICY:
            yield from ((turn, "refine") for turn in ruling.inputs[:1])
            yield from ((turn, "compare") for turn in ruling.inputs[1:])
        case _:
            return


def _looks(event: TurnSpoken | TurnFailed, *, is_first: bool, is_repair: bool) -> str:
    """Phase of a turn by who spoke and how it was read; empty for what no model says."""
    again = " again" if is_repair else ""
    if event.role in CRITICS:
        return f"critique{again}"
    if event.role == COMPARER:
        return "compare"
    if event.role != SUGGESTER:
        return ""
    if is_first:
        return "suggest"
    reading = event.reading if isinstance(event, TurnSpoken) else None
    parser = reading.parser if reading is not None else ""
    if parser.startswith("scr-comparison"):
        return "compare"
    return f"reflect{again}" if "reflection" in parser else "refine"
