from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Protocol

import msgspec

from eristic.debate import Answer, Ask, Expected, FailedAttempt, Served, Setting
from eristic.debate.prompting import Message, digest


class Clock(Protocol):
    """Wall time for envelopes. Decisions never see it."""

    def now(self) -> datetime:
        """UTC, with time zone."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class FixedClock:
    """A clock that a test sets; each reading is `step` later than the one before."""

    def __init__(self, start: datetime, step: timedelta = timedelta(0)) -> None:
        self._next = start
        self._step = step

    def now(self) -> datetime:
        moment = self._next
        self._next += self._step
        return moment


class EpisodeLog(Protocol):
    """The journal: one chain of stored bytes an episode, appended to by position only."""

    async def read(self, episode: str) -> list[bytes]:
        """Stored bytes of one chain in order; empty when there is none.

        Raises BusUnavailable, LogMissing when there is no run.
        """
        ...

    async def append(self, episode: str, stored: Sequence[bytes], *, expected: int) -> None:
        """Append to the end of a chain; returns when all of it is durable.

        expected: position of the first of these events, which must be the chain's length.
        All or nothing for one call. Raises StalePosition when the chain is longer (another
        writer), MessageTooLarge, BusRefused (permissions, full disk), BusUnavailable when the
        outcome could not be learnt before the deadline. After an error the caller reads the
        chain again before it appends again.
        """
        ...

    def records(self) -> AsyncIterator[tuple[str, bytes]]:
        """(episode, stored bytes) of the whole run in log order, up to now."""
        ...


class Courier(Protocol):
    """A director's way to the roles."""

    def ask(self, ask: Ask) -> Awaitable[Answer]:
        """The answer of whoever serves the role.

        Awaiting it waits as long as it takes: resends (with `repeat`) while nobody has answered,
        so that a role that died and came back is found. Answers of another epoch, turn or attempt
        are not given to the caller. Raises BusRefused when publishing is not permitted.
        """
        ...


class AskHandler(Protocol):
    """What a role does with an ask, whatever brought it."""

    async def answer(self, ask: Ask) -> Answer:
        """Act once. A repeated ask joins the running call or gets the stored answer."""
        ...

    def holds(self, call_id: str) -> bool:
        """True while this call is running here or its answer is stored here."""
        ...


class RoleDoor(Protocol):
    """A role's way to the directors."""

    async def serve(self, role: str, handler: AskHandler) -> None:
        """Answer the asks of a role with the handler, many at once, until drained.

        All servers of a role form one group: each ask goes to one of them. A repeated ask that
        this handler does not hold is first offered to its peers, so that a call that runs or is
        stored in another shard is not paid for again.
        """
        ...

    async def drain(self) -> None:
        """Take no more asks, finish those in flight, then leave."""
        ...


class ModelRequest(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One call of a model, as it will be sent."""

    model: str
    messages: tuple[Message, ...]
    params: dict[str, Setting]
    seed: int
    expected: Expected
    api_base: str | None = None
    constrain: str = "none"
    call_id: str = ""


class ModelReply(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What came back, in the terms of every provider."""

    text: str
    model: str
    """As served."""
    finish: str = "stop"
    refusal: bool = False
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int | None = None
    latency_s: float = 0.0
    failed: tuple[FailedAttempt, ...] = ()
    cleaned: bool = False

    def served(self, messages: tuple[Message, ...]) -> Served:
        """The facts of this call as an event keeps them.

        messages: the prompt as sent; its digest stands for it.
        """
        return Served(
            model=self.model,
            prompt=digest(messages),
            tokens_in=self.tokens_in,
            tokens_out=self.tokens_out,
            tokens_cached=self.tokens_cached,
            finish=self.finish,
            refusal=self.refusal,
            latency_s=round(self.latency_s, 4),
            failed=self.failed,
            cleaned=self.cleaned,
        )


class Model(Protocol):
    """A way to call models. Owns all retries; there is no other layer that retries."""

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Raises ModelFailed (with `.error`, `.failed`), ModelUnknown, CredentialMissing."""
        ...
