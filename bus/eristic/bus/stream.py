"""The stream that keeps a run: made once, checked at every open, never trimmed."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import msgspec

from eristic.bus._link import Link
from eristic.bus._staging import stage_stream
from eristic.bus.connection import connect
from eristic.bus.settings import BusSettings
from eristic.bus.subjects import Kind, log_filter, stream_name
from eristic.debate.errors import BusRefused, BusUnavailable, LogMissing

__all__ = ["call_api", "check_stream", "create_stream", "list_runs", "seal_stream", "stream_config"]

_PREFIX = "ERISTIC_"
_NO_SUCH_STREAM = 10059
_NAME_IN_USE = 10058

T = TypeVar("T")
Config = dict[str, Any]  # the JSON object of the JetStream API


class _Error(msgspec.Struct):
    description: str = ""
    code: int = 0
    err_code: int = 0


class _State(msgspec.Struct):
    last_seq: int = 0
    messages: int = 0


class _Response(msgspec.Struct):
    error: _Error | None = None
    config: Config = {}
    state: _State = msgspec.field(default_factory=_State)


class _Names(msgspec.Struct):
    error: _Error | None = None
    streams: list[str] | None = None
    total: int = 0


def stream_config(run: str, kind: Kind = "log", *, replicas: int = 1) -> Config:
    """Settings under which nothing that was acknowledged is dropped, overwritten or removed."""
    return {
        "name": stream_name(run, kind),
        "subjects": [log_filter(run, kind)],
        "storage": "file",
        "retention": "limits",
        "discard": "new",
        "num_replicas": replicas,
        "max_msgs": -1,
        "max_bytes": -1,
        "max_age": 0,
        "max_msgs_per_subject": -1,
        "max_msg_size": -1,
        "deny_delete": True,
        "deny_purge": True,
        "allow_rollup_hdrs": False,
        "allow_direct": True,
        "allow_atomic": True,
        "compression": "none",
    }


async def create_stream(
    settings: BusSettings, run: str, kind: Kind = "log", *, replicas: int = 1
) -> None:
    """Make a stream of a run; nothing to do when it is there with the same settings.

    settings: of a user who may administer streams. Raises BusRefused, BusUnavailable,
    NameRefused.
    """
    link = await connect(settings)
    try:
        config = stream_config(run, kind, replicas=replicas)
        response = await call_api(
            link, f"STREAM.CREATE.{config['name']}", msgspec.json.encode(config), _Response
        )
        if response.error is None:
            if settings.store:
                stage_stream(Path(settings.store), config["name"])
            return
        if response.error.err_code != _NAME_IN_USE:
            raise BusRefused(
                f"NATS at {link.where} does not create stream {config['name']}: "
                f"{response.error.description}; check JetStream's limits and the user's rights"
            )
        await check_stream(link, run, kind)
    finally:
        await link.close()


async def check_stream(link: Link, run: str, kind: Kind = "log") -> int:
    """The last sequence of a run's stream, once its settings are found to be as they must be.

    Raises LogMissing when there is no such stream, BusRefused naming the first setting that
    differs, BusUnavailable.
    """
    name = stream_name(run, kind)
    response = await call_api(link, f"STREAM.INFO.{name}", b"", _Response)
    if response.error is not None:
        if response.error.err_code == _NO_SUCH_STREAM:
            what = "run" if kind == "log" else "judging of run"
            raise LogMissing(
                f"there is no {what} {run!r} at {link.where}; `eristic ls` shows the runs there"
            )
        raise BusRefused(f"NATS at {link.where}: {response.error.description} (stream {name})")
    for setting, expected in stream_config(run, kind).items():
        found = response.config.get(setting)
        if setting != "num_replicas" and found != expected:
            raise BusRefused(
                f"stream {name} at {link.where} has {setting} = {found!r}, expected {expected!r}: "
                "somebody changed it, and events may be missing. Run `eristic verify`, then set "
                "it back with the nats tool"
            )
    return response.state.last_seq


async def seal_stream(settings: BusSettings, run: str) -> None:
    """Close a run's stream for good: nothing can be appended any more. For administrators."""
    link = await connect(settings)
    try:
        config = {**stream_config(run), "sealed": True}
        info = await call_api(link, f"STREAM.INFO.{config['name']}", b"", _Response)
        config["num_replicas"] = info.config.get("num_replicas", 1)
        body = msgspec.json.encode(config)
        response = await call_api(link, f"STREAM.UPDATE.{config['name']}", body, _Response)
        if response.error is not None:
            raise BusRefused(f"stream {config['name']}: {response.error.description}")
    finally:
        await link.close()


async def list_runs(link: Link) -> list[str]:
    """Names of all runs that the server keeps, sorted. Raises BusRefused, BusUnavailable."""
    runs: list[str] = []
    while True:
        request = msgspec.json.encode({"subject": "er.v1.*.log.>", "offset": len(runs)})
        page = await call_api(link, "STREAM.NAMES", request, _Names)
        if page.error is not None:
            raise BusRefused(f"NATS at {link.where}: {page.error.description}")
        found = page.streams or []
        runs += [name.removeprefix(_PREFIX) for name in found if name.startswith(_PREFIX)]
        if not found or len(runs) >= page.total:
            return sorted(runs)


async def call_api(link: Link, what: str, body: bytes, kind: type[T]) -> T:
    """One request to the JetStream API. Raises BusUnavailable, BusRefused."""
    try:
        response = await link.call(f"$JS.API.{what}", body)
        return msgspec.json.decode(response.payload, type=kind)
    except LookupError as error:
        raise BusRefused(
            f"the NATS server at {link.where} runs without JetStream; start it with JetStream on"
        ) from error
    except PermissionError as error:
        raise BusRefused(
            f"this NATS user may not use {what} at {link.where}; use one with more rights"
        ) from error
    except (TimeoutError, ConnectionError) as error:
        raise BusUnavailable(
            f"JetStream at {link.where} does not answer ({what}); run `eristic doctor`"
        ) from error
    except msgspec.DecodeError as error:
        raise BusRefused(f"NATS at {link.where} answers {what} unreadably: {error}") from error
