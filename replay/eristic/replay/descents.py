"""Does a branch begin as its source did? Proven from the branch alone, and against the source.

A branch holds the bodies and times of the events it shares, and its lineage the digests of those
that stand between them. So the source's stored bytes can be made again, digest by digest, up to
the one that the lineage names: a beginning that was changed does not lead there.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from eristic.debate import EpisodeOpened, Lineage
from eristic.debate.envelopes import decode, digest, keep, place
from eristic.debate.errors import EristicError
from eristic.replay.findings import Fault
from eristic.replay.shared import Shared

__all__ = ["Descents", "ReadSource"]

ReadSource = Callable[[str, str], Awaitable[Sequence[bytes] | None]]
"""(run, episode) -> the stored bytes of its chain; None when the run is out of reach."""


class _Descent:
    """The beginning of one branch while it is read."""

    def __init__(self, opened: EpisodeOpened, lineage: Lineage) -> None:
        self.opened, self.lineage = opened, lineage
        self.left = lineage.shared
        self._others = {other.position: other.digest for other in lineage.others}
        self._head, self._position = "", 0

    def take(self, stored: bytes) -> None:
        self._pass_others()
        self._head = digest(
            place(
                keep(stored),
                run=self.lineage.run,
                episode=self.lineage.episode,
                position=self._position,
                prev=self._head,
            )
        )
        self._position += 1
        self.left -= 1

    def _pass_others(self) -> None:
        while self._position in self._others:
            self._head = self._others[self._position]
            self._position += 1

    @property
    def holds(self) -> bool:
        """The events lead to the digest of the source."""
        return self._head == self.lineage.digest and self._position == self.lineage.position + 1


class Descents:
    """All branches of one run."""

    def __init__(self) -> None:
        self._reading: dict[str, _Descent] = {}
        self._whole: list[tuple[str, _Descent]] = []
        self._counts = {"branches": 0, "proven": 0, "compared": 0, "not_compared": 0}

    @property
    def shared(self) -> Shared:
        """Counts so far."""
        return Shared(**self._counts)

    def take(self, episode: str, stored: bytes, opened: EpisodeOpened | None) -> Fault | None:
        """One more event of an episode. opened: the event itself when it is a header."""
        if opened is not None:
            if opened.parent is not None and episode not in self._reading:
                self._counts["branches"] += 1
                self._reading[episode] = _Descent(opened, opened.parent)
            return None
        descent = self._reading.get(episode)
        if descent is None:
            return None
        descent.take(stored)
        if descent.left > 0:
            return None
        del self._reading[episode]
        self._whole.append((episode, descent))
        if descent.holds:
            self._counts["proven"] += 1
            return None
        return Fault(
            kind="damaged",
            what="the beginning that it shares does not lead to the digest of its source",
            expected=descent.lineage.digest,
            actual=descent._head,
        )

    async def compare(self, read: ReadSource) -> list[tuple[str, int, str, str, str]]:
        """Hold the branches against their sources; damage as (episode, position, what, ...)."""
        found = []
        for episode, descent in self._whole:
            lineage = descent.lineage
            chain = await read(lineage.run, lineage.episode)
            if chain is None:
                self._counts["not_compared"] += 1
                continue
            self._counts["compared"] += 1
            for what, expected, actual in _differences(descent, chain):
                found.append((episode, 0, what, expected, actual))
        return found


def _differences(descent: _Descent, chain: Sequence[bytes]) -> list[tuple[str, str, str]]:
    lineage = descent.lineage
    where = f"{lineage.run}/{lineage.episode}@{lineage.position}"
    if len(chain) <= lineage.position:
        return [(f"its source {where} is not there", lineage.digest, f"{len(chain)} events")]
    found = []
    actual = digest(chain[lineage.position])
    if actual != lineage.digest:
        found.append((f"its source has another event at {where}", lineage.digest, actual))
    try:
        header = decode(chain[0]).body
    except EristicError as error:
        return [*found, (f"the header of its source {where} cannot be read", "", str(error))]
    if isinstance(header, EpisodeOpened) and header.case != descent.opened.case:
        found.append(("it argues about another case than its source", "", ""))
    return found
