"""Chains to be forked, and forks played to their end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from typing import Any

from tests.replay._plays import NOON, PROMPTS, Answers, Player, Records, tell, usual, write

from eristic.debate import RunClosed, RunOpened, TurnSpoken
from eristic.debate.envelopes import decode
from eristic.debate.ids import RUN_CHAIN
from eristic.debate.prompting import template_digest
from eristic.journal import Chain, carry, extend
from eristic.protocols import fold
from eristic.protocols.logicom import LOGICOM
from eristic.protocols.plans import PlannedEpisode
from eristic.replay.branching import Changes, plan_branch
from eristic.replay.fork_points import ForkPoint, find_fork_point

DIGESTS = {name: template_digest(text) for name, text in PROMPTS.items()}


def chain_of(answers: Answers = usual, **sweep: Any) -> tuple[str, list[bytes]]:
    """One episode of a run `r`, played to its end (or as far as `steps` says)."""
    sweep.setdefault("conditions", ("fallacious_helper",))
    records = write(tell(answers, number=1, **sweep))
    episode = next(name for name, _ in records if name != RUN_CHAIN)
    return episode, [stored for name, stored in records if name == episode]


def cut(chain: Iterable[bytes], at: int, *, run: str = "r") -> ForkPoint:
    """The fork point after a turn; only what is needed of the chain is read."""
    stream = iter(chain)
    first = next(stream)
    episode = decode(first).episode

    def whole() -> Iterator[bytes]:
        yield first
        yield from stream

    return find_fork_point(whole(), run=run, episode=episode, at=at, machine=LOGICOM)


def planned(point: ForkPoint, **changed: Any) -> PlannedEpisode:
    changes = Changes(**{"prompts": DIGESTS, "software": "eristic test", **changed})
    return plan_branch(point, changes, LOGICOM)


def play(
    items: Sequence[tuple[ForkPoint, PlannedEpisode]], answers: Answers = usual, run: str = "f"
) -> Records:
    """A whole run of forks, as a director writes it."""
    records: Records = []
    opened = RunOpened(
        spec='{"kind": "fork"}', prompts=PROMPTS, episodes=len(items), software="eristic test"
    )
    own, chain = extend(Chain.empty(run=run, episode=RUN_CHAIN), [opened], time=NOON)
    records.append((RUN_CHAIN, own[0]))
    heads: dict[str, str] = {}
    for point, item in items:
        stored, heads[item.episode] = _play(point, item, answers, run)
        records += [(item.episode, line) for line in stored]
    own, _ = extend(chain, [RunClosed(heads=heads)], time=NOON + timedelta(hours=1))
    return [*records, (RUN_CHAIN, own[0])]


def _play(
    point: ForkPoint, item: PlannedEpisode, answers: Answers, run: str
) -> tuple[list[bytes], str]:
    chain = Chain.empty(run=run, episode=item.episode)
    stored, chain = extend(chain, [item.opened], time=NOON)
    carried, chain = carry(chain, item.kept)
    stored += carried
    player = Player(item.episode, item.opened, answers, seed=5)
    player.state = fold(LOGICOM, (item.opened, *point.events))
    while not player.closed:
        lines, chain = extend(chain, player.step(), time=NOON + timedelta(minutes=1))
        stored += lines
    return stored, chain.head


def turns(chain: Iterable[bytes]) -> list[TurnSpoken]:
    bodies = (decode(line).body for line in chain)
    return [body for body in bodies if isinstance(body, TurnSpoken)]


def of(records: Records, episode: str) -> list[bytes]:
    return [stored for name, stored in records if name == episode]
