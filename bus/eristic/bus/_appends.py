"""What the log writer handles: appends, batches of them, and what the server says to them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence

import msgspec

from eristic.bus._link import is_status

__all__ = [
    "HEADERS_BYTES",
    "MOST_EVENTS",
    "NO_LEADER",
    "Ack",
    "Append",
    "Batch",
    "Costs",
    "Problem",
    "read_ack",
]

MOST_EVENTS = 1000
"""The server's limit for one atomic batch (error 10199 above it)."""

HEADERS_BYTES = 200
"""Room that our own headers take of the server's limit for a message."""

NO_LEADER = 10008
"""The server's error while a stream has no leader."""

_MOST_BYTES = 8 << 20


class Problem(msgspec.Struct):
    """An error of the JetStream API."""

    description: str = ""
    code: int = 0
    err_code: int = 0


class Ack(msgspec.Struct):
    """The reply to a publish: where it was stored, or why not."""

    seq: int = 0
    error: Problem | None = None


_ack_decoder = msgspec.json.Decoder(Ack)


def read_ack(payload: bytes, headers: bytes) -> Ack:
    """Raises msgspec.DecodeError for what is no reply of JetStream."""
    if is_status(headers, b"503"):
        return Ack(error=Problem(description="nobody keeps this subject", err_code=NO_LEADER))
    return _ack_decoder.decode(payload)


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

    def store(self, sequence: int) -> None:
        """It is stored, its last event under this sequence."""
        if not self.done.done():
            self.done.set_result(sequence)

    def fail(self, error: BaseException) -> None:
        if not self.done.done():
            self.done.set_exception(error)


class Batch:
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


class Costs:
    """What a message by itself and a batch cost the server, as lately seen: disks differ much.

    An fsync takes 0.1 ms here and 4 ms there, a batch one to six of them and 1 to 2 ms.
    """

    def __init__(self) -> None:
        self._single_s = 0.00017
        self._batch_s = 0.0021
        self._landed_at = 0.0

    @property
    def few(self) -> int:
        """Up to so many are published one by one."""
        return min(max(int(self._batch_s / self._single_s), 4), 12)

    def single_landed(self, sent_at: float, now: float) -> None:
        took_s = now - max(sent_at, self._landed_at)  # acknowledged one after the other
        self._single_s += (max(took_s, 1e-5) - self._single_s) / 32
        self._landed_at = now

    def batch_landed(self, began_at: float, now: float) -> None:
        self._batch_s += (now - max(began_at, self._landed_at) - self._batch_s) / 8
        self._landed_at = now
