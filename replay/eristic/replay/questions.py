"""From a question to the call of a model, and from what came of it to the event that keeps it."""

from __future__ import annotations

import msgspec

from eristic.debate import Binding, JudgementMade, Setting
from eristic.debate.errors import ModelFailed
from eristic.debate.ids import derive_seed
from eristic.debate.prompting import render
from eristic.judging import (
    ModelJudge,
    Price,
    Question,
    Score,
    cost_of,
    unscored,
)
from eristic.ports import ModelReply, ModelRequest
from eristic.replay.judges import Seat

__all__ = ["answered", "call_of", "failed", "room_of"]

_MORE_ROOM = 4
"""Factor on the bound of an answer after a truncated one."""
_SPEAKER = "judge"


def call_of(run: str, seat: Seat, question: Question) -> ModelRequest:
    """The call that asks this question. Raises ValueError for a seat without a model."""
    target = question.matter.target
    judge, binding = seat.asks, seat.opened.binding
    if judge is None or binding is None or seat.template is None:
        raise ValueError(f"judge {seat.name} asks no model")
    view = judge.view(target, question.matter.other, order=question.order)
    # Two orders, many samples, some attempts: one number, as ids of calls end in one.
    number = (question.sample * 2 + question.order) * 100 + question.attempt
    return ModelRequest(
        model=binding.model,
        messages=render(seat.template, view, speaker=_SPEAKER),
        params=_params(binding, judge, question),
        seed=derive_seed(0, run, target.digest, seat.chain, number),
        expected=judge.expected,
        api_base=binding.api_base,
        constrain=binding.constrain,
        call_id=f"{run}.{target.episode}.{target.turn}.{seat.chain}.{number}",
    )


def _params(binding: Binding, judge: ModelJudge, question: Question) -> dict[str, Setting]:
    given = binding.params.get("max_tokens")
    room = given if isinstance(given, int) else judge.max_tokens
    return {**binding.params, "max_tokens": room * (_MORE_ROOM if question.has_more_room else 1)}


def room_of(request: ModelRequest) -> int:
    """Most tokens that the answer may have."""
    room = request.params["max_tokens"]
    assert isinstance(room, int)
    return room


def answered(
    seat: Seat, question: Question, request: ModelRequest, reply: ModelReply, price: Price | None
) -> JudgementMade:
    """The event of an answer, read or not."""
    call = reply.served(request.messages)
    blank = _blank(question, request, _read(seat, question, reply))
    return msgspec.structs.replace(blank, text=reply.text, call=call, cost_usd=cost_of(price, call))


def _read(seat: Seat, question: Question, reply: ModelReply) -> Score:
    """Refusal and truncation are the provider's word and come before any reading."""
    judge = seat.asks
    assert judge is not None
    if reply.refusal:
        return unscored("refused")
    if reply.finish == "length":
        return unscored("truncated")
    return judge.read(reply.text, order=question.order)


def failed(question: Question, request: ModelRequest, error: ModelFailed) -> JudgementMade:
    """The event of a call that gave no answer."""
    score = unscored("failed", flags=(error.error,), evidence=str(error)[:300])
    return msgspec.structs.replace(_blank(question, request, score), failed=error.failed)


def _blank(question: Question, request: ModelRequest, score: Score) -> JudgementMade:
    target = question.matter.target
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
        other=question.matter.counterpart,
        order=question.order,
        sample=question.sample,
        attempt=question.attempt,
        seed=request.seed,
    )
