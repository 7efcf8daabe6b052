"""Which failures are tried again, how often, and within which bounds."""

from __future__ import annotations

import socket
import time

import pytest
from tests.agents._calls import calling, request
from tests.agents._servers import (
    Behaviour,
    Loopback,
    always_500,
    answering,
    black_hole,
    context_overflow,
    first,
    rate_limited,
    refusing_with,
    slow_drip,
)

from eristic.agents.models import RetryPolicy
from eristic.agents.models.retries import AttemptFailed, GaveUp, attempt
from eristic.debate.errors import ModelFailed


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


async def test_two_retries_are_three_requests_whatever_lies_below() -> None:
    with Loopback(always_500) as server:
        async with calling(RetryPolicy(retries=2)) as caller:
            with pytest.raises(ModelFailed) as caught:
                await caller.ask(request(server.url))
    assert len(server.seen) == 3
    assert [x.error for x in caught.value.failed] == ["server"] * 3
    assert caught.value.error == "server"
    assert "3 attempts failed, the last with server" in str(caught.value)
    assert caught.value.__cause__ is None and caught.value.__context__ is None


async def test_the_default_is_five_attempts_with_pauses_of_2_2_5_5() -> None:
    with Loopback(always_500) as server:
        async with calling() as caller:
            with pytest.raises(ModelFailed) as caught:
                await caller.ask(request(server.url))
    assert len(server.seen) == 5
    assert caller.pauses_s == [2.0, 2.0, 5.0, 5.0]
    assert [x.waited_s for x in caught.value.failed] == [2.0, 2.0, 5.0, 5.0, 0.0]


async def test_a_call_that_succeeds_late_reports_each_failure_and_sends_the_same_prompt() -> None:
    with Loopback(first(always_500, times=2)) as server:
        async with calling() as caller:
            reply = await caller.ask(request(server.url))
    assert reply.text == "Fair point."
    assert [x.error for x in reply.failed] == ["server", "server"]
    assert "on fire" in reply.failed[0].message
    assert server.seen[0].body == server.seen[1].body == server.seen[2].body


@pytest.mark.parametrize(
    ("behaviour", "error"),
    [
        (refusing_with(401, "no such key"), "auth"),
        (refusing_with(403, "not allowed"), "auth"),
        (refusing_with(400, "temperature is too high"), "bad_request"),
        (refusing_with(422, "cannot be processed"), "bad_request"),
        (context_overflow, "context"),
    ],
)
async def test_a_failure_that_would_repeat_itself_is_not_tried_again(
    behaviour: Behaviour, error: str
) -> None:
    with Loopback(behaviour) as server:
        async with calling() as caller:
            with pytest.raises(ModelFailed) as caught:
                await caller.ask(request(server.url))
    assert len(server.seen) == 1
    assert caught.value.error == error
    assert caller.pauses_s == []


@pytest.mark.parametrize(("asked", "pause_s"), [("9", 9.0), ("1", 2.0), ("86400", 60.0)])
async def test_the_providers_pause_is_honoured_within_bounds(asked: str, pause_s: float) -> None:
    with Loopback(first(rate_limited(asked), times=1)) as server:
        async with calling() as caller:
            reply = await caller.ask(request(server.url))
    assert caller.pauses_s == [pause_s]
    assert [(x.error, x.waited_s) for x in reply.failed] == [("rate_limit", pause_s)]


@pytest.mark.parametrize("behaviour", [black_hole, slow_drip])
async def test_the_attempt_deadline_bounds_a_server_that_never_ends_its_answer(
    behaviour: Behaviour,
) -> None:
    with Loopback(always_500) as warm:
        async with calling(RetryPolicy(retries=0)) as caller:
            with pytest.raises(ModelFailed):
                await caller.ask(request(warm.url))  # imports and lazy parts are not timed
    with Loopback(behaviour) as server:
        async with calling(RetryPolicy(retries=0, attempt_deadline_s=2.0)) as caller:
            started = time.perf_counter()
            with pytest.raises(ModelFailed) as caught:
                await caller.ask(request(server.url))
            took_s = time.perf_counter() - started
    assert caught.value.error == "timeout"
    # The bound and a tenth; the rest is for a busy machine.
    assert 2.0 <= took_s <= 2.6


async def test_a_timeout_is_tried_again() -> None:
    with Loopback(first(black_hole, times=1)) as server:
        async with calling(RetryPolicy(attempt_deadline_s=0.5)) as caller:
            reply = await caller.ask(request(server.url))
    assert [x.error for x in reply.failed] == ["timeout"]


async def test_a_refused_connection_is_tried_again_and_told_apart_from_a_server_error() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        async with calling(RetryPolicy(retries=1)) as caller:
            with pytest.raises(ModelFailed) as caught:
                await caller.ask(request(url))
    assert [x.error for x in caught.value.failed] == ["connect", "connect"]


@pytest.mark.parametrize(
    "behaviour",
    [answering({"id": "x", "choices": []}), lambda x: x.reply(200, "<html>gateway</html>")],
    ids=["no choice", "no JSON"],
)
async def test_an_answer_that_cannot_be_read_counts_as_a_server_error(
    behaviour: Behaviour,
) -> None:
    with Loopback(first(behaviour, times=1)) as server:
        async with calling() as caller:
            reply = await caller.ask(request(server.url))
    assert [x.error for x in reply.failed] == ["server"]
    assert reply.text == "Fair point."


async def _pass(seconds: float) -> None:
    return


async def test_the_total_deadline_ends_a_call_that_still_has_retries() -> None:
    async def call() -> None:
        raise AttemptFailed("server", "down")

    policy = RetryPolicy(retries=99, waits_s=(10.0,), total_deadline_s=35.0)
    with pytest.raises(GaveUp) as caught:
        await attempt(call, policy, wait=_pass)
    assert [x.waited_s for x in caught.value.failed] == [10.0, 10.0, 10.0, 0.0]


async def test_cancelling_a_call_is_not_a_failed_attempt() -> None:
    import asyncio

    with Loopback(black_hole) as server:
        async with calling() as caller:
            task = asyncio.create_task(caller.ask(request(server.url)))
            while not server.seen:
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
    assert len(server.seen) == 1
    assert caller.pauses_s == []
