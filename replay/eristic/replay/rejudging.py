"""Asking judges about turns of a run: each question once, every answer stored before the next.

A judging model is called through the Model port like any other. What it may cost is reserved
before the call and settled after it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from eristic.debate import JudgementMade
from eristic.debate.errors import ModelFailed
from eristic.judging import (
    Budget,
    Matter,
    Price,
    Question,
    RuleJudge,
    most_of,
    probable_cost,
)
from eristic.ports import Model, ModelReply, ModelRequest
from eristic.replay.questions import answered, call_of, failed, room_of
from eristic.replay.sittings import Sitting

__all__ = ["Estimate", "Rejudging", "apply_rules", "estimate"]

_RULE_BATCH = 2000
_UNBILLED = frozenset({"auth", "bad_request", "connect", "context", "rate_limit"})
"""Failures for which no provider charges."""


class _Ask(NamedTuple):
    """A question on its way: who is asked, and what will be sent."""

    sitting: Sitting
    question: Question
    request: ModelRequest
    most_usd: float
    """Upper bound of its cost; 0 when free or unknown."""


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """What is left to be asked of one judge, before anything is."""

    calls: int
    probable_usd: float | None
    """None when the price is unknown."""
    most_usd: float | None
    """No retry of a truncated answer included."""


def estimate(sitting: Sitting, matters: Sequence[Matter], price: Price | None) -> Estimate:
    """Count the calls that are due and add up what they may cost."""
    due = sitting.docket.due(matters)
    if price is None:
        return Estimate(calls=len(due), probable_usd=None, most_usd=None)
    probable = most = 0.0
    for question in due if not price.is_free else ():
        request = call_of(sitting.run, sitting.seat, question)
        probable += probable_cost(price, request.messages)
        most += most_of(price, request.messages, room_of(request))
    return Estimate(calls=len(due), probable_usd=probable, most_usd=most)


async def apply_rules(sitting: Sitting, rule: RuleJudge, matters: Sequence[Matter]) -> int:
    """Score all that this judge has not scored yet; returns how many. Stores in large batches."""
    docket = sitting.docket
    due = [matter for matter in matters if docket.last(matter) is None]
    for start in range(0, len(due), _RULE_BATCH):
        batch = due[start : start + _RULE_BATCH]
        await sitting.record(*(_by_rule(rule, matter) for matter in batch))
    return len(due)


def _by_rule(rule: RuleJudge, matter: Matter) -> JudgementMade:
    target, score = matter.target, rule.score(matter.target)
    return JudgementMade(
        episode=target.episode,
        turn=target.turn,
        target=target.digest,
        status=score.status,
        value=score.value,
        cause=score.cause,
        evidence=score.evidence,
        flags=score.flags,
        fields=score.fields,
    )


class Rejudging:
    """Asks judging models until nothing is due, the budget is used up, or it is stopped.

    prices: chain of a seat -> price of its model; one that is not there is unknown. budget: None
    for no limit. on_answer: hears after every stored answer.
    """

    def __init__(
        self,
        model: Model,
        *,
        prices: Mapping[str, Price],
        budget: Budget | None = None,
        parallel: int = 8,
        on_answer: Callable[[JudgementMade], None] | None = None,
    ) -> None:
        self._model = model
        self._prices = prices
        self._budget = budget
        self._parallel = parallel
        self._on_answer = on_answer
        self._due: deque[tuple[Sitting, Question]] = deque()
        self._under_way = 0
        self._settled = asyncio.Event()
        self._is_stopped = False
        self.is_out_of_budget = False
        """A call was not made because it could have broken the limit."""

    def stop(self) -> None:
        """Ask no more; what is under way is finished and stored."""
        self._is_stopped = True

    async def run(self, work: Sequence[tuple[Sitting, Sequence[Matter]]]) -> None:
        """Ask all that is due of these judges about these matters.

        Raises ModelUnknown, CredentialMissing, ModelFailed when the provider refuses our key (then
        nothing can be judged), RunRefused, BusError; answers had before that are stored.
        """
        self._due.extend(_interleaved(work))
        async with asyncio.TaskGroup() as group:
            for _ in range(min(self._parallel, len(self._due))):
                group.create_task(self._work())

    async def _work(self) -> None:
        while self._due and not self._is_stopped:
            sitting, question = self._due.popleft()
            following: Question | None = question
            while following is not None and not self._is_stopped:
                ask = self._prepare(sitting, following)
                if not await self._may_spend(ask):
                    return
                await self._settle(ask, await self._call(ask))
                following = sitting.docket.after(following)

    def _prepare(self, sitting: Sitting, question: Question) -> _Ask:
        request = call_of(sitting.run, sitting.seat, question)
        price = self._prices.get(sitting.seat.chain)
        most = most_of(price, request.messages, room_of(request)) if price is not None else 0.0
        return _Ask(sitting, question, request, most)

    async def _may_spend(self, ask: _Ask) -> bool:
        """Set aside what the call may cost, waiting for others to be settled if that can help."""
        if self._budget is None or not ask.most_usd:
            self._under_way += 1
            return True
        while not self._is_stopped:
            if self._budget.reserve(ask.most_usd):
                self._under_way += 1
                return True
            if not self._under_way:
                self.is_out_of_budget = self._is_stopped = True
                break
            self._settled.clear()
            await self._settled.wait()
        return False

    async def _call(self, ask: _Ask) -> ModelReply | ModelFailed:
        try:
            return await self._model.complete(ask.request)
        except ModelFailed as error:
            if error.error == "auth":
                raise
            return error

    async def _settle(self, ask: _Ask, came: ModelReply | ModelFailed) -> None:
        """Store what came of a call, then give back what it did not cost."""
        price = self._prices.get(ask.sitting.seat.chain)
        if isinstance(came, ModelFailed):
            event = failed(ask.question, ask.request, came)
        else:
            event = answered(ask.sitting.seat, ask.question, ask.request, came, price)
        await ask.sitting.record(event)
        self._under_way -= 1
        if self._budget is not None and ask.most_usd:
            self._budget.settle(ask.most_usd, _charged(came, event, ask.most_usd))
        self._settled.set()
        if self._on_answer is not None:
            self._on_answer(event)


def _interleaved(
    work: Sequence[tuple[Sitting, Sequence[Matter]]],
) -> list[tuple[Sitting, Question]]:
    """Judges take turns, so that a budget that ends early ends evenly."""
    queues = [[(sitting, q) for q in sitting.docket.due(matters)] for sitting, matters in work]
    ranked = [
        (rank / max(1, len(queue)), place, item)
        for place, queue in enumerate(queues)
        for rank, item in enumerate(queue)
    ]
    ranked.sort(key=lambda entry: entry[:2])
    return [item for _, _, item in ranked]


def _charged(came: ModelReply | ModelFailed, event: JudgementMade, most_usd: float) -> float | None:
    """What to count for a call; None: all that was set aside for it."""
    if isinstance(came, ModelReply):
        return event.cost_usd
    tries = [attempt for attempt in came.failed if attempt.error not in _UNBILLED]
    return len(tries) * most_usd
