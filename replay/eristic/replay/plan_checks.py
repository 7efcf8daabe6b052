"""Are all the episodes there that a run planned, and are they closed when it is?"""

from __future__ import annotations

from collections.abc import Container

from eristic.debate.ids import RUN_CHAIN
from eristic.journal import Audit
from eristic.replay.headers import RunHeader

__all__ = ["against_plan"]


def against_plan(
    header: RunHeader | None, audit: Audit, begun: Container[str], *, is_closed: bool
) -> list[tuple[str, int, str, str, str]]:
    """What does not fit the plan, as (episode, position, what, expected, actual).

    begun: chains that are there. A closed run has every planned episode, and each is closed.
    """
    if header is None or header.is_import:
        return []  # its imports vouch for what is there
    facts = []
    planned, there = str(header.episodes), str(audit.episodes)
    if audit.episodes > header.episodes:
        facts.append((RUN_CHAIN, -1, "more episodes than were planned", planned, there))
    if is_closed and audit.episodes < header.episodes:
        facts.append((RUN_CHAIN, -1, "closed, but episodes are missing", planned, there))
    if is_closed:
        facts += [
            (name, -1, "is open, but the run is closed", "episode.closed", "no closing event")
            for name in audit.unfinished
            if name in begun and not _is_found(audit, name)
        ]
    return facts


def _is_found(audit: Audit, episode: str) -> bool:
    return any(finding.episode == episode for finding in audit.findings)
