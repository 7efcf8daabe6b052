"""Folders and archives: read in memory, in bounds, and never trusted about names."""

from __future__ import annotations

import io
import os
import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest
from tests.replay._published import OWN, debate, read

from eristic.debate.errors import SpecRefused
from eristic.replay.importing import ImportedEpisode, Unreadable, archives, members, open_source
from eristic.replay.importing.logicom import LOGICOM

PLACE = "debates/iteration 1/GPT-4/t1/No_Helper/id.json"


def ids(*paths: Path) -> set[str]:
    return {item.episode for item in read(*paths) if isinstance(item, ImportedEpisode)}


def zipped(path: Path, entries: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return path


@pytest.mark.parametrize("leading", ["", "LOGICOM-main"])
@pytest.mark.parametrize("kind", ["zip", "tar", "gztar", "bztar", "xztar"])
def test_an_archive_gives_what_its_folder_gives(tmp_path: Path, kind: str, leading: str) -> None:
    root = tmp_path / "root"
    shutil.copytree(OWN, root / leading)
    made = shutil.make_archive(str(tmp_path / "made"), kind, root)
    found = read(Path(made))
    assert len(found) == 10
    assert not [item for item in found if isinstance(item, Unreadable)]
    assert ids(Path(made)) == ids(OWN)


def test_an_archive_of_a_part_is_placed_by_its_own_name(tmp_path: Path) -> None:
    part = OWN / "debates" / "iteration 1"
    made = shutil.make_archive(str(tmp_path / "iteration 1"), "zip", part)
    assert ids(Path(made)) == ids(part)
    assert len(ids(part)) == 6


def test_an_archive_in_the_folder_is_opened_and_counts_no_debate_twice(tmp_path: Path) -> None:
    own = tmp_path / "own"
    shutil.copytree(OWN, own)
    shutil.make_archive(str(own / "debates" / "all-debates"), "zip", own / "debates")
    found = [item for item in read(own) if isinstance(item, ImportedEpisode)]
    assert len(found) == 20
    assert len({(item.origin.path, item.origin.sha256) for item in found}) == 10
    shutil.rmtree(own / "debates" / "iteration 1")
    assert ids(own) == ids(OWN)


def test_an_archive_in_the_folder_that_is_not_really_there_is_told(tmp_path: Path) -> None:
    own = tmp_path / "own"
    shutil.copytree(OWN, own)
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n"
    (own / "debates" / "all-debates.zip").write_bytes(pointer)
    lost = [item for item in read(own) if isinstance(item, Unreadable)]
    assert [item.path for item in lost] == ["/".join((*own.parts[-3:], "debates/all-debates.zip"))]
    assert "git lfs pull" in lost[0].reason
    assert str(tmp_path) not in lost[0].reason


def test_one_file_is_a_source(tmp_path: Path) -> None:
    first = sorted(OWN.rglob("*.json"))[0]
    assert len(ids(first)) == 1


def test_several_sources_are_one() -> None:
    debates, claims = OWN / "debates", OWN / "claims"
    blocks = {
        item.opened.case.block
        for item in read(debates, claims)
        if isinstance(item, ImportedEpisode)
    }
    assert "What is argued about in pair one." in blocks


def test_links_and_what_is_no_file_are_passed_over_and_counted(tmp_path: Path) -> None:
    folder = tmp_path / "debates" / "iteration 1" / "GPT-4" / "t1" / "No_Helper"
    folder.mkdir(parents=True)
    (folder / "id.json").write_bytes(debate())
    (folder / "link.json").symlink_to(folder / "id.json")
    (folder / "._id.json").write_bytes(b"resource fork")
    (folder / "id.html").write_bytes(b"<html>")
    os.mkfifo(folder / "pipe.json")
    (tmp_path / "debates" / "iteration 2").symlink_to(tmp_path / "debates" / "iteration 1")
    source = open_source(tmp_path)
    found = list(LOGICOM.read(source, software="test"))
    assert len(found) == 1
    assert source.passed_over == {"links": 3, "other_files": 2}


def test_links_in_archives_are_passed_over_too(tmp_path: Path) -> None:
    path = tmp_path / "x.tar"
    with tarfile.open(path, "w") as archive:
        for name, kind in (("link.json", tarfile.SYMTYPE), ("dev.json", tarfile.CHRTYPE)):
            info = tarfile.TarInfo(PLACE.replace("id.json", name))
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
        info = tarfile.TarInfo(PLACE)
        info.size = len(debate())
        archive.addfile(info, io.BytesIO(debate()))
    source = open_source(path)
    assert len(list(LOGICOM.read(source, software="test"))) == 1
    assert source.passed_over["links"] == 2

    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as zip_archive:
        link = zipfile.ZipInfo(PLACE.replace("id.json", "link.json"))
        link.external_attr = 0o120777 << 16
        zip_archive.writestr(link, "/etc/passwd")
        zip_archive.writestr(PLACE, debate())
    source = open_source(path)
    assert len(list(LOGICOM.read(source, software="test"))) == 1
    assert source.passed_over["links"] == 1


def test_a_members_name_never_becomes_a_path(tmp_path: Path) -> None:
    before = {path.name for path in tmp_path.parent.iterdir()}
    path = zipped(
        tmp_path / "x.zip",
        {f"../../../{PLACE}": debate(), f"C:\\evil\\{PLACE.replace('/', chr(92))}": debate()},
    )
    found = read(path)
    assert [x.origin.path for x in found if isinstance(x, ImportedEpisode)] == [PLACE, PLACE]
    assert {x.name for x in tmp_path.iterdir()} == {"x.zip"}
    assert {x.name for x in tmp_path.parent.iterdir()} == before


def test_a_file_over_the_limit_is_told_and_not_read(tmp_path: Path) -> None:
    large = b"[" + b" " * members.MEMBER_BYTES + b"]"
    folder = tmp_path / "folder"
    (folder / PLACE).parent.mkdir(parents=True)
    (folder / PLACE).write_bytes(large)
    tarred = tmp_path / "x.tar.gz"
    with tarfile.open(tarred, "w:gz") as archive:
        archive.add(folder / "debates", "debates")
    for path in (folder, zipped(tmp_path / "x.zip", {PLACE: large}), tarred):
        (item,) = read(path)
        assert isinstance(item, Unreadable)
        assert "at most 8,388,608 are read" in item.reason
        assert item.path == PLACE


def test_a_zip_that_says_it_unpacks_to_very_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "TOTAL_BYTES", 1 << 20)
    entries = {f"x{number}.bin": bytes(300_000) for number in range(4)}
    path = zipped(tmp_path / "bomb.zip", {PLACE: debate(), **entries})
    with pytest.raises(SpecRefused, match="unpacks to more than"):
        read(path)
    tarred = tmp_path / "bomb.tar.gz"
    with tarfile.open(tarred, "w:gz") as archive:
        info = tarfile.TarInfo("x.bin")
        info.size = 2 << 20
        archive.addfile(info, io.BytesIO(bytes(2 << 20)))
    with pytest.raises(SpecRefused, match="unpacks to more than"):
        read(tarred)


