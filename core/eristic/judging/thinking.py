from __future__ import annotations

import msgspec

__all__ = ["Stripped", "strip_thinking"]


class Stripped(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    flags: tuple[str, ...] = ()


def strip_thinking(text: str) -> Stripped:
    raise NotImplementedError
