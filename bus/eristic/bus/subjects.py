"""Names on the wire: subjects and streams. Every token from outside is checked here.

er.v1.<run>.log.<episode>       one chain of events; kept by the stream ERISTIC_<run>
er.v1.<run>.judge.<judge>       one chain of judgements; kept by the stream ERISTICJ_<run>
er.v1.<run>.ask.<role>          asks, shared out among the servers of a role
er.v1.<run>.peer.<role>         "does one of you hold this call?", to all servers of a role
er.v1.<run>.status.<director>   what a director is doing, on request
"""

from __future__ import annotations

import re
from typing import Literal

from eristic.debate.errors import NameRefused
from eristic.debate.ids import check_run_name

__all__ = [
    "PREFIX",
    "Kind",
    "ask_subject",
    "check_token",
    "log_filter",
    "log_subject",
    "peer_subject",
    "status_subject",
    "stream_name",
]

PREFIX = "er.v1"

Kind = Literal["log", "judge"]
"""What a stream keeps of a run: what happened, or what judges said of it later."""

_STREAMS: dict[Kind, str] = {"log": "ERISTIC_", "judge": "ERISTICJ_"}

_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,64}")


def check_token(token: str, *, what: str) -> str:
    """Return the token if it may stand in a subject.

    Raises NameRefused for anything but 1 to 64 letters, digits, '-' and '_': no dots, blanks or
    wildcards, so that no name reaches into another one's subjects.
    """
    if not _TOKEN.fullmatch(token):
        raise NameRefused(
            f"{what} name {token[:80]!r} cannot be part of a subject; "
            "use 1 to 64 letters, digits, '-' and '_'"
        )
    return token


def stream_name(run: str, kind: Kind = "log") -> str:
    """The stream that keeps a run's log, or its judgements."""
    return f"{_STREAMS[kind]}{check_run_name(run)}"


def log_filter(run: str, kind: Kind = "log") -> str:
    """All subjects of a run's stream."""
    return f"{PREFIX}.{check_run_name(run)}.{kind}.>"


def log_subject(run: str, chain: str, kind: Kind = "log") -> str:
    """Where the events of one chain go: an episode's, or a judge's."""
    what = "episode" if kind == "log" else "judge"
    return f"{PREFIX}.{check_run_name(run)}.{kind}.{check_token(chain, what=what)}"


def ask_subject(run: str, role: str) -> str:
    """Where a role is asked."""
    return f"{PREFIX}.{check_run_name(run)}.ask.{check_token(role, what='role')}"


def peer_subject(run: str, role: str) -> str:
    """Where the servers of a role ask each other."""
    return f"{PREFIX}.{check_run_name(run)}.peer.{check_token(role, what='role')}"


def status_subject(run: str, director: str) -> str:
    """Where a director says what it is doing."""
    return f"{PREFIX}.{check_run_name(run)}.status.{check_token(director, what='director')}"
