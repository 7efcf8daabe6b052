"""The journal on JetStream: an `EpisodeLog` over the stream of one run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from eristic.bus._appends import HEADERS_BYTES, MOST_EVENTS, Append
from eristic.bus._link import Link
from eristic.bus.reader import read_chain, read_stream
from eristic.bus.stream import check_stream
from eristic.bus.subjects import Kind, log_subject, stream_name
from eristic.bus.writer import LogWriter, WriterStats
from eristic.debate.errors import MessageTooLarge, StalePosition

__all__ = ["JetStreamLog", "open_log"]


class _Place:
    """Where the chain of an episode ends, as far as this process knows."""

    __slots__ = ("busy", "last", "length", "subject")

    def __init__(self, subject: str) -> None:
        self.subject = subject.encode()
        self.length = 0
        self.last = 0
        """Stream sequence of the last event; 0 for none."""
        self.busy: asyncio.Future[int] | None = None
        """The append under way."""


async def open_log(
    link: Link, run: str, kind: Kind = "log", *, deadline_s: float = 60.0
) -> JetStreamLog:
    """The log (or the judgements) of a run that exists; its stream's settings are checked.

    deadline_s: how long an append or a read waits for a server that went away.
    Raises LogMissing, BusRefused (settings, rights), BusUnavailable, NameRefused.
    """
    await check_stream(link, run, kind)
    return JetStreamLog(link, run, kind, deadline_s=deadline_s)


class JetStreamLog:
    """One run's log; made by `open_log`. All appends of a process should share one."""

    def __init__(
        self, link: Link, run: str, kind: Kind = "log", *, deadline_s: float = 60.0
    ) -> None:
        self._link = link
        self._run = run
        self._kind: Kind = kind
        self._stream = stream_name(run, kind)
        self._deadline_s = deadline_s
        self._loop = asyncio.get_running_loop()
        self._writer = LogWriter(link, self._stream)
        self._places: dict[str, _Place] = {}

    @property
    def stats(self) -> WriterStats:
        """What the writer did so far."""
        return self._writer.stats

    def close(self) -> None:
        """Take no more appends. The connection stays open: it is the caller's."""
        self._writer.close()

    async def read(self, episode: str) -> list[bytes]:
        """Stored bytes of one chain in order; see EpisodeLog."""
        subject = log_subject(self._run, episode, self._kind)
        chain = await read_chain(self._link, self._stream, subject, deadline_s=self._deadline_s)
        place = _Place(subject)
        place.length = len(chain)
        place.last = chain[-1].sequence if chain else 0
        self._learn(episode, place)
        return [event.payload for event in chain]

    async def records(self) -> AsyncIterator[tuple[str, bytes]]:
        """(episode, stored bytes) of the whole run in log order, up to now."""
        last = await check_stream(self._link, self._run, self._kind)
        ends: dict[str, list[int]] = {}
        windows = read_stream(self._link, self._stream, last=last, deadline_s=self._deadline_s)
        async for window in windows:
            for sequence, episode, payload in window:
                end = ends.get(episode)
                if end is None:
                    ends[episode] = [1, sequence]
                else:
                    end[0] += 1
                    end[1] = sequence
                yield episode, payload
        for episode, (length, sequence) in ends.items():
            place = _Place(log_subject(self._run, episode, self._kind))
            place.length, place.last = length, sequence
            self._learn(episode, place)

    async def append(self, episode: str, stored: Sequence[bytes], *, expected: int) -> None:
        """Append to the end of a chain; see EpisodeLog. At most 1,000 events at once."""
        if not stored:
            return
        place = self._places.get(episode)
        while place is not None and place.busy is not None:
            await asyncio.wait((place.busy,))
            place = self._places.get(episode)
        self._check_sizes(episode, stored)
        if place is None and not expected:
            place = self._places[episode] = _Place(log_subject(self._run, episode, self._kind))
        elif place is None or place.length < expected:
            await self.read(episode)
            place = self._places[episode]
        if place.length != expected or place.busy is not None:
            raise StalePosition(episode=episode, expected=expected, actual=place.length)
        place.busy = done = self._loop.create_future()
        try:
            self._writer.submit(
                Append(
                    episode=episode,
                    subject=place.subject,
                    stored=stored,
                    after=place.last,
                    expected=expected,
                    done=done,
                    deadline=self._loop.time() + self._deadline_s,
                )
            )
            place.last = await done
            place.length += len(stored)
        except BaseException:
            # What is stored now is not known here: the next append looks it up.
            self._places.pop(episode, None)
            raise
        finally:
            place.busy = None

    def _learn(self, episode: str, found: _Place) -> None:
        """Knowledge only grows: an append that ran meanwhile knows better."""
        known = self._places.get(episode)
        if known is None or (known.busy is None and known.last <= found.last):
            self._places[episode] = found

    def _check_sizes(self, episode: str, stored: Sequence[bytes]) -> None:
        limit = self._link.max_payload - HEADERS_BYTES
        for event in stored:
            if len(event) > limit:
                raise MessageTooLarge(
                    f"an event of episode {episode} has {len(event)} bytes, the NATS server at "
                    f"{self._link.where} takes {limit}; raise max_payload in its configuration"
                )
        if len(stored) > MOST_EVENTS:
            raise MessageTooLarge(
                f"{len(stored)} events of episode {episode} in one append; "
                f"at most {MOST_EVENTS} can be stored all or nothing: append them in parts"
            )
