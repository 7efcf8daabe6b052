"""The embedded NATS server: one a home folder, shared by the processes that use it.

`<home>/nats/` holds

    users.json     passwords, and the server's own name (mode 0600)
    server.conf    written at each start (mode 0600)
    server.json    port, process and profile of the running server
    server.log, server.pid, store/
    start.lock     held while a process starts or stops the server
    users.lock     held shared by every process that uses the server

The kernel lets go of locks when a process dies, so the last user is known even after kill -9.
A record is believed only when the server at its port says the right name and takes our password.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import os
import secrets
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO

import msgspec

from eristic.bus._binary import find_server
from eristic.bus._serverconfig import USERS, Profile, User, inbox_of, render_config
from eristic.bus._staging import stage_all, unstage_all
from eristic.bus.settings import BusSettings
from eristic.debate.errors import BusError, BusRefused, BusUnavailable

__all__ = ["ServerHandle", "ensure_server"]

_READY_S = 15.0
_LOCK_S = 30.0
_STOP_S = 10.0


class _Identity(msgspec.Struct):
    server_name: str
    passwords: dict[str, str]


class _Record(msgspec.Struct):
    port: int
    pid: int
    profile: Profile


def ensure_server(home: Path, *, profile: Profile | None = None, port: int = 0) -> ServerHandle:
    """Use the server of a home folder; start it when it does not run.

    profile: `always` = every event is on disk before it is acknowledged; `fast` = within 0.1 s;
        None = whatever a running server has, `always` for a new one.
    port: 0 = any free one. The handle must be closed; the last user's close stops the server.
    Raises BusError naming the path or port that is in the way, BusRefused when the running
    server has another profile, ExtraMissing when there is no nats-server.
    """
    folder = home.absolute() / "nats"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        (folder / "store").mkdir(exist_ok=True)
        handle = ServerHandle(folder, _identity(folder))
        handle._join(profile, port)
    except OSError as error:
        raise BusError(
            f"the NATS server's folder {folder} cannot be used: {error.strerror or error}; "
            "free space or set another home with --home or ERISTIC_HOME"
        ) from error
    return handle


class ServerHandle:
    """This process's share in the server of a home folder; made by `ensure_server`."""

    def __init__(self, folder: Path, identity: _Identity) -> None:
        self._folder = folder
        self._identity = identity
        self._record: _Record | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._users: IO[bytes] | None = None

    @property
    def record(self) -> _Record:
        if self._record is None:
            raise BusError("this handle of the NATS server is closed")
        return self._record

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self.record.port}"

    @property
    def port(self) -> int:
        return self.record.port

    @property
    def pid(self) -> int:
        """Of the server, as last known."""
        return self.record.pid

    @property
    def profile(self) -> Profile:
        return self.record.profile

    def settings(self, user: User, *, name: str = "eristic") -> BusSettings:
        """How to connect as one of admin, director, role, reader."""
        return BusSettings(
            url=self.url,
            user=user,
            password=self._identity.passwords[user],
            name=name,
            inbox=inbox_of(user),
            store=str(self._folder / "store") if user == "admin" else "",
        )

    def __enter__(self) -> ServerHandle:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    async def watch(self) -> None:
        """Start the server again whenever it is found dead; runs until cancelled.

        Every process that uses the server may watch; only one of them starts it.
        """
        while self._record is not None:
            if not await asyncio.to_thread(_listens, self.record.port):
                await asyncio.to_thread(self.revive)
            # Memory may be cleared behind our back, as some systems do when a user logs out.
            stage_all(self._folder / "store")
            await asyncio.sleep(0.1)

    def revive(self) -> bool:
        """Start the server again at its port if it is dead; True if this call started it.

        Raises BusError when it cannot be started.
        """
        with self._start_lock():
            record = self.record
            if self._answers(record.port):
                self._record = self._read_record() or record
                return False
            self._start(record.profile, record.port)
            return True

    def close(self) -> None:
        """Leave; stops the server when no other process uses it. Safe to call twice."""
        users, self._users = self._users, None
        if users is None:
            return
        with users, self._start_lock():
            try:
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self._record = None  # somebody else still uses it
                self._disown()
                return
            self._stop()

    # -- starting

    def _join(self, profile: Profile | None, port: int) -> None:
        with self._start_lock():
            users = (self._folder / "users.lock").open("ab")
            fcntl.flock(users, fcntl.LOCK_SH)
            try:
                self._find_or_start(profile, port)
            except BaseException:
                users.close()
                raise
            self._users = users

    def _find_or_start(self, profile: Profile | None, port: int) -> None:
        record = self._read_record()
        if record is None or not self._answers(record.port):
            known = record.port if record is not None else 0
            known = known if known and not _listens(known) else 0
            self._start(profile or "always", port or known)
            return
        if profile is not None and record.profile != profile:
            raise BusRefused(
                f"the NATS server of {self._folder} runs with profile {record.profile}, not "
                f"{profile}; end the commands that use it, or ask for {record.profile}"
            )
        self._record = record

    def _start(self, profile: Profile, port: int) -> None:
        port = port or _free_port()
        config = self._folder / "server.conf"
        text = render_config(
            port=port,
            folder=self._folder,
            server_name=self._identity.server_name,
            profile=profile,
            passwords=self._identity.passwords,
        )
        _write_private(config, text)
        program = find_server()
        stage_all(self._folder / "store")
        log_path = self._folder / "server.log"
        with log_path.open("ab") as log:
            begin = log.tell()
            # Its own session: Ctrl-C at a command must not take the server from its other users.
            child = subprocess.Popen(
                [program, "-c", config],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        deadline = time.monotonic() + _READY_S
        while not self._answers(port):
            if child.poll() is not None:
                raise BusError(self._why(log_path, begin, port))
            if time.monotonic() > deadline:
                child.kill()
                child.wait()
                raise BusError(
                    f"nats-server was not ready on port {port} after {_READY_S:g} s; see {log_path}"
                )
            time.sleep(0.005)
        stage_all(self._folder / "store")  # for streams whose batches it had to finish
        self._reap()
        self._child = child
        self._record = _Record(port=port, pid=child.pid, profile=profile)
        _write_private(self._folder / "server.json", msgspec.json.encode(self._record).decode())

    def _why(self, log_path: Path, begin: int, port: int) -> str:
        with log_path.open("rb") as log:
            log.seek(begin)
            lines = log.read().decode(errors="replace").splitlines()
        fatal = [line for line in lines if "[FTL]" in line or "[ERR]" in line] or lines
        said = fatal[-1].split("] ", 1)[-1].strip() if fatal else "nothing"
        if "address already in use" in said:
            advice = f"port {port} is taken by another program: stop it or choose another port"
        elif "permission denied" in said or "read-only" in said:
            advice = f"make {self._folder} writable, or set another home with --home"
        elif "space" in said:
            advice = f"free space on the disk of {self._folder}"
        else:
            advice = f"see {log_path}"
        return f"nats-server does not start in {self._folder} (port {port}): {said}; {advice}"

    # -- stopping

    def _stop(self) -> None:
        record, self._record = self._read_record() or self._record, None
        if record is None or not self._answers(record.port):
            self._reap()
            unstage_all(self._folder / "store")
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(record.pid, signal.SIGTERM)
        deadline = time.monotonic() + _STOP_S
        while self._alive(record):
            if time.monotonic() > deadline:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(record.pid, signal.SIGKILL)
                break
            time.sleep(0.005)
        self._reap()
        (self._folder / "server.json").unlink(missing_ok=True)
        unstage_all(self._folder / "store")

    def _alive(self, record: _Record) -> bool:
        if self._child is not None and self._child.pid == record.pid:
            return self._child.poll() is None
        try:
            os.kill(record.pid, 0)
            # A child that its parent has not buried yet is gone as far as we are concerned.
            return b") Z " not in Path(f"/proc/{record.pid}/stat").read_bytes()
        except ProcessLookupError:
            return False
        except OSError:
            return _listens(record.port)  # no /proc here

    def _disown(self) -> None:
        """The server goes on without this process, which then must not warn about a child."""
        if self._child is not None and self._child.poll() is None:
            self._child.returncode = 0
        self._child = None

    def _reap(self) -> None:
        if self._child is not None and self._child.poll() is not None:
            self._child = None

    # -- files and locks

    def _read_record(self) -> _Record | None:
        """What the last start wrote; None when there was none or it cannot be read."""
        try:
            return msgspec.json.decode((self._folder / "server.json").read_bytes(), type=_Record)
        except (OSError, msgspec.DecodeError):
            return None

    @contextlib.contextmanager
    def _start_lock(self) -> Iterator[None]:
        deadline = time.monotonic() + _LOCK_S
        with (self._folder / "start.lock").open("ab") as lock:
            while True:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        raise BusUnavailable(
                            f"another process has been starting the NATS server of "
                            f"{self._folder} for {_LOCK_S:g} s; see {self._folder}/server.log"
                        ) from None
                    time.sleep(0.01)
            yield

    def _answers(self, port: int) -> bool:
        """Whether the server at this port is ours: its name, and it takes our password."""
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1.0) as connection:
                connection.settimeout(2.0)
                lines = connection.makefile("rb")
                info = lines.readline()
                if not info.startswith(b"INFO "):
                    return False
                if json.loads(info[5:]).get("server_name") != self._identity.server_name:
                    return False
                login = {
                    "verbose": False,
                    "user": "admin",
                    "pass": self._identity.passwords["admin"],
                    "name": "eristic watch",
                    "lang": "python3",
                    "version": "0",
                    "protocol": 1,
                }
                connection.sendall(b"CONNECT " + json.dumps(login).encode() + b"\r\nPING\r\n")
                return lines.readline().startswith((b"PONG", b"INFO"))
        except (OSError, ValueError):
            return False