def test_a_tar_header_that_claims_a_huge_name_is_not_believed(tmp_path: Path) -> None:
    header = tarfile.TarInfo("name")
    header.type, header.size = tarfile.XHDTYPE, 1 << 30
    path = tmp_path / "x.tar"
    path.write_bytes(header.tobuf(tarfile.USTAR_FORMAT) + bytes(1024))
    (item,) = read(path)
    assert isinstance(item, Unreadable)
    assert "damaged" in item.reason


def test_what_comes_before_the_damage_in_a_tar_is_read(tmp_path: Path) -> None:
    made = Path(shutil.make_archive(str(tmp_path / "made"), "gztar", OWN))
    made.write_bytes(made.read_bytes()[: made.stat().st_size * 3 // 4])
    found = read(OWN / "claims", made)
    assert [x for x in found if isinstance(x, ImportedEpisode)]
    assert [x.reason for x in found if isinstance(x, Unreadable)][-1].startswith("is damaged")


def test_a_damaged_member_of_a_zip_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    text = debate()
    path = zipped(tmp_path / "x.zip", {PLACE: text, PLACE.replace("t1", "t2"): b"{}"})
    data = bytearray(path.read_bytes())
    start = data.index(PLACE.encode()) + len(PLACE)
    data[start + 5 : start + 25] = bytes(20)
    path.write_bytes(data)
    first, second = read(path)
    assert isinstance(first, Unreadable) and "unpacked" in first.reason
    assert isinstance(second, Unreadable) and "no published debate" in second.reason


def test_what_is_no_source_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecRefused, match="is not there"):
        open_source(tmp_path / "nothing")
    pointer = tmp_path / "debates.zip"
    pointer.write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n")
    with pytest.raises(SpecRefused, match="git lfs pull"):
        read(pointer)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open every folder")
def test_a_folder_that_may_not_be_opened_is_told(tmp_path: Path) -> None:
    shutil.copytree(OWN, tmp_path / "own")
    closed = tmp_path / "own" / "debates" / "iteration 1" / "GPT-4"
    closed.chmod(0)
    try:
        found = read(tmp_path / "own")
    finally:
        closed.chmod(0o700)
    (lost,) = [item for item in found if isinstance(item, Unreadable)]
    assert lost.path == "debates/iteration 1/GPT-4"
    assert len(found) == 8
