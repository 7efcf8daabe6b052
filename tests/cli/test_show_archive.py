"""`eristic show` of an archive: an episode is found by the same words as in the run's log."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.replay._plays import logged, tell, troubled, write

from eristic.cli import show
from eristic.cli.entry import build_parser
from eristic.debate.errors import NameRefused
from eristic.debate.ids import RUN_CHAIN
from eristic.replay.archive import ParquetLog, open_archive, write_archive

RECORDS = write(tell(troubled, number=2))
BEGUN = [name for name in dict.fromkeys(name for name, _ in RECORDS) if name != RUN_CHAIN]


async def shown(
    capsys: pytest.CaptureFixture[str], archive: ParquetLog, address: str
) -> dict[str, object]:
    words = ["show", "r", address, "--json"]
    args = build_parser(words).parse_args(words)
    assert await show.show_log(archive, args, archive=archive) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


@pytest.fixture
async def archive(tmp_path: Path) -> ParquetLog:
    """Of two exports, so that a chain is in two files, and their order is not that of the run."""
    await write_archive(await logged(RECORDS[:40]), "r", tmp_path, episodes="all")
    await write_archive(await logged(RECORDS), "r", tmp_path)
    return open_archive(tmp_path)


async def test_numbers_count_in_the_order_in_which_the_episodes_began(
    capsys: pytest.CaptureFixture[str], archive: ParquetLog
) -> None:
    assert sorted(BEGUN) != BEGUN
    for number, name in enumerate(BEGUN, start=1):
        for address in (str(number), f"#{number}", f"00{number}"):
            assert (await shown(capsys, archive, address))["episode"] == name


async def test_beginnings_and_cells_lead_to_their_episodes(
    capsys: pytest.CaptureFixture[str], archive: ParquetLog
) -> None:
    for name in BEGUN:
        found = await shown(capsys, archive, name[:9])
        header = found["header"]
        assert isinstance(header, dict)
        cell = f"{header['case']['case_id']}/{header['condition']}/{header['repetition']}"
        assert found["episode"] == name
        assert await shown(capsys, archive, cell) == found


class Unread(ParquetLog):
    """An archive that is never read as a whole."""

    async def records(self) -> AsyncIterator[tuple[str, bytes]]:
        raise AssertionError("the whole run was read")
        yield


async def test_a_number_reads_no_other_episode(
    capsys: pytest.CaptureFixture[str], archive: ParquetLog
) -> None:
    unread = Unread(archive.store, archive.manifest)
    assert (await shown(capsys, unread, "3"))["episode"] == BEGUN[2]


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("e", "several episodes of run r begin with 'e'"),
        ("#7", "It has 6, numbered from 1"),
        ("0", "It has 6, numbered from 1"),
        ("9" * 5000, "It has 6, numbered from 1"),
        ("case-0/no_helpr/0", "Did you mean 'case-0/no_helper/0'"),
        ("", "has no episode ''"),
        ("run", "has no episode 'run'"),
    ],
)
async def test_what_is_not_there_is_refused_with_the_way_on(
    capsys: pytest.CaptureFixture[str], archive: ParquetLog, address: str, says: str
) -> None:
    with pytest.raises(NameRefused) as refused:
        await shown(capsys, archive, address)
    assert says in str(refused.value)
