"""How long and how often a model is asked: the part of an experiment that its provider dictates."""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec

from eristic.debate.errors import SpecRefused, nearest

__all__ = ["CallBounds", "read_call_bounds"]


class CallBounds(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds of one model call; None = the engine's default.

    No part of what makes two experiments one: a run that met a slow provider may go on with more
    patience. What each call really took, and each of its failed attempts, is in the log.
    """

    retries: int | None = None
    """Attempts after the first one."""
    waits_s: tuple[float, ...] | None = None
    """Pause before each retry (seconds); the last one stands for all further ones."""
    attempt_deadline_s: float | None = None
    """For one attempt, from connecting to the last byte (seconds)."""
    total_deadline_s: float | None = None
    """For all attempts and pauses of a call (seconds)."""


_MOST_RETRIES = 100


def read_call_bounds(table: Mapping[str, object]) -> tuple[CallBounds, dict[str, str]]:
    """The bounds that a `[calls]` table sets, and what is wrong with it: key -> why."""
    found: dict[str, object] = {}
    wrong: dict[str, str] = {}
    for key, value in table.items():
        try:
            found[key] = _read(key, value)
        except SpecRefused as error:
            wrong[key] = str(error)
    return msgspec.convert(found, CallBounds), wrong


def _read(key: str, value: object) -> object:
    if key == "retries":
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if not is_whole or not 0 <= int(str(value)) <= _MOST_RETRIES:
            raise SpecRefused(f"must be a whole number from 0 to {_MOST_RETRIES}")
        return value
    if key == "waits_s":
        if not isinstance(value, list | tuple):
            raise SpecRefused("must be a list of seconds, e.g. [2, 2, 5, 5]")
        return tuple(_seconds(wait, least=0.0) for wait in value)
    if key in CallBounds.__struct_fields__:
        return _seconds(value, least=0.001)
    raise SpecRefused(f"no such key.{nearest(key, CallBounds.__struct_fields__)}")


def _seconds(value: object, *, least: float) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not math.isfinite(seconds := float(str(value))) or seconds < least:
        raise SpecRefused(f"must be a number of seconds, at least {least:g}")
    return seconds
