"""What is argued about: one item of data, with all its texts."""

from __future__ import annotations

import msgspec

__all__ = ["Case"]


class Case(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One item of data. Its texts are data: filled into templates once, never interpreted."""

    case_id: str
    """Unique in its file; any text."""
    block: str
    """The independent unit of statistics (logicom: the topic pair)."""
    texts: dict[str, str]
    """Field name -> text, as the protocol's specification names them (topic, claim, reason)."""
    data: dict[str, object] = {}
    """Field name -> JSON value, for what is no text: options with scores, a polarity, lists."""
