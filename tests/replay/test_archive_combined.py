"""A run that is still being archived reads as one log."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.replay._plays import Records, logged
from tests.replay.test_archive import RECORDS, archived, chain, read_all

from eristic.debate.errors import LogDamaged
from eristic.journal.memory import MemoryLog
from eristic.replay.archive import CombinedLog


def cut_at(records: Records, episode: str) -> Records:
    """The log at the moment in which this episode closed."""
    last = max(place for place, (name, _) in enumerate(records) if name == episode)
    return records[: last + 1]


async def test_a_combined_log_has_no_gaps_and_no_doubles(tmp_path: Path) -> None:
    closed_first = next(name for name, stored in RECORDS if b'"episode.closed.v1"' in stored)
    archive = await archived(tmp_path, cut_at(RECORDS, closed_first))
    assert 0 < archive.manifest.events < len(RECORDS)
    combined = CombinedLog(archive, await logged(RECORDS))
    assert await read_all(combined) == RECORDS
    for episode in {name for name, _ in RECORDS}:
        assert await combined.read(episode) == chain(RECORDS, episode)


class Trimmed(MemoryLog):
    """A live log whose first events are gone."""

    def __init__(self, records: Records) -> None:
        super().__init__()
        self._kept = records

    async def read(self, episode: str) -> list[bytes]:
        return chain(self._kept, episode)

    async def records(self) -> AsyncIterator[tuple[str, bytes]]:
        for record in self._kept:
            yield record


@pytest.mark.parametrize("kept", [0, 40, 200])
async def test_a_combined_log_reads_what_the_live_one_lost_from_the_archive(
    tmp_path: Path, kept: int
) -> None:
    half = len(RECORDS) // 2
    archive = await archived(tmp_path, RECORDS[:half], episodes="all")
    live = Trimmed(RECORDS[half - 20 :][:kept])
    reached = RECORDS[: max(half, half - 20 + kept)]
    combined = CombinedLog(archive, live)
    assert sorted(await read_all(combined)) == sorted(reached)
    for episode in {name for name, _ in RECORDS}:
        assert await combined.read(episode) == chain(reached, episode)


async def test_a_gap_between_archive_and_log_is_damage(tmp_path: Path) -> None:
    archive = await archived(tmp_path, RECORDS[:100], episodes="all")
    combined = CombinedLog(archive, Trimmed(RECORDS[200:]))
    with pytest.raises(LogDamaged, match="lost to both"):
        await read_all(combined)
