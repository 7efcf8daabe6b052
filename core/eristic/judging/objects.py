from __future__ import annotations

from eristic.debate import Reading

__all__ = ["text_object"]


def text_object(text: str, *, labels: tuple[str, ...] = ("label", "passage")) -> Reading:
    """labels: names in `parts` of the fields before the last one, by position."""
    raise NotImplementedError
