"""The log writer: everything that is to be appended goes through one of these a process.

With `sync_interval: always` the server makes every message durable by its own fsync, and an
atomic batch by a few for all of its messages. So little that waits is published message by
message, much of it as one batch. A batch is opened by its first message; while the server makes
room for it (that takes longest), more may join, and the last message commits it.

What the server never acknowledged is not guessed: once the connection is back, the next event of
the episode after the one we built on is read. If it holds our bytes they were stored, if there
is none they were not and are sent again, if it holds others another writer was faster. If it
holds only the first of several, the server died while it committed them: the rest follows.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Sequence

import msgspec

from eristic.bus._link import (
    Link,
    is_status,
    publish_bytes_with_headers,
)
from eristic.bus.reader import Stored, last_event, next_events
from eristic.debate.errors import (
    BusRefused,
    BusUnavailable,
    LogDamaged,
    StalePosition,
)

__all__ = ["Append", "LogWriter", "WriterStats"]

MOST_EVENTS = 1000
"""The server's limit for one atomic batch (error 10199 above it)."""

_MOST_BYTES = 8 << 20
_WRONG_SEQUENCE = (10071, 10164)
_PASSING = (10008, 10201)  # no leader or overloaded; a batch with a message it knows already
_NO_SPACE = ("space", "insufficient", "resource", "maximum bytes", "storage")
HEADERS_BYTES = 200
"""Room that our own headers take of the server's limit for a message."""


class WriterStats(msgspec.Struct):
    """What one writer did; counts since it began."""

    singles: int = 0
    batches: int = 0
    batched_events: int = 0
    read_back: int = 0


class _Problem(msgspec.Struct):
    description: str = ""
    code: int = 0
    err_code: int = 0


class _Ack(msgspec.Struct):
    seq: int = 0
    error: _Problem | None = None


_ack_decoder = msgspec.json.Decoder(_Ack)


class Append:
    """Some events of one episode that are to be stored together."""

    __slots__ = (
        "after",
        "deadline",
        "done",
        "episode",
        "expected",
        "size",
        "stored",
        "subject",
        "tries",
        "unsure",
    )

    def __init__(
        self,
        *,
        episode: str,
        subject: bytes,
        stored: Sequence[bytes],
        after: int,
        expected: int,
        done: asyncio.Future[int],
        deadline: float,
    ) -> None:
        self.episode = episode
        self.subject = subject
        self.stored = stored
        self.after = after
        """Sequence of the episode's last event, 0 for none."""
        self.expected = expected
        self.done = done
        """Gets the sequence of the last event stored."""
        self.deadline = deadline
        self.size = sum(map(len, stored))
        self.unsure = False
        """It may have been stored without our knowing."""
        self.tries = 0


class _Batch:
    """A batch on its way to the server."""

    def __init__(self, name: bytes) -> None:
        self.name = name
        self.appends: list[Append] = []
        self.unsent: deque[tuple[bytes, bytes, bytes]] = deque()
        """Subject, header block without its end, payload."""
        self.events = 0
        self.bytes = 0

    def has_room_for(self, append: Append) -> bool:
        return (
            self.events + len(append.stored) <= MOST_EVENTS
            and self.bytes + append.size <= _MOST_BYTES
        ) or not self.appends

    def take(self, append: Append) -> None:
        self.appends.append(append)
        self.bytes += append.size
        for index, payload in enumerate(append.stored):
            self.events += 1
            headers = b"NATS/1.0\r\nNats-Batch-Id: %b\r\nNats-Batch-Sequence: %d\r\n" % (
                self.name,
                self.events,
            )
            if index == 0:  # the server takes this check for a subject's first message only
                headers += b"Nats-Expected-Last-Subject-Sequence: %d\r\n" % append.after
            self.unsent.append((append.subject, headers, payload))


class _Flight:
    """Something that was sent and is not yet acknowledged."""

    __slots__ = ("address", "appends", "sent_at")

    def __init__(self, appends: list[Append], sent_at: float) -> None:
        self.appends = appends
        self.sent_at = sent_at
        self.address = b""


class _Costs:
    """What a message by itself and a batch cost the server, as lately seen: disks differ much.

    An fsync takes 0.1 ms here and 4 ms there, a batch about six of them and 1.5 ms.
    """

    def __init__(self) -> None:
        self._single_s = 0.00017
        self._batch_s = 0.0021
        self._landed_at = 0.0

    @property
    def few(self) -> int:
        """Up to so many are published one by one."""
        return min(max(int(self._batch_s / self._single_s), 4), 64)

    def single_landed(self, sent_at: float, now: float) -> None:
        took_s = now - max(sent_at, self._landed_at)  # acknowledged one after the other
        self._single_s += (max(took_s, 1e-5) - self._single_s) / 32
        self._landed_at = now

    def batch_landed(self, began_at: float, now: float) -> None:
        self._batch_s += (now - max(began_at, self._landed_at) - self._batch_s) / 8
        self._landed_at = now


