"""What became of appends that the server never acknowledged: read, do not guess."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence

from eristic.bus._appends import Append
from eristic.bus._link import Link
from eristic.bus.reader import Stored, last_sequence, next_events
from eristic.debate.errors import BusUnavailable, LogDamaged, StalePosition

__all__ = ["ReadBack", "too_late"]

_AT_ONCE = 64
_TRIES_BEFORE_DOUBT = 2


class ReadBack:
    """Settles appends by the events that follow the one they build on.

    Ours: they are stored. None: `send_again`. Others: another writer was faster. Only the first
    of several: the server died while it committed them, and the rest is sent again.
    """

    def __init__(self, link: Link, stream: str, *, send_again: Callable[[Append], None]) -> None:
        self.count = 0
        """Appends looked up so far."""
        self._link = link
        self._stream = stream
        self._send_again = send_again
        self._loop = asyncio.get_running_loop()
        self._gate = asyncio.Semaphore(_AT_ONCE)
        self._adrift: list[Append] = []
        self._tasks: dict[asyncio.Task[None], Append] = {}

    @property
    def appends(self) -> list[Append]:
        """Those that are not settled yet."""
        return [*self._adrift, *self._tasks.values()]

    def settle(self, appends: Iterable[Append]) -> None:
        """Settle now, or when the connection is back."""
        for append in appends:
            if append.done.done():
                continue
            if self._link.is_connected:
                task = self._loop.create_task(self._settle(append))
                self._tasks[task] = append
                task.add_done_callback(self._on_settled)
            else:
                self._adrift.append(append)

    def on_back(self) -> None:
        """The connection is back."""
        adrift, self._adrift = self._adrift, []
        self.settle(adrift)

    def close(self) -> None:
        """Look no further."""
        for task in self._tasks:
            task.cancel()
        self._adrift.clear()

    def _on_settled(self, task: asyncio.Task[None]) -> None:
        append = self._tasks.pop(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            append.fail(error)

    async def _settle(self, append: Append) -> None:
        append.tries += 1
        if append.tries > 1:
            await asyncio.sleep(min(0.02 * append.tries, 0.5))
        async with self._gate:
            try:
                found = await self._read(append)
                if not found:
                    await self._check_not_lost(append)
            except (TimeoutError, ConnectionError) as error:
                if self._link.is_closed or self._loop.time() > append.deadline:
                    raise too_late(append, self._link) from error
                self.settle((append,))
                return
        self._judge(append, found)

    async def _read(self, append: Append) -> Sequence[Stored]:
        self.count += 1
        return await next_events(
            self._link,
            self._stream,
            append.subject.decode(),
            after=append.after,
            count=len(append.stored),
        )

    def _judge(self, append: Append, found: Sequence[Stored]) -> None:
        if not found:
            self._send_again(append)
        elif append.unsure and _is_beginning(found, append.stored):
            append.after = found[-1].sequence
            append.stored = append.stored[len(found) :]
            append.expected += len(found)
            if append.stored:
                self._send_again(append)
            else:
                append.store(append.after)
        else:
            raise StalePosition(episode=append.episode, expected=append.expected, actual=None)

    async def _check_not_lost(self, append: Append) -> None:
        """The event we build on must still be there; asked of the leader, a replica may lag."""
        if append.tries <= _TRIES_BEFORE_DOUBT or not append.after:
            return
        newest = await last_sequence(self._link, self._stream, append.subject.decode())
        if newest < append.after:
            raise LogDamaged(
                f"the stream at {self._link.where} has lost events of episode "
                f"{append.episode}: position {append.expected - 1} was stored and is gone. "
                "Stop writing; run `eristic verify`, then restore the run from its archive"
            )


def too_late(append: Append, link: Link) -> BusUnavailable:
    """The deadline passed and nobody knows."""
    trouble = f" ({link.last_trouble})" if link.last_trouble else ""
    return BusUnavailable(
        f"NATS at {link.where} did not say whether events of episode {append.episode} "
        f"from position {append.expected} are stored{trouble}; run `eristic doctor`, then "
        "resume the run: it reads the log again and goes on from there"
    )


def _is_beginning(found: Sequence[Stored], stored: Sequence[bytes]) -> bool:
    return all(event.payload == ours for event, ours in zip(found, stored, strict=False))
