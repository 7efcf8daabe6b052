"""Connecting to NATS: quick to say why it fails the first time, patient ever after."""

from __future__ import annotations

import asyncio

from eristic.bus._link import Link
from eristic.bus._websockets import allow_websockets
from eristic.bus.settings import BusSettings, clean_url
from eristic.debate.errors import BusRefused, BusUnavailable

__all__ = ["connect"]

_PERMISSIONS = "permissions violation"
_AUTHORIZATION = ("authorization violation", "authentication")


async def connect(settings: BusSettings, *, deadline_s: float = 5.0) -> Link:
    """A connection that comes back by itself for ever once it has been there.

    Raises BusUnavailable when no server answers within `deadline_s`, BusRefused when the server
    does not know the user. Messages hold the address, never user or password.
    """
    if settings.url.startswith(("ws://", "wss://")):
        allow_websockets()
    link = Link()
    link.where = clean_url(settings.url)
    turned_away: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    opening = asyncio.ensure_future(_open(link, settings, turned_away))
    try:
        await asyncio.wait(
            {opening, turned_away}, timeout=deadline_s, return_when=asyncio.FIRST_COMPLETED
        )
        if opening.done():
            opening.result()
            return link
    except OSError as error:
        link.last_trouble = _reason(error)
    finally:
        if not opening.done():
            opening.cancel()
            await asyncio.wait({opening})
    await link.close()
    if turned_away.done():
        raise BusRefused(
            f"the NATS server at {link.where} does not accept this user or password; "
            "check --nats or NATS_URL, then `eristic doctor`"
        )
    raise BusUnavailable(
        f"no NATS server answers at {link.where} within {deadline_s:g} s"
        f"{f' ({link.last_trouble})' if link.last_trouble else ''}; "
        "start one, or check --nats and NATS_URL; `eristic doctor` looks for the cause"
    )


async def _open(link: Link, settings: BusSettings, turned_away: asyncio.Future[None]) -> None:
    async def on_error(error: Exception) -> None:
        text = str(error).lower()
        link.last_trouble = _reason(error)
        if _PERMISSIONS in text:
            for refused in link.refused:
                refused(text)
        elif any(word in text for word in _AUTHORIZATION) and not turned_away.done():
            turned_away.set_result(None)

    async def on_lost() -> None:
        for lost in link.lost:
            lost()

    async def on_back() -> None:
        for back in link.connected_again:
            back()

    await link.connect(
        servers=settings.url.split(","),
        name=settings.name,
        user=settings.user or None,
        password=settings.password if settings.user else None,
        token=settings.password if settings.password and not settings.user else None,
        inbox_prefix=settings.inbox,
        error_cb=on_error,
        disconnected_cb=on_lost,
        closed_cb=on_lost,
        reconnected_cb=on_back,
        max_reconnect_attempts=-1,
        reconnect_time_wait=1,
        connect_timeout=2,
        ping_interval=20,
        drain_timeout=30,
        pending_size=64 << 20,
    )
    link.options["reconnect_time_wait"] = 0.1  # its parameter takes whole seconds only
    await link.open_inbox()
    await link.flush()


def _reason(error: Exception) -> str:
    """What went wrong, in a few words without addresses or secrets."""
    text = str(error).removeprefix("nats: ").strip("'\" ")
    if isinstance(error, OSError) and error.strerror:
        text = error.strerror
    return (text or type(error).__name__)[:200]
