"""What judges said of a run, judge by judge: a fold of the run's stream of judgements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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

    @property
    def name(self) -> str:
        """For tables."""
        return f"{self.id}={self.model}" if self.model else self.id


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """All judges of a run, by chain."""

    judges: tuple[Judge, ...] = ()
    turns: frozenset[tuple[str, int]] = frozenset()
    """(episode, turn) that any judge looked at."""

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
        turns=frozenset((event.episode, event.turn) for _, _, made in opened for event in made),
    )


def _judge(chain: str, opened: JudgingOpened, made: Sequence[JudgementMade]) -> Judge:
    # A comparison says which of two is better, which is no value of a turn.
    single = [event for event in made if event.other is None]
    samples = 1 + max((event.sample for event in single), default=0)
    docket = Docket(samples=samples)
    for event in single:
        docket.take(event)
    scores: dict[str, Score] = {}
    for event in single:
        target = Target(episode=event.episode, turn=event.turn, digest=event.target, text="")
        score = docket.score(Matter(target))
        if score is not None:
            scores[event.target] = score
    return Judge(
        chain=chain,
        id=opened.judge,
        model=opened.binding.model if opened.binding else str(opened.options.get("annotator", "")),
        values=opened.values,
        scores=scores,
    )
