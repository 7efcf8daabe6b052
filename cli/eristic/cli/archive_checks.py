"""What `verify` finds about an archive: its files, and whether it agrees with the run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from eristic.cli.places import Source
    from eristic.cli.rendering import Screen
    from eristic.ports import EpisodeLog
    from eristic.replay import Finding, Verification
    from eristic.replay.archive import Agreement, FileCheck

__all__ = ["ArchiveCheck", "check_archive", "judgements_beside"]

_EXIT_DAMAGED = 4
_LABEL = 12


class ArchiveCheck:
    """What was found.

    files: None for a live log. agreement: with the archive `against`; None when nothing was
    compared. other: what is wrong with that one's own files.
    """

    def __init__(
        self,
        files: FileCheck | None,
        agreement: Agreement | None = None,
        *,
        against: str = "",
        other: Sequence[Finding] = (),
    ) -> None:
        self._files = files
        self._agreement = agreement
        self._other = other
        self._against = against

    @property
    def is_broken(self) -> bool:
        """A file is not the one that was written: what is read of it proves nothing."""
        return self._files is not None and bool(self._files.findings)

    def tell_broken(self, run: str, *, as_json: bool) -> int:
        """Print what is wrong with the files; returns the exit code."""
        from eristic.cli.rendering import Span, open_screen, print_json

        assert self._files is not None
        findings = self._files.findings
        if as_json:
            document = {"state": "damaged", "run": run, "found": len(findings)}
            print_json({**document, "findings": msgspec.to_builtins(findings), **self.document})
            return _EXIT_DAMAGED
        screen = open_screen()
        for finding in findings:
            screen.block(finding.what, indent=_LABEL, label="damaged", style="bold red")
            facts = {"expected": finding.expected, "found": finding.actual}
            for label, text in {**facts, "what to do": finding.advice}.items():
                if text:
                    screen.block(text, indent=_LABEL, label=label)
        count = f"{len(findings):,} finding{'' if len(findings) == 1 else 's'}"
        screen.line(Span(f"the archive of run {run} is damaged: {count}", "bold red"))
        return _EXIT_DAMAGED

    def joined(self, found: Verification) -> Verification:
        """The verification with what does not agree among its findings."""
        if self._agreement is None:
            return found
        more = (*self._other, *self._agreement.findings)
        return msgspec.structs.replace(
            found, findings=(*more, *found.findings), found=found.found + len(more)
        )

    @property
    def document(self) -> dict[str, Any]:
        """As members of the JSON document."""
        facts = {"files": self._files, "against": self._agreement}
        return {n: msgspec.to_builtins(fact) for n, fact in facts.items() if fact is not None}

    def print(self, screen: Screen) -> None:
        """What holds, in lines."""
        files, agreement = self._files, self._agreement
        if files is not None:
            text = f"{files.files:,}, {files.bytes / 1e6:,.1f} MB, each the one that was written"
            screen.block(text, indent=_LABEL, label="files")
            if files.strangers:
                text = f"{len(files.strangers):,} not in the manifest: {files.strangers[0]}, ..."
                screen.block(text, indent=_LABEL, label="", style="dim")
        if agreement is not None:
            text = f"{agreement.agreed:,} events are the same in {self._against}"
            if agreement.log_only:
                text += f"; {agreement.log_only:,} are not archived there yet"
            screen.block(text, indent=_LABEL, label="archive")


async def check_archive(source: Source, against: str | None) -> ArchiveCheck:
    """Read the files of an archive, and hold the run against another one.

    Raises LogMissing when there is no archive at `against`, SpecRefused when it is of another run.
    """
    if source.archive is None and against is None:
        return ArchiveCheck(None)
    from eristic.debate.errors import SpecRefused
    from eristic.replay.archive import check_files, compare, open_archive

    files = None
    if source.archive is not None:
        files = await asyncio.to_thread(check_files, source.archive)
    if against is None or (files is not None and files.findings):
        return ArchiveCheck(files)
    archive = open_archive(against)
    if archive.run != source.run:
        raise SpecRefused(f"{against} is the archive of run {archive.run!r}, not {source.run!r}")
    other = await asyncio.to_thread(check_files, archive, links=True)
    agreement = await compare(source.log, archive)
    return ArchiveCheck(files, agreement, against=against, other=other.findings)


@asynccontextmanager
async def judgements_beside(source: Source) -> AsyncIterator[EpisodeLog | None]:
    """What judges said of a run, where it is kept; None for an archive."""
    if source.place is None:
        yield None
        return
    from eristic.cli.judgements import open_judgements

    async with open_judgements(source.place, source.run, create=False) as judged:
        yield judged
