"""What one judge has said and what it has still to be asked: a fold of the judge's own chain.

Every answer is an event, also one of two orders, one sample of many, one that was cut off. What is
due follows from the events alone, so a judging that was killed goes on with what is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from eristic.debate import Counterpart, JudgementMade
from eristic.judging.scores import Score, Target, combine_orders, combine_samples

__all__ = ["Docket", "Matter", "Question"]

_Key = tuple[str, str, int, int]
"""Digest of the target, digest of the other or empty, order, sample."""
_MOST_TRUNCATED = 2
"""Answers cut off at their length, after which it is let be (the second had more room)."""


class Matter(msgspec.Struct, frozen=True, gc=False):
    """What is to be judged: a turn, or a turn beside another."""

    target: Target
    other: Target | None = None
    other_run: str = ""
    """Run of the other turn; empty for the same run."""

    @property
    def counterpart(self) -> Counterpart | None:
        """The other side as an event names it."""
        if self.other is None:
            return None
        return Counterpart(
            episode=self.other.episode,
            turn=self.other.turn,
            target=self.other.digest,
            run=self.other_run,
        )


class Question(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One call of a judging model."""

    matter: Matter
    order: int
    sample: int
    attempt: int
    has_more_room: bool
    """The answer before was cut off: this one may be four times as long."""


class _Said:
    __slots__ = ("last", "truncated")

    def __init__(self) -> None:
        self.last: JudgementMade | None = None
        self.truncated = 0


class Docket:
    """One judge's answers. sides: 1, or 2 for a judge that compares (asked in both orders).

    samples: how often each question is asked. retry_failed: ask once more where the last call
    failed before this docket was opened.
    """

    def __init__(self, *, sides: int = 1, samples: int = 1, retry_failed: bool = False) -> None:
        self._orders = tuple(range(sides))
        self._samples = samples
        self._retry_failed = retry_failed
        self._said: dict[_Key, _Said] = {}
        self.heard = 0
        """Events taken (count)."""
        self.calls = 0
        """Calls of a model among them, failed ones too (count)."""
        self.spent_usd = 0.0
        """What the calls cost, as far as that is known."""
        self.uncosted = 0
        """Answered calls whose cost is not known (count)."""

    def take(self, event: JudgementMade) -> None:
        """One more event of the chain, or of now."""
        self.heard += 1
        self.calls += event.seed is not None
        self.spent_usd += event.cost_usd or 0.0
        self.uncosted += event.call is not None and event.cost_usd is None
        other = event.other.target if event.other is not None else ""
        said = self._said.setdefault((event.target, other, event.order, event.sample), _Said())
        said.last = event
        said.truncated += event.cause == "truncated"

    def last(self, matter: Matter) -> JudgementMade | None:
        """The newest answer about a matter, of a judge with one order and one sample."""
        said = self._said.get(_key(matter, 0, 0))
        return said.last if said is not None else None

    def due(self, matters: Iterable[Matter]) -> list[Question]:
        """All that is still to be asked, in the order of the matters."""
        places = [(order, n) for n in range(self._samples) for order in self._orders]
        return [
            question
            for matter in matters
            for order, sample in places
            if (question := self._next(matter, order, sample, retry_failed=self._retry_failed))
        ]

    def all_questions(self, matters: Iterable[Matter]) -> Iterator[Question]:
        """Every first question, asked or not."""
        for matter in matters:
            for order in self._orders:
                yield Question(matter=matter, order=order, sample=0, attempt=0, has_more_room=True)

    def after(self, question: Question) -> Question | None:
        """What follows at once from the answer to this question: the retry of a truncated one."""
        return self._next(question.matter, question.order, question.sample, retry_failed=False)

    def _next(
        self, matter: Matter, order: int, sample: int, *, retry_failed: bool
    ) -> Question | None:
        said = self._said.get(_key(matter, order, sample))
        last = said.last if said is not None else None
        truncated = said.truncated if said is not None else 0
        if last is not None:
            was_cut = last.cause == "truncated" and truncated < _MOST_TRUNCATED
            if not was_cut and not (retry_failed and last.cause == "failed"):
                return None
        return Question(
            matter=matter,
            order=order,
            sample=sample,
            attempt=0 if last is None else last.attempt + 1,
            has_more_room=truncated > 0,
        )

    def score(self, matter: Matter) -> Score | None:
        """What the judge says of a matter, orders and samples combined; None while asked."""
        samples: list[Score] = []
        for sample in range(self._samples):
            events = [self._settled(matter, order, sample) for order in self._orders]
            scores = [_score(event) for event in events if event is not None]
            if len(scores) < len(events):
                return None
            samples.append(combine_orders(scores))
        return combine_samples(samples)

    def _settled(self, matter: Matter, order: int, sample: int) -> JudgementMade | None:
        said = self._said.get(_key(matter, order, sample))
        if said is None or said.last is None:
            return None
        if said.last.cause == "truncated" and said.truncated < _MOST_TRUNCATED:
            return None
        return said.last

    def events(self, matters: Sequence[Matter]) -> list[JudgementMade]:
        """The answers that count, of these matters."""
        return [
            event
            for matter in matters
            for sample in range(self._samples)
            for order in self._orders
            if (event := self._settled(matter, order, sample)) is not None
        ]


def _key(matter: Matter, order: int, sample: int) -> _Key:
    other = matter.other.digest if matter.other is not None else ""
    return matter.target.digest, other, order, sample


def _score(event: JudgementMade) -> Score:
    if event.value is None or event.status != "scored":
        return Score(
            status="unscored",
            cause=event.cause or "unreadable",
            evidence=event.evidence,
            flags=event.flags,
            fields=event.fields,
        )
    return Score(
        status="scored",
        value=event.value,
        evidence=event.evidence,
        flags=event.flags,
        fields=event.fields,
    )
