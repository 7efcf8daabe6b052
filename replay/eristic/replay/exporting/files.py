"""Files that an exporter writes."""

from __future__ import annotations

from pathlib import Path

from eristic.debate.errors import SpecRefused

__all__ = ["local_file"]


def local_file(place: str) -> Path:
    """The path of a file to write; the folder it goes to must be there.

    Raises SpecRefused for a URL, a folder, or a file in a folder that does not exist.
    """
    if "://" in place:
        raise SpecRefused(f"this form is written to a file, not to {place.split('://')[0]}://")
    path = Path(place).absolute()
    if path.is_dir():
        raise SpecRefused(f"{place} is a folder; name the file to write")
    if not path.parent.is_dir():
        raise SpecRefused(f"there is no folder {path.parent}; make it first")
    return path
