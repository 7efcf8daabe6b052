"""Archives that are large, grow old, or are killed while they are written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.replay._plays import logged, tell, troubled, usual, write

from eristic.debate.errors import LogDamaged, LogTooNew
from eristic.replay import turns
from eristic.replay.archive import check_files, open_archive, parts, schema_of, write_archive
from eristic.replay.archive.schemas import version_of, widen

RECORDS = write(tell(troubled, number=2))

_MEMORY = """
import asyncio, random, resource, sys
from datetime import UTC, datetime
from eristic.debate import (
    Binding, Case, EpisodeClosed, EpisodeOpened, RunClosed, RunOpened, TurnSpoken)
from eristic.journal import Chain, extend
from eristic.replay.archive import write_archive

NOON = datetime(2026, 1, 1, tzinfo=UTC)
POOL = random.Random(1).randbytes(3_000_000).hex()

class Log:
    def __init__(self, episodes): self.episodes = episodes
    async def records(self):
        chance, heads = random.Random(2), {}
        opened = RunOpened(spec="", prompts={}, episodes=self.episodes, software="s")
        stored, run = extend(Chain.empty(run="r", episode="run"), [opened], time=NOON)
        yield "run", stored[0]
        for number in range(self.episodes):
            name = f"e{number:012x}"
            events = [EpisodeOpened(protocol="p", protocol_version=1, condition="c", repetition=0,
                                    case=Case(case_id="c", block="b", texts={}), options={},
                                    cast={}, prompts={}, software="s")]
            for turn in range(20):
                at = chance.randrange(5_990_000)
                events.append(TurnSpoken(turn=turn, role="r", text=POOL[at : at + 6000]))
            events.append(EpisodeClosed(outcome="o", reason="r", rounds=1))
            stored, chain = extend(Chain.empty(run="r", episode=name), events, time=NOON)
            heads[name] = chain.head
            for line in stored:
                yield name, line
        stored, _ = extend(run, [RunClosed(heads=heads)], time=NOON)
        yield "run", stored[0]

def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

asyncio.run(write_archive(Log(50), "r", sys.argv[1] + "/warm"))
before = peak()
asyncio.run(write_archive(Log(900), "r", sys.argv[1] + "/large", part_bytes=40 << 20))
print(peak() - before)
"""


def test_a_hundred_megabytes_are_archived_in_under_fifty(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _MEMORY, str(tmp_path)], capture_output=True, text=True, check=True
    )
    growth_mb = float(done.stdout)
    assert growth_mb < 50
    log = open_archive(tmp_path / "large")
    assert (log.manifest.events, len(log.manifest.parts)) == (900 * 22 + 2, 3)
    assert sum(part.bytes for part in log.manifest.parts) > 40e6


async def test_one_episode_reads_one_row_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "GROUP_ROWS", 20)
    await write_archive(await logged(RECORDS), "r", tmp_path)
    log = open_archive(tmp_path)
    file = pq.ParquetFile(tmp_path / log.manifest.parts[0].path)
    assert file.num_row_groups > 15
    episode = sorted(log.manifest.heads)[2]
    length = log.manifest.heads[episode].length
    rows = sum(batch.num_rows for batch in log.parts.batches(["episode"], episodes=[episode]))
    assert length <= rows < length + 40
    last = log.parts.batches(["episode"], episodes=[episode], first=length - 1)
    assert sum(batch.num_rows for batch in last) <= 40


async def test_files_of_an_older_schema_read_with_its_new_columns_null(tmp_path: Path) -> None:
    await write_archive(await logged(RECORDS), "r", tmp_path)
    path = tmp_path / open_archive(tmp_path).manifest.parts[0].path
    old = pq.read_table(path).drop_columns(["cost_usd", "reading_flags", "judge"])
    pq.write_table(old, path)
    log = open_archive(tmp_path)
    assert [record async for record in log.records()] == RECORDS
    table = turns(log, columns=["turn", "reading_flags"])
    assert table.schema.field("reading_flags").type == pa.list_(pa.string())
    assert table["reading_flags"].null_count == table.num_rows > 0
    both = pa.concat_tables([table, turns(RECORDS, columns=["turn", "reading_flags"])])
    assert both.num_rows == 2 * table.num_rows


def test_a_batch_is_widened_to_typed_nulls() -> None:
    batch = pa.record_batch({"turn": pa.array([1], pa.int32())})
    wide = widen(batch, ["judge", "turn", "cost_usd"], schema_of())
    assert wide.to_pylist() == [{"judge": None, "turn": 1, "cost_usd": None}]
    assert wide.schema.field("cost_usd").type == pa.float64()


def test_a_file_of_a_later_schema_is_refused() -> None:
    later = schema_of().with_metadata({b"eristic.schema": b"2"})
    with pytest.raises(LogTooNew, match="schema 2"):
        version_of(later, path="x")
    with pytest.raises(LogDamaged, match="names no schema"):
        version_of(pa.schema([]), path="x")


_KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from eristic.replay.archive import write_archive, stores
from tests.replay.test_archive_scale import RECORDS, logged

publish, left = stores.Store.publish, [int(sys.argv[2])]
def dying(self, name, source):
    left[0] -= 1
    if left[0] < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    publish(self, name, source)
stores.Store.publish = dying
log = asyncio.run(logged(RECORDS))
asyncio.run(write_archive(log, "r", sys.argv[1], part_bytes=20_000))
"""


@pytest.mark.parametrize("published", [0, 1, 3])
async def test_an_export_that_is_killed_leaves_the_archive_as_it_was(
    tmp_path: Path, published: int
) -> None:
    half = RECORDS[: len(RECORDS) // 2]
    await write_archive(await logged(half), "r", tmp_path, episodes="all")
    before = (tmp_path / "manifest.json").read_bytes()
    done = subprocess.run(
        [sys.executable, "-c", _KILLED, str(tmp_path), str(published)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
    )
    assert done.returncode == -9, done.stderr
    assert (tmp_path / "manifest.json").read_bytes() == before
    log = open_archive(tmp_path)
    assert [record async for record in log.records()] == half
    found = check_files(log)
    assert (found.findings, len(found.strangers)) == ((), published)
    await write_archive(await logged(RECORDS), "r", tmp_path, part_bytes=20_000)
    log = open_archive(tmp_path)
    assert [record async for record in log.records()] == RECORDS
    assert check_files(log).strangers == ()


async def test_a_storage_that_changes_files_is_found_before_the_manifest_names_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from eristic.replay.archive import Store

    publish = Store.publish

    def corrupting(self: Store, name: str, source: object) -> None:
        publish(self, name, source)  # type: ignore[arg-type]
        if name.endswith(".parquet"):
            path = tmp_path / name
            path.write_bytes(path.read_bytes()[:-1] + b"x")

    monkeypatch.setattr(Store, "publish", corrupting)
    with pytest.raises(LogDamaged, match="does not hold what was written"):
        await write_archive(await logged(write(tell(usual, number=1))), "r", tmp_path)
    assert not (tmp_path / "manifest.json").exists()
