"""Batches of the embedded server are staged in memory, not on its disk.

nats-server collects the messages of an atomic batch in a small store of its own before it
commits them, and makes that store durable with five fsyncs, so that a commit which was cut short
is finished at the next start. In memory it outlives a server that is killed; a power cut it does
not, and may then leave the beginning of an append that was never acknowledged. That does no
harm: the beginning of a chain is a chain, and the rest follows from it or is asked again. On a
disk where an fsync takes 2 ms, a batch of two events takes 12 ms on disk and 2 ms in memory. The
store is the folder `batches` of a stream; a link there leads it to memory. Without such memory,
or if a later server removes the link, batches are merely slower.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from pathlib import Path

__all__ = ["stage_all", "stage_stream", "unstage_all"]

_MEMORY = Path("/dev/shm")
_STREAMS = Path("jetstream/$G/streams")


def _room(store: Path) -> Path:
    """The folder in memory of one store."""
    return _MEMORY / f"eristic-{hashlib.sha256(os.fsencode(store)).hexdigest()[:16]}"


def stage_stream(store: Path, stream: str) -> None:
    """Stage one stream's batches in memory, if it has not begun to stage them on disk.

    What is staged in memory already stays: a server that was killed finishes it.
    """
    folder = store / _STREAMS / stream
    link, room = folder / "batches", _room(store)
    with contextlib.suppress(OSError):
        room.mkdir(mode=0o700, exist_ok=True)
        facts = room.lstat()
        # Anybody may write to /dev/shm: a folder or link of another user is not ours to use.
        if stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.getuid() and folder.is_dir():
            (room / stream).mkdir(mode=0o700, exist_ok=True)
            link.symlink_to(room / stream)  # fails where there is a folder or link


def stage_all(store: Path) -> None:
    """Before and after the server starts, and now and then: links must not lead nowhere."""
    streams = store / _STREAMS
    for folder in streams.iterdir() if streams.is_dir() else ():
        stage_stream(store, folder.name)


def unstage_all(store: Path) -> None:
    """When the server has stopped: leave nothing in memory and no link that leads nowhere.

    A commit that a killed server did not finish stays: the next start finishes it.
    """
    streams = store / _STREAMS
    for folder in streams.iterdir() if streams.is_dir() else ():
        with contextlib.suppress(OSError):
            (_room(store) / folder.name).rmdir()  # fails when there is something in it
            (folder / "batches").unlink()
    with contextlib.suppress(OSError):
        _room(store).rmdir()
