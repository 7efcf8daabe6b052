"""A run's decisions made again by other rules, in one pass over its log.

No model is called and nothing is written. Only open episodes are kept while reading, and of each
no more than its protocol needs; a closed one leaves a row. The log is taken as it stands: whether
it is what was written, `verify` says.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

from eristic.debate import Envelope, EpisodeClosed, EpisodeOpened
from eristic.debate.envelopes import decode
from eristic.debate.errors import LogDamaged, SpecRefused
from eristic.debate.ids import RUN_CHAIN
from eristic.ports import EpisodeLog
from eristic.protocols.recomputers import find_recomputer
from eristic.protocols.recomputing import (
    NO_TEXTS,
    Hearing,
    Prepared,
    Recomputer,
    Recovering,
)
from eristic.replay.recomputations import Recomputation, Reheard, add_up

__all__ = ["Replayer", "replay"]

_BREATH_EVENTS = 256

RecomputerFor = Callable[[str], Recomputer]


class _Open:
    """An episode on its way to its close."""

    __slots__ = ("decides_failures", "hearing", "length", "opened", "subject")

    def __init__(self, opened: EpisodeOpened, prepared: Prepared) -> None:
        self.opened = opened
        self.hearing: Hearing = prepared.hear(opened)
        self.subject = prepared.subject(opened)
        self.decides_failures = isinstance(prepared, Recovering) and prepared.decides_failures
        self.length = 1


class Replayer:
    """Takes the records of one run; the order of its episodes does not matter.

    policies, parsers: as `Recomputer.prepare` takes them. recomputer_for: finds a protocol's
    recomputer; NameRefused goes to whoever gives the records.
    """

    def __init__(
        self,
        run: str,
        *,
        policies: Sequence[str] = (),
        parsers: Mapping[str, str] | None = None,
        recomputer_for: RecomputerFor = find_recomputer,
    ) -> None:
        self._run = run
        self._asked = tuple(policies)
        self._parsers = dict(parsers or {})
        self._recomputer_for = recomputer_for
        self._recomputer: Recomputer | None = None
        self._prepared: Prepared | None = None
        self._open: dict[str, _Open] = {}
        self._closed: dict[str, Reheard] = {}

    def take(self, episode: str, stored: bytes) -> None:
        """One more record. What stands behind a close is not looked at.

        Raises LogDamaged, LogTooNew for a record that cannot be read or stands in the wrong
        place, NameRefused for a protocol whose decisions cannot be made again, SpecRefused for
        policies or parsers that it does not have.
        """
        if episode == RUN_CHAIN or episode in self._closed:
            return
        envelope = decode(stored)
        there = self._open.get(episode)
        if envelope.position != (0 if there is None else there.length):
            raise self._damaged(episode, envelope.position, "is not the next event of its chain")
        try:
            if there is None:
                self._begin(episode, envelope)
            else:
                self._go_on(episode, there, envelope)
        except ValueError as error:
            # A log is untrusted: a header or an event may hold what no protocol writes.
            raise self._damaged(
                episode, envelope.position, f"cannot be decided again: {error}"
            ) from error

    def _damaged(self, episode: str, position: int, what: str) -> LogDamaged:
        return LogDamaged(
            f"event {episode}@{position} of run {self._run} {what}; "
            "run `eristic verify` to see how far the damage goes"
        )

    def _begin(self, episode: str, envelope: Envelope) -> None:
        opened = envelope.body
        if not isinstance(opened, EpisodeOpened):
            raise self._damaged(episode, envelope.position, "does not open its episode")
        self._open[episode] = _Open(opened, self._prepare(opened.protocol))

    def _prepare(self, protocol: str) -> Prepared:
        if self._recomputer is None:
            self._recomputer = self._recomputer_for(protocol)
        if self._recomputer.protocol != protocol:
            raise SpecRefused(
                f"run {self._run} holds episodes of {self._recomputer.protocol} and of {protocol}; "
                "policies are those of one protocol"
            )
        if self._prepared is None:
            self._prepared = self._recomputer.prepare(self._asked, self._parsers)
        return self._prepared

    def _go_on(self, episode: str, there: _Open, envelope: Envelope) -> None:
        there.length += 1
        there.hearing.take(envelope.body)
        if isinstance(envelope.body, EpisodeClosed):
            del self._open[episode]
            self._closed[episode] = _row(episode, there, envelope.body)

    def close(self) -> Recomputation:
        """What was found. Raises SpecRefused when parsers were given and no text can be read."""
        rows = list(self._closed.values())
        heard = [row for row in rows if row.decided]
        if self._parsers and heard and all(_has_no_texts(row) for row in heard):
            raise SpecRefused(
                f"no parser can read run {self._run} again: its episodes were imported, and their "
                "source recorded verdicts without the texts behind them. Leave --parser out, or "
                "ask judges with `eristic rejudge`"
            )
        prepared, recomputer = self._prepared, self._recomputer
        return add_up(
            run=self._run,
            protocol=recomputer.protocol if recomputer is not None else "",
            success=recomputer.success if recomputer is not None else "",
            policies=prepared.policies if prepared is not None else self._asked,
            parsers=prepared.parsers if prepared is not None else self._parsers,
            episodes=[*rows, *(_row(name, there, None) for name, there in self._open.items())],
        )


def _has_no_texts(row: Reheard) -> bool:
    return all(found.censored == NO_TEXTS for found in row.decided)


def _row(episode: str, there: _Open, closed: EpisodeClosed | None) -> Reheard:
    opened = there.opened
    outcome = closed.outcome if closed is not None else None
    is_asked = closed is not None and (outcome is not None or there.decides_failures)
    return Reheard(
        episode=episode,
        case_id=opened.case.case_id,
        condition=opened.condition,
        repetition=opened.repetition,
        subject=there.subject,
        outcome=outcome,
        reason=closed.reason if closed is not None else "",
        round=closed.rounds if closed is not None else None,
        state="open" if closed is None else "closed" if outcome is not None else "failed",
        by_default=closed is not None and closed.facts.get("by_default") is True,
        decided=there.hearing.decide() if is_asked else (),
    )


async def replay(
    log: EpisodeLog,
    run: str,
    *,
    policies: Sequence[str] = (),
    parsers: Mapping[str, str] | None = None,
    recomputer_for: RecomputerFor = find_recomputer,
) -> Recomputation:
    """Read the run once and decide it again by each policy; none: by every episode's own rules.

    Calls no model and writes nothing; what it reads comes through `log` alone. Raises what
    Replayer raises, and LogMissing, BusError as the log does.
    """
    replayer = Replayer(run, policies=policies, parsers=parsers, recomputer_for=recomputer_for)
    events = 0
    async for episode, stored in log.records():
        replayer.take(episode, stored)
        events += 1
        if events % _BREATH_EVENTS == 0:
            # Deciding is pure work: let the connection answer its pings in between.
            await asyncio.sleep(0)
    return replayer.close()
