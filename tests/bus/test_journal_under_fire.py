"""The journal when servers die, rights are missing, settings were changed, space ends."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import msgspec
import pytest

from eristic.bus import (
    BusSettings,
    JetStreamLog,
    Link,
    ServerHandle,
    check_stream,
    connect,
    create_stream,
    list_runs,
    open_log,
    seal_stream,
)
from eristic.bus._appends import Append
from eristic.bus._binary import find_server
from eristic.bus._readback import ReadBack
from eristic.debate.errors import (
    BusRefused,
    BusUnavailable,
    LogDamaged,
    LogMissing,
    MessageTooLarge,
    NameRefused,
    StalePosition,
)

pytestmark = pytest.mark.nats


@pytest.fixture
async def log(director: Link, run: str) -> AsyncIterator[JetStreamLog]:
    log = await open_log(director, run)
    yield log
    log.close()


@contextlib.contextmanager
def plain_server(folder: Path, *, jetstream: str) -> Iterator[BusSettings]:
    """A nats-server that is not ours: no users, settings as given."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    config = folder / "plain.conf"
    config.write_text(
        f'listen: "127.0.0.1:{port}"\n'
        f'jetstream {{ store_dir: "{folder}/plain"\n sync_interval: always\n {jetstream} }}\n'
    )
    with subprocess.Popen([find_server(), "-c", config], stderr=subprocess.DEVNULL) as process:
        try:
            yield BusSettings.from_url(f"nats://127.0.0.1:{port}")
        finally:
            process.kill()


async def test_killing_the_server_while_many_append_loses_and_doubles_nothing(
    own_server: ServerHandle,
) -> None:
    await create_stream(own_server.settings("admin"), "r1")
    watch = asyncio.create_task(own_server.watch())
    link = await connect(own_server.settings("director"))
    log = await open_log(link, "r1")
    lengths = {f"e{number}": 0 for number in range(100)}
    is_over = False

    async def grow(episode: str, at_once: int) -> None:
        while not is_over:
            start = lengths[episode]
            events = [b"%s@%d" % (episode.encode(), start + n) for n in range(at_once)]
            await log.append(episode, events, expected=start)
            lengths[episode] += at_once

    async with asyncio.timeout(120), asyncio.TaskGroup() as group:
        for number, episode in enumerate(lengths):
            group.create_task(grow(episode, 1 + number % 3))
        for _ in range(5):
            before, pid = sum(lengths.values()), own_server.pid
            while sum(lengths.values()) < before + 2_000:
                await asyncio.sleep(0.001)
            os.kill(pid, signal.SIGKILL)
            while own_server.pid == pid:
                await asyncio.sleep(0.001)
        is_over = True

    for episode, length in lengths.items():
        wanted = [b"%s@%d" % (episode.encode(), n) for n in range(length)]
        assert await log.read(episode) == wanted
    assert len([record async for record in log.records()]) == sum(lengths.values())
    assert log.stats.read_back > 0
    watch.cancel()
    log.close()
    await link.close()


async def test_the_rest_follows_when_a_dying_server_kept_the_beginning_of_an_append(
    director: Link, log: JetStreamLog, run: str
) -> None:
    await log.append("e1", [b"a", b"b"], expected=0)
    done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    append = Append(
        episode="e1",
        subject=f"er.v1.{run}.log.e1".encode(),
        stored=[b"a", b"b", b"c"],
        after=0,
        expected=0,
        done=done,
        deadline=asyncio.get_running_loop().time() + 10,
    )
    append.unsure = True
    again: list[Append] = []
    read_back = ReadBack(director, f"ERISTIC_{run}", send_again=again.append)
    read_back.settle([append])
    async with asyncio.timeout(5):
        while not again:
            await asyncio.sleep(0.001)
    assert (append.stored, append.expected, append.after) == ([b"c"], 2, 2)


async def test_an_append_waits_for_a_server_that_is_away(own_server: ServerHandle) -> None:
    await create_stream(own_server.settings("admin"), "r1")
    link = await connect(own_server.settings("director"))
    log = await open_log(link, "r1")
    os.kill(own_server.pid, signal.SIGKILL)
    while link.is_connected:
        await asyncio.sleep(0.001)
    appending = asyncio.create_task(log.append("e1", [b"a"], expected=0))
    await asyncio.to_thread(own_server.revive)
    async with asyncio.timeout(20):
        await appending
        assert await log.read("e1") == [b"a"]
    log.close()
    await link.close()


async def test_a_server_that_stays_away_is_named_at_the_deadline(
    own_server: ServerHandle,
) -> None:
    await create_stream(own_server.settings("admin"), "r1")
    link = await connect(own_server.settings("director"))
    log = await open_log(link, "r1", deadline_s=0.3)
    os.kill(own_server.pid, signal.SIGKILL)
    with pytest.raises(BusUnavailable, match=f"{own_server.port} did not say .*eristic doctor"):
        await log.append("e1", [b"a"], expected=0)
    with pytest.raises(BusUnavailable, match="cannot be read"):
        await log.read("e1")
    log.close()
    await link.close()


