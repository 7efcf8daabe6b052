"""What is sent to a provider and what is made of its answers. Real HTTP on the loopback."""

from __future__ import annotations

import json

import pytest
from tests.agents._calls import OBJECT, TOKEN, calling, request
from tests.agents._servers import (
    Loopback,
    answering,
    completion,
    content_policy,
    good,
    refusing_with,
)

from eristic.debate import Binding
from eristic.debate.errors import CredentialMissing, ModelFailed, ModelUnknown, SpecRefused


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)


async def test_a_reply_carries_the_text_and_what_the_provider_counted() -> None:
    with Loopback(good) as server:
        async with calling() as caller:
            reply = await caller.ask(request(server.url))
    assert (reply.text, reply.model, reply.finish) == ("Fair point.", "served-2026", "stop")
    assert (reply.tokens_in, reply.tokens_out, reply.tokens_cached) == (21, 4, 16)
    assert not reply.refusal and not reply.cleaned and reply.failed == ()
    assert reply.latency_s > 0


async def test_params_go_out_as_given_with_the_seed_and_nothing_else() -> None:
    with Loopback(good) as server:
        async with calling() as caller:
            params = {"temperature": 0.25, "max_tokens": 9, "extra_body.repeat_penalty": 1.15}
            await caller.ask(request(server.url, params={**params, "top_p": None}))
    assert server.seen[0].body == {
        "model": "tiny",
        "messages": [
            {"role": "system", "content": "You argue."},
            {"role": "user", "content": "Begin."},
        ],
        "temperature": 0.25,
        "max_tokens": 9,
        "repeat_penalty": 1.15,
        "seed": 7,
    }


async def test_tokens_that_a_provider_did_not_count_are_unknown_not_zero() -> None:
    with Loopback(answering(completion())) as server:
        async with calling() as caller:
            reply = await caller.ask(request(server.url))
    assert (reply.tokens_in, reply.tokens_out, reply.tokens_cached) == (None, None, None)


@pytest.mark.parametrize(
    ("said", "finish"),
    [("stop", "stop"), ("length", "length"), ("content_filter", "filter"), ("tool_calls", "tool")],
)
async def test_the_reason_to_finish_has_one_name_for_all_providers(said: str, finish: str) -> None:
    with Loopback(answering(completion(finish=said))) as server:
        async with calling() as caller:
            reply = await caller.ask(request(server.url))
    assert reply.finish == finish
    assert reply.refusal == (finish == "filter")


async def test_a_refusal_in_its_own_field_is_a_reply_marked_as_one() -> None:
    with Loopback(answering(completion(None, refusal="I will not."))) as server:
        async with calling() as caller:
            reply = await caller.ask(request(server.url))
    assert reply.refusal
    assert reply.text == "I will not."


async def test_a_prompt_that_the_filter_took_is_a_refusal_not_a_failure() -> None:
    with Loopback(content_policy) as server:
        async with calling() as caller:
            reply = await caller.ask(request(server.url))
    assert (reply.text, reply.finish, reply.refusal) == ("", "filter", True)
    assert len(server.seen) == 1


async def test_reasoning_is_not_part_of_the_text() -> None:
    body = completion("<think>They may be right.</think>\nNo.", reasoning_content="hm")
    with Loopback(answering(body)) as server:
        async with calling() as caller:
            reply = await caller.ask(request(server.url))
    assert reply.text.strip() == "No."


async def test_a_lone_surrogate_is_replaced_and_the_reply_says_so() -> None:
    with Loopback(answering(completion("a\ud800b\x00"))) as server:
        async with calling() as caller:
            reply = await caller.ask(request(server.url))
    assert (reply.text, reply.cleaned) == ("a\ufffdb\x00", True)


async def test_a_token_held_by_schema_comes_back_bare() -> None:
    with Loopback(answering(completion(json.dumps({"answer": "<GO-ON>"})))) as server:
        async with calling() as caller:
            asked = request(server.url, expected=TOKEN, constrain="json_schema")
            reply = await caller.ask(asked)
    assert reply.text == "<GO-ON>"
    schema = server.seen[0].body["response_format"]["json_schema"]["schema"]
    assert schema["properties"] == {"answer": {"type": "string", "enum": list(TOKEN.tokens)}}


