"""Drives many episodes at once. The only writer of their chains.

A director keeps nothing that the log does not have: kill it, start another, and the other goes
on from the log.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence

from eristic.agents.episodes import Ending, EpisodePlayer, Stage
from eristic.debate import Event, RunClosed, RunOpened
from eristic.debate.envelopes import digest
from eristic.debate.errors import EristicError, LogDamaged, LogTooNew, RunRefused, StalePosition
from eristic.debate.ids import RUN_CHAIN
from eristic.journal import Chain, extend, read_chain
from eristic.protocols.plans import PlannedEpisode
from eristic.sweeps import difference

__all__ = ["Director", "check_same"]


class Director:
    """Plays the planned episodes of one run."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.tally = stage.tally

    def stop(self) -> None:
        """Send no more asks; turns in flight are finished and logged, then episodes hand back."""
        self._stage.stopping = True

    async def open_run(self, opened: RunOpened) -> dict[str, list[bytes]]:
        """Write the run's first event, or check that it is the one that is there.

        Returns the stored bytes of every chain of the run, so that episodes need not be read one
        by one. Raises RunRefused when a run of that name exists with another spec, LogDamaged when
        it was closed and its episodes do not end as they did then.
        """
        chains: dict[str, list[bytes]] = {}
        async for episode, stored in self._stage.log.records():
            chains.setdefault(episode, []).append(stored)
        past, chain = read_chain(chains.get(RUN_CHAIN, ()), run=self._stage.run, episode=RUN_CHAIN)
        if not past:
            await self._append_to_run(chain, opened)
        else:
            check_same(self._stage.run, past[0].body, opened)
            _check_ends(self._stage.run, past[-1].body, chains)
        return chains

    async def close_run(self, endings: Sequence[Ending]) -> str | None:
        """Write the run's closing event with the heads of all chains, once all are closed.

        Returns the digest of the closing event, which stands for the whole run; None while an
        episode is not closed.
        """
        if any(ending.how != "closed" for ending in endings):
            return None
        stored = await self._stage.log.read(RUN_CHAIN)
        past, chain = read_chain(stored, run=self._stage.run, episode=RUN_CHAIN)
        if past and isinstance(past[-1].body, RunClosed):
            return chain.head
        heads = {ending.episode: ending.head for ending in endings}
        return await self._append_to_run(chain, RunClosed(heads=heads))

    async def _append_to_run(self, chain: Chain, event: RunOpened | RunClosed) -> str:
        stored, after = extend(chain, [event], time=self._stage.clock.now())
        await self._stage.log.append(RUN_CHAIN, stored, expected=chain.length)
        return after.head

    async def play_all(
        self,
        planned: Sequence[PlannedEpisode],
        *,
        at_once: int,
        chains: Mapping[str, Sequence[bytes]] | None = None,
    ) -> list[Ending]:
        """Play every episode, at most `at_once` side by side; endings in the order of the plan.

        chains: as `open_run` returns them; None reads each chain when its episode begins.
        Raises BusError when the log is out of reach: nothing can go on without it.
        """
        queue = deque(enumerate(planned))
        endings: dict[int, Ending] = {}
        self.tally.episodes = len(planned)

        async def work() -> None:
            while queue and not self._stage.stopping:
                number, item = queue.popleft()
                stored = None if chains is None else chains.get(item.episode, ())
                endings[number] = await self._play(item, stored)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(at_once, len(planned))):
                    group.create_task(work())
        except* EristicError as failures:
            raise _first(failures) from failures
        for number, item in queue:
            endings[number] = Ending(episode=item.episode, how="stopped")
        return [endings[number] for number in sorted(endings)]

    async def _play(self, item: PlannedEpisode, stored: Sequence[bytes] | None) -> Ending:
        tally = self.tally
        tally.playing += 1
        try:
            if stored is None:
                stored = await self._stage.log.read(item.episode)
            player = EpisodePlayer(self._stage, item.episode, item.opened, stored, kept=item.kept)
            ending = await player.play()
        except StalePosition as error:
            ending = Ending(episode=item.episode, how="taken_over", error=str(error))
        except (LogDamaged, LogTooNew) as error:
            ending = Ending(episode=item.episode, how="broken", error=str(error))
        finally:
            tally.playing -= 1
        if ending.how == "closed":
            name = ending.outcome or "failed"
            tally.outcomes[name] = tally.outcomes.get(name, 0) + 1
        return ending


def check_same(run: str, there: Event, wanted: RunOpened) -> None:
    """Refuse to go on with a run under another spec or other prompts: its numbers would mix."""
    if not isinstance(there, RunOpened):
        raise LogDamaged(f"run {run} does not begin with run.opened; run `eristic verify {run}`")
    changes = list(difference(there.spec, wanted.spec))
    for name in sorted(there.prompts.keys() | wanted.prompts.keys()):
        if there.prompts.get(name) != wanted.prompts.get(name):
            changes.append(f"prompts.{name}: the file has changed")
    if changes:
        listed = "\n  ".join(changes)
        raise RunRefused(
            f"run {run!r} exists with another spec (there -> asked for):\n  {listed}\n"
            "Choose another name with --run, or ask for the same again to continue it"
        )


def _check_ends(run: str, last: Event, chains: Mapping[str, Sequence[bytes]]) -> None:
    """Refuse to mend a closed run: playing a shortened episode again would hide what was lost."""
    if not isinstance(last, RunClosed):
        return
    for episode, head in sorted(last.heads.items()):
        stored = chains.get(episode, ())
        if not stored or digest(stored[-1]) != head:
            raise LogDamaged(
                f"run {run} was closed, and episode {episode} does not end as it did then: events "
                f"were removed or added. Nothing is appended; run `eristic verify {run}`"
            )


def _first(failures: BaseExceptionGroup[EristicError]) -> EristicError:
    inner = failures.exceptions[0]
    return _first(inner) if isinstance(inner, BaseExceptionGroup) else inner