async def test_reading_goes_on_after_the_server_was_killed(own_server: ServerHandle) -> None:
    await create_stream(own_server.settings("admin"), "r1")
    link = await connect(own_server.settings("director"))
    log = await open_log(link, "r1")
    for start in range(0, 10_000, 1000):
        events = [b"%d" % number for number in range(start, start + 1000)]
        await log.append("e1", events, expected=start)
    read: list[bytes] = []
    async for _, stored in log.records():
        read.append(stored)
        if len(read) == 1_500:
            os.kill(own_server.pid, signal.SIGKILL)
            await asyncio.to_thread(own_server.revive)
    assert read == [b"%d" % number for number in range(10_000)]
    log.close()
    await link.close()


async def test_the_slower_of_two_directors_loses(
    server: ServerHandle, log: JetStreamLog, run: str
) -> None:
    link = await connect(server.settings("director"))
    rival = await open_log(link, run)
    await log.append("e1", [b"a"], expected=0)
    assert await rival.read("e1") == [b"a"]
    await rival.append("e1", [b"b"], expected=1)
    with pytest.raises(StalePosition):
        await log.append("e1", [b"x"], expected=1)
    with pytest.raises(StalePosition):
        await log.append("e1", [b"x", b"y"], expected=1)
    assert await log.read("e1") == [b"a", b"b"]
    rival.close()
    await link.close()


async def test_a_conflict_in_a_batch_stops_only_the_one_it_is_about(
    server: ServerHandle, log: JetStreamLog, run: str
) -> None:
    link = await connect(server.settings("director"))
    rival = await open_log(link, run)
    await asyncio.gather(*(log.append(f"e{n}", [b"0"], expected=0) for n in range(50)))
    await rival.append("e7", [b"rival"], expected=1)
    results = await asyncio.gather(
        *(log.append(f"e{n}", [b"1", b"2"], expected=1) for n in range(50)),
        return_exceptions=True,
    )
    assert [n for n, result in enumerate(results) if result is not None] == [7]
    assert isinstance(results[7], StalePosition)
    assert await log.read("e7") == [b"0", b"rival"]
    assert await log.read("e8") == [b"0", b"1", b"2"]
    rival.close()
    await link.close()


async def test_records_teach_where_chains_end(
    server: ServerHandle, log: JetStreamLog, run: str
) -> None:
    await log.append("e1", [b"a", b"b"], expected=0)
    link = await connect(server.settings("director"))
    later = await open_log(link, run)
    assert [record async for record in later.records()] == [("e1", b"a"), ("e1", b"b")]
    with pytest.raises(StalePosition) as caught:
        await later.append("e1", [b"c"], expected=1)
    assert caught.value.actual == 2
    await later.append("e1", [b"c"], expected=2)
    later.close()
    await link.close()


@pytest.mark.parametrize("user", ["role", "reader"])
async def test_only_directors_may_write_the_log(
    server: ServerHandle, log: JetStreamLog, run: str, user: str
) -> None:
    link = await connect(server.settings("role" if user == "role" else "reader"))
    intruder = JetStreamLog(link, run)
    with pytest.raises(BusRefused, match="may not write the log of episode e1"):
        async with asyncio.timeout(5):
            await intruder.append("e1", [b"forged"], expected=0)
    with pytest.raises(BusRefused, match="may not write the log of episode e2"):
        async with asyncio.timeout(5):
            await intruder.append("e2", [b"forged", b"forged"], expected=0)
    assert [record async for record in log.records()] == []
    intruder.close()
    await link.close()


@pytest.mark.parametrize("user", ["director", "role", "reader"])
@pytest.mark.parametrize(
    "request_", ["STREAM.DELETE", "STREAM.PURGE", "STREAM.MSG.DELETE", "STREAM.UPDATE"]
)
async def test_only_administrators_may_touch_the_stream(
    server: ServerHandle, run: str, user: str, request_: str
) -> None:
    rights = {"director": "director", "role": "role", "reader": "reader"}
    link = await connect(server.settings(rights[user]))  # type: ignore[arg-type]  # one of them
    with pytest.raises(PermissionError):
        await link.call(f"$JS.API.{request_}.ERISTIC_{run}", b'{"seq":1}')
    with pytest.raises(PermissionError):
        # A consumer would have the server publish to any subject on its maker's behalf.
        await link.call(f"$JS.API.CONSUMER.CREATE.ERISTIC_{run}.c", b"{}")
    await link.close()


async def test_not_even_the_administrator_removes_events(
    server: ServerHandle, log: JetStreamLog, run: str
) -> None:
    await log.append("e1", [b"a", b"b"], expected=0)
    admin = await connect(server.settings("admin"))
    for request, body, code in (
        ("PURGE", b"{}", 10110),
        ("MSG.DELETE", b'{"seq":1,"no_erase":true}', 10057),
    ):
        said = await admin.call(f"$JS.API.STREAM.{request}.ERISTIC_{run}", body)
        assert msgspec.json.decode(said.payload)["error"]["err_code"] == code
    await admin.close()
    assert await log.read("e1") == [b"a", b"b"]