async def test_a_grammar_travels_beside_other_extra_fields() -> None:
    with Loopback(good) as server:
        async with calling() as caller:
            await caller.ask(
                request(
                    server.url,
                    expected=TOKEN,
                    constrain="grammar",
                    params={"extra_body.repeat_penalty": 1.15},
                )
            )
    body = server.seen[0].body
    assert body["grammar"] == 'root ::= "<CONVINCED>" | "<GO-ON>"'
    assert body["repeat_penalty"] == 1.15


async def test_an_object_is_held_to_its_keys_in_order() -> None:
    with Loopback(good) as server:
        async with calling() as caller:
            await caller.ask(request(server.url, expected=OBJECT, constrain="grammar"))
    schema = server.seen[0].body["response_format"]["json_schema"]["schema"]
    assert list(schema["properties"]) == schema["required"] == ["label", "tip", "argument"]


async def test_a_server_on_this_machine_needs_no_key() -> None:
    with Loopback(good) as server:
        async with calling() as caller:
            await caller.ask(request(server.url))
    assert "none-needed" in server.seen[0].headers.get("authorization", "")


async def test_a_missing_key_is_named_before_anything_is_sent() -> None:
    async with calling() as caller:
        with pytest.raises(CredentialMissing, match="ANTHROPIC_API_KEY is not set"):
            await caller.ask(request(model="anthropic/claude-x"))


async def test_an_empty_key_is_a_missing_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "")
    async with calling() as caller:
        with pytest.raises(CredentialMissing, match="OPENAI_API_KEY"):
            await caller.ask(request(model="openai/gpt-4o"))
        with Loopback(good) as server:
            assert (await caller.ask(request(server.url))).text == "Fair point."


async def test_an_unknown_provider_is_refused_with_the_nearest_one() -> None:
    async with calling() as caller:
        with pytest.raises(ModelUnknown, match="Did you mean 'anthropic/claude-x'"):
            await caller.ask(request(model="antropic/claude-x"))


async def test_a_bare_name_without_provider_is_refused_with_the_nearest_model() -> None:
    async with calling() as caller:
        with pytest.raises(ModelUnknown, match="Did you mean 'gpt-4o"):
            await caller.ask(request(model="gtp-4o"))


async def test_a_model_that_its_provider_does_not_serve_is_unknown() -> None:
    with Loopback(refusing_with(404, "model not found", code="model_not_found")) as server:
        async with calling() as caller:
            with pytest.raises(ModelUnknown, match="openai does not serve 'openai/tiny'"):
                await caller.ask(request(server.url))
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    ("binding", "complaint"),
    [
        (Binding(model="openai/x", params={"seed": 1}), "seeds are derived"),
        (Binding(model="openai/x", constrain="json_scheme"), "Did you mean 'json_schema'"),
        (Binding(model="openai/x", api_base="127.0.0.1:80"), "is no address"),
        (Binding(model="openai/x", api_base="http://u:pw@h/v1"), "holds a user"),
    ],
)
async def test_a_binding_that_cannot_be_called_is_refused_before_the_run(
    binding: Binding, complaint: str
) -> None:
    async with calling() as caller:
        with pytest.raises(SpecRefused, match=complaint):
            await caller.model.check(binding.model, binding)


async def test_checking_a_binding_pays_for_nothing() -> None:
    with Loopback(good) as server:
        async with calling() as caller:
            binding = Binding(model="openai/tiny", api_base=server.url, constrain="json_schema")
            await caller.model.check(binding.model, binding)
            with pytest.raises(CredentialMissing, match="OPENAI_API_KEY"):
                await caller.model.check("openai/gpt-4o", Binding(model="openai/gpt-4o"))
    assert server.seen == []


async def test_a_binding_that_was_never_checked_fails_its_calls_and_sends_nothing() -> None:
    with Loopback(good) as server:
        async with calling() as caller:
            with pytest.raises(ModelFailed, match="may hold a credential") as caught:
                await caller.ask(request(server.url, params={"api_key": "sk-spelled-out"}))
    assert caught.value.error == "bad_request"
    assert "sk-spelled-out" not in str(caught.value)
    assert server.seen == []
