"""Batches of the embedded server are staged in memory, not on its disk.

nats-server collects the messages of an atomic batch in a small store of its own before it
commits them, and makes that store durable too: five fsyncs that protect nothing, since only the
commit is acknowledged. On a disk where an fsync takes 2 ms, a batch of two events takes 12 ms
and 2 ms without them. The store is the folder `batches` of a stream; a link there leads it to
memory. Without such memory, or if a later server removes the link, batches are merely slower.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path

__all__ = ["stage_all", "stage_stream", "unstage_all"]

_MEMORY = Path("/dev/shm")
_STREAMS = Path("jetstream/$G/streams")


def _room(server_name: str) -> Path:
    return _MEMORY / server_name


def stage_stream(store: Path, stream: str, server_name: str) -> None:
    """Stage one stream's batches in memory, if it has not begun to stage them on disk."""
    folder = store / _STREAMS / stream
    link = folder / "batches"
    if not folder.is_dir() or not os.access(_MEMORY, os.W_OK):
        return
    target = _room(server_name) / stream
    target.parent.mkdir(mode=0o700, exist_ok=True)
    target.mkdir(mode=0o700, exist_ok=True)
    with contextlib.suppress(OSError):
        link.symlink_to(target)


def stage_all(store: Path, server_name: str) -> None:
    """Before the server starts: what was staged when it died is void."""
    unstage_all(store, server_name)
    streams = store / _STREAMS
    for folder in streams.iterdir() if streams.is_dir() else ():
        stage_stream(store, folder.name, server_name)


def unstage_all(store: Path, server_name: str) -> None:
    """While the server does not run: leave nothing in memory and no link that leads nowhere."""
    streams = store / _STREAMS
    for folder in streams.iterdir() if streams.is_dir() else ():
        link = folder / "batches"
        if link.is_symlink():
            link.unlink()
        else:
            shutil.rmtree(link, ignore_errors=True)
    shutil.rmtree(_room(server_name), ignore_errors=True)
