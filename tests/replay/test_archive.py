"""An archive gives back what the log held, byte for byte, and says so when it cannot."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.replay._plays import NOON, Records, Told, logged, planned, tell, troubled, usual, write

from eristic.debate import Envelope, EpisodeOpened, Event, Reading, Served, TurnSpoken
from eristic.debate.envelopes import encode, genesis
from eristic.debate.errors import LogDamaged, LogError, LogMissing, LogTooNew, SpecRefused
from eristic.debate.ids import RUN_CHAIN
from eristic.ports import EpisodeLog
from eristic.protocols import find_protocol
from eristic.replay import verify
from eristic.replay.archive import (
    Episodes,
    ParquetLog,
    check_files,
    compare,
    open_archive,
    write_archive,
)
from eristic.replay.archive.frames import cut, join

RECORDS = write(tell(troubled, number=2))
OPEN = write(tell(usual, number=2, steps=3))


async def read_all(log: EpisodeLog) -> Records:
    return [record async for record in log.records()]


async def archived(place: Path, records: Records, *, episodes: Episodes = "closed") -> ParquetLog:
    await write_archive(await logged(records), "r", place, episodes=episodes)
    return open_archive(place)


def chain(records: Records, episode: str) -> list[bytes]:
    return [stored for name, stored in records if name == episode]


async def test_an_archive_gives_the_log_back_byte_for_byte_in_its_order(tmp_path: Path) -> None:
    archive = await archived(tmp_path, RECORDS)
    assert await read_all(archive) == RECORDS
    for episode in {name for name, _ in RECORDS}:
        assert await archive.read(episode) == chain(RECORDS, episode)


async def test_an_episode_that_never_began_reads_as_empty(tmp_path: Path) -> None:
    assert await (await archived(tmp_path, RECORDS)).read("e000000000000") == []


async def test_a_chain_can_be_read_from_a_position_on(tmp_path: Path) -> None:
    archive = await archived(tmp_path, RECORDS)
    episode = RECORDS[1][0]
    whole = chain(RECORDS, episode)
    assert await archive.read_from(episode, len(whole) - 3) == whole[-3:]
    assert await archive.read_from(episode, len(whole)) == []


async def test_chains_come_whole_and_sorted(tmp_path: Path) -> None:
    found = list((await archived(tmp_path, RECORDS)).chains())
    assert [name for name, _ in found] == sorted({name for name, _ in RECORDS})
    assert all(stored == chain(RECORDS, name) for name, stored in found)


async def test_an_archive_takes_no_events(tmp_path: Path) -> None:
    archive = await archived(tmp_path, RECORDS)
    with pytest.raises(LogError, match="read only"):
        await archive.append("e1", [b"x"], expected=0)


async def test_an_archive_verifies_as_the_log_does(tmp_path: Path) -> None:
    archive = await archived(tmp_path, RECORDS)
    found = await verify(archive, "r", machine_for=find_protocol)
    assert found == await verify(await logged(RECORDS), "r", machine_for=find_protocol)
    assert found.is_whole
    assert archive.manifest.head == found.head
    assert archive.manifest.is_closed


async def test_exporting_again_adds_nothing(tmp_path: Path) -> None:
    log = await logged(RECORDS)
    first = await write_archive(log, "r", tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    again = await write_archive(log, "r", tmp_path)
    assert (first.added, again.added, again.events) == (len(RECORDS), 0, len(RECORDS))
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


@pytest.mark.parametrize("episodes", ["closed", "all"])
async def test_an_archive_grows_with_its_run_to_the_same_bytes(
    tmp_path: Path, episodes: Episodes
) -> None:
    chance = random.Random(5)
    archive = await archived(tmp_path, RECORDS[:1], episodes=episodes)
    for length in [*sorted(chance.sample(range(1, len(RECORDS)), 4)), len(RECORDS)]:
        archive = await archived(tmp_path, RECORDS[:length], episodes=episodes)
        assert check_files(archive).findings == ()
        agreement = await compare(await logged(RECORDS[:length]), archive)
        assert agreement.findings == ()
        assert agreement.agreed + agreement.log_only == length
    assert await read_all(archive) == RECORDS
    assert list(archive.chains()) == [
        (name, chain(RECORDS, name)) for name in sorted({name for name, _ in RECORDS})
    ]


async def test_open_episodes_wait_unless_all_are_asked_for(tmp_path: Path) -> None:
    log = await logged(OPEN)
    found = await write_archive(log, "r", tmp_path)
    assert (found.chains, found.waiting) == (1, 6)
    assert await open_archive(tmp_path).read(RUN_CHAIN) == chain(OPEN, RUN_CHAIN)
    await write_archive(log, "r", tmp_path, episodes="all")
    assert await read_all(open_archive(tmp_path)) == OPEN


async def test_a_log_that_contradicts_its_archive_is_refused(tmp_path: Path) -> None:
    await archived(tmp_path, RECORDS)
    before = (tmp_path / "manifest.json").read_bytes()
    other = await logged(write(tell(usual, number=2)))
    with pytest.raises(LogDamaged, match=r"another event|only \d+"):
        await write_archive(other, "r", tmp_path)
    assert (tmp_path / "manifest.json").read_bytes() == before
    assert (await compare(other, open_archive(tmp_path))).findings


async def test_a_log_that_lost_its_end_is_refused(tmp_path: Path) -> None:
    await archived(tmp_path, RECORDS)
    shorter = await logged(RECORDS[:-30])
    with pytest.raises(LogDamaged, match="the log lost its end"):
        await write_archive(shorter, "r", tmp_path)
    findings = (await compare(shorter, open_archive(tmp_path))).findings
    assert "shorter than the archive" in findings[0].what


async def test_a_damaged_log_is_not_archived(tmp_path: Path) -> None:
    changed = [(name, stored.replace(b"Sound words", b"Other words")) for name, stored in RECORDS]
    assert changed != RECORDS
    with pytest.raises(LogDamaged, match="nothing was archived"):
        await archived(tmp_path, changed)
    assert list(tmp_path.iterdir()) == []


async def test_another_run_is_refused_with_a_place_for_it(tmp_path: Path) -> None:
    await archived(tmp_path, RECORDS)
    with pytest.raises(SpecRefused, match=f"{tmp_path}/s"):
        await write_archive(await logged(RECORDS), "s", tmp_path)


async def test_any_changed_byte_of_any_file_is_found(tmp_path: Path) -> None:
    archive = await archived(tmp_path, RECORDS)
    file = tmp_path / archive.manifest.parts[0].path
    whole = file.read_bytes()
    chance = random.Random(3)
    for place in chance.sample(range(len(whole)), 8):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        found = check_files(open_archive(tmp_path))
        assert ["is not the file that was written" in x.what for x in found.findings] == [True]
    file.unlink()
    assert "cannot be read" in check_files(open_archive(tmp_path)).findings[0].what
    with pytest.raises(LogError):
        await read_all(open_archive(tmp_path))


async def test_a_part_that_the_manifest_forgot_is_found(tmp_path: Path) -> None:
    await archived(tmp_path, RECORDS[:100], episodes="all")
    await archived(tmp_path, RECORDS, episodes="all")
    manifest = json.loads((tmp_path / "manifest.json").read_bytes())
    manifest["parts"].pop()
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    found = check_files(open_archive(tmp_path))
    assert any("ends otherwise" in x.what for x in found.findings)
    assert len(found.strangers) == 1
    grown = next(n for n, end in manifest["heads"].items() if end[0] > 20)
    with pytest.raises(LogDamaged, match="as its manifest says"):
        await open_archive(tmp_path).read(grown)


async def test_a_place_without_a_manifest_is_no_archive(tmp_path: Path) -> None:
    with pytest.raises(LogMissing, match="eristic export"):
        open_archive(tmp_path)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("{", LogDamaged),
        ('{"form": "eristic-archive.v9", "run": "r"}', LogTooNew),
        ('{"form": "other", "run": "r"}', LogDamaged),
        ('{"form": "eristic-archive.v1", "run": "r", "parts": [{"path": "../x", "sha256": "",'
         ' "bytes": 1, "events": 1, "schema": 1, "first": "", "last": ""}]}', LogDamaged),
    ],
)  # fmt: skip
def test_a_manifest_that_cannot_be_trusted_is_refused(
    tmp_path: Path, text: str, error: type[LogError]
) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(error):
        open_archive(tmp_path)


async def test_any_reader_of_parquet_can_read_an_archive(tmp_path: Path) -> None:
    await archived(tmp_path, RECORDS)
    table = pq.read_table(tmp_path / "run=r")
    assert table.num_rows == len(RECORDS)
    pairs = list(zip(*(table[name].to_pylist() for name in ("episode", "position")), strict=True))
    assert pairs == sorted(pairs)
    assert table.schema.metadata[b"eristic.schema"] == b"1"
    assert all(field.metadata[b"is"] for field in table.schema)


@given(st.text(), st.text(), st.text(max_size=80), st.booleans())
def test_stored_bytes_come_back_from_any_frame(
    text: str, value: str, role: str, is_read: bool
) -> None:
    text, value, role = (x.encode(errors="replace").decode() for x in (text, value, role))
    reading = Reading(parser="p.v1", status="read", value=value) if is_read else None
    body = TurnSpoken(
        turn=1,
        role=role,
        text=text,
        call=Served(model=text, prompt="ab" * 32),
        reading=reading,
    )
    prev = genesis(run="r", episode="e1")
    stored = encode(Envelope(run="r", episode="e1", position=1, time=NOON, prev=prev, body=body))
    pieces = (bytes.fromhex(prev), text, b"\xab" * 32, value if is_read else None)
    frame = cut(stored, pieces)
    assert join(frame, pieces) == stored
    assert frame[1] is not None and frame[2] is not None
    assert len(frame[0]) < len(stored) - 128


@given(st.binary(max_size=300), st.text(max_size=20))
def test_bytes_of_another_writer_are_kept_whole(stored: bytes, text: str) -> None:
    pieces = (b"\x00" * 32, text.encode(errors="replace").decode(), None, None)
    assert join(cut(stored, pieces), pieces) == stored


async def test_events_with_odd_contents_come_back(tmp_path: Path) -> None:
    odd = ['"prev":"', "\x00\x1f\u2028é\U0001f600", '{"text":"x"}', "", "a" * 100, "\r\n\t\\"]
    opened, episodes = planned(number=1, conditions=("no_helper",))
    first = episodes[0]
    events: list[Event] = [
        TurnSpoken(turn=n, role=text or "r", text=text, call=Served(model=text, prompt=text))
        for n, text in enumerate(odd)
    ]
    header: EpisodeOpened = replace(first.opened, condition='"text":""', seed=None)
    told: Told = [(RUN_CHAIN, opened, NOON), (first.episode, header, NOON)]
    records = write([*told, *((first.episode, event, NOON) for event in events)])
    archive = await archived(tmp_path, records, episodes="all")
    assert await read_all(archive) == records


def test_without_pyarrow_the_extra_is_named(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from eristic.cli import main\n"
        f"sys.exit(main(['show', {str(tmp_path)!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 7
    assert "pip install 'eristic[tables]'" in done.stderr
