"""Batches of the embedded server are staged in memory, not on its disk.

nats-server collects the messages of an atomic batch in a small store of its own before it
commits them, and makes that store durable too: five fsyncs that protect nothing, since only the
commit is acknowledged. On a disk where an fsync takes 2 ms, a batch of two events takes 12 ms
and 2 ms without them. The store is the folder `batches` of a stream; a link there leads it to
memory. Without such memory, or if a later server removes the link, batches are merely slower.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
from pathlib import Path

__all__ = ["stage_all", "stage_stream", "unstage_all"]

_MEMORY = Path("/dev/shm")
_STREAMS = Path("jetstream/$G/streams")


def _room(store: Path) -> Path:
    """The folder in memory of one store."""
    return _MEMORY / f"eristic-{hashlib.sha256(os.fsencode(store)).hexdigest()[:16]}"


def stage_stream(store: Path, stream: str) -> None:
    """Stage one stream's batches in memory, if it has not begun to stage them on disk."""
    folder = store / _STREAMS / stream
    room = _room(store)
    with contextlib.suppress(OSError):
        room.mkdir(mode=0o700, exist_ok=True)
        facts = room.lstat()
        # Anybody may write to /dev/shm: a folder or link of another user is not ours to use.
        if stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.getuid() and folder.is_dir():
            (room / stream).mkdir(mode=0o700, exist_ok=True)
            (folder / "batches").symlink_to(room / stream)


def stage_all(store: Path) -> None:
    """Before the server starts: what was staged when it died is void."""
    unstage_all(store)
    streams = store / _STREAMS
    for folder in streams.iterdir() if streams.is_dir() else ():
        stage_stream(store, folder.name)


def unstage_all(store: Path) -> None:
    """While the server does not run: leave nothing in memory and no link that leads nowhere."""
    streams = store / _STREAMS
    for folder in streams.iterdir() if streams.is_dir() else ():
        link = folder / "batches"
        if link.is_symlink():
            link.unlink()
        else:
            shutil.rmtree(link, ignore_errors=True)
    shutil.rmtree(_room(store), ignore_errors=True)
