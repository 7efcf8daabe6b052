"""Scripted models: deterministic, instant, and honest about what they do not know."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time

import msgspec
import pytest
from tests.agents._calls import OBJECT, TEXT, TOKEN, request

from eristic.agents.models import ModelDirectory, ScriptedModel
from eristic.debate import Binding, Expected
from eristic.debate.errors import ModelFailed, ModelUnknown
from eristic.ports import ModelReply


async def _play(script: str, expected: Expected = TEXT, turn: int = 3, seed: int = 7) -> ModelReply:
    call_id = f"run1.e0.{turn}.persuader.0"
    asked = request(model=f"script:{script}", expected=expected, seed=seed, call_id=call_id)
    return await ScriptedModel().complete(asked)


async def test_steady_speaks_prose_of_the_asked_length_that_differs_from_turn_to_turn() -> None:
    replies = [await _play("steady?chars=400", turn=turn) for turn in range(8)]
    assert {len(x.text) for x in replies} == {400}
    assert len({x.text for x in replies}) == 8
    assert len((await _play("steady")).text) == 1000


async def test_the_same_call_gets_the_same_text_in_another_process() -> None:
    here = await _play("steady?chars=90", seed=11)
    program = (
        "import asyncio\n"
        "from eristic.agents.models import ScriptedModel\n"
        "from eristic.ports import ModelRequest\n"
        "from eristic.debate import Expected\n"
        "asked = ModelRequest(model='script:steady?chars=90', messages=(), params={}, seed=11,\n"
        "    expected=Expected(), call_id='run1.e0.3.persuader.0')\n"
        "print(asyncio.run(ScriptedModel().complete(asked)).text, end='')\n"
    )
    there = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert there.stdout == here.text


async def test_steady_goes_on_and_yielding_gives_in_from_its_turn() -> None:
    yes, no = TOKEN.tokens
    assert (await _play("steady", TOKEN, turn=99)).text == no
    assert (await _play("yielding?turn=4", TOKEN, turn=3)).text == no
    assert (await _play("yielding?turn=4", TOKEN, turn=4)).text == yes
    assert len((await _play("yielding", TEXT)).text) == 1000


async def test_an_object_has_its_keys_in_order_with_texts() -> None:
    said = json.loads((await _play("steady?chars=300", OBJECT)).text)
    assert list(said) == list(OBJECT.keys)
    assert [len(x) for x in said.values()] == [100, 100, 100]


async def test_garbage_is_neither_token_nor_object() -> None:
    for turn in range(20):
        text = (await _play("garbage", TOKEN, turn=turn)).text
        assert text
        assert not any(token in text for token in TOKEN.tokens)
        with pytest.raises(json.JSONDecodeError):
            json.loads(text)


async def test_refusing_and_empty_are_replies_of_their_kind() -> None:
    refused, empty = await _play("refusing", TOKEN), await _play("empty", OBJECT)
    assert refused.refusal and refused.finish == "filter"
    assert empty.text == "" and not empty.refusal


async def test_failing_fails_with_the_asked_class() -> None:
    with pytest.raises(ModelFailed) as caught:
        await _play("failing?error=timeout&fail_first=5")
    assert caught.value.error == "timeout"
    assert [x.error for x in caught.value.failed] == ["timeout"] * 5


async def test_fail_first_reports_that_many_attempts_before_the_text() -> None:
    reply = await _play("steady?fail_first=2&error=rate_limit")
    assert [x.error for x in reply.failed] == ["rate_limit", "rate_limit"]
    assert reply.text


async def test_echo_says_which_role_and_turn_it_was_asked_for() -> None:
    assert (await _play("echo", turn=12)).text == "persuader, turn 12, attempt 0"
    assert set(json.loads((await _play("echo", OBJECT)).text).values()) == {
        "persuader, turn 3, attempt 0"
    }


@pytest.mark.parametrize("expected", [TEXT, TOKEN, OBJECT])
async def test_say_says_its_text_whatever_form_is_expected(expected: Expected) -> None:
    reply = await _play("say?text=5%25%20is%20%22caf%C3%A9%22%20%26%20a=b+1%3F", expected)
    assert reply.text == '5% is "café" & a=b+1?'
    assert (await _play("say?text=-8.5", expected, turn=99)).text == "-8.5"


async def test_say_may_say_something_else_from_a_turn_on() -> None:
    said = [(await _play("say?text=-8&then=-3&turn=4", turn=turn)).text for turn in (0, 3, 4, 9)]
    assert said == ["-8", "-8", "-3", "-3"]


async def test_a_text_of_digits_stays_a_text_and_counts_as_any_other() -> None:
    reply = await _play("say?text=12345678")
    assert (reply.text, reply.tokens_out) == ("12345678", 3)


async def test_a_call_id_of_another_kind_stands_at_turn_0() -> None:
    asked = request(model="script:yielding?turn=1", expected=TOKEN, call_id="judge-panel")
    assert (await ScriptedModel().complete(asked)).text == TOKEN.tokens[-1]


async def test_a_reply_survives_the_wire() -> None:
    reply = await _play("garbage")
    assert msgspec.json.decode(msgspec.json.encode(reply), type=ModelReply) == reply


async def test_a_delay_is_taken_and_no_delay_stays_in_the_loop() -> None:
    started = time.perf_counter()
    await asyncio.gather(*(_play("steady?delay_ms=30") for _ in range(20)))
    assert time.perf_counter() - started >= 0.03
    step = _play("steady")
    with pytest.raises(StopIteration):
        step.send(None)  # ends without ever giving the loop a turn


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("stedy", "Did you mean 'steady'"),
        ("steady?char=3", "Did you mean 'chars'"),
        ("steady?chars=many", "chars=many"),
        ("steady?chars=-1", "count from 0"),
        ("steady?chars=99999999999", "count from 0 to"),
        ("failing?error=severe", "Did you mean 'server'"),
        ("say", "write script:say\\?text="),
        ("say?text=", "or script:empty"),
        ("say?txt=a", "Did you mean 'text'"),
        ("say?text=%ff", "text is not percent-encoded UTF-8"),
    ],
)
async def test_an_unknown_script_or_option_is_refused_with_the_nearest_one(
    script: str, complaint: str
) -> None:
    model = f"script:{script}"
    with pytest.raises(ModelUnknown, match=complaint):
        await _play(script)
    with pytest.raises(ModelUnknown, match=complaint):
        await ModelDirectory().check(model, Binding(model=model))


async def test_a_test_can_say_what_is_said() -> None:
    def reply(asked: object) -> str:
        return f"heard {type(asked).__name__}"

    said = await ScriptedModel(replies=reply).complete(request(model="anything"))
    assert (said.text, said.model) == ("heard ModelRequest", "anything")
