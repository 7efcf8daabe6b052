from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace
from tests.replay._judged import Court, opened, seated

from eristic.debate import FailedAttempt
from eristic.debate.errors import LogDamaged, ModelFailed, RunRefused
from eristic.debate.prompting import digest
from eristic.journal.memory import MemoryLog
from eristic.judging import LLM_COMPARE, Budget, Matter
from eristic.ports import ModelReply, ModelRequest
from eristic.replay.judge_reports import Rated, count
from eristic.replay.judges import find_judge, judge_names, seat
from eristic.replay.rejudging import apply_rules
from eristic.replay.sittings import Sitting


def agrees(request: ModelRequest) -> str:
    return "agrees"


def rated(sitting: Sitting, court: Court) -> Rated:
    return Rated(
        name="j",
        chain=sitting.seat.chain,
        values=sitting.seat.opened.values,
        verdicts=sitting.seat.verdicts,
        scores=tuple(sitting.score(matter) for matter in court.matters),
        excluded=(False,) * len(court.matters),
    )


async def test_every_target_is_asked_once_and_a_second_time_never() -> None:
    court = Court(agrees)
    sitting = await court.judge()
    assert len(court.requests) == len(court.matters) == 6
    assert [sitting.score(x).value for x in court.matters] == ["agrees"] * 6  # type: ignore[union-attr]  # judged
    again = await court.judge()
    assert len(court.requests) == 6
    assert count(rated(again, court)) == count(rated(sitting, court))


async def test_a_judgement_holds_what_was_sent_and_points_at_what_was_judged() -> None:
    court = Court(lambda _: ModelReply(text="unclear", model="served", tokens_in=9, tokens_out=1))
    await court.judge(parallel=1)
    for event, request, matter in zip(
        await court.events(), court.requests, court.matters, strict=True
    ):
        assert event.call is not None
        assert event.call.prompt == digest(request.messages)
        assert (event.call.model, event.seed) == ("served", request.seed)
        assert (event.episode, event.turn) == (matter.target.episode, matter.target.turn)
        assert event.target == matter.target.digest
        assert event.cost_usd is None, "no price is known here"
    assert all(x.params == {"temperature": 0.0, "max_tokens": 512} for x in court.requests)
    assert len({x.call_id for x in court.requests}) == 6


async def test_more_samples_ask_only_for_those_that_are_missing() -> None:
    court = Court(agrees)
    await court.judge()
    sitting = await court.judge(samples=3)
    assert len(court.requests) == 18
    assert len({x.call_id for x in court.requests}) == 18
    assert len({x.seed for x in court.requests}) == 18
    assert sitting.score(court.matters[0]) is not None


async def test_a_truncated_answer_is_asked_for_once_more_with_four_times_the_room() -> None:
    court = Court(lambda _: ModelReply(text="agrees", model="m", finish="length"))
    sitting = await court.judge(parallel=1)
    rooms = [request.params["max_tokens"] for request in court.requests]
    assert rooms == [512, 2048] * 6
    row = count(rated(sitting, court))
    assert (row.scored, row.unscored, row.rates) == (0, {"truncated": 6}, None)
    await court.judge()
    assert len(court.requests) == 12


async def test_a_truncated_answer_that_was_logged_before_a_kill_is_followed_by_its_retry() -> None:
    court = Court(lambda x: ModelReply(text="agrees", model="m", finish="length"), number=1)
    await court.judge(parallel=1)
    first = (await court.events())[0]
    killed = Court(agrees, number=1)
    before = await opened(killed.log, seated())
    await before.record(first)
    sitting = await killed.judge()
    assert [x.params["max_tokens"] for x in killed.requests].count(2048) == 1
    assert len(killed.requests) == 3
    assert count(rated(sitting, killed)).scored == 3


def fail(request: ModelRequest) -> str:
    tries = (FailedAttempt(error="server", latency_s=0.1),) * 2
    raise ModelFailed("down", error="server", failed=tries)


async def test_a_judge_that_always_fails_scores_nothing_and_has_no_rates() -> None:
    court = Court(fail)
    sitting = await court.judge()
    row = count(rated(sitting, court))
    assert (row.n, row.scored, row.unscored, row.rates) == (6, 0, {"failed": 6}, None)
    assert all(len(event.failed) == 2 for event in await court.events())
    await court.judge()
    assert len(court.requests) == 6


async def test_failed_calls_are_asked_again_on_request_and_the_new_answer_counts() -> None:
    court = Court(fail)
    await court.judge()
    court._replies = agrees
    sitting = await court.judge(retry=True)
    assert len(court.requests) == 12
    assert count(rated(sitting, court)).values["agrees"] == 6
    assert len(await court.events()) == 12, "the failures stay in the chain"


async def test_a_refused_key_ends_the_judging_and_nothing_is_logged_for_it() -> None:
    def refuse(request: ModelRequest) -> str:
        raise ModelFailed("key refused", error="auth")

    court = Court(refuse)
    with pytest.raises(ExceptionGroup) as caught:
        await court.judge()
    assert caught.group_contains(ModelFailed)
    assert await court.events() == []


