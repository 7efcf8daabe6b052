"""What a sweep would take, found by rehearsing it: calls and tokens before anything is spent.

Every episode is told twice with imagined answers, the shortest way and the longest, and every
prompt on the way is really rendered and counted. Of a large sweep some episodes of each condition
stand for all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from eristic.debate import ContextOverflowed, EpisodeOpened, Event, TurnFailed
from eristic.debate.errors import SpecRefused
from eristic.debate.prompting import Message, Template, render
from eristic.protocols.machine import Due, Machine
from eristic.protocols.plans import PlannedEpisode
from eristic.protocols.rehearsals import Imagining, Way, rehearse
from eristic.protocols.suffixes import Bounded, calls_left

__all__ = ["Forecast", "Load", "Part", "RoleLoad", "Sizes", "forecast"]


class Sizes(Protocol):
    """What the calls of one role would hold."""

    def prompt(self, messages: Sequence[Message]) -> int:
        """Tokens of a prompt."""
        ...

    def text(self, text: str) -> int:
        """Tokens of an answer."""
        ...

    def prose(self, due: Due) -> str:
        """An answer where any of its form will do; another one in every turn."""
        ...

    def known(self, due: Due) -> str | None:
        """The answer of a role that is known beforehand, such as a script that says one text."""
        ...

    def overflow(self, due: Due, messages: Sequence[Message]) -> ContextOverflowed | None:
        """The role's answer to a prompt that it would not send."""
        ...


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """Of some episodes that go one way (counts)."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


class RoleLoad(msgspec.Struct, frozen=True, kw_only=True):
    """What one role does in some episodes."""

    role: str
    shortest: Load
    longest: Load
    most: int | None
    """Calls when whatever may be asked for again is; None: the rules set no limit to that."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """The episodes of one condition, or all of them."""

    condition: str
    """Empty: all."""
    episodes: int
    rehearsed: int
    """Of them; the numbers are scaled when these are fewer."""
    roles: tuple[RoleLoad, ...]
    """Those that are called, in the protocol's order."""

    @property
    def total(self) -> RoleLoad:
        """All roles together."""
        return _sum("", self.roles)


class Forecast(msgspec.Struct, frozen=True, kw_only=True):
    """A sweep before it is run."""

    conditions: tuple[Part, ...]
    """In the protocol's order."""
    whole: Part
    too_long: dict[str, int]
    """Role -> prompts of rehearsed episodes that it would not send, its window being too small."""
    unfilled: dict[str, int]
    """What is wrong with a prompt that cannot be filled -> times among rehearsed episodes."""

    @property
    def is_scaled(self) -> bool:
        """Some episodes stand for others."""
        return self.whole.rehearsed < self.whole.episodes


def forecast(
    machine: Machine[Any],
    episodes: Iterable[PlannedEpisode],
    templates: Mapping[str, Template],
    sizes: Mapping[str, Sizes],
    *,
    at_most: int,
) -> Forecast:
    """sizes: of every role of the cast. at_most: episodes of a condition that are rehearsed.

    Raises SpecRefused for a protocol whose rules set no limit to an episode.
    """
    groups: dict[str, dict[str, list[EpisodeOpened]]] = {}
    for planned in episodes:
        opened = planned.opened
        by_case = groups.setdefault(opened.condition, {})
        by_case.setdefault(opened.case.case_id, []).append(opened)
    rehearsal = _Rehearsal(machine, templates, sizes)
    parts = []
    for condition in (name for name in machine.conditions if name in groups):
        # Case by case, so that those which stand for all are of as many cases as can be.
        found = [opened for case in groups[condition].values() for opened in case]
        parts.append(rehearsal.part(condition, found, _spread(found, at_most)))
    return Forecast(
        conditions=tuple(parts),
        whole=_joined(machine, parts),
        too_long=dict(rehearsal.too_long),
        unfilled=dict(rehearsal.unfilled),
    )


