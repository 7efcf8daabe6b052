"""What an archive says about itself: its files with their digests, and where every chain ends."""

from __future__ import annotations

import io

import msgspec

from eristic.debate.errors import LogDamaged, LogMissing, LogTooNew
from eristic.replay.archive.schemas import VERSION
from eristic.replay.archive.stores import Store

__all__ = ["MANIFEST", "End", "Manifest", "Part", "read_manifest", "write_manifest"]

MANIFEST = "manifest.json"
_FORM = "eristic-archive.v1"


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One file with events, sorted by episode and position."""

    path: str
    """Relative to the archive."""
    sha256: str
    bytes: int
    events: int
    schema: int
    """Version of its columns."""
    first: str
    """Lowest name of a chain in it."""
    last: str
    """Highest name of a chain in it."""


class End(msgspec.Struct, frozen=True, array_like=True):
    """Where a chain ends in this archive: [length, head]."""

    length: int
    head: str
    """Digest of its last event."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The whole archive. Files that it does not name are none of it."""

    form: str = _FORM
    run: str
    schema: int = VERSION
    """Highest version of columns among the files."""
    is_closed: bool = False
    """The run's closing event is here, so that `head` stands for the whole run."""
    head: str = ""
    """Digest of the last event of the run's own chain; empty while that is not here."""
    events: int = 0
    software: str = ""
    """What wrote it last, with the version of pyarrow."""
    parts: tuple[Part, ...] = ()
    heads: dict[str, End] = {}
    """Chain -> its end, of every chain in it."""


class _Form(msgspec.Struct, frozen=True):
    form: str = ""


def read_manifest(store: Store) -> Manifest:
    """The manifest of an archive. Raises LogMissing, LogDamaged, LogTooNew."""
    if not store.exists(MANIFEST):
        raise LogMissing(
            f"there is no archive at {store.place}: it has no {MANIFEST}; "
            "`eristic export RUN --to parquet PLACE` makes one"
        )
    raw = store.read(MANIFEST)
    try:
        form = msgspec.json.decode(raw, type=_Form).form
        if form != _FORM and form.startswith("eristic-archive."):
            raise LogTooNew(
                f"the archive at {store.place} has the form {form}, this version reads {_FORM}: "
                "upgrade with `pip install -U eristic`"
            )
        found = msgspec.json.decode(raw, type=Manifest)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise LogDamaged(f"{store.place}/{MANIFEST} cannot be read: {error}") from error
    if form != _FORM or any(_leaves(part.path) for part in found.parts):
        raise LogDamaged(f"{store.place}/{MANIFEST} is not the manifest of an archive of Eristic")
    return found


def _leaves(path: str) -> bool:
    """A manifest is untrusted: its files are those of its own folder."""
    return path.startswith("/") or ".." in path.split("/") or ":" in path or "\\" in path


def write_manifest(store: Store, manifest: Manifest) -> None:
    """Publish the manifest; from here on the archive is what it says."""
    encoded = msgspec.json.encode(manifest, order="deterministic")
    store.publish(MANIFEST, io.BytesIO(msgspec.json.format(encoded, indent=1)))
