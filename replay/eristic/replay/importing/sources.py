"""Where published debates lie: folders, zip and tar archives, one file.

An archive in a folder is opened (the publication moved its debates into one), an archive in an
archive is not.

Nothing is ever unpacked to disk. Names inside a source are text and never become paths; links
and what is no file are passed over; sizes are bounded before bytes are read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from eristic.debate.errors import SpecRefused
from eristic.replay.importing import archives
from eristic.replay.importing.members import Member, NotReadable, check_size, plain

__all__ = ["Source", "open_source"]

Wanted = Callable[[tuple[str, ...]], bool]
_LFS = b"version https://git-lfs"
_ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")


class _Tally(msgspec.Struct):
    links: int = 0
    others: int = 0


class Source:
    """One or more places, read as one. May be walked more than once."""

    def __init__(self, paths: tuple[Path, ...]) -> None:
        self._paths = paths
        self._tally = _Tally()

    def files(self, wanted: Wanted) -> Iterator[Member]:
        """The files whose names are wanted: folders sorted by name, archives in their order.

        wanted: sees the names from the outermost folder down to the file's own. Raises
        SpecRefused for an archive that cannot be opened or must not be unpacked.
        """
        self._tally = _Tally()
        for path in self._paths:
            for member in _members(path):
                if member.read is None:
                    self._tally.links += 1
                elif member.is_lost or wanted(member.names):
                    yield member
                else:
                    self._tally.others += 1

    @property
    def passed_over(self) -> dict[str, int]:
        """What the last walk left alone (counts): links and other non-files, unwanted files."""
        return {"links": self._tally.links, "other_files": self._tally.others}


def open_source(*paths: Path) -> Source:
    """A source of these folders, archives or files. Raises SpecRefused for a missing one."""
    for path in paths:
        if not path.exists():
            raise SpecRefused(f"{path} is not there; name a folder, a .zip or a .tar(.gz)")
        if not (path.is_dir() or path.is_file()):
            raise SpecRefused(f"{path} is neither a folder nor a file")
    return Source(tuple(path.absolute() for path in paths))


def _members(path: Path) -> Iterator[Member]:
    outer = tuple(plain(name) for name in path.parts[1:])
    if path.is_dir():
        yield from _folder(path, outer)
        return
    try:
        with path.open("rb") as file:
            start = file.read(len(_LFS))
    except OSError as error:
        raise SpecRefused(f"{path} cannot be read: {error.strerror}") from error
    if start == _LFS:
        raise SpecRefused(f"{path} is a Git LFS pointer and not the file; run `git lfs pull`")
    found = _archive(path, outer)
    if found is None:
        yield Member(names=outer, read=_reader(path))
    else:
        yield from found


def _archive(path: Path, names: tuple[str, ...]) -> Iterator[Member] | None:
    """The members of an archive, placed by its own name; None for a file that is none."""
    around = (*names[:-1], names[-1].split(".zip")[0].split(".tar")[0])
    if archives.is_zip(path):
        return archives.read_zip(path, around)
    return archives.read_tar(path, around) if archives.is_tar(path) else None


def _inner_archive(path: Path) -> Iterator[Member]:
    """An archive that lies in a folder. One that cannot be opened is told; the rest goes on."""
    try:
        yield from _members(path)
    except SpecRefused as error:
        names = tuple(plain(name) for name in path.parts[1:])
        reason = str(error).removeprefix(f"{path} ")
        yield Member(names=names, read=_refusal(reason), is_lost=True)


def _folder(root: Path, outer: tuple[str, ...]) -> Iterator[Member]:
    failed: list[OSError] = []
    for folder, folders, files in os.walk(root, followlinks=False, onerror=failed.append):
        here = Path(folder)
        names = (*outer, *(plain(name) for name in here.relative_to(root).parts))
        links = [name for name in folders if (here / name).is_symlink()]
        folders[:] = sorted(name for name in folders if name not in links)
        for name in links:
            yield Member(names=(*names, plain(name)), read=None)
        for name in sorted(files):
            path = here / name
            is_file = path.is_file() and not path.is_symlink()
            if is_file and name.lower().endswith(_ARCHIVES):
                yield from _inner_archive(path)
                continue
            yield Member(names=(*names, plain(name)), read=_reader(path) if is_file else None)
    for error in failed:
        names = Path(error.filename or root).relative_to(root).parts
        read = _refusal(f"this folder cannot be read: {error.strerror}")
        yield Member(names=(*outer, *map(plain, names)), read=read, is_lost=True)


def _refusal(reason: str) -> Callable[[], bytes]:
    def read() -> bytes:
        raise NotReadable(reason)

    return read


def _reader(path: Path) -> Callable[[], bytes]:
    def read() -> bytes:
        try:
            check_size(path.stat().st_size)
            return path.read_bytes()
        except OSError as error:
            raise NotReadable(f"cannot be read: {error.strerror}") from error

    return read
