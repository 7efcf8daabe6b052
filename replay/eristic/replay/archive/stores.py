"""Where archives lie: a folder, or a place of an object store that `pyarrow.fs` reaches.

Credentials come from the environment (AWS_ACCESS_KEY_ID, AWS_ENDPOINT_URL, ...), never from an
address: an address is shown in messages and kept in shell histories.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit

from eristic.debate.errors import LogMissing, SpecRefused
from eristic.replay.archive.arrow import fs, pa

__all__ = ["Store", "open_store"]

_CHUNK_BYTES = 1 << 20
_SCHEMES = ("s3", "gs", "gcs", "abfs", "abfss", "hdfs", "file")


class Store:
    """The files of one archive, named by paths relative to it."""

    def __init__(self, place: str, files: fs.FileSystem, root: str) -> None:
        self.place = place
        """As it was given, for messages."""
        self._files = files
        self._root = root.rstrip("/")
        self._is_local = isinstance(files, fs.LocalFileSystem)

    def path(self, name: str) -> str:
        """The path of a file as the file system names it."""
        return f"{self._root}/{name}"

    def exists(self, name: str) -> bool:
        """Is there a file of that name? Raises LogMissing when the store does not answer."""
        return self.size(name) is not None

    def size(self, name: str) -> int | None:
        """Bytes of a file; None when there is none."""
        try:
            found = self._files.get_file_info(self.path(name))
        except OSError as error:
            raise self._refused(error) from error
        return found.size if found.type == fs.FileType.File else None

    def names(self) -> list[str]:
        """Names of all files, sorted."""
        selector = fs.FileSelector(self._root, recursive=True, allow_not_found=True)
        try:
            found = self._files.get_file_info(selector)
        except OSError as error:
            raise self._refused(error) from error
        files = [item.path for item in found if item.type == fs.FileType.File]
        return sorted(path[len(self._root) + 1 :] for path in files)

    def folders(self) -> list[str]:
        """Names of the folders right below, sorted."""
        selector = fs.FileSelector(self._root, allow_not_found=True)
        try:
            found = self._files.get_file_info(selector)
        except OSError as error:
            raise self._refused(error) from error
        return sorted(x.base_name for x in found if x.type == fs.FileType.Directory)

    def open(self, name: str) -> pa.NativeFile:
        """A file for reading at any place. Raises LogMissing."""
        try:
            return self._files.open_input_file(self.path(name))
        except OSError as error:
            raise self._refused(error, name) from error

    def read(self, name: str) -> bytes:
        """The bytes of a small file. Raises LogMissing."""
        with self.open(name) as file:
            return bytes(file.read())

    def digest(self, name: str) -> str:
        """SHA-256 (hex) of a file, read in pieces. Raises LogMissing."""
        found = hashlib.sha256()
        with self.open(name) as file:
            while chunk := file.read(_CHUNK_BYTES):
                found.update(chunk)
        return found.hexdigest()

    def publish(self, name: str, source: BinaryIO) -> None:
        """A file appears whole or not at all, in place of the one that was there.

        A folder gets it under another name first; an object store shows no object before its
        end is written.
        """
        target = self.path(name)
        written = f"{target}.part" if self._is_local else target
        try:
            if self._is_local:
                self._files.create_dir(target.rpartition("/")[0], recursive=True)
            with self._files.open_output_stream(written) as sink:
                while chunk := source.read(_CHUNK_BYTES):
                    sink.write(chunk)
            if self._is_local:
                _sync(written)
                self._files.move(written, target)
                _sync(target.rpartition("/")[0])
        except OSError as error:
            raise SpecRefused(
                f"{self.place} cannot be written: {_first_line(error)}; check the address, its "
                "rights, and the credentials in the environment"
            ) from error

    def _refused(self, error: OSError, name: str = "") -> LogMissing:
        where = f"{self.place}/{name}" if name else self.place
        return LogMissing(
            f"{where} cannot be read: {_first_line(error)}; check the address and, for an object "
            "store, the credentials and the endpoint in the environment"
        )


def _sync(path: str) -> None:
    # A manifest must not outlive a power cut that its files do not.
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _first_line(error: OSError) -> str:
    if error.strerror:
        return error.strerror
    return (str(error).splitlines() or ["no reason given"])[0][:200]


def open_store(place: str | os.PathLike[str]) -> Store:
    """The store at a folder or URL; nothing needs to be there yet.

    Raises SpecRefused for an address that no file system serves or that holds credentials.
    """
    place = os.fspath(place)
    if "://" not in place:
        return Store(place, fs.LocalFileSystem(), str(Path(place).absolute()))
    address = urlsplit(place)
    if "@" in address.netloc or "secret" in address.query or "key" in address.query:
        raise SpecRefused(
            "the archive's address holds credentials; give them in the environment "
            "(AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL)"
        )
    if address.scheme not in _SCHEMES:
        raise SpecRefused(
            f"no archive can lie at {address.scheme}://; use a folder or one of "
            f"{', '.join(f'{name}://' for name in _SCHEMES)}"
        )
    try:
        files, root = (
            _of_s3(address.netloc, address.path)
            if address.scheme == "s3" and not (address.query)
            else fs.FileSystem.from_uri(place)
        )
    except (OSError, ValueError, NotImplementedError) as error:
        raise SpecRefused(f"the archive's address {place!r} cannot be used: {error}") from error
    return Store(place.rstrip("/"), files, root)


def _of_s3(bucket: str, path: str) -> tuple[fs.FileSystem, str]:
    """S3 by the environment alone: with a region given, no other host is asked for one."""
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    settings: dict[str, str] = {}
    if endpoint:
        where = urlsplit(endpoint)
        settings = {"endpoint_override": where.netloc, "scheme": where.scheme}
        region = region or "us-east-1"
    if region:
        settings["region"] = region
    return fs.S3FileSystem(**settings), f"{bucket}{path}"
