"""Model calls through the whole stack against real HTTP servers: how often, how long, with what."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from tests.agents._servers import (
    Behaviour,
    Exchange,
    Loopback,
    always_500,
    black_hole,
    good,
    slow_drip,
)
from tests.cli._commands import Said, Shell
from tests.cli._logs import records_of

from eristic.debate import TurnFailed, TurnSpoken
from eristic.debate.envelopes import decode

# litellm imports a part of itself with its first call, and pydantic remarks on a class in it.
pytestmark = [pytest.mark.nats, pytest.mark.filterwarnings("ignore:.*ReadOnly:UserWarning")]

ONE = ("logicom", "--only", "school-phones-pro", "--condition", "no_helper", "--run", "r")
QUICK = ("-o", "calls.waits_s=[0.001]", "-o", "options.round_limit=2")


def play(shell: Shell, server: Loopback, *more: str) -> Said:
    model = f"all=openai/tiny?api_base={server.url}"
    return shell.run(*ONE, *QUICK, "--role", model, *more)


def bodies(server: Loopback) -> Counter[str]:
    """What was sent, with how often."""
    return Counter(json.dumps(seen.body, sort_keys=True) for seen in server.seen)


def failing_first(times: int) -> Behaviour:
    """Fail each prompt so many times, then answer it."""
    seen: Counter[str] = Counter()

    def behave(exchange: Exchange) -> None:
        body = json.dumps(exchange.body, sort_keys=True)
        seen[body] += 1
        (always_500 if seen[body] <= times else good)(exchange)

    return behave


def test_a_retried_call_leaves_each_message_once_in_the_next_prompt(shell: Shell) -> None:
    with Loopback(good) as server:
        said = play(shell, server, "--json")
    assert said.code == 8, said.err  # nothing that this server says is a verdict
    assert server.seen
    undisturbed = bodies(server)
    events = records_of(shell, "r")

    other = Shell(shell.folder / "other")
    with Loopback(failing_first(2)) as server:
        assert play(other, server).code == 8
    assert bodies(server) == {body: 3 for body in undisturbed}
    spoken = [decode(stored).body for _, stored in records_of(other, "r")]
    calls = [body.call for body in spoken if isinstance(body, TurnSpoken) and body.call]
    assert calls
    assert {tuple(x.error for x in call.failed) for call in calls} == {("server", "server")}
    assert len(spoken) == len(events)


@pytest.mark.parametrize("retries", [0, 2])
def test_retries_mean_exactly_so_many_more_requests(shell: Shell, retries: int) -> None:
    with Loopback(always_500) as server:
        said = play(shell, server, "-o", f"calls.retries={retries}")
    assert said.code == 8, said.err
    assert "1 x debater_failed (server)" in said.out
    assert len(server.seen) == retries + 1
    assert set(bodies(server).values()) == {retries + 1}


@pytest.mark.parametrize("behaviour", [black_hole, slow_drip])
def test_a_server_that_never_finishes_is_bounded_by_its_deadline(
    shell: Shell, behaviour: Behaviour
) -> None:
    bounds = ("-o", "calls.retries=1", "-o", "calls.attempt_deadline_s=0.25")
    with Loopback(behaviour) as server:
        said = play(shell, server, *bounds)
    assert said.code == 8, said.err
    assert "1 x debater_failed (timeout)" in said.out
    assert len(server.seen) == 2
    (failure,) = (
        body
        for _, stored in records_of(shell, "r")
        if isinstance(body := decode(stored).body, TurnFailed)
    )
    assert [attempt.error for attempt in failure.failed] == ["timeout", "timeout"]
    assert all(0.24 < attempt.latency_s < 1 for attempt in failure.failed)


def test_the_whole_call_has_a_deadline_too(shell: Shell) -> None:
    bounds = ("-o", "calls.retries=100", "-o", "calls.total_deadline_s=0.3")
    with Loopback(black_hole) as server:
        said = play(shell, server, *bounds)
    assert said.code == 8, said.err
    assert len(server.seen) == 1
