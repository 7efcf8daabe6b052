"""Roles and directors in one process: the same contract without a bus between them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

from eristic.debate import Answer, Ask
from eristic.debate.errors import BusRefused
from eristic.ports import AskHandler, Courier

__all__ = ["InlineExchange", "Switchboard"]


class InlineExchange:
    """Courier and door at once: an ask is a call of the role's handler.

    Satisfies `Courier` and `RoleDoor`. Several handlers may serve a role; asks go to them in
    turn, and a repeated ask goes to the one that holds it.
    """

    def __init__(self) -> None:
        self._handlers: dict[str, list[AskHandler]] = {}
        self._turns: dict[str, int] = {}
        self._in_flight = 0
        self._idle: asyncio.Event | None = None
        """Set when nothing is in flight; there only while draining."""

    async def serve(self, role: str, handler: AskHandler) -> None:
        """Add a handler to the role's group."""
        self._handlers.setdefault(role, []).append(handler)

    def serves(self, role: str) -> bool:
        """True when somebody in this process serves the role."""
        return role in self._handlers

    async def ask(self, ask: Ask) -> Answer:
        """The answer of one handler of the role.

        Raises BusRefused when nobody serves the role: nobody can join later in one process.
        """
        handler = self._choose(ask)
        self._in_flight += 1
        try:
            return await handler.answer(ask)
        finally:
            self._in_flight -= 1
            if self._idle is not None and not self._in_flight:
                self._idle.set()

    def _choose(self, ask: Ask) -> AskHandler:
        group = self._handlers.get(ask.role)
        if not group or self._idle is not None:
            raise BusRefused(f"nobody serves the role {ask.role!r} in this process")
        if len(group) == 1:
            return group[0]
        if ask.repeat:
            for handler in group:
                if handler.holds(ask.call_id):
                    return handler
        turn = self._turns.get(ask.role, 0)
        self._turns[ask.role] = turn + 1
        return group[turn % len(group)]

    async def drain(self) -> None:
        """Take no more asks; returns when those in flight are answered."""
        self._idle = self._idle or asyncio.Event()
        if self._in_flight:
            await self._idle.wait()


class Switchboard:
    """`Courier` of a process that serves some roles itself: the others are asked elsewhere."""

    def __init__(self, here: InlineExchange, elsewhere: Courier) -> None:
        self._here = here
        self._elsewhere = elsewhere

    def ask(self, ask: Ask) -> Awaitable[Answer]:
        """The answer of whoever serves the role; see Courier."""
        courier: Courier = self._here if self._here.serves(ask.role) else self._elsewhere
        return courier.ask(ask)