def _spread(episodes: Sequence[EpisodeOpened], at_most: int) -> list[EpisodeOpened]:
    """All of them, or so many at even distances."""
    count = min(at_most, len(episodes))
    return [episodes[(2 * n + 1) * len(episodes) // (2 * count)] for n in range(count)]


class _Rehearsal:
    def __init__(
        self, machine: Machine[Any], templates: Mapping[str, Template], sizes: Mapping[str, Sizes]
    ) -> None:
        self._machine = machine
        self._templates = templates
        self._sizes = sizes
        self._messages: tuple[Message, ...] = ()
        self.too_long: Counter[str] = Counter()
        self.unfilled: Counter[str] = Counter()

    def part(
        self, condition: str, episodes: Sequence[EpisodeOpened], heard: Sequence[EpisodeOpened]
    ) -> Part:
        """heard: those that are rehearsed."""
        loads: dict[Way, dict[str, Counter[str]]] = {"shortest": {}, "longest": {}}
        most: Counter[str] = Counter()
        is_limited = True
        for opened in heard:
            state = self._machine.initial(opened)
            self._tell(state, "shortest", loads["shortest"])
            tries = self._tell(state, "longest", loads["longest"])
            limit = self._limit(state, tries)
            is_limited = is_limited and limit is not None
            most.update(limit or {})
        called = {*loads["shortest"], *loads["longest"]}
        scale = (len(episodes), len(heard))
        roles = tuple(
            RoleLoad(
                role=role,
                shortest=_load(loads["shortest"].get(role, Counter()), scale),
                longest=_load(loads["longest"].get(role, Counter()), scale),
                most=_scaled(most[role], scale) if is_limited else None,
            )
            for role in self._machine.roles
            if role in called or most[role]
        )
        return Part(condition=condition, episodes=scale[0], rehearsed=scale[1], roles=roles)

    def _tell(self, state: Any, way: Way, loads: dict[str, Counter[str]]) -> Counter[str]:
        """Adds one episode to the loads; returns the calls by role, each with all its tries."""
        tries: Counter[str] = Counter()
        told = rehearse(
            self._machine,
            state,
            way,
            prose=self._prose,
            known=self._known,
            unsent=self._unsent,
        )
        try:
            for due, text in told:
                sizes = self._sizes[due.role]
                load = loads.setdefault(due.role, Counter())
                load["calls"] += 1
                load["tokens_in"] += sizes.prompt(self._messages)
                load["tokens_out"] += sizes.text(text)
                tries[due.role] += max(1, due.tries)
        except RuntimeError as error:
            raise _endless(self._machine) from error
        return tries

    def _prose(self, due: Due) -> str:
        return self._sizes[due.role].prose(due)

    def _known(self, due: Due) -> str | None:
        return self._sizes[due.role].known(due)

    def _unsent(self, due: Due) -> Event | None:
        """As a role does: the prompt first, then whether it fits."""
        try:
            self._messages = render(self._templates[due.view.template], due.view, speaker=due.role)
        except SpecRefused as error:
            self.unfilled[str(error)] += 1
            return TurnFailed(
                turn=due.turn,
                role=due.role,
                attempt=due.attempt,
                rank=due.rank,
                error="prompt",
                message=str(error),
            )
        overflow = self._sizes[due.role].overflow(due, self._messages)
        self.too_long.update([due.role] if overflow is not None else ())
        return overflow

    def _limit(self, state: Any, tries: Counter[str]) -> Mapping[str, int] | None:
        """Calls at most; None: without a limit. Raises SpecRefused when even usable answers have
        none."""
        if isinstance(self._machine, Imagining) or not isinstance(self._machine, Bounded):
            return tries
        left = calls_left(self._machine, state)
        if left is None:
            raise _endless(self._machine)
        return left.most


def _endless(machine: Machine[Any]) -> SpecRefused:
    return SpecRefused(
        f"{machine.name} sets no limit to the calls of an episode by these options, so there is "
        "nothing to plan; set the option that limits its rounds, or another rule of ending"
    )


def _load(counts: Counter[str], scale: tuple[int, int]) -> Load:
    return Load(
        calls=_scaled(counts["calls"], scale),
        tokens_in=_scaled(counts["tokens_in"], scale),
        tokens_out=_scaled(counts["tokens_out"], scale),
    )


def _scaled(count: int, scale: tuple[int, int]) -> int:
    """count: of the rehearsed ones. scale: (all episodes, rehearsed ones)."""
    return round(count * scale[0] / scale[1])


def _joined(machine: Machine[Any], parts: Sequence[Part]) -> Part:
    found: dict[str, list[RoleLoad]] = {}
    for part in parts:
        for role in part.roles:
            found.setdefault(role.role, []).append(role)
    return Part(
        condition="",
        episodes=sum(part.episodes for part in parts),
        rehearsed=sum(part.rehearsed for part in parts),
        roles=tuple(_sum(role, found[role]) for role in machine.roles if role in found),
    )


def _sum(role: str, loads: Sequence[RoleLoad]) -> RoleLoad:
    mosts = [load.most for load in loads]
    limits = [most for most in mosts if most is not None]
    return RoleLoad(
        role=role,
        shortest=_added(load.shortest for load in loads),
        longest=_added(load.longest for load in loads),
        most=sum(limits) if len(limits) == len(mosts) else None,
    )


def _added(loads: Iterable[Load]) -> Load:
    found = list(loads)
    return Load(
        calls=sum(load.calls for load in found),
        tokens_in=sum(load.tokens_in for load in found),
        tokens_out=sum(load.tokens_out for load in found),
    )