class LogWriter:
    """Publishes the appends of one process to one stream; see the module's text."""

    def __init__(
        self,
        link: Link,
        stream: str,
        *,
        acknowledged_in_s: float = 5.0,
    ) -> None:
        self.stats = WriterStats()
        self._link = link
        self._stream = stream
        self._costs = _Costs()
        self._patience_s = acknowledged_in_s
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Append] = deque()
        self._flights: dict[bytes, _Flight] = {}
        self._batch: _Batch | None = None
        self._adrift: list[Append] = []
        self._resolving: dict[asyncio.Task[None], Append] = {}
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
            if any(len(append.stored) > 1 for append in waiting) or count > self._costs.few:
                self._open_batch()
            elif count + len(self._flights) <= self._costs.few:
                while waiting:
                    self._send_single(waiting.popleft())
            else:
                return  # the next acknowledgement pumps again

    def _send_single(self, append: Append) -> None:
        flight = self._launch([append], self._on_single)
        headers = b"NATS/1.0\r\nNats-Expected-Last-Subject-Sequence: %d\r\n\r\n" % append.after
        self._link.send(
            publish_bytes_with_headers(append.subject, flight.address, headers, append.stored[0])
        )
        self.stats.singles += 1

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
        batch = self._batch = _Batch(b"%b-%d" % (self._name, self._batch_number))
        self._take_what_waits(batch)
        if not batch.appends:
            self._batch = None
            return
        flight = self._launch(batch.appends, lambda *heard: self._on_opened(batch, *heard))
        self._send_next(batch, flight.address)
        while len(batch.unsent) > 1:  # the last one commits
            self._send_next(batch)

    def _take_what_waits(self, batch: _Batch) -> None:
        waiting = self._waiting
        while waiting and batch.has_room_for(waiting[0]):
            append = waiting.popleft()
            if not append.done.done():
                batch.take(append)

    def _send_next(self, batch: _Batch, reply: bytes = b"", more: bytes = b"") -> None:
        subject, headers, payload = batch.unsent.popleft()
        self._link.send(
            publish_bytes_with_headers(subject, reply, headers + more + b"\r\n", payload)
        )

    def _commit(self, batch: _Batch, began_at: float) -> None:
        self._batch = None
        self.stats.batches += 1
        self.stats.batched_events += batch.events
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
        ack = _read_ack(payload, headers)
        if ack.error is not None:
            self._rejected(flight.appends, ack.error)
        else:
            _store(flight.appends[0], ack.seq)

    def _on_opened(self, batch: _Batch, flight: _Flight, payload: bytes, headers: bytes) -> None:
        self._land(flight)
        if payload or headers:
            self._batch = None
            self._pump_soon()
            self._rejected(batch.appends, _read_ack(payload, headers).error or _Problem())
            return
        self._take_what_waits(batch)
        self._commit(batch, flight.sent_at)
        self._pump_soon()

    def _on_committed(self, flight: _Flight, payload: bytes, headers: bytes) -> None:
        self._land(flight)
        self._costs.batch_landed(flight.sent_at, self._loop.time())
        self._pump_soon()
        ack = _read_ack(payload, headers)
        if ack.error is not None:
            self._rejected(flight.appends, ack.error)
            return
        sequence = ack.seq  # of the last event; a batch lies in the stream without gaps
        for append in reversed(flight.appends):
            _store(append, sequence)
            sequence -= len(append.stored)

    def _rejected(self, appends: list[Append], problem: _Problem) -> None:
        """Nothing of a rejected batch is stored; which append it was about must be found out."""
        text = problem.description.lower()
        if problem.err_code in _WRONG_SEQUENCE or problem.err_code in _PASSING or "batch" in text:
            self._resolve(appends, because=problem.description)
            return
        hint = (
            "free disk space on the server or raise JetStream's limits, then resume the run"
            if any(word in text for word in _NO_SPACE)
            else "see the server's log"
        )
        refusal = f"NATS at {self._link.where} does not store events: {problem.description}; {hint}"
        for append in appends:
            _fail(append, BusRefused(refusal))

    def _on_refused(self, text: str) -> None:
        """The server refuses a subject: a user without the right to write logs."""
        if "publish" not in text:
            return
        flying = [append for flight in self._flights.values() for append in flight.appends]
        for append in flying:
            if f'"{append.subject.decode().lower()}"' in text:
                _fail(
                    append,
                    BusRefused(
                        f"this NATS user may not write the log of episode {append.episode} "
                        f"at {self._link.where}; only directors may. Connect as a director"
                    ),
                )
        for flight in list(self._flights.values()):
            if all(append.done.done() for append in flight.appends):
                self._land(flight)
                self._batch = None
        self._pump_soon()

    # -- what the server never said

    def _on_lost(self) -> None:
        for flight in list(self._flights.values()):
            self._land(flight)
            self._adrift += flight.appends
        self._batch = None
        for append in self._adrift:
            append.unsure = True
        if self._link.is_closed:
            self._fail_all(BusUnavailable(f"the connection to {self._link.where} was closed"))

    def _on_back(self) -> None:
        adrift, self._adrift = self._adrift, []
        self._resolve(adrift, because="the connection was lost")
        self._pump_soon()

    def _look_at_the_clock(self) -> None:
        """One timer for all deadlines, twice a second while anything is under way."""
        self._watch = None
        now = self._loop.time()
        for flight in [f for f in self._flights.values() if now - f.sent_at > self._patience_s]:
            self._land(flight)
            self._batch = None
            for append in flight.appends:
                append.unsure = True
            self._resolve(flight.appends, because="no acknowledgement")
        for append in self._all():
            if now > append.deadline:
                _fail(append, self._too_late(append))
        self._waiting = deque(append for append in self._waiting if not append.done.done())
        self._adrift = [append for append in self._adrift if not append.done.done()]
        if self._flights or self._waiting or self._adrift or self._resolving:
            self._watch = self._loop.call_later(0.5, self._look_at_the_clock)
        self._pump_soon()

    def _too_late(self, append: Append) -> BusUnavailable:
        trouble = f" ({self._link.last_trouble})" if self._link.last_trouble else ""
        return BusUnavailable(
            f"NATS at {self._link.where} did not say whether events of episode {append.episode} "
            f"from position {append.expected} are stored{trouble}; run `eristic doctor`, then "
            "resume the run: it reads the log again and goes on from there"
        )

    def _resolve(self, appends: list[Append], *, because: str) -> None:
        """Find out for each one by reading, side by side but not all at once."""
        gate = asyncio.Semaphore(64)
        for append in appends:
            if not append.done.done():
                task = self._loop.create_task(self._read_back(append, gate, because))
                self._resolving[task] = append
                task.add_done_callback(self._on_resolved)

    def _on_resolved(self, task: asyncio.Task[None]) -> None:
        append = self._resolving.pop(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _fail(append, error)

    async def _read_back(self, append: Append, gate: asyncio.Semaphore, because: str) -> None:
        append.tries += 1
        if append.tries > 1:
            await asyncio.sleep(min(0.02 * append.tries, 0.5))
        async with gate:
            self.stats.read_back += 1
            subject = append.subject.decode()
            try:
                found = await next_events(
                    self._link,
                    self._stream,
                    subject,
                    after=append.after,
                    count=len(append.stored),
                )
                newest = None
                if not found and append.tries > 2:
                    newest = await last_event(self._link, self._stream, subject)
            except (TimeoutError, ConnectionError):
                self._read_later(append, because)
                return
        if not found:
            self._check_not_lost(append, newest)
            self._send_again(append)
        elif append.unsure and _is_beginning(found, append.stored):
            append.after = found[-1].sequence
            if len(found) == len(append.stored):
                _store(append, append.after)
                return
            # A server that was killed while it committed a batch may keep part of it.
            append.stored = append.stored[len(found) :]
            append.expected += len(found)
            self._send_again(append)
        else:
            raise StalePosition(episode=append.episode, expected=append.expected, actual=None)

    def _check_not_lost(self, append: Append, newest: Stored | None) -> None:
        sequence = newest.sequence if newest is not None else 0
        if append.tries > 2 and sequence < append.after:
            raise LogDamaged(
                f"the stream at {self._link.where} has lost events of episode "
                f"{append.episode}: position {append.expected - 1} was stored and is gone. "
                "Stop writing; run `eristic verify`, then restore the run from its archive"
            )

    def _send_again(self, append: Append) -> None:
        self._waiting.append(append)
        self._pump_soon()

    def _read_later(self, append: Append, because: str) -> None:
        if self._link.is_closed or self._loop.time() > append.deadline:
            raise self._too_late(append)
        if self._link.is_connected:
            self._resolve([append], because=because)
        else:
            self._adrift.append(append)

    # -- the end

    def _all(self) -> list[Append]:
        flying = [append for flight in self._flights.values() for append in flight.appends]
        return [*self._waiting, *flying, *self._adrift, *self._resolving.values()]

    def _fail_all(self, error: Exception) -> None:
        self._broken = error
        for append in self._all():
            _fail(append, error)
        for flight in list(self._flights.values()):
            self._land(flight)
        for task in self._resolving:
            task.cancel()
        self._waiting.clear()
        self._adrift.clear()
        self._batch = None
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None


def _read_ack(payload: bytes, headers: bytes) -> _Ack:
    if is_status(headers, b"503"):
        return _Ack(error=_Problem(description="no responders", err_code=_PASSING[0]))
    return _ack_decoder.decode(payload)


def _is_beginning(found: Sequence[Stored], stored: Sequence[bytes]) -> bool:
    return all(event.payload == ours for event, ours in zip(found, stored, strict=False))


def _store(append: Append, sequence: int) -> None:
    if not append.done.done():
        append.done.set_result(sequence)


def _fail(append: Append, error: BaseException) -> None:
    if not append.done.done():
        append.done.set_exception(error)
