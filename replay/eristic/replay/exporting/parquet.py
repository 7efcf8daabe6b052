"""An archive: Parquet files with a manifest that proves them."""

from __future__ import annotations

from eristic.ports import EpisodeLog
from eristic.replay.archive import write_archive
from eristic.replay.exporting.contract import Exported, ExportOptions, refuse_hiding

__all__ = ["export"]


async def export(log: EpisodeLog, run: str, place: str, options: ExportOptions) -> Exported:
    """An archive in a folder or at a URL, which every verb reads in place of the run."""
    refuse_hiding(options, "parquet")
    done = await write_archive(
        log,
        run,
        place,
        episodes=options.episodes,
        software=options.software,
        on_progress=options.on_progress,
    )
    return Exported(
        run=run,
        place=done.place,
        added=done.added,
        held=done.events,
        waiting=done.waiting,
        bytes=done.bytes,
        is_closed=done.is_closed,
        head=done.head,
    )
