"""The log writer: everything that is to be appended goes through one of these a process.

With `sync_interval: always` the server makes every message durable by its own fsync, and an
atomic batch by a few for all of its messages. So little that waits is published message by
message, much of it as one batch. A batch is opened by its first message; while the server makes
room for it (that takes longest), more may join, and the last message commits it.

What the server never acknowledged is read back once the connection is there again (`_readback`).
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable

import msgspec

from eristic.bus._appends import NO_LEADER, Append, Batch, Costs, Problem, read_ack
from eristic.bus._link import Link, publish_bytes_with_headers
from eristic.bus._readback import ReadBack, too_late
from eristic.debate.errors import BusRefused, BusUnavailable

__all__ = ["LogWriter", "WriterStats"]

_WRONG_SEQUENCE = (10071, 10164)
_NO_SPACE = ("space", "insufficient", "resource", "maximum bytes", "storage")


class WriterStats(msgspec.Struct):
    """What one writer did; counts since it began."""

    singles: int = 0
    batches: int = 0
    batched_events: int = 0
    read_back: int = 0


class _Flight:
    """Something that was sent and is not yet acknowledged."""

    __slots__ = ("address", "appends", "sent_at")

    def __init__(self, appends: list[Append], sent_at: float) -> None:
        self.appends = appends
        self.sent_at = sent_at
        self.address = b""


class LogWriter:
    """Publishes the appends of one process to one stream; see the module's text."""

    def __init__(
        self,
        link: Link,
        stream: str,
        *,
        acknowledged_in_s: float = 5.0,
    ) -> None:
        self._stats = WriterStats()
        self._link = link
        self._costs = Costs()
        self._patience_s = acknowledged_in_s
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Append] = deque()
        self._flights: dict[bytes, _Flight] = {}
        self._batch: Batch | None = None
        self._read_back = ReadBack(link, stream, send_again=self._send_again)
        self._pump_due = False
        self._watch: asyncio.TimerHandle | None = None
        self._batch_number = 0
        self._name = secrets.token_hex(4).encode()
        self._broken: BaseException | None = None
        link.lost.append(self._on_lost)
        link.connected_again.append(self._on_back)
        link.refused.append(self._on_refused)

    def close(self) -> None:
        """Take no more; whoever still waits gets BusUnavailable."""
        self._link.lost.remove(self._on_lost)
        self._link.connected_again.remove(self._on_back)
        self._link.refused.remove(self._on_refused)
        self._fail_all(BusUnavailable("the log was closed while events were being appended"))

    @property
    def stats(self) -> WriterStats:
        """Counts so far."""
        self._stats.read_back = self._read_back.count
        return self._stats

    def submit(self, append: Append) -> None:
        """Append when the loop gets to it; the append's future tells what came of it.

        Raises BusUnavailable when the writer broke or was closed.
        """
        if self._broken is not None:
            raise BusUnavailable("the log writer has stopped") from self._broken
        self._waiting.append(append)
        self._pump_soon()
        if self._watch is None:
            self._watch = self._loop.call_later(0.5, self._look_at_the_clock)

    # -- sending

    def _pump_soon(self) -> None:
        if not self._pump_due:
            self._pump_due = True
            self._loop.call_soon(self._guarded, self._pump)

    def _guarded(self, step: Callable[[], None]) -> None:
        """A fault of the writer fails everybody who waits for it, rather than nobody."""
        try:
            step()
        except Exception as error:
            self._fail_all(error)

    def _pump(self) -> None:
        self._pump_due = False
        waiting = self._waiting
        while waiting and self._batch is None and self._link.is_connected:
            count = len(waiting)
            if count > self._costs.few or any(len(append.stored) > 1 for append in waiting):
                self._open_batch()
            elif count + len(self._flights) <= self._costs.few:
                while waiting:
                    append = waiting.popleft()
                    if not append.done.done():  # else its caller gave it up
                        self._send_single(append)
            else:
                return  # the next acknowledgement pumps again

    def _send_single(self, append: Append) -> None:
        flight = self._launch([append], self._on_single)
        headers = b"NATS/1.0\r\nNats-Expected-Last-Subject-Sequence: %d\r\n\r\n" % append.after
        self._link.send(
            publish_bytes_with_headers(append.subject, flight.address, headers, append.stored[0])
        )
        self._stats.singles += 1

    def _launch(
        self, appends: list[Append], heard: Callable[[_Flight, bytes, bytes], None]
    ) -> _Flight:
        flight = _Flight(appends, self._loop.time())
        flight.address = self._link.expect(
            lambda payload, headers: self._guarded(lambda: heard(flight, payload, headers))
        )
        self._flights[flight.address] = flight
        return flight

    def _land(self, flight: _Flight) -> None:
        """Nothing more is expected for it."""
        self._link.forget(flight.address)
        self._flights.pop(flight.address, None)

    def _open_batch(self) -> None:
        self._batch_number += 1
        batch = self._batch = Batch(b"%b-%d" % (self._name, self._batch_number))
        self._take_what_waits(batch)
        if not batch.appends:
            self._batch = None
            return
        flight = self._launch(batch.appends, lambda *heard: self._on_opened(batch, *heard))
        self._send_next(batch, flight.address)
        while len(batch.unsent) > 1:  # the last one commits
            self._send_next(batch)

    def _take_what_waits(self, batch: Batch) -> None:
        waiting = self._waiting
        while waiting and batch.has_room_for(waiting[0]):
            append = waiting.popleft()
            if not append.done.done():
                batch.take(append)

    def _send_next(self, batch: Batch, reply: bytes = b"", more: bytes = b"") -> None:
        subject, headers, payload = batch.unsent.popleft()
        self._link.send(
            publish_bytes_with_headers(subject, reply, headers + more + b"\r\n", payload)
        )

    def _commit(self, batch: Batch, began_at: float) -> None:
        self._batch = None
        self._stats.batches += 1
        self._stats.batched_events += batch.events
        flight = self._launch(batch.appends, self._on_committed)
        flight.sent_at = began_at
        while len(batch.unsent) > 1:
            self._send_next(batch)
        self._send_next(batch, flight.address, b"Nats-Batch-Commit: 1\r\n")

    # -- what the server says

    def _on_single(self, flight: _Flight, payload: bytes, headers: bytes) -> None:
        self._land(flight)
        self._costs.single_landed(flight.sent_at, self._loop.time())
        self._pump_soon()
        ack = read_ack(payload, headers)
        if ack.error is not None:
            self._rejected(flight.appends, ack.error)
        else:
            flight.appends[0].store(ack.seq)

    def _on_opened(self, batch: Batch, flight: _Flight, payload: bytes, headers: bytes) -> None:
        self._land(flight)
        if payload or headers:
            self._batch = None
            self._pump_soon()
            self._rejected(batch.appends, read_ack(payload, headers).error or Problem())
            return
        self._take_what_waits(batch)
        self._commit(batch, flight.sent_at)
        self._pump_soon()

    def _on_committed(self, flight: _Flight, payload: bytes, headers: bytes) -> None:
        self._land(flight)
        self._costs.batch_landed(flight.sent_at, self._loop.time())
        self._pump_soon()
        ack = read_ack(payload, headers)
        if ack.error is not None:
            self._rejected(flight.appends, ack.error)
            return
        sequence = ack.seq  # of the last event; a batch lies in the stream without gaps
        for append in reversed(flight.appends):
            append.store(sequence)
            sequence -= len(append.stored)

    def _rejected(self, appends: list[Append], problem: Problem) -> None:
        """Nothing of a rejected batch is stored; which append it was about must be found out."""
        text = problem.description.lower()
        if problem.err_code in (*_WRONG_SEQUENCE, NO_LEADER) or "batch" in text:
            self._read_back.settle(appends)
            return
        hint = (
            "free disk space on the server or raise JetStream's limits, then resume the run"
            if any(word in text for word in _NO_SPACE)
            else "see the server's log"
        )
        refusal = f"NATS at {self._link.where} does not store events: {problem.description}; {hint}"
        for append in appends:
            append.fail(BusRefused(refusal))

    def _on_refused(self, text: str) -> None:
        """The server refuses a subject: a user without the right to write logs."""
        if "publish" not in text:
            return
        flying = [append for flight in self._flights.values() for append in flight.appends]
        for append in flying:
            if f'"{append.subject.decode().lower()}"' in text:
                append.fail(
                    BusRefused(
                        f"this NATS user may not write the log of episode {append.episode} "
                        f"at {self._link.where}; only directors may. Connect as a director"
                    )
                )
        for flight in list(self._flights.values()):
            if all(append.done.done() for append in flight.appends):
                self._land(flight)
                self._batch = None
        self._pump_soon()

    # -- what the server never said

    def _on_lost(self) -> None:
        self._give_up_on(list(self._flights.values()))
        if self._link.is_closed:
            self._fail_all(BusUnavailable(f"the connection to {self._link.where} was closed"))

    def _give_up_on(self, flights: list[_Flight]) -> None:
        """No acknowledgement will come: what they carried may be stored or not."""
        for flight in flights:
            self._land(flight)
            self._batch = None
            for append in flight.appends:
                append.unsure = True
            self._read_back.settle(flight.appends)

    def _on_back(self) -> None:
        self._read_back.on_back()
        self._pump_soon()

    def _send_again(self, append: Append) -> None:
        self._waiting.append(append)
        self._pump_soon()

    def _look_at_the_clock(self) -> None:
        """One timer for all deadlines, twice a second while anything is under way."""
        self._watch = None
        now = self._loop.time()
        overdue = now - self._patience_s
        self._give_up_on([f for f in self._flights.values() if f.sent_at < overdue])
        for append in self._unfinished():
            if now > append.deadline:
                append.fail(too_late(append, self._link))
        self._waiting = deque(append for append in self._waiting if not append.done.done())
        if any(not append.done.done() for append in self._unfinished()):
            self._watch = self._loop.call_later(0.5, self._look_at_the_clock)
        self._pump_soon()

    # -- the end

    def _unfinished(self) -> list[Append]:
        flying = [append for flight in self._flights.values() for append in flight.appends]
        return [*self._waiting, *flying, *self._read_back.appends]

    def _fail_all(self, error: Exception) -> None:
        self._broken = error
        for append in self._unfinished():
            append.fail(error)
        for flight in list(self._flights.values()):
            self._land(flight)
        self._read_back.close()
        self._waiting.clear()
        self._batch = None
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
