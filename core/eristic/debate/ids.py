"""Names, ids and seeds: derived from what they name, never from a shared random sequence."""

from __future__ import annotations

import hashlib
import re

import msgspec

from eristic.debate.errors import NameRefused

__all__ = ["RUN_CHAIN", "ask_seed", "call_id", "check_run_name", "derive_seed", "episode_id"]

RUN_CHAIN = "run"
"""The name under which a run keeps its own events, beside its episodes."""

_encoder = msgspec.json.Encoder()
_RUN_NAME = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?")


def check_run_name(name: str) -> str:
    """Return the name if it may name a run; it becomes part of a subject and a stream name.

    Raises NameRefused for anything but 1 to 64 of a-z, 0-9, - and _.
    """
    if not _RUN_NAME.fullmatch(name):
        raise NameRefused(
            f"run name {name!r} is not allowed; use 1 to 64 of a-z, 0-9, '-' and '_', "
            "beginning and ending with a letter or digit"
        )
    return name


def _digest(*parts: str | int) -> bytes:
    # A JSON list keeps ("ab", "c") and ("a", "bc") apart.
    return hashlib.sha256(_encoder.encode(parts)).digest()


def episode_id(*, case_id: str, condition: str, repetition: int) -> str:
    """Id of the cell (case, condition, repetition) of a run: 'e' and 12 hex digits.

    Derived, so a grown sweep keeps the ids it had, and case ids (untrusted text) never become
    part of a subject or path.
    """
    return "e" + _digest(case_id, condition, repetition).hex()[:12]


def call_id(*, run: str, episode: str, turn: int, role: str, attempt: int) -> str:
    """Id of one ask: a repeated ask has the same id, so that no role answers it twice."""
    return f"{run}.{episode}.{turn}.{role}.{attempt}"


def derive_seed(seed: int, *parts: str | int) -> int:
    """A seed for one purpose, in [0, 2**31): the same parts give the same seed on any machine."""
    return int.from_bytes(_digest(seed, *parts)[:4], "big") >> 1


def ask_seed(seed: int, *, role: str, turn: int, attempt: int, rank: int) -> int:
    """The seed of one ask from the seed of its episode."""
    return derive_seed(seed, role, turn, attempt, rank)
