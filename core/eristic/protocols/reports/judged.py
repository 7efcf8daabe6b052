"""What judges said of a run, judge by judge: a fold of the run's stream of judgements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from eristic.debate import Envelope, JudgementMade, JudgingOpened
from eristic.debate.errors import NameRefused, nearest
from eristic.judging import Docket, Matter, Score, Target

__all__ = ["Judge", "Judged", "read_judged"]


class Judge(msgspec.Struct, frozen=True, kw_only=True):
    """One judge and its answers that count."""

    chain: str
    """Its id in the stream; tells models, prompts and annotators of one judge apart."""
    id: str
    model: str
    """Empty for rules and people."""
    values: tuple[str, ...]
    scores: dict[str, Score]
    """Digest of the judged event -> its score, orders and samples combined."""
    compared: dict[tuple[str, str], Score] = {}
    """Digests of the judged event and of the one that it was compared with -> the same. A pair
    that was not asked in both orders yet is absent."""

    @property
    def name(self) -> str:
        """For tables."""
        return f"{self.id}={self.model}" if self.model else self.id


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """All judges of a run, by chain."""

    judges: tuple[Judge, ...] = ()
    turns: frozenset[tuple[str, int]] = frozenset()
    """(episode, turn) of this run that any judge looked at, alone or beside another."""

    def only(self, names: Sequence[str]) -> Judged:
        """These judges alone: by chain, id, name, or the beginning of one; none named: all.

        Raises NameRefused for a name that no judge of the run has.
        """
        for name in names:
            if not any(_is_named(judge, name) for judge in self.judges):
                known = nearest(name, sorted({judge.name for judge in self.judges}))
                raise NameRefused(
                    f"no judgement of {name!r} in this run.{known} `eristic rejudge` makes some"
                )
        kept = [x for x in self.judges if not names or any(_is_named(x, name) for name in names)]
        return msgspec.structs.replace(self, judges=tuple(kept))


def _is_named(judge: Judge, name: str) -> bool:
    names = (judge.chain, judge.id, judge.name, judge.model)
    return any(known.startswith(name) for known in names if name)


class _Chain:
    def __init__(self) -> None:
        self.opened: JudgingOpened | None = None
        self.made: list[JudgementMade] = []


def read_judged(envelopes: Iterable[Envelope]) -> Judged:
    """The judgements of a run. Events of a chain that nobody opened are left out."""
    chains: dict[str, _Chain] = {}
    for envelope in envelopes:
        chain, event = chains.setdefault(envelope.episode, _Chain()), envelope.body
        if isinstance(event, JudgingOpened) and chain.opened is None:
            chain.opened = event
        elif isinstance(event, JudgementMade):
            chain.made.append(event)
    opened = [(name, x.opened, x.made) for name, x in sorted(chains.items()) if x.opened]
    return Judged(
        judges=tuple(_judge(name, opening, made) for name, opening, made in opened),
        turns=frozenset(place for _, _, made in opened for event in made for place in _seen(event)),
    )


def _seen(event: JudgementMade) -> Iterator[tuple[str, int]]:
    yield event.episode, event.turn
    if event.other is not None and not event.other.run:
        yield event.other.episode, event.other.turn


def _judge(chain: str, opened: JudgingOpened, made: Sequence[JudgementMade]) -> Judge:
    single = [event for event in made if event.other is None]
    # A comparison says which of two is better, which is no value of a turn.
    pairs = [event for event in made if event.other is not None]
    # A model is asked in both orders; a person or a rule may have seen one.
    sides = 2 if opened.binding is not None else 1 + max((x.order for x in pairs), default=0)
    return Judge(
        chain=chain,
        id=opened.judge,
        model=opened.binding.model if opened.binding else str(opened.options.get("annotator", "")),
        values=opened.values,
        scores={target: score for (target, _), score in _scores(single, sides=1)},
        compared=dict(_scores(pairs, sides=sides)),
    )


def _scores(
    made: Sequence[JudgementMade], *, sides: int
) -> Iterator[tuple[tuple[str, str], Score]]:
    """Digests of target and counterpart (empty without one), and what the judge says of them."""
    samples = 1 + max((event.sample for event in made), default=0)
    docket = Docket(sides=sides, samples=samples)
    for event in made:
        docket.take(event)
    for (target, other), matter in {_key(x): _matter(x) for x in made}.items():
        score = docket.score(matter)
        if score is not None:
            yield (target, other), score


def _key(event: JudgementMade) -> tuple[str, str]:
    return event.target, event.other.target if event.other is not None else ""


def _matter(event: JudgementMade) -> Matter:
    target = Target(episode=event.episode, turn=event.turn, digest=event.target, text="")
    other = event.other
    if other is None:
        return Matter(target)
    beside = Target(episode=other.episode, turn=other.turn, digest=other.target, text="")
    return Matter(target, beside, other.run)
