"""Roles as a command line and a file write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eristic.debate import Binding
from eristic.debate.errors import SpecRefused
from eristic.sweeps import parse_role, parse_roles


@pytest.mark.parametrize(
    ("text", "binding"),
    [
        ("openai/gpt-5-mini", Binding(model="openai/gpt-5-mini")),
        ("local", Binding(model="local")),
        ("script:steady?chars=10", Binding(model="script:steady?chars=10")),
        (
            "openai/x?temperature=0.7&max_tokens=90&logprobs=true&stop=END",
            Binding(
                model="openai/x",
                params={"temperature": 0.7, "max_tokens": 90, "logprobs": True, "stop": "END"},
            ),
        ),
        (
            "openai/x?api_base=http://127.0.0.1:8000/v1&window_tokens=4096&reserve_tokens=128"
            "&constrain=grammar&shards=3&fallback=a/b&fallback=c/d",
            Binding(
                model="openai/x",
                api_base="http://127.0.0.1:8000/v1",
                window_tokens=4096,
                reserve_tokens=128,
                constrain="grammar",
                shards=3,
                fallback=("a/b", "c/d"),
            ),
        ),
    ],
)
def test_a_model_and_its_parameters_become_a_binding(text: str, binding: Binding) -> None:
    assert parse_role(f"debater={text}") == ("debater", binding)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("debater", "names no model"),
        ("debater=", "no model is named"),
        ("=openai/x", "is no name of a role"),
        ("De bater=x", "is no name of a role"),
        ("d=open ai/x", "blanks or control characters"),
        ("d=x\ud800", "blanks or control characters"),
        ("d=x?temperature", "name=value"),
        ("d=x?top_p=1&top_p=2", "given twice"),
        ("d=x?temperature=nan", "finite"),
        ("d=x?stop=\ud800", "a setting is a text"),
        ("d=x?seed=4", "derived from the run's seed"),
        ("d=x?shards=0", "at least 1"),
        ("d=x?window_tokens=big", "window_tokens must be a whole number"),
        ("d=x?constrain=xml", "none, json_schema, grammar"),
        ("d=x?api_base=localhost:80", "http:// or https://"),
        ("d=x?api_base=http://[", "no address"),
        ("d=x?api_base=http://host/v1%3Fa=b", "no query"),
        ("d=x?epoch=2", "counts the swaps"),
    ],
)
def test_what_cannot_be_bound_is_refused_with_the_role(text: str, told: str) -> None:
    with pytest.raises(SpecRefused) as caught:
        parse_role(text)
    assert told in str(caught.value)
    assert "--role" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "debater=sk-abcdefghijklmnop",
        "sk-abcdefghijklmnop",
        "debater=x?api_key=abcdefghijklmnop",
        "debater=x?hf_token=abcdefghijklmnop",
        "debater=x?user=sk-abcdefghijklmnop",
        "debater=x?api_base=https://me:abcdefghijklmnop@host/v1",
        "debater=x?fallback=sk-abcdefghijklmnop",
    ],
)
def test_a_secret_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(SpecRefused) as caught:
        parse_role(text)
    assert "abcdefghijklmnop" not in str(caught.value)
    assert "environment variable" in str(caught.value)


def test_max_tokens_is_no_secret() -> None:
    assert parse_role("d=x?max_tokens=1000000000000000000").binding.params


@pytest.mark.parametrize(
    "text", ["human?fallback=a/b", "a/b?fallback=human", "x?fallback=external"]
)
def test_a_person_stands_in_for_no_model_and_no_model_for_a_person(text: str) -> None:
    with pytest.raises(SpecRefused, match="models alone"):
        parse_role(f"debater={text}")


def test_a_role_given_twice_is_refused() -> None:
    assert parse_roles(["a=x", "b=y"]) == {"a": Binding(model="x"), "b": Binding(model="y")}
    with pytest.raises(SpecRefused, match="--role a: given twice"):
        parse_roles(["a=x", "b=y", "a=x"])


@given(st.text() | st.text(alphabet="ax=?&:/%0.1-[]@").map(lambda text: f"a={text}"))
def test_any_text_is_bound_or_refused(text: str) -> None:
    try:
        assert parse_role(text).binding.model
    except SpecRefused:
        pass
