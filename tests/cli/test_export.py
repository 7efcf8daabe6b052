"""`eristic export`, and the verbs that take an archive in place of a run, on real runs."""

from __future__ import annotations

import asyncio
import csv
import hashlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from msgspec.structs import replace
from tests.cli._commands import Shell
from tests.replay._plays import Records, logged, tell, troubled, write

from eristic.cli import open_run
from eristic.debate.envelopes import decode, digest
from eristic.debate.errors import LogError, LogMissing, NameRefused, SpecRefused
from eristic.replay import runs, turns
from eristic.replay.archive import open_archive
from eristic.replay.archive.manifest import write_manifest
from eristic.replay.exporting import (
    Episodes,
    Exported,
    ExportOptions,
    exporter_names,
    find_exporter,
)

RECORDS = write(tell(troubled, number=2))

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def played(shell: Shell) -> Shell:
    """A home with one closed run of two debates, `demo`."""
    done = shell.run("logicom", "--run", "demo", "--role", "all=script:steady", "--limit", "2")
    assert done.code == 0, done.err
    return shell


@pytest.mark.nats
def test_a_run_is_exported_shown_listed_and_verified_from_its_archive(
    played: Shell, tmp_path: Path
) -> None:
    place = str(tmp_path / "archives" / "demo")
    done = played("export", "demo", "--to", "parquet", place, "--json").document
    assert (done["run"], done["form"], done["is_closed"], done["waiting"]) == (
        "demo",
        "parquet",
        True,
        0,
    )
    assert played("export", "demo", place).out.startswith("run demo: nothing new")
    live, read = played("show", "demo", "--json"), played("show", place, "--json")
    assert read.document == live.document
    for words in (("1", "--json"), ("1",), ("2", "--at", "3")):
        assert played("show", place, *words).out == played("show", "demo", *words).out
    verified = played("verify", place, "--json").document
    original = played("verify", "demo", "--json").document
    assert verified.pop("files")["findings"] == []
    assert verified == original
    assert played("verify", place, "--head", done["head"]).code == 0
    rows = played("ls", "--at", str(tmp_path / "archives"), "--json").document["runs"]
    assert rows == played("ls", "--json").document["runs"]
    agreed = played("verify", "demo", "--against", place, "--json").document
    assert agreed["against"]["agreed"] == done["held"]
    assert "events are the same in" in played("verify", "demo", "--against", place).out


@pytest.mark.nats
def test_a_live_run_gives_tables_by_its_name(played: Shell, tmp_path: Path) -> None:
    place = tmp_path / "a"
    played("export", "demo", str(place))
    live = open_run("demo", home=played.home)
    assert runs(live).equals(runs(place))
    assert sorted(turns(live)["text"].to_pylist()) == sorted(turns(place)["text"].to_pylist())
    with pytest.raises(LogMissing, match="Did you mean 'demo'"):
        runs(open_run("demmo", home=played.home))


async def test_an_archive_can_be_opened_by_its_folder_and_is_read_only(tmp_path: Path) -> None:
    await _export("parquet", tmp_path / "a")
    found = open_run(str(tmp_path / "a"))
    assert [record async for record in found.records()] == RECORDS
    assert await found.read("run") == [stored for name, stored in RECORDS if name == "run"]
    with pytest.raises(LogError, match="opened for reading"):
        await found.append("run", [b""], expected=0)


async def _export(
    form: str, place: Path | str, records: Records = RECORDS, *, episodes: Episodes = "closed"
) -> Exported:
    log = await logged(records)
    return await find_exporter(form)(log, "r", str(place), ExportOptions(episodes=episodes))


def test_damage_to_an_archive_ends_verification_with_4(tmp_path: Path, shell: Shell) -> None:
    asyncio.run(_export("parquet", tmp_path / "a"))
    place = str(tmp_path / "a")
    assert shell("verify", place).code == 0
    part = next((tmp_path / "a").rglob("*.parquet"))
    whole = part.read_bytes()
    part.write_bytes(whole[:2000] + bytes([whole[2000] ^ 1]) + whole[2001:])
    said, document = shell("verify", place), shell("verify", place, "--json")
    assert (said.code, document.code) == (4, 4)
    assert "is not the file that was written" in said.out
    assert document.document["state"] == "damaged"
    part.write_bytes(whole)
    manifest = tmp_path / "a" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"run": "r"', '"run": "s"'))
    assert shell("verify", place).code == 4


def test_a_run_is_held_against_another_archive(tmp_path: Path, shell: Shell) -> None:
    other = write(tell(number=2))
    asyncio.run(_export("parquet", tmp_path / "a"))
    asyncio.run(_export("parquet", tmp_path / "b", other))
    said = shell("verify", str(tmp_path / "a"), "--against", str(tmp_path / "b"), "--json")
    assert (said.code, said.document["state"]) == (4, "damaged")
    assert (
        "disagree" in said.document["findings"][0]["what"]
        or "shorter" in (said.document["findings"][0]["what"])
    )


def test_the_archive_that_a_run_is_held_against_must_be_whole_itself(
    tmp_path: Path, shell: Shell
) -> None:
    for name in ("a", "b"):
        asyncio.run(_export("parquet", tmp_path / name))
    places = str(tmp_path / "a"), str(tmp_path / "b")
    assert shell("verify", places[0], "--against", places[1]).code == 0
    asyncio.run(_forge(tmp_path / "b"))
    said = shell("verify", places[0], "--against", places[1])
    assert said.code == 4
    assert "does not name the digest of the event before it" in said.out


