"""A NATS connection with a direct way in and out for the hot messages.

nats-py gives every message a queue, a task switch, a parsed header block and a dataclass, and
every request a generated name and a `wait_for`. That is more than half of the cost of a turn.
`Link` is nats-py's client (it connects, authenticates, pings, reconnects and re-subscribes) with
three things changed, all of them here, because they lean on its private names:

- subscriptions made by `listen` call a plain function with the raw parts of each message;
- `send` takes ready protocol bytes and writes all of one turn of the event loop at once;
- `expect` gives reply addresses under one wildcard subscription, without generated names.

`tests/bus/test_link.py` guards what is used of nats-py: an upgrade that moves it fails there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from eristic.bus._websockets import without_websockets
from eristic.debate.errors import ExtraMissing

try:
    with without_websockets():
        from nats.aio.client import Client
        from nats.aio.msg import Msg
        from nats.aio.subscription import Subscription
        from nats.errors import ProtocolError
        from nats.protocol.parser import Parser
except ImportError as error:  # pragma: no cover - tested in a process without nats
    raise ExtraMissing(needs="nats-py", extra="bus") from error

__all__ = [
    "Ear",
    "Link",
    "Reply",
    "Response",
    "is_status",
    "publish_bytes",
    "publish_bytes_with_headers",
]

Ear = Callable[[bytes, bytes, bytes, bytes], None]
"""Called with subject, reply address, payload, header block (empty when there is none)."""

Reply = Callable[[bytes, bytes], None]
"""Called with payload and header block of a reply. Called again for a further reply."""


class Response(NamedTuple):
    """What came back for a request."""

    payload: bytes
    headers: bytes


_LONGEST_CONTROL_LINE = 1 << 20  # INFO of a large cluster is the longest


def publish_bytes(subject: bytes, reply: bytes, payload: bytes) -> bytes:
    """A message as the protocol writes it. The reply address may be empty."""
    return b"PUB %b %b %d\r\n%b\r\n" % (subject, reply, len(payload), payload)


def publish_bytes_with_headers(
    subject: bytes, reply: bytes, headers: bytes, payload: bytes
) -> bytes:
    """A message with a header block, which begins with NATS/1.0 and ends with an empty line."""
    size = len(headers)
    return b"HPUB %b %b %d %d\r\n%b%b\r\n" % (
        subject,
        reply,
        size,
        size + len(payload),
        headers,
        payload,
    )


class _FastParser(Parser):
    """Splits what the server sends; everything but messages goes to nats-py's own parser."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._epoch = 0
        self._needed_bytes = 0
        super().__init__(link)

    def reset(self) -> None:
        super().reset()
        self._epoch += 1
        self._needed_bytes = 0

    async def parse(self, data: bytes = b"") -> None:
        if self.buf:
            self.buf += data
            if len(self.buf) < self._needed_bytes:
                return  # a large message that is still arriving
            data = bytes(self.buf)
            self.buf = bytearray()
        epoch, link = self._epoch, self._link
        position, end = 0, len(data)
        self._needed_bytes = 0
        while position < end:
            line_end = data.find(b"\r\n", position)
            if line_end < 0:
                if end - position > _LONGEST_CONTROL_LINE:
                    raise ProtocolError("nats: a control line has no end")
                break
            first = data[position]
            if first == 77 or first == 72:  # MSG, HMSG
                words = data[position:line_end].split()
                start = line_end + 2
                stop = start + int(words[-1])
                if stop + 2 > end:
                    self._needed_bytes = stop + 2 - position
                    break
                position = stop + 2
                if first == 77:
                    reply = words[3] if len(words) == 5 else b""
                    headers, body = b"", start
                else:
                    reply = words[3] if len(words) == 6 else b""
                    body = start + int(words[-2])
                    headers = data[start:body]
                ear = link.ears.get(int(words[2]))
                if ear is not None:
                    link.hear(ear, words[1], reply, data[body:stop], headers)
                    continue
                await link._process_msg(int(words[2]), words[1], reply, data[body:stop], headers)
            else:  # INFO, PING, PONG, +OK, -ERR
                line = data[position : line_end + 2]
                position = line_end + 2
                await super().parse(line)
            if self._epoch != epoch:
                return  # the connection was replaced; the rest belongs to the old one
        if position < end:
            self.buf = bytearray(data[position:])


