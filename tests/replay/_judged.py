"""A small run that closed, its targets, and judges at work on them in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.replay._plays import NOON, Records, tell, write

from eristic.agents.models import ScriptedModel
from eristic.debate import Binding, JudgementMade
from eristic.debate.envelopes import decode
from eristic.journal.memory import MemoryLog
from eristic.judging import LLM_STANCE, Budget, Matter, ModelJudge, Price, Target
from eristic.ports import FixedClock, ModelReply, ModelRequest
from eristic.replay.judges import Seat, seat
from eristic.replay.pairings import singles
from eristic.replay.rejudging import Rejudging
from eristic.replay.sittings import Sitting
from eristic.replay.targets import read_targets

PRICE = Price(in_usd=1e-6, out_usd=1e-5)


def records(number: int = 2) -> Records:
    return write(tell(number=number))


def targets(number: int = 2) -> tuple[Target, ...]:
    """One a case and condition: three times `number`."""
    return read_targets(records(number)).targets


def seated(model: str = "made-up", judge: ModelJudge = LLM_STANCE) -> Seat:
    return seat(judge, software="eristic 0", binding=Binding(model=model))


async def opened(log: MemoryLog, one: Seat, *, samples: int = 1, retry: bool = False) -> Sitting:
    clock = FixedClock(NOON)
    return await Sitting.open("r", one, log, clock=clock, samples=samples, retry_failed=retry)


Replies = Callable[[ModelRequest], ModelReply | str]


class Court:
    """One judging model over all targets; counts what a provider would charge for."""

    def __init__(self, replies: Replies, *, number: int = 2) -> None:
        self.log = MemoryLog()
        self.requests: list[ModelRequest] = []
        self.matters: Sequence[Matter] = singles(targets(number))
        self._replies = replies

    def _reply(self, request: ModelRequest) -> ModelReply | str:
        self.requests.append(request)
        return self._replies(request)

    async def judge(
        self,
        one: Seat | None = None,
        *,
        samples: int = 1,
        retry: bool = False,
        budget: Budget | None = None,
        parallel: int = 4,
    ) -> Sitting:
        one = one or seated()
        sitting = await opened(self.log, one, samples=samples, retry=retry)
        prices = {one.chain: PRICE} if budget is not None else {}
        judging = Rejudging(
            ScriptedModel(self._reply), prices=prices, budget=budget, parallel=parallel
        )
        await judging.run([(sitting, self.matters)])
        return sitting

    async def events(self, one: Seat | None = None) -> list[JudgementMade]:
        """The judgements in the chain."""
        stored = await self.log.read((one or seated()).chain)
        bodies = [decode(line).body for line in stored]
        return [body for body in bodies if isinstance(body, JudgementMade)]