async def _forge(place: Path) -> None:
    """Another text in the middle of a chain, with digests of event, file and manifest made anew."""
    log = open_archive(place)
    part = log.manifest.parts[0]
    table = pq.read_table(place / part.path).combine_chunks()
    texts = table["text"].to_pylist()
    at = next(n for n, text in enumerate(texts) if text and text.startswith("I disagree"))
    texts[at] = "I agree"
    table = table.set_column(table.schema.get_field_index("text"), "text", pa.array(texts))
    with (place / part.path).open("wb") as file:
        pq.write_table(table, file)
    whole = (place / part.path).read_bytes()
    forged = replace(part, sha256=hashlib.sha256(whole).hexdigest(), bytes=len(whole))
    write_manifest(log.store, replace(log.manifest, parts=(forged,)))


def test_a_place_that_holds_no_archive_is_refused(shell: Shell, tmp_path: Path) -> None:
    shell.refused_at_the_door("show", f"{tmp_path}/nothing", code=4, says=("no archive at",))
    shell.refused_at_the_door("verify", "./nothing", code=4, says=("eristic export",))


def test_an_unknown_form_is_refused_with_the_nearest(shell: Shell) -> None:
    says = ("no exporter 'parket'", "Did you mean 'parquet'")
    shell.refused_at_the_door("export", "demo", "--to", "parket", "x", code=2, says=says)
    assert set(exporter_names()) >= {"parquet", "jsonl", "csv"}
    with pytest.raises(NameRefused):
        find_exporter("")


async def test_lines_of_json_are_the_stored_bytes_in_log_order(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    await _export("jsonl", path)
    assert path.read_bytes().split(b"\n") == [*(stored for _, stored in RECORDS), b""]
    before = path.stat().st_mtime_ns
    await _export("jsonl", path)
    assert path.stat().st_mtime_ns == before


@pytest.mark.parametrize("episodes", ["closed", "all"])
async def test_lines_of_json_grow_with_the_run(tmp_path: Path, episodes: Episodes) -> None:
    path = tmp_path / "r.jsonl"
    for length in (1, 90, 300, len(RECORDS)):
        before = path.read_bytes() if path.exists() else b""
        await _export("jsonl", path, RECORDS[:length], episodes=episodes)
        assert path.read_bytes().startswith(before)
    lines = path.read_bytes().splitlines()
    assert sorted(lines) == sorted(stored for _, stored in RECORDS)
    heads: dict[str, str] = {}
    for line in lines:
        envelope = decode(line)
        assert envelope.prev == heads.get(envelope.episode, envelope.prev)
        heads[envelope.episode] = digest(line)


async def test_lines_of_another_run_are_not_added_to(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    await _export("jsonl", path)
    before = path.read_bytes()
    with pytest.raises(LogError, match="different events"):
        await _export("jsonl", path, write(tell(number=2)))
    path.write_bytes(before[:-9])
    with pytest.raises(LogError):
        await _export("jsonl", path)
    path.write_bytes(before.replace(b'"run":"r"', b'"run":"s"'))
    with pytest.raises(SpecRefused, match="of run 's'"):
        await _export("jsonl", path)


async def test_csv_has_a_row_a_turn_and_no_formula(tmp_path: Path) -> None:
    path = tmp_path / "turns.csv"
    hostile = [
        (name, stored.replace(b"Draft of", b"=cmd|' /C calc'!A0")) for name, stored in RECORDS
    ]
    assert hostile != RECORDS
    await _export("csv", path, hostile)
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    table = turns(hostile)
    assert len(rows) == table.num_rows
    formulas = [row["text"] for row in rows if "cmd|" in row["text"]]
    assert formulas and all(text.startswith("'=") for text in formulas)
    assert rows[0]["seed"] == "" and rows[0]["model"] == ""
    assert sum(row["text"].startswith(("=", "+", "-", "@")) for row in rows) == 0


@pytest.mark.parametrize("form", ["jsonl", "csv"])
async def test_places_that_are_no_file_are_refused(tmp_path: Path, form: str) -> None:
    for place, says in (
        (tmp_path, "is a folder"),
        (tmp_path / "no" / "x", "there is no folder"),
        ("s3://bucket/x", "written to a file"),
    ):
        with pytest.raises(SpecRefused, match=says):
            await _export(form, place)


async def test_open_episodes_are_left_out_of_csv(tmp_path: Path) -> None:
    done = await _export("csv", tmp_path / "x.csv", RECORDS[:90])
    assert (done.added, done.waiting) == (0, 6)
    done = await _export("csv", tmp_path / "x.csv", RECORDS[:90], episodes="all")
    assert (done.added, done.waiting) == (turns(RECORDS[:90]).num_rows, 0)


@pytest.mark.nats
def test_a_table_without_texts_has_their_lengths_and_no_word_of_them(
    played: Shell, tmp_path: Path
) -> None:
    place = tmp_path / "turns.csv"
    words = ("export", "demo", str(place), "--to", "csv")
    assert played(*words).code == 0
    with place.open(newline="", encoding="utf-8") as file:
        whole = list(csv.DictReader(file))
    assert played(*words, "--without-texts").code == 0
    with place.open(newline="", encoding="utf-8") as file:
        hidden = list(csv.DictReader(file))
    assert [row["text"] for row in hidden] == [
        f"[{len(row['text']):,} characters]" for row in whole
    ]
    assert [row["reading_value"] for row in hidden if row["role"] == "conviction"] == [
        row["reading_value"] for row in whole if row["role"] == "conviction"
    ]
    assert {row["digest"] for row in hidden} == {row["digest"] for row in whole}
    for form in ("jsonl", "parquet"):
        played.refused(
            "export",
            "demo",
            str(tmp_path / form),
            "--to",
            form,
            "--without-texts",
            code=2,
            says=("--without-texts", "csv"),
        )
