from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eristic.debate import Served
from eristic.debate.prompting import Message
from eristic.judging import (
    Budget,
    Price,
    Score,
    combine_orders,
    combine_samples,
    convene,
    cost_of,
    families_of,
    most_of,
    unscored,
)


def scored(*values: str | None) -> list[Score]:
    return [Score(status="scored", value=x) if x else unscored("failed") for x in values]


ANY_SCORES = st.lists(st.sampled_from(["a", "b", "c", None]), max_size=7).map(
    lambda values: scored(*values)
)


@pytest.mark.parametrize(
    ("values", "quorum", "status", "value"),
    [
        (("a", "a", None), 3, "no_quorum", None),
        (("a", None, None), 2, "no_quorum", None),
        (("a", "a", "b"), 2, "decided", "a"),
        (("a", "a", "b"), 3, "no_quorum", None),
        (("a", "b"), 1, "tie", None),
        (("a", "b"), 2, "tie", None),
        (("a", "a", "b", "c"), 2, "no_quorum", None),
        (("a", "a", "b", "b", "c"), 2, "tie", None),
        ((None, None), 1, "no_quorum", None),
        ((), 1, "no_quorum", None),
        (("a",), 1, "decided", "a"),
    ],
)
def test_a_panel_decides_by_more_than_half_and_a_quorum_that_agrees(
    values: tuple[str | None, ...], quorum: int, status: str, value: str | None
) -> None:
    verdict = convene(scored(*values), quorum=quorum)
    assert (verdict.status, verdict.value) == (status, value)


@given(ANY_SCORES, st.integers(1, 4), st.randoms())
def test_the_order_of_the_judges_changes_nothing(
    scores: list[Score], quorum: int, chance: random.Random
) -> None:
    other = list(scores)
    chance.shuffle(other)
    assert convene(scores, quorum=quorum) == convene(other, quorum=quorum)
    if scores:
        assert combine_samples(scores) == combine_samples(other)


@given(ANY_SCORES, st.integers(1, 4))
def test_a_failed_judge_more_never_decides_anything(scores: list[Score], quorum: int) -> None:
    assert convene([*scores, unscored("failed")], quorum=quorum) == convene(scores, quorum=quorum)


def test_a_quorum_of_nobody_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        convene([], quorum=0)


def test_orders_that_differ_are_inconsistent_and_a_tie_is_a_value() -> None:
    assert combine_orders(scored("tie", "tie")).value == "tie"
    assert combine_orders(scored("first", "second")).cause == "inconsistent"
    assert combine_orders(scored("first", "tie")).cause == "inconsistent"
    assert combine_orders(scored("first", None)).cause == "failed"


def test_samples_without_a_majority_are_inconsistent_and_failures_are_none() -> None:
    assert combine_samples(scored("a", "a", "b")).value == "a"
    assert combine_samples(scored("a", None, None)).value == "a"
    assert combine_samples(scored("a", "b", None)).cause == "inconsistent"
    assert combine_samples(scored(None, None)).cause == "failed"


@pytest.mark.parametrize(
    ("model", "families"),
    [
        ("openai/gpt-4o", {"openai"}),
        ("GPT-3.5", {"openai"}),
        ("azure/o3-mini", {"openai"}),
        ("bedrock/anthropic.claude-3-5-haiku-20241022-v1:0", {"anthropic"}),
        ("gemini/gemini-2.0-flash", {"google"}),
        ("together_ai/deepseek-ai/deepseek-r1-distill-llama-70b", {"deepseek", "meta"}),
        ("ollama/llama3.1:8b", {"meta"}),
        ("local", {"huggingface"}),
        ("script:steady", set()),
        ("openai/philosopher-7b", set()),
        ("openai/my-own", set()),
    ],
)
def test_a_family_is_told_by_the_models_name_not_by_its_provider(
    model: str, families: set[str]
) -> None:
    assert families_of([model]) == families


PRICE = Price(in_usd=1e-6, out_usd=2e-6, cached_usd=1e-7)


def test_a_cost_counts_cached_tokens_once_and_is_none_when_unknown() -> None:
    call = Served(model="m", tokens_in=100, tokens_out=10, tokens_cached=60)
    assert cost_of(PRICE, call) == pytest.approx(40e-6 + 6e-6 + 20e-6)
    assert cost_of(None, call) is None
    assert cost_of(PRICE, Served(model="m", tokens_in=100)) is None
    assert cost_of(PRICE, Served(model="m")) is None


def test_the_bound_of_a_call_is_above_any_tokenizer() -> None:
    messages = (Message("user", "é" * 100),)
    assert most_of(PRICE, messages, 50) >= 200 * 1e-6 + 50 * 2e-6


@given(st.lists(st.tuples(st.floats(0, 1), st.none() | st.floats(0, 1)), max_size=30))
def test_calls_that_were_allowed_never_cost_more_than_the_limit(
    calls: list[tuple[float, float | None]],
) -> None:
    budget = Budget(2.0, spent_usd=0.5)
    paid = 0.5
    waiting: list[tuple[float, float | None]] = []
    for most, share in calls:
        if budget.reserve(most):
            waiting.append((most, share))
            paid += most if share is None else most * share
        if len(waiting) > 3:
            most, share = waiting.pop(0)
            budget.settle(most, None if share is None else most * share)
    assert paid <= 2.0 + 1e-9