class Link(Client):
    """A connection to NATS; see the module's text. Made by `eristic.bus.connect`."""

    def __init__(self) -> None:
        super().__init__()
        self._ps = _FastParser(self)
        self.ears: dict[int, Ear] = {}
        self.refused: list[Callable[[str], None]] = []
        """Called with the server's text when it refuses a publish or subscription."""
        self.connected_again: list[Callable[[], None]] = []
        """Called after a reconnect, when all subscriptions are back."""
        self.lost: list[Callable[[], None]] = []
        """Called when the connection breaks: what is in flight may never be answered."""
        self.last_trouble = ""
        """The newest error of the connection, for messages; holds no secret."""
        self.where = ""
        """The servers' addresses, for messages; holds no secret."""
        self._kick_due = False
        self._expected: dict[bytes, Reply] = {}
        self._reply_prefix = b""
        self._reply_number = 0
        self._loop = asyncio.get_running_loop()

    # -- in

    async def listen(self, subject: str, ear: Ear, *, queue: str = "") -> Subscription:
        """Subscribe with a plain function. It must be quick and must not wait."""
        self.ears[self._sid + 1] = ear  # before the server can send the first message
        return await self.subscribe(subject, queue=queue, cb=_unheard)

    async def unlisten(self, subscription: Subscription) -> None:
        """Leave; messages that the server had sent already are still heard.

        Raises TimeoutError, nats.errors.Error when the connection breaks meanwhile; it has left
        then, too.
        """
        try:
            if self.is_connected:
                await self._send_unsubscribe(subscription._id)
                await self.flush()
        finally:
            subscription._stop_processing()
            self._remove_sub(subscription._id)
            self.ears.pop(subscription._id, None)

    def hear(self, ear: Ear, subject: bytes, reply: bytes, payload: bytes, headers: bytes) -> None:
        """Hand one message over. A fault in the function must not end the read loop."""
        self.stats["in_msgs"] += 1
        try:
            ear(subject, reply, payload, headers)
        except Exception as error:
            self._loop.call_exception_handler(
                {"message": f"a listener failed on {subject.decode()}", "exception": error}
            )

    # -- out

    def send(self, command: bytes) -> None:
        """Queue protocol bytes; all that is queued in one turn of the loop is written at once.

        Raises ConnectionError while there is no connection: nothing hot is kept for later, its
        sender knows better whether it is still wanted.
        """
        if not self.is_connected:
            raise ConnectionError("not connected")
        self._pending.append(command)
        self._pending_data_size += len(command)
        if not self._kick_due:
            self._kick_due = True
            self._loop.call_soon(self._write)

    def _write(self) -> None:
        self._kick_due = False
        if self.is_connected and self._pending and self._transport is not None:
            commands, self._pending, self._pending_data_size = self._pending, [], 0
            self._transport.writelines(commands)

    async def flush(self, timeout: int = 10) -> None:
        """Return once the server has dealt with everything that was sent so far.

        nats-py writes its PING at once, ahead of commands that still wait in its buffer: a refused
        subscription was then heard of after the PONG, or never.
        """
        self._write()
        await super().flush(timeout)

    # -- replies

    async def open_inbox(self) -> None:
        """Subscribe to this connection's reply addresses; done once, by `connect`."""
        prefix = self.new_inbox() + "."
        self._reply_prefix = prefix.encode()
        await self.listen(prefix + "*", self._hear_reply)

    def expect(self, reply: Reply) -> bytes:
        """A new reply address; the function is called until `forget`."""
        self._reply_number += 1
        address = self._reply_prefix + b"%d" % self._reply_number
        self._expected[address] = reply
        return address

    def forget(self, address: bytes) -> None:
        """No reply to this address is wanted any more."""
        self._expected.pop(address, None)

    def _hear_reply(self, subject: bytes, _: bytes, payload: bytes, headers: bytes) -> None:
        reply = self._expected.get(subject)
        if reply is not None:
            reply(payload, headers)

    async def call(self, subject: str, payload: bytes = b"", *, timeout_s: float = 5.0) -> Response:
        """One request, one reply: for the rare calls of the JetStream API.

        Raises TimeoutError, ConnectionError; LookupError when nobody listens there,
        PermissionError when the server refuses the subject.
        """
        future: asyncio.Future[Response] = self._loop.create_future()

        def arrived(body: bytes, headers: bytes) -> None:
            if future.done():
                return
            if is_status(headers, b"503"):
                future.set_exception(LookupError(subject))
            else:
                future.set_result(Response(body, headers))

        def refused(text: str) -> None:
            if f'"{subject.lower()}"' in text and not future.done():
                future.set_exception(PermissionError(subject))

        address = self.expect(arrived)
        self.refused.append(refused)
        try:
            self.send(publish_bytes(subject.encode(), address, payload))
            async with asyncio.timeout(timeout_s):
                return await future
        finally:
            self.refused.remove(refused)
            self.forget(address)


def is_status(headers: bytes, status: bytes) -> bool:
    """Whether a header block is a status line of this code, as in NATS/1.0 503."""
    return headers[9:12] == status


async def _unheard(_: Msg) -> None:
    """Never called: `listen` takes the messages before they get here."""
