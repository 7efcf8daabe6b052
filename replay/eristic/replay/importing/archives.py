"""Zip and tar archives, member by member, in memory and within bounds."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Final

from eristic.debate.errors import SpecRefused
from eristic.replay.importing.members import MEMBER_BYTES, Member, NotReadable, check_size

__all__ = ["TOTAL_BYTES", "is_tar", "is_zip", "read_tar", "read_zip"]

TOTAL_BYTES: Final = 2 << 30
"""What an archive may unpack to; the published folder with all its renderings has 0.1 GB."""
_MOST_MEMBERS: Final = 1_000_000
_KIND: Final = 0xF000
_FILE: Final = 0x8000
_BROKEN: Final = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    RuntimeError,  # an encrypted member, or a method that is not compiled in
    NotImplementedError,
    ValueError,
)


_Stream = IO[bytes] | gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile


def is_zip(path: Path) -> bool:
    """By its end, as unzip looks at it."""
    return zipfile.is_zipfile(path)


def is_tar(path: Path) -> bool:
    """By its beginning, packed or not."""
    try:
        return _is_tar(path)
    except _BROKEN:
        return path.name.lower().endswith((".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"))


def _is_tar(path: Path) -> bool:
    with _unpacked(path) as file:
        block = file.read(512)
    return block[257:262] == b"ustar" or block == bytes(512)


def read_zip(path: Path, around: tuple[str, ...]) -> Iterator[Member]:
    """Its members in the order of its directory. Raises SpecRefused; see the bounds above."""
    try:
        archive = zipfile.ZipFile(path)
    except _BROKEN as error:
        raise SpecRefused(f"{path} is no zip archive that can be read: {error}") from error
    with archive:
        budget = _Budget(path)
        for info in archive.infolist():
            budget.spend(info.file_size)
            names = (*around, *_names(info.filename))
            if info.is_dir():
                continue
            kind = info.external_attr >> 16 & _KIND  # 0 from systems without kinds
            is_file = kind in (0, _FILE)
            reader = _zip_reader(archive, info) if is_file else None
            yield Member(names=names, read=reader)


def _zip_reader(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Callable[[], bytes]:
    def read() -> bytes:
        check_size(info.file_size)
        try:
            with archive.open(info) as file:
                found = file.read(MEMBER_BYTES + 1)
        except _BROKEN as error:
            raise NotReadable(f"cannot be unpacked: {error}") from error
        check_size(len(found))
        return found

    return read


def read_tar(path: Path, around: tuple[str, ...]) -> Iterator[Member]:
    """Its members in their order: going back in a packed one would unpack it anew each time."""
    budget = _Budget(path)
    try:
        with (
            _unpacked(path) as file,
            tarfile.open(fileobj=_Bounded(file), mode="r:") as archive,
        ):
            # Not an iteration over the archive: that would keep every member.
            while (info := archive.next()) is not None:
                archive.members = []  # type: ignore[attr-defined]  # keeps all it has seen
                budget.spend(info.size)
                if info.isdir():
                    continue
                reader = _tar_reader(archive, info) if info.isreg() else None
                yield Member(names=(*around, *_names(info.name)), read=reader)
    except _BROKEN as error:
        yield Member(names=around, read=_refusal(f"is damaged from here on: {error}"), is_lost=True)


def _refusal(reason: str) -> Callable[[], bytes]:
    def read() -> bytes:
        raise NotReadable(reason)

    return read


def _tar_reader(archive: tarfile.TarFile, info: tarfile.TarInfo) -> Callable[[], bytes]:
    def read() -> bytes:
        check_size(info.size)
        try:
            file = archive.extractfile(info)
            if file is None:
                raise NotReadable("is no file")
            return file.read(MEMBER_BYTES + 1)
        except _BROKEN as error:
            raise NotReadable(f"cannot be unpacked: {error}") from error

    return read


def _names(name: str) -> tuple[str, ...]:
    """A member's name in parts. Text, compared and shown; `..` and drive letters mean nothing."""
    text = name.encode("utf-8", "replace").decode()
    return tuple(part for part in text.replace("\\", "/").split("/") if part not in ("", "."))


class _Budget:
    """Adds up what an archive says that it unpacks to, before it is unpacked."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._bytes = 0
        self._members = 0

    def spend(self, size: int) -> None:
        self._bytes += max(size, 0)
        self._members += 1
        if self._bytes > TOTAL_BYTES or self._members > _MOST_MEMBERS:
            raise SpecRefused(
                f"{self._path} unpacks to more than {TOTAL_BYTES >> 30} GB or to more than "
                f"{_MOST_MEMBERS:,} files; that is not the published data. Unpack what you want "
                "to import and name that folder"
            )


def _unpacked(path: Path) -> _Stream:
    with path.open("rb") as file:
        start = file.read(6)
    if start[:2] == b"\x1f\x8b":
        return gzip.open(path)
    if start[:3] == b"BZh":
        return bz2.open(path)
    if start == b"\xfd7zXZ\x00":
        return lzma.open(path)
    return path.open("rb")


class _Bounded(io.RawIOBase):
    """A file of which nobody takes much at once: the size in a tar header is only a claim."""

    def __init__(self, file: _Stream) -> None:
        self._file = file

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= MEMBER_BYTES + 1024:
            raise ValueError(f"a header says that it has {size:,} bytes")
        return self._file.read(size)

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()
