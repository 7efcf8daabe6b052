"""One turn of a story: what a role is asked for, and what came of it."""

from __future__ import annotations

from typing import Literal

import msgspec

from eristic.debate import (
    ContextOverflowed,
    Expected,
    Reading,
    Served,
    Setting,
    TurnFailed,
    TurnSpoken,
    View,
)

__all__ = ["Asked", "Heard", "Status", "TurnAnswer", "hear"]

Status = Literal["spoke", "unreadable", "empty", "refused", "failed", "overflow"]

TurnAnswer = TurnSpoken | TurnFailed | ContextOverflowed
"""How one attempt at a turn stands in the log."""


class Asked(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One turn that a role is asked for."""

    role: str
    view: View
    parser: str = ""
    """Name in the protocol's `parsers`; empty when the text stands as it is."""
    expected: Expected = Expected()
    params: dict[str, Setting] = {}
    """Sampling of this turn, where the cast says nothing else."""
    attempts: int = 1
    """Times that one model is asked the same before its answer counts as missing (count)."""
    follows_chain: bool = False
    """After that the next model of the role's fallback chain is asked."""
    takes_refusal: bool = False
    """A refusal is an answer like any other."""
    takes_empty: bool = False
    """An empty text is an answer like any other."""


class Heard(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What came of a turn."""

    turn: int
    role: str
    status: Status
    """Of the last attempt. spoke: it can be used."""
    text: str = ""
    """Raw; empty when there is none."""
    reading: Reading | None = None
    call: Served | None = None
    attempts: int = 1
    """Answers that were asked for, this one among them (count)."""
    rank: int = 0
    """Model of the chain that gave it."""
    error: str = ""
    """Class of the failure when the status is failed."""

    @property
    def is_read(self) -> bool:
        """It can be used: a text, and with a parser one that could be read."""
        return self.status == "spoke"

    @property
    def value(self) -> str:
        """What was read; without a parser the text."""
        if self.reading is None:
            return self.text
        return self.reading.value or ""

    @property
    def cause(self) -> str:
        """Why it is missing: unreadable, empty, refused, failed, context_overflow."""
        return "context_overflow" if self.status == "overflow" else self.status


def hear(answer: TurnAnswer, asked: Asked, *, attempts: int, rank: int) -> Heard:
    """What an attempt came to. attempts: answers that were asked for, this one among them."""
    if isinstance(answer, TurnSpoken):
        return Heard(
            turn=answer.turn,
            role=answer.role,
            status=_status(answer, asked),
            text=answer.text,
            reading=answer.reading,
            call=answer.call,
            attempts=attempts,
            rank=rank,
        )
    is_failed = isinstance(answer, TurnFailed)
    return Heard(
        turn=answer.turn,
        role=answer.role,
        status="failed" if is_failed else "overflow",
        attempts=attempts,
        rank=rank,
        error=answer.error if isinstance(answer, TurnFailed) else "",
    )


def _status(spoken: TurnSpoken, asked: Asked) -> Status:
    reading = spoken.reading
    if spoken.call is not None and spoken.call.refusal and not asked.takes_refusal:
        return "refused"
    if not spoken.text.strip() and not asked.takes_empty:
        return "empty"
    if reading is None or reading.status == "read":
        return "spoke"
    if reading.status == "refused":
        return "spoke" if asked.takes_refusal else "refused"
    if reading.status == "empty":
        return "spoke" if asked.takes_empty else "empty"
    return "unreadable"