def _with_all_users(path: Path, identity: _Identity) -> _Identity:
    """A home of an earlier version may lack a user; the server learns it at its next start."""
    missing = [user for user in USERS if user not in identity.passwords]
    if missing:
        identity.passwords.update({user: secrets.token_urlsafe(24) for user in missing})
        _write_private(path, msgspec.json.encode(identity).decode())
    return identity


def _identity(folder: Path) -> _Identity:
    path = folder / "users.json"
    try:
        return _with_all_users(path, msgspec.json.decode(path.read_bytes(), type=_Identity))
    except FileNotFoundError:
        pass
    except msgspec.DecodeError as error:
        raise BusError(f"{path} cannot be read ({error}); remove it, a new one is made") from error
    made = _Identity(
        server_name=f"eristic-{secrets.token_hex(6)}",
        passwords={user: secrets.token_urlsafe(24) for user in USERS},
    )
    draft = folder / f".users-{os.getpid()}-{secrets.token_hex(4)}"
    _write_private(draft, msgspec.json.encode(made).decode())
    try:
        os.link(draft, path)  # fails when another process was first: then its file counts
    except FileExistsError:
        return _identity(folder)
    finally:
        draft.unlink()
    return made


def _write_private(path: Path, text: str) -> None:
    """Replace a file in one step; only its owner can read it."""
    draft = path.with_name(f".{path.name}-{os.getpid()}")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
    draft.replace(path)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _listens(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1.0):
            return True
    except OSError:
        return False
