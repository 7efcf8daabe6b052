"""Are the judgements of a run whole, and do they point at turns that are in its log?"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Sequence

import msgspec

from eristic.debate import JudgementMade, JudgingOpened
from eristic.debate.envelopes import decode, digest, genesis
from eristic.debate.errors import LogDamaged, LogTooNew
from eristic.journal.chains import misfit
from eristic.ports import EpisodeLog
from eristic.replay.findings import Finding, name_event

__all__ = ["JudgeVerification", "JudgeVerifier", "WatchedLog"]

_FINDINGS_KEPT = 1000
_ADVICE = (
    "judgements never change a debate: leave this judge out, or judge again under a clean stream"
)


class JudgeVerification(msgspec.Struct, frozen=True, kw_only=True):
    """What one reading of a run's judgements gave."""

    chains: int
    judgements: int
    unscored: int
    heads: dict[str, str]
    """Judge's chain -> digest of its last event. No closing event vouches for them: note them
    elsewhere to find a chain that was shortened."""
    findings: tuple[Finding, ...]
    found: int


class _Pointer(msgspec.Struct, frozen=True, gc=False):
    chain: str
    position: int
    event: JudgementMade


class _Chain:
    __slots__ = ("broken", "head", "length", "opened")

    def __init__(self, head: str) -> None:
        self.head = head
        self.length = 0
        self.broken = False
        self.opened: JudgingOpened | None = None


class JudgeVerifier:
    """Takes all judgements, then sees the run's records go by, then says what does not hold."""

    def __init__(self, run: str) -> None:
        self._run = run
        self._chains: dict[str, _Chain] = {}
        self._sought: dict[str, list[_Pointer]] = {}
        self._findings: list[Finding] = []
        self._found = 0
        self._counts: Counter[str] = Counter()

    def take(self, name: str, stored: bytes) -> None:
        """One record of the judgements' stream."""
        chain = self._chains.get(name)
        if chain is None:
            chain = self._chains[name] = _Chain(genesis(run=self._run, episode=name))
        position, chain.length = chain.length, chain.length + 1
        try:
            envelope = decode(stored)
        except (LogDamaged, LogTooNew) as error:
            self._break(name, chain, position, str(error))
        else:
            fault = misfit(
                envelope, run=self._run, episode=name, position=position, head=chain.head
            )
            event = envelope.body
            if fault is not None:
                self._break(name, chain, position, fault)
            elif isinstance(event, JudgingOpened) and not position:
                chain.opened = event
            elif isinstance(event, JudgementMade) and position:
                self._take_judgement(name, chain, position, event)
            else:
                self._break(name, chain, position, f"{name_event(event)} cannot stand here")
        chain.head = digest(stored)

    def _take_judgement(
        self, name: str, chain: _Chain, position: int, event: JudgementMade
    ) -> None:
        self._counts["judgements"] += 1
        self._counts["unscored"] += event.value is None
        if (event.status == "scored") != (event.value is not None):
            self._report(name, position, f"status {event.status} with value {event.value!r}")
        elif chain.opened and event.value is not None and event.value not in chain.opened.values:
            self._report(name, position, f"value {event.value[:60]!r} is none of this judge's")
        self._sought.setdefault(event.target, []).append(_Pointer(name, position, event))
        if event.other is not None and not event.other.run:
            self._sought.setdefault(event.other.target, []).append(_Pointer(name, position, event))

    def watch(self, log: EpisodeLog) -> WatchedLog:
        """The run's log for one reading, whose records this verifier sees go by."""
        return WatchedLog(log, self)

    def see(self, episode: str, stored: bytes) -> None:
        """One record of the run's log: a judged turn, perhaps."""
        pointers = self._sought.pop(digest(stored), None) if self._sought else None
        for pointer in pointers or ():
            event = pointer.event
            places = [(event.episode, event.turn)]
            if event.other is not None:
                places.append((event.other.episode, event.other.turn))
            turn = getattr(decode(stored).body, "turn", None)
            if (episode, turn) not in places:
                what = f"points at turn {turn} of {episode} and says {event.episode}/{event.turn}"
                self._report(pointer.chain, pointer.position, what)

    def close(self) -> JudgeVerification:
        """What was found; targets that never went by are not in the log."""
        for target, pointers in self._sought.items():
            for pointer in pointers:
                what = f"the judged turn ({target[:12]}...) is not in the run's log"
                self._report(pointer.chain, pointer.position, what)
        return JudgeVerification(
            chains=len(self._chains),
            judgements=self._counts["judgements"],
            unscored=self._counts["unscored"],
            heads={name: chain.head for name, chain in sorted(self._chains.items())},
            findings=tuple(self._findings),
            found=self._found,
        )

    def _break(self, name: str, chain: _Chain, position: int, what: str) -> None:
        # One broken link makes every later link of the chain look broken: say it once.
        if not chain.broken:
            self._report(name, position, what)
        chain.broken = True

    def _report(self, chain: str, position: int, what: str) -> None:
        self._found += 1
        if len(self._findings) < _FINDINGS_KEPT:
            self._findings.append(
                Finding(kind="damaged", episode=chain, position=position, what=what, advice=_ADVICE)
            )


class WatchedLog:
    """A run's log for reading, whose records a judge verifier sees go by."""

    def __init__(self, log: EpisodeLog, verifier: JudgeVerifier) -> None:
        self._log = log
        self._verifier = verifier

    async def read(self, episode: str) -> list[bytes]:
        """As the log itself."""
        return await self._log.read(episode)

    async def append(self, episode: str, stored: Sequence[bytes], *, expected: int) -> None:
        """As the log itself."""
        await self._log.append(episode, stored, expected=expected)

    async def records(self) -> AsyncIterator[tuple[str, bytes]]:
        """As the log itself, seen on the way."""
        async for episode, stored in self._log.records():
            self._verifier.see(episode, stored)
            yield episode, stored
