"""Reading a run's stream back by direct gets: no consumer, so no state on the server to lose.

A window is one request and the messages that answer it, closed by a status line. The request
says where to begin, so a window that breaks off is simply asked for again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from typing import NamedTuple

import msgspec

from eristic.bus._link import Link, publish_bytes
from eristic.debate.errors import BusRefused, BusUnavailable, LogMissing

__all__ = ["Stored", "last_sequence", "next_events", "read_chain", "read_stream"]

_WINDOW_EVENTS = 1000  # the server answers at most 1024 in some modes
_WINDOW_BYTES = 8 << 20
_WINDOW_S = 5.0
_SUBJECT = b"\r\nNats-Subject: "
_SEQUENCE = b"\r\nNats-Sequence: "


class Stored(NamedTuple):
    """An event as the stream holds it."""

    sequence: int
    episode: str
    payload: bytes


class _Message(msgspec.Struct):
    seq: int = 0


class _Newest(msgspec.Struct):
    message: _Message = msgspec.field(default_factory=_Message)


class _Window:
    """Collects the answers to one request. Stored headers come first, the server's after them."""

    def __init__(self, link: Link, stream: str, **request: object) -> None:
        self._link = link
        self.events: list[Stored] = []
        self.closed: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._address = link.expect(self._hear)
        self._subject = f"$JS.API.DIRECT.GET.{stream}"
        self._request = msgspec.json.encode(request)

    def _hear(self, payload: bytes, headers: bytes) -> None:
        if headers[8:9] == b" ":  # a status line: 204 end of batch, 404 nothing there
            if not self.closed.done():
                self.closed.set_result(headers[9:12])
            return
        # Searched from the end: what a writer put into its own headers is not believed.
        at = headers.rfind(_SEQUENCE)
        sequence = int(headers[at + 17 : headers.find(b"\r\n", at + 17)])
        at = headers.rfind(_SUBJECT)
        subject = headers[at + 16 : headers.find(b"\r\n", at + 16)]
        episode = subject[subject.rfind(b".") + 1 :].decode()
        self.events.append(Stored(sequence, episode, payload))

    async def fill(self) -> list[Stored]:
        """Raises TimeoutError, ConnectionError, BusRefused."""

        def refused(text: str) -> None:
            if f'"{self._subject.lower()}"' in text and not self.closed.done():
                self.closed.set_exception(
                    BusRefused(f"this NATS user may not read logs at {self._link.where}")
                )

        def lost() -> None:
            if not self.closed.done():
                self.closed.set_exception(ConnectionError("connection lost"))

        self._link.refused.append(refused)
        self._link.lost.append(lost)
        try:
            command = publish_bytes(self._subject.encode(), self._address, self._request)
            self._link.send(command)
            async with asyncio.timeout(_WINDOW_S):
                status = await self.closed
        finally:
            self._link.refused.remove(refused)
            self._link.lost.remove(lost)
            self._link.forget(self._address)
        if status == b"503":
            raise ConnectionError("the stream has no leader, or there is no such stream")
        return self.events


async def next_events(
    link: Link, stream: str, subject: str, *, after: int, count: int
) -> list[Stored]:
    """The first events of a subject beyond a sequence, at most `count`.

    Raises TimeoutError, ConnectionError, BusRefused.
    """
    return await _Window(link, stream, seq=after + 1, next_by_subj=subject, batch=count).fill()


async def last_sequence(link: Link, stream: str, subject: str) -> int:
    """Sequence of the newest event of a subject as the stream's leader knows it; 0 for none.

    Raises TimeoutError, ConnectionError.
    """
    request = msgspec.json.encode({"last_by_subj": subject})
    try:
        response = await link.call(f"$JS.API.STREAM.MSG.GET.{stream}", request)
    except LookupError as error:
        raise ConnectionError("the stream has no leader") from error
    return msgspec.json.decode(response.payload, type=_Newest).message.seq


async def read_chain(
    link: Link, stream: str, subject: str, *, deadline_s: float = 60.0
) -> list[Stored]:
    """All events of one subject in order. Raises BusUnavailable, BusRefused."""
    chain: list[Stored] = []
    sequence = 1
    while True:
        events = await _insist(
            link, stream, deadline_s, seq=sequence, next_by_subj=subject, batch=_WINDOW_EVENTS
        )
        chain += events
        if not events:
            return chain
        sequence = events[-1].sequence + 1


async def read_stream(
    link: Link, stream: str, *, last: int, deadline_s: float = 60.0
) -> AsyncIterator[list[Stored]]:
    """All events up to the sequence `last`, window by window, two more under way meanwhile.

    Raises BusUnavailable, BusRefused, LogMissing when the stream ends before `last`.
    """
    ahead: deque[tuple[int, asyncio.Task[list[Stored]]]] = deque()
    sequence = 1
    try:
        while sequence <= last:
            if ahead and ahead[0][0] != sequence:  # large events made the window shorter
                _cancel(ahead)
            planned = ahead[-1][0] + _WINDOW_EVENTS if ahead else sequence
            while len(ahead) < 3 and planned <= last:
                ahead.append((planned, _begin_window(link, stream, deadline_s, planned)))
                planned += _WINDOW_EVENTS  # nothing is ever deleted: sequences have no gaps
            events = await ahead.popleft()[1]
            if not events:
                raise LogMissing(
                    f"stream {stream} at {link.where} ends at {sequence - 1} instead of {last}: "
                    "it was replaced or trimmed meanwhile; run `eristic verify`"
                )
            sequence = events[-1].sequence + 1
            while events and events[-1].sequence > last:
                events.pop()
            yield events
    finally:
        _cancel(ahead)


def _cancel(ahead: deque[tuple[int, asyncio.Task[list[Stored]]]]) -> None:
    for _, window in ahead:
        window.cancel()
    ahead.clear()


def _begin_window(
    link: Link, stream: str, deadline_s: float, sequence: int
) -> asyncio.Task[list[Stored]]:
    return asyncio.create_task(
        _insist(
            link,
            stream,
            deadline_s,
            seq=sequence,
            batch=_WINDOW_EVENTS,
            max_bytes=_WINDOW_BYTES,
        )
    )


async def _insist(link: Link, stream: str, deadline_s: float, **request: object) -> list[Stored]:
    """Fill a window, again and again across restarts of the server."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + deadline_s
    while True:
        try:
            return await _Window(link, stream, **request).fill()
        except (TimeoutError, ConnectionError) as error:
            if link.is_closed or loop.time() > deadline:
                raise BusUnavailable(
                    f"the log at {link.where} cannot be read: no answer for {deadline_s:g} s; "
                    "run `eristic doctor`"
                ) from error
            await asyncio.sleep(0.05)
