"""How often, how long and after which failures a model is asked again.

This is the only place that retries a model call; whatever lies below is told not to.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

import msgspec

from eristic.debate import FailedAttempt

__all__ = ["AttemptFailed", "GaveUp", "Kept", "RetryPolicy", "Wait", "attempt"]

T = TypeVar("T")

Wait = Callable[[float], Awaitable[None]]
"""Pauses for that many seconds."""

_PASSING = frozenset({"timeout", "connect", "rate_limit", "server"})


class RetryPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds of one model call. The default is the one of the LOGICOM experiment: 5 attempts."""

    retries: int = 4
    """Attempts after the first one."""
    waits_s: tuple[float, ...] = (2.0, 2.0, 5.0, 5.0)
    """Pause before each retry; the last one stands for all further ones."""
    attempt_deadline_s: float = 120.0
    """For one attempt, from connecting to the last byte."""
    total_deadline_s: float = 600.0
    """For all attempts and pauses of a call."""
    retry_after_cap_s: float = 60.0
    """Longest pause that a provider may ask for."""

    def pause_s(self, retry: int, retry_after_s: float | None) -> float:
        """Pause before retry number `retry` (from 0): the provider's wish if it is longer."""
        planned = self.waits_s[min(retry, len(self.waits_s) - 1)] if self.waits_s else 0.0
        return max(planned, min(retry_after_s or 0.0, self.retry_after_cap_s))


class AttemptFailed(Exception):
    """One attempt gave no reply. The message is free of secrets."""

    def __init__(self, error: str, message: str, *, retry_after_s: float | None = None) -> None:
        self.error = error
        """As in FailedAttempt.error."""
        self.message = message
        self.retry_after_s = retry_after_s
        super().__init__(message)


class Kept(msgspec.Struct, Generic[T], frozen=True):
    """What a call gave in the end, and what went wrong before."""

    value: T
    latency_s: float
    failed: tuple[FailedAttempt, ...]


class GaveUp(Exception):
    """No attempt gave a reply, or the failure is not one that passes."""

    def __init__(self, failed: tuple[FailedAttempt, ...]) -> None:
        self.failed = failed
        super().__init__(failed[-1].message)


async def attempt(
    call: Callable[[], Awaitable[T]], policy: RetryPolicy, *, wait: Wait = asyncio.sleep
) -> Kept[T]:
    """Call until there is a reply or the policy's bounds are reached.

    call: one attempt; raises AttemptFailed. Timeouts, refused connections, rate limits and
    server errors are tried again, nothing else. Raises GaveUp with every attempt.
    """
    failed: list[FailedAttempt] = []
    spent_s = 0.0
    while True:
        left_s = policy.total_deadline_s - spent_s
        started = time.perf_counter()
        try:
            value = await _within(call, min(policy.attempt_deadline_s, left_s))
        except AttemptFailed as error:
            failure = error
        else:
            return Kept(value, time.perf_counter() - started, tuple(failed))
        latency_s = time.perf_counter() - started
        pause_s = policy.pause_s(len(failed), failure.retry_after_s)
        spent_s += latency_s + pause_s
        again = (
            failure.error in _PASSING
            and len(failed) < policy.retries
            and spent_s < policy.total_deadline_s
        )
        failed.append(
            FailedAttempt(
                error=failure.error,
                latency_s=latency_s,
                waited_s=pause_s if again else 0.0,
                message=failure.message,
            )
        )
        if not again:
            break
        await wait(pause_s)
    # Raised outside of the handler: the provider's exception holds unscrubbed text.
    raise GaveUp(tuple(failed))


async def _within(call: Callable[[], Awaitable[T]], deadline_s: float) -> T:
    """One attempt under its deadline, which covers connecting and reading alike."""
    deadline = asyncio.timeout(deadline_s)
    try:
        async with deadline:
            return await call()
    except TimeoutError:
        if not deadline.expired():
            raise
    raise AttemptFailed("timeout", f"no complete answer within {deadline_s:g} s")