async def test_a_refusal_is_a_cause_of_its_own_even_if_it_holds_a_value() -> None:
    court = Court(lambda _: ModelReply(text="agrees", model="m", refusal=True, finish="filter"))
    sitting = await court.judge()
    assert count(rated(sitting, court)).unscored == {"refused": 6}


async def test_a_limit_is_never_broken_and_the_rest_is_left() -> None:
    def answer(request: ModelRequest) -> ModelReply:
        return ModelReply(text="agrees", model="m", tokens_in=400, tokens_out=2)

    court = Court(answer)
    budget = Budget(0.008)
    sitting = await court.judge(budget=budget, parallel=4)
    assert 1 <= len(court.requests) < 6
    assert budget.spent_usd <= 0.008
    assert budget.spent_usd == pytest.approx(sitting.docket.spent_usd)
    assert len(sitting.docket.due(court.matters)) == 6 - len(court.requests)
    more = await court.judge(budget=Budget(1.0, spent_usd=sitting.docket.spent_usd))
    assert len(court.requests) == 6
    assert more.docket.due(court.matters) == []


async def test_a_limit_below_the_first_call_calls_nothing() -> None:
    court = Court(agrees)
    await court.judge(budget=Budget(1e-6))
    assert court.requests == []


def compared(court: Court) -> None:
    told = [replace(x.target, text=f"Words of side {n}.") for n, x in enumerate(court.matters)]
    first, *others = told
    court.matters = [Matter(first, other) for other in others]


async def test_a_comparison_asks_both_orders_and_a_judge_of_positions_is_inconsistent() -> None:
    court = Court(lambda _: '{"verdict": "first", "why": "it is on top"}')
    compared(court)
    one = seated(judge=LLM_COMPARE)
    sitting = await court.judge(one)
    assert len(court.requests) == 2 * len(court.matters)
    row = count(rated(sitting, court))
    assert (row.scored, row.unscored) == (0, {"inconsistent": 5})
    assert Counter(event.order for event in await court.events(one)) == {0: 5, 1: 5}


async def test_a_comparison_that_survives_the_exchange_counts_and_a_tie_is_a_value() -> None:
    court = Court(agrees)
    compared(court)
    mine = court.matters[0].target.text

    def longest(request: ModelRequest) -> str:
        text = request.messages[1].content
        first = text[text.index("first message\n") : text.index("end of first message")]
        return f'{{"verdict": "{"first" if mine in first else "second"}", "why": "."}}'

    court._replies = longest
    sitting = await court.judge(seated(judge=LLM_COMPARE))
    assert count(rated(sitting, court)).values == {"first": 5, "second": 0, "tie": 0}
    court.log = MemoryLog()
    court._replies = lambda _: '{"verdict": "tie", "why": "."}'
    sitting = await court.judge(seated(judge=LLM_COMPARE))
    assert count(rated(sitting, court)).values["tie"] == 5


async def test_rules_are_applied_once_and_stored_in_one_chain() -> None:
    court = Court(agrees)
    one = seat(find_judge("recorded"), software="eristic 0")
    assert one.rules is not None
    sitting = await opened(court.log, one)
    assert await apply_rules(sitting, one.rules, court.matters) == 6
    again = await opened(court.log, one)
    assert await apply_rules(again, one.rules, court.matters) == 0
    assert {event.value for event in await court.events(one)} == {"not_convinced"}


async def test_two_writers_of_one_chain_are_told_apart() -> None:
    court = Court(agrees)
    mine, theirs = [await opened(court.log, seated()) for _ in range(2)]
    await court.judge()
    events = await court.events()
    with pytest.raises(RunRefused, match="another process"):
        await theirs.record(events[0])
    del mine


async def test_a_chain_of_another_rubric_is_refused() -> None:
    court = Court(agrees)
    one = seated()
    await court.judge(one)
    other = replace(one, opened=replace(one.opened, values=("yes", "no")))
    with pytest.raises(LogDamaged, match="another judge or rubric"):
        await opened(court.log, other)


def test_a_chain_depends_on_judge_model_parameters_and_rubric_and_on_nothing_else() -> None:
    chains = {
        seated("a/b").chain,
        seated("a/b", LLM_COMPARE).chain,
        seated("a/c").chain,
        seated("a/" + "long-" * 40).chain,
    }
    assert len(chains) == 4
    assert all(len(chain) <= 64 and chain.replace("-", "").isidentifier() for chain in chains)
    one = seated("a/b")
    assert seat(LLM_STANCE_AGAIN, software="another", binding=one.opened.binding).chain == one.chain


LLM_STANCE_AGAIN = find_judge("llm-stance")


def test_the_judges_that_come_with_eristic_are_found_by_entry_point() -> None:
    assert {"recorded", "stance-words", "llm-stance", "llm-compare"} <= set(judge_names())
