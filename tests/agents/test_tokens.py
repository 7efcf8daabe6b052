"""Token counts without a network."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eristic.agents import tokens
from eristic.agents.local_model import LOCAL_BINDING
from eristic.agents.tokens import TokenCounter, count_tokens, window_tokens
from eristic.debate.prompting import Message

TEXTS = st.text(max_size=300)


@pytest.mark.parametrize(
    ("model", "tokenizer"),
    [
        ("openai/gpt-4o-mini", "o200k_base"),
        ("gpt-5.1", "o200k_base"),
        ("o3-mini", "o200k_base"),
        ("openrouter/openai/gpt-4.1", "o200k_base"),
        ("openai/gpt-4-turbo", "cl100k_base"),
        ("azure/gpt-35-turbo", "cl100k_base"),
        ("anthropic/claude-x", "o200k_base~"),
        ("openai/smollm2-135m-instruct", "o200k_base~"),
        ("script:steady", "o200k_base~"),
    ],
)
def test_the_tokenizers_name_says_whether_it_is_the_models_own(model: str, tokenizer: str) -> None:
    assert TokenCounter(model).tokenizer == tokenizer


def test_counts_are_those_of_the_encoding() -> None:
    # The example of OpenAI's cookbook on counting tokens: 6 tokens in cl100k_base.
    assert count_tokens("tiktoken is great!", "gpt-4") == 6
    assert count_tokens("", "gpt-4") == 0


def test_a_text_that_spells_a_special_token_is_text() -> None:
    assert count_tokens("<|endoftext|>", "gpt-4o") > 1


@given(st.lists(TEXTS, max_size=5))
@settings(deadline=None, max_examples=60)
def test_no_prompt_has_more_tokens_than_its_upper_bound(texts: list[str]) -> None:
    messages = [Message("user", text) for text in texts]
    counter = TokenCounter("gpt-4o")
    assert counter.count_messages(messages) <= tokens.upper_bound(messages)


@given(st.lists(TEXTS, max_size=4), st.integers(0, 200))
@settings(deadline=None, max_examples=60)
def test_fits_agrees_with_the_count(texts: list[str], threshold: int) -> None:
    messages = [Message("user", text) for text in texts]
    counter = TokenCounter("gpt-4o")
    assert counter.fits(messages, threshold) == (counter.count_messages(messages) <= threshold)


def test_a_prompt_is_its_messages_and_their_delimiters() -> None:
    counter = TokenCounter("gpt-4o")
    messages = [Message("system", "Be brief."), Message("user", "Why?")]
    inside = counter.count("Be brief.") + counter.count("Why?")
    overhead = 2 * tokens.MESSAGE_OVERHEAD_TOKENS + tokens.REPLY_OVERHEAD_TOKENS
    assert counter.count_messages(messages) == inside + overhead


def test_a_long_text_is_counted_as_a_short_one_is() -> None:
    assert count_tokens("word " * 10_000, "gpt-4o") == pytest.approx(10_001, abs=1)


_PROGRAM = """
import os, sys
before = dict(os.environ)
from eristic.agents import tokens
{before}
counter = tokens.TokenCounter("gpt-4o")
print(counter.tokenizer, counter.count("four bytes: \\u20ac!"), counter.fits([], 3))
print("litellm" in sys.modules, "tiktoken" in sys.modules, before == dict(os.environ))
"""


def _elsewhere(before: str) -> list[str]:
    program = _PROGRAM.format(before=before)
    clean = {name: value for name, value in os.environ.items() if name != "TIKTOKEN_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=clean
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_without_an_encoding_bytes_give_a_documented_estimate() -> None:
    # 16 bytes in UTF-8: the euro sign has three.
    said = _elsewhere("tokens._litellm_folder = lambda: None")
    assert said == [f"{tokens.BYTES_ESTIMATE} 6 True", "False False True"]
    assert tokens.BYTES_ESTIMATE == "bytes/3~"


def test_the_encoding_is_found_without_importing_litellm_or_leaving_a_trace() -> None:
    said = _elsewhere("")
    assert said[0].startswith("o200k_base ")
    assert said[1] == "False True True"


def test_windows_come_from_the_bundled_table_and_may_be_unknown() -> None:
    assert window_tokens("openai/gpt-4o") == window_tokens("gpt-4o") == 128_000
    assert window_tokens("openai/no-such-model") is None
    assert window_tokens("script:steady") is None


def test_the_local_models_window_is_that_of_its_binding() -> None:
    assert window_tokens("local") == window_tokens(LOCAL_BINDING.model)
    assert window_tokens("local") == LOCAL_BINDING.window_tokens