async def test_a_trimmed_stream_is_refused_at_opening(
    server: ServerHandle, director: Link, log: JetStreamLog, run: str
) -> None:
    await log.append("e1", [b"a", b"b"], expected=0)
    admin = await connect(server.settings("admin"))
    name = f"ERISTIC_{run}"
    info = msgspec.json.decode((await admin.call(f"$JS.API.STREAM.INFO.{name}")).payload)
    config = {**info["config"], "max_msgs": 10}
    await admin.call(f"$JS.API.STREAM.UPDATE.{name}", msgspec.json.encode(config))
    await admin.close()
    with pytest.raises(BusRefused, match="max_msgs = 10, expected -1"):
        await open_log(director, run)


async def test_making_a_stream_again_changes_nothing(server: ServerHandle, run: str) -> None:
    await create_stream(server.settings("admin"), run)


async def test_a_director_cannot_make_a_run(server: ServerHandle) -> None:
    with pytest.raises(BusRefused, match="may not use STREAM.CREATE.ERISTIC_r9"):
        await create_stream(server.settings("director"), "r9")


async def test_a_sealed_run_can_be_read_and_not_continued(
    server: ServerHandle, director: Link, log: JetStreamLog, run: str
) -> None:
    await log.append("e1", [b"a"], expected=0)
    await seal_stream(server.settings("admin"), run)
    again = await open_log(director, run)
    assert await again.read("e1") == [b"a"]
    with pytest.raises(BusRefused, match="does not store events: .*sealed"):
        await again.append("e1", [b"b"], expected=1)
    again.close()


async def test_a_run_that_is_not_there_is_missing(director: Link) -> None:
    with pytest.raises(LogMissing, match="there is no run 'nowhere'"):
        await open_log(director, "nowhere")


async def test_runs_are_listed_by_name(server: ServerHandle, director: Link, run: str) -> None:
    assert run in await list_runs(director)


async def test_names_that_reach_into_other_subjects_are_refused(log: JetStreamLog) -> None:
    for name in ("e1.e2", "*", ">", "", "e 1", "e\r\nPUB x 0", "é"):
        with pytest.raises(NameRefused):
            await log.append(name, [b"a"], expected=0)
        with pytest.raises(NameRefused):
            await log.read(name)


async def test_what_is_too_large_is_not_sent(log: JetStreamLog) -> None:
    with pytest.raises(MessageTooLarge, match="has 9437184 bytes"):
        await log.append("e1", [b"x" * (9 << 20)], expected=0)
    with pytest.raises(MessageTooLarge, match="at most 1000"):
        await log.append("e1", [b"x"] * 1001, expected=0)
    await log.append("e1", [b"a"], expected=0)
    assert await log.read("e1") == [b"a"]


async def test_an_append_that_was_given_up_leaves_the_chain_readable(log: JetStreamLog) -> None:
    appending = asyncio.create_task(log.append("e1", [b"a"], expected=0))
    await asyncio.sleep(0)
    appending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await appending
    length = len(await log.read("e1"))
    with contextlib.suppress(StalePosition):  # it may arrive after we looked
        await log.append("e1", [b"b"], expected=length)
    chain = await log.read("e1")
    assert chain in ([b"a"], [b"b"], [b"a", b"b"])


async def test_a_full_store_is_named_with_what_to_do(tmp_path: Path) -> None:
    with plain_server(tmp_path, jetstream="max_file_store: 200KB") as settings:
        await create_stream(settings, "r1")
        link = await connect(settings)
        log = await open_log(link, "r1")

        async def fill(at_once: int) -> None:
            length = len(await log.read("e1"))
            while True:
                async with asyncio.timeout(10):
                    await log.append("e1", [b"x" * 10_000] * at_once, expected=length)
                length += at_once

        for at_once in (1, 2):
            with pytest.raises(BusRefused, match="free disk space on the server"):
                await fill(at_once)
        log.close()
        await link.close()


async def test_a_stream_that_lost_its_end_stops_the_writer(tmp_path: Path) -> None:
    with plain_server(tmp_path, jetstream="") as settings:
        await create_stream(settings, "r1")
        link = await connect(settings)
        log = await open_log(link, "r1")
        await log.append("e1", [b"a"], expected=0)
        await log.append("e1", [b"b"], expected=1)
        await link.call("$JS.API.STREAM.DELETE.ERISTIC_r1")
        await create_stream(settings, "r1")
        with pytest.raises(LogDamaged, match="position 1 was stored and is gone"):
            async with asyncio.timeout(10):
                await log.append("e1", [b"c"], expected=2)
        assert await check_stream(link, "r1") == 0
        log.close()
        await link.close()


async def test_a_server_without_jetstream_is_refused(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(find_server()), "-a", "127.0.0.1", "-p", str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        with pytest.raises(BusRefused, match="runs without JetStream"):
            await create_stream(BusSettings(url=f"nats://127.0.0.1:{port}"), "r1")
        process.kill()
