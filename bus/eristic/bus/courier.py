"""A director's way to the roles: ask, and keep asking until there is an answer."""

from __future__ import annotations

import asyncio

import msgspec
import structlog

from eristic.bus._link import Link, is_status, publish_bytes
from eristic.bus.subjects import ask_subject
from eristic.bus.wire import WireDamaged, decode_answer, encode_ask
from eristic.debate import Answer, Ask, Refused
from eristic.debate.errors import BusRefused, BusUnavailable, EristicError, MessageTooLarge

__all__ = ["CourierStats", "NatsCourier"]

_NOBODY_S = 0.2
"""Pause before asking again where nobody listens."""

_log = structlog.get_logger("eristic.bus")


class CourierStats(msgspec.Struct):
    """Counts since the courier began."""

    sent: int = 0
    """Messages, the first one of each ask and the repeated ones."""
    repeated: int = 0
    nobody: int = 0
    """Times that nobody served the role."""
    dropped: int = 0
    """Answers that were unreadable or answered something else."""


class _Call:
    """An ask that waits for its answer."""

    __slots__ = ("address", "answer", "ask", "arrived", "due_at", "repeat", "subject")

    def __init__(self, ask: Ask, subject: bytes, answer: asyncio.Future[Answer]) -> None:
        self.ask = ask
        self.subject = subject
        self.answer = answer
        self.address = b""
        self.repeat = ask.repeat
        self.due_at = 0.0
        """Loop time of the next message for it."""
        self.arrived = False
        """A message for it may have reached a role."""


class NatsCourier:
    """`Courier` over a connection; one may carry the asks of many episodes and runs."""

    def __init__(self, link: Link, *, resend_s: float = 3.0) -> None:
        self.stats = CourierStats()
        self._link = link
        self._resend_s = resend_s
        self._loop = asyncio.get_running_loop()
        self._calls: dict[bytes, _Call] = {}
        self._subjects: dict[tuple[str, str], bytes] = {}
        self._timer: asyncio.TimerHandle | None = None
        link.refused.append(self._on_refused)
        link.lost.append(self._on_lost)
        link.connected_again.append(self._on_back)

    @property
    def in_flight(self) -> int:
        """Asks without an answer."""
        return len(self._calls)

    def close(self) -> None:
        """Whoever still waits for an answer gets BusUnavailable. The connection stays open."""
        self._link.refused.remove(self._on_refused)
        self._link.lost.remove(self._on_lost)
        self._link.connected_again.remove(self._on_back)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._fail_all("the courier was closed")

    def ask(self, ask: Ask) -> asyncio.Future[Answer]:
        """The answer of whoever serves the role; see Courier.

        The future gets BusRefused (rights), MessageTooLarge, NameRefused; BusUnavailable when
        the connection was closed for good. A server that is away is waited for.
        """
        answer: asyncio.Future[Answer] = self._loop.create_future()
        try:
            if self._link.is_closed:
                raise BusUnavailable(f"the connection to {self._link.where} was closed")
            call = _Call(ask, self._subject(ask), answer)
            call.address = self._link.expect(lambda *heard: self._hear(call, *heard))
            self._calls[call.address] = call
            self._send(call)
        except EristicError as error:
            answer.set_exception(error)
        return answer

    def _subject(self, ask: Ask) -> bytes:
        key = (ask.run, ask.role)
        subject = self._subjects.get(key)
        if subject is None:
            subject = self._subjects[key] = ask_subject(*key).encode()
        return subject

    def _send(self, call: _Call) -> None:
        ask = call.ask
        if call.repeat and not ask.repeat:
            ask = msgspec.structs.replace(ask, repeat=True)
        payload = encode_ask(ask)
        if len(payload) > self._link.max_payload:
            raise MessageTooLarge(
                f"an ask to {ask.role} has {len(payload)} bytes, the NATS server at "
                f"{self._link.where} takes {self._link.max_payload}; raise its max_payload "
                "or shorten what the role sees"
            )
        self._plan(call, self._resend_s)
        try:
            self._link.send(publish_bytes(call.subject, call.address, payload))
        except ConnectionError:
            return  # sent when the connection is back
        call.arrived = True
        self.stats.sent += 1
        self.stats.repeated += call.repeat

    # -- what comes back

    def _hear(self, call: _Call, payload: bytes, headers: bytes) -> None:
        if headers and is_status(headers, b"503"):
            self.stats.nobody += 1
            call.arrived = False  # this one did not; an earlier one made it a repeated ask
            self._plan(call, _NOBODY_S)
            return
        try:
            answer = decode_answer(payload)
        except WireDamaged as error:
            self._drop(call, str(error))
            return
        if not _answers(answer, call.ask):
            self._drop(call, "it answers another ask")
        else:
            self._forget(call)
            if not call.answer.done():
                call.answer.set_result(answer)

    def _forget(self, call: _Call) -> None:
        self._link.forget(call.address)
        self._calls.pop(call.address, None)

    def _drop(self, call: _Call, reason: str) -> None:
        self.stats.dropped += 1
        ask = call.ask
        _log.warning(
            "answer_dropped",
            run=ask.run,
            episode=ask.episode,
            role=ask.role,
            turn=ask.turn,
            reason=reason,
        )

    def _on_refused(self, text: str) -> None:
        if "publish" not in text:
            return
        for call in self._calls.values():
            if f'"{call.subject.decode().lower()}"' in text and not call.answer.done():
                call.answer.set_exception(
                    BusRefused(
                        f"this NATS user may not ask {call.ask.role} at {self._link.where}; "
                        "only directors may. Connect as a director"
                    )
                )

    # -- asking again

    def _plan(self, call: _Call, wait_s: float) -> None:
        call.due_at = self._loop.time() + wait_s
        if self._timer is None:
            self._timer = self._loop.call_later(min(wait_s, _NOBODY_S), self._look_at_the_clock)

    def _look_at_the_clock(self) -> None:
        """One timer for all calls, while there are any."""
        self._timer = None
        now = self._loop.time()
        for call in [call for call in self._calls.values() if call.answer.done()]:
            self._forget(call)  # given up, refused or failed
        if self._link.is_connected:
            for call in [call for call in self._calls.values() if call.due_at <= now]:
                call.repeat = call.repeat or call.arrived
                try:
                    self._send(call)
                except EristicError as error:
                    call.answer.set_exception(error)
        if self._calls and self._timer is None:
            self._timer = self._loop.call_later(_NOBODY_S, self._look_at_the_clock)

    def _on_back(self) -> None:
        """Asks and answers in flight were lost with the connection."""
        for call in list(self._calls.values()):
            call.due_at = 0.0
        self._look_at_the_clock()

    def _on_lost(self) -> None:
        if self._link.is_closed:
            self._fail_all(f"the connection to {self._link.where} was closed")

    def _fail_all(self, reason: str) -> None:
        for call in self._calls.values():
            if not call.answer.done():
                call.answer.set_exception(BusUnavailable(reason))


def _answers(answer: Answer, ask: Ask) -> bool:
    if (answer.episode, answer.turn, answer.role, answer.attempt) != (
        ask.episode,
        ask.turn,
        ask.role,
        ask.attempt,
    ):
        return False
    if isinstance(answer.outcome, Refused):
        return True  # it says in which epoch the role is instead
    return answer.epoch == ask.epoch and answer.rank == ask.rank
