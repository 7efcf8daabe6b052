"""A role's way to the directors: take asks, answer them, find who holds a repeated one."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque

import msgspec
import structlog
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError

from eristic.bus._link import Link, publish_bytes
from eristic.bus.subjects import ask_subject, peer_subject
from eristic.bus.wire import (
    Lookup,
    WireDamaged,
    decode_ask,
    decode_lookup,
    encode_answer,
    encode_lookup,
)
from eristic.debate import Answer, Ask, Failed, Refused
from eristic.debate.errors import BusRefused
from eristic.ports import AskHandler

__all__ = ["DoorStats", "NatsDoor"]

_log = structlog.get_logger("eristic.bus")


class DoorStats(msgspec.Struct):
    """Counts since the door was opened."""

    asks: int = 0
    answered: int = 0
    repeated: int = 0
    """Asks that wait here already, for the same director."""
    given_to_peers: int = 0
    """Repeated asks that another server of the role held."""
    damaged: int = 0
    """Messages that were no asks."""


class _Post:
    """A role that is served here."""

    def __init__(self, role: str, handler: AskHandler, peers: bytes) -> None:
        self.role = role
        self.handler = handler
        self.peers = peers


class NatsDoor:
    """`RoleDoor` over a connection of its own; may serve several roles."""

    def __init__(self, link: Link, run: str, *, at_once: int = 1000, lookup_s: float = 1.0) -> None:
        """at_once: asks in work at a time, others wait here. lookup_s: how long peers may
        take to say that they hold a repeated call."""
        self.stats = DoorStats()
        self._link = link
        self._run = run
        self._at_once = at_once
        self._lookup_s = lookup_s
        self._loop = asyncio.get_running_loop()
        self._asks: list[Subscription] = []
        self._lookups: list[Subscription] = []
        self._work: set[asyncio.Task[None]] = set()
        self._queue: deque[tuple[_Post, Ask, bytes]] = deque()
        self._taken: set[tuple[str, bytes]] = set()
        """(call id, reply address) of all that is in work or waits. A person takes minutes, and a
        director repeats its ask every few seconds: each repetition would take a place."""
        self._is_idle = asyncio.Event()
        self._is_idle.set()
        self._refusal: str | None = None
        link.refused.append(self._on_refused)

    async def serve(self, role: str, handler: AskHandler) -> None:
        """Begin to answer the asks of a role; returns once the server knows. See RoleDoor.

        Raises BusRefused when this user may not serve roles, NameRefused.
        """
        post = _Post(role, handler, peer_subject(self._run, role).encode())

        def asked(_: bytes, reply: bytes, payload: bytes, __: bytes) -> None:
            self._on_ask(post, reply, payload)

        def looked_up(_: bytes, reply: bytes, payload: bytes, __: bytes) -> None:
            self._on_lookup(post, reply, payload)

        # Peers first: who takes asks must be found by the others.
        self._lookups.append(await self._link.listen(peer_subject(self._run, role), looked_up))
        subject = ask_subject(self._run, role)
        self._asks.append(await self._link.listen(subject, asked, queue=role))
        await self._link.flush()
        if self._refusal is not None:
            raise BusRefused(
                f"this NATS user may not serve {role} at {self._link.where}: {self._refusal}"
            )

    async def drain(self) -> None:
        """Take no more asks, finish those in flight, then leave. The connection stays open."""
        for subscription in self._asks:
            await self._leave(subscription)
        await self._is_idle.wait()
        for subscription in self._lookups:
            await self._leave(subscription)
        await self._is_idle.wait()
        self._asks.clear()
        self._lookups.clear()
        if self._link.is_connected:
            with contextlib.suppress(TimeoutError, NatsError):
                await self._link.flush()  # the last answers are on their way

    async def _leave(self, subscription: Subscription) -> None:
        try:
            await self._link.unlisten(subscription)
        except (OSError, TimeoutError, NatsError) as error:
            # Without a connection there is nobody to tell; nothing comes in either.
            _log.warning("leave_failed", subject=subscription.subject, error=type(error).__name__)

    def _on_refused(self, text: str) -> None:
        if "subscription" in text:
            self._refusal = text.removeprefix("nats: ")

    # -- asks

    def _on_ask(self, post: _Post, reply: bytes, payload: bytes) -> None:
        self.stats.asks += 1
        try:
            ask = decode_ask(payload)
        except WireDamaged as error:
            self._drop(post, str(error))
            return
        if ask.role != post.role or ask.run != self._run:
            reason = f"this is {post.role} of run {self._run}, not {ask.role} of {ask.run}"
            self._send(reply, ask.answered(Refused(reason=reason)))
        else:
            self._take(post, ask, reply)

    def _drop(self, post: _Post, reason: str) -> None:
        self.stats.damaged += 1
        _log.warning("ask_dropped", run=self._run, role=post.role, reason=reason)

    def _take(self, post: _Post, ask: Ask, reply: bytes, *, at_once: bool = False) -> None:
        """at_once: it goes before all that wait."""
        if (ask.call_id, reply) in self._taken:
            self.stats.repeated += 1
            return
        self._taken.add((ask.call_id, reply))
        if at_once or len(self._work) < self._at_once:
            self._begin(post, ask, reply)
        else:
            self._queue.append((post, ask, reply))

    def _begin(self, post: _Post, ask: Ask, reply: bytes) -> None:
        self._is_idle.clear()
        task = self._loop.create_task(self._answer(post, ask, reply))
        self._work.add(task)
        task.add_done_callback(lambda done: self._on_done(done, (ask.call_id, reply)))

    def _on_done(self, task: asyncio.Task[None], taken: tuple[str, bytes]) -> None:
        self._work.discard(task)
        self._taken.discard(taken)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("answer_failed", run=self._run, error=type(error).__name__)
        if self._queue:
            self._begin(*self._queue.popleft())
        elif not self._work:
            self._is_idle.set()

    async def _answer(self, post: _Post, ask: Ask, reply: bytes) -> None:
        if ask.repeat and not post.handler.holds(ask.call_id):
            if await self._is_held_by_a_peer(post, ask, reply):
                self.stats.given_to_peers += 1
                return
        try:
            answer = await post.handler.answer(ask)
        except Exception as error:
            # Silence would have the director ask for ever. The error's text may hold anything.
            answer = ask.answered(Failed(error="role", message=type(error).__name__))
            _log.error(
                "handler_failed",
                run=self._run,
                role=post.role,
                episode=ask.episode,
                turn=ask.turn,
                error=type(error).__name__,
            )
        self._send(reply, answer)

    def _send(self, reply: bytes, answer: Answer) -> None:
        try:
            payload = encode_answer(answer)
            fault = f"an answer of {len(payload)} bytes, NATS takes {self._link.max_payload}"
        except WireDamaged as error:
            payload, fault = b"", str(error)
        if not payload or len(payload) > self._link.max_payload:
            failed = Failed(error="role", message=fault)
            payload = encode_answer(msgspec.structs.replace(answer, outcome=failed))
        try:
            self._link.send(publish_bytes(reply, b"", payload))
        except ConnectionError:
            return  # the director asks again, and the handler still has the answer
        self.stats.answered += 1

    # -- peers

    async def _is_held_by_a_peer(self, post: _Post, ask: Ask, reply: bytes) -> bool:
        held: asyncio.Future[None] = self._loop.create_future()

        def acknowledged(payload: bytes, headers: bytes) -> None:
            if not headers and not held.done():
                held.set_result(None)

        address = self._link.expect(acknowledged)
        try:
            lookup = encode_lookup(Lookup(ask=ask, reply=reply.decode()))
            self._link.send(publish_bytes(post.peers, address, lookup))
            async with asyncio.timeout(self._lookup_s):
                await held
        except (TimeoutError, ConnectionError):
            return False
        finally:
            self._link.forget(address)
        return True

    def _on_lookup(self, post: _Post, address: bytes, payload: bytes) -> None:
        try:
            lookup = decode_lookup(payload)
        except WireDamaged as error:
            self._drop(post, str(error))
            return
        if lookup.ask.role == post.role and post.handler.holds(lookup.ask.call_id):
            self._link.send(publish_bytes(address, b"", b"held"))
            self._take(post, lookup.ask, lookup.reply.encode(), at_once=True)
