"""Archives in an object store: a real S3 server on loopback, credentials by environment only."""

from __future__ import annotations

import asyncio

import pytest
from tests.cli._commands import Shell
from tests.replay._plays import logged, tell, troubled, usual, write
from tests.replay._stores import KEYS

from eristic.cli import main
from eristic.debate.errors import LogError, LogMissing, SpecRefused
from eristic.replay import turns
from eristic.replay.archive import check_files, open_archive, open_store, write_archive

RECORDS = write(tell(troubled, number=1))


async def test_an_archive_in_s3_grows_and_gives_the_log_back(s3: str) -> None:
    half = await logged(RECORDS[: len(RECORDS) // 2])
    await write_archive(half, "r", s3, episodes="all")
    found = await write_archive(await logged(RECORDS), "r", s3)
    assert found.added == len(RECORDS) - len(RECORDS) // 2
    log = open_archive(s3)
    assert [record async for record in log.records()] == RECORDS
    assert check_files(log).strangers == ()
    assert turns(s3).equals(turns(log))


async def test_a_place_in_s3_without_an_archive_is_missing(s3: str) -> None:
    with pytest.raises(LogMissing, match="no archive at s3://"):
        open_archive(s3)


async def test_wrong_credentials_or_buckets_are_refused_without_showing_a_key(
    s3: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = await logged(write(tell(usual, number=1)))
    with pytest.raises((SpecRefused, LogError)) as refused:
        await write_archive(log, "r", "s3://no-such-bucket/x")
    assert KEYS["AWS_SECRET_ACCESS_KEY"] not in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "place", ["s3://key:canary@bucket/x", "s3://bucket/x?secret_key=canary", "ftp://canary/x"]
)
def test_addresses_with_credentials_or_of_no_store_are_refused(place: str) -> None:
    with pytest.raises(SpecRefused) as refused:
        open_store(place)
    assert "key:canary" not in str(refused.value)
    assert "key=canary" not in str(refused.value)


def test_show_and_verify_take_a_url(s3: str, shell: Shell) -> None:
    asyncio.run(_fill(s3))
    assert "closed" in shell("show", s3).out
    document = shell("verify", s3, "--json").document
    assert (document["state"], document["files"]["files"]) == ("whole", 1)
    assert not shell.home.exists()
    assert main(["ls", "--at", s3]) == 0


async def _fill(place: str) -> None:
    await write_archive(await logged(RECORDS), "r", place)
