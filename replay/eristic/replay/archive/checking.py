"""Are an archive's files the ones that were written, and does it agree with the log?"""

from __future__ import annotations

import hashlib

import msgspec

from eristic.debate.envelopes import decode, digest, genesis
from eristic.debate.errors import LogError
from eristic.debate.ids import RUN_CHAIN
from eristic.journal.chains import misfit
from eristic.ports import EpisodeLog
from eristic.replay.archive.logs import ParquetLog, StoredRow
from eristic.replay.archive.manifest import MANIFEST, End, Part
from eristic.replay.findings import Finding

__all__ = ["Agreement", "FileCheck", "check_files", "compare"]

_DAMAGED = "restore this file from a copy, or export the run again to another place"


class FileCheck(msgspec.Struct, frozen=True, kw_only=True):
    """What reading every file of an archive gave."""

    files: int
    bytes: int
    findings: tuple[Finding, ...]
    strangers: tuple[str, ...]
    """Files that the manifest does not name: left by an export that was killed, or not ours."""


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """What holding an archive against a log gave."""

    agreed: int
    """Events that are in both and the same (count)."""
    log_only: int
    """Events that are not archived yet (count)."""
    findings: tuple[Finding, ...]


def check_files(log: ParquetLog, *, links: bool = False) -> FileCheck:
    """Read every file: its digest, the number of its events, and where its chains end.

    links: check also that each event names the one before it. `verify` does that, and more; what
    is only held against a log (`compare`) needs it here.
    """
    findings: list[Finding] = []
    ends: dict[str, End] = {}
    for part in log.manifest.parts:
        findings += _check_part(log, part, ends, links=links)
    if not findings:
        findings += _check_ends(log, ends)
    named = {MANIFEST, *(part.path for part in log.manifest.parts)}
    return FileCheck(
        files=len(log.manifest.parts),
        bytes=sum(part.bytes for part in log.manifest.parts),
        findings=tuple(findings),
        strangers=tuple(name for name in log.store.names() if name not in named),
    )


def _check_part(log: ParquetLog, part: Part, ends: dict[str, End], *, links: bool) -> list[Finding]:
    try:
        found = log.store.digest(part.path)
        if found != part.sha256:
            return [_finding(f"{part.path} is not the file that was written", part.sha256, found)]
        count = 0
        for row in log.rows(part):
            count += 1
            fault = _misfit(log.run, row, ends.get(row.episode)) if links else None
            if fault is not None:
                return [_finding(f"{row.episode}@{row.position} {fault}")]
            sha = hashlib.sha256(row.stored).hexdigest()
            ends[row.episode] = End(row.position + 1, sha)
    except LogError as error:
        return [_finding(str(error))]
    if count != part.events:
        return [_finding(f"{part.path} has another number of events", part.events, count)]
    return []


def _misfit(run: str, row: StoredRow, end: End | None) -> str | None:
    """Why this event does not go on from the end of its chain so far; None when it does."""
    before = end or End(0, genesis(run=run, episode=row.episode))
    return misfit(
        decode(row.stored),
        run=run,
        episode=row.episode,
        position=before.length,
        head=before.head,
    )


def _check_ends(log: ParquetLog, ends: dict[str, End]) -> list[Finding]:
    manifest = log.manifest
    findings = [
        _finding(f"{name} ends otherwise than the manifest says", said, ends.get(name, "nothing"))
        for name, said in manifest.heads.items()
        if ends.get(name) != said
    ]
    findings += [
        _finding(f"{name} is not in the manifest") for name in ends.keys() - manifest.heads
    ]
    run = ends.get(RUN_CHAIN)
    if manifest.head != (run.head if run is not None else ""):
        findings.append(_finding("the manifest names another head of the run"))
    return findings


def _finding(what: str, expected: object = "", actual: object = "") -> Finding:
    return Finding(
        kind="damaged",
        episode=RUN_CHAIN,
        position=-1,
        what=f"archive: {what}",
        expected=_plain(expected),
        actual=_plain(actual),
        advice=_DAMAGED,
    )


def _plain(value: object) -> str:
    return f"{value.length} events, {value.head}" if isinstance(value, End) else str(value)


async def compare(log: EpisodeLog, archive: ParquetLog) -> Agreement:
    """Hold the archive against the log, chain by chain.

    Equal heads mean equal chains: each event names the digest of the one before it. That these
    links hold is for `verify` to say of the log, and for `check_files(links=True)` of the archive.
    """
    reached: dict[str, int] = {}
    heads: dict[str, str] = {}
    ends = archive.manifest.heads
    log_only = 0
    async for episode, stored in log.records():
        length = reached[episode] = reached.get(episode, 0) + 1
        end = ends.get(episode)
        if end is None or length > end.length:
            log_only += 1
        elif length == end.length:
            heads[episode] = digest(stored)
    findings = [
        _disagreement(archive, episode, end, reached.get(episode, 0), heads.get(episode))
        for episode, end in ends.items()
        if heads.get(episode) != end.head
    ]
    wrong = {finding.episode for finding in findings}
    agreed = sum(end.length for episode, end in ends.items() if episode not in wrong)
    return Agreement(agreed=agreed, log_only=log_only, findings=tuple(findings))


def _disagreement(
    archive: ParquetLog, episode: str, end: End, length: int, head: str | None
) -> Finding:
    what = f"the archive at {archive.store.place} and the log disagree"
    if length < end.length:
        what = f"the log is shorter than the archive at {archive.store.place}"
    return Finding(
        kind="damaged",
        episode=episode,
        position=end.length - 1,
        what=what,
        expected=_plain(end),
        actual=head if head is not None else f"{length} events",
        advice="verify both; the side that verifies with a head you noted is the true one",
    )
