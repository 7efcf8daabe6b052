"""Count tokens before a call, offline: the models' own encodings where they are known.

The encodings lie in the litellm package; finding them there does not import it. A tokenizer name
that ends in `~` is an estimate. Sizes as billed come from the provider, never from here.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from eristic.debate.prompting import Message

__all__ = [
    "BYTES_ESTIMATE",
    "MESSAGE_OVERHEAD_TOKENS",
    "REPLY_OVERHEAD_TOKENS",
    "TokenCounter",
    "count_tokens",
    "window_tokens",
]

MESSAGE_OVERHEAD_TOKENS = 4
"""Role and delimiters of one message in the usual chat formats."""
REPLY_OVERHEAD_TOKENS = 3
"""The opening of the reply."""
BYTES_ESTIMATE = "bytes/3~"
"""Tokenizer where no encoding is installed: UTF-8 bytes / 3, rounded up. English prose has about
4 bytes a token, so that this errs to the safe side there."""

_FILES = {  # encoding -> its file in a tiktoken cache folder
    "o200k_base": "fb374d419588a4632f3f557e76b4b70aebbca790",
    "cl100k_base": "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
}
_EXACT = (  # beginnings of model names; the first that fits
    ("gpt-4o", "o200k_base"),
    ("gpt-4.1", "o200k_base"),
    ("gpt-4.5", "o200k_base"),
    ("gpt-5", "o200k_base"),
    ("chatgpt-4o", "o200k_base"),
    ("o1", "o200k_base"),
    ("o3", "o200k_base"),
    ("o4-", "o200k_base"),
    ("gpt-4", "cl100k_base"),
    ("gpt-3.5", "cl100k_base"),
    ("gpt-35", "cl100k_base"),
)
_OWN_WINDOWS = {"local": 2048, "smollm2-135m-instruct": 2048}
_ENV = "TIKTOKEN_CACHE_DIR"
_REMEMBERED_CHARS = 16_384  # a longer text is counted anew: the memory of texts must stay small
_loading = threading.Lock()  # protects _ENV while an encoding is read

Count = Callable[[str], int]


class TokenCounter:
    """Counts for one model."""

    def __init__(self, model: str) -> None:
        self._model = model

    @property
    def tokenizer(self) -> str:
        """Name of what counts; ends in `~` when it is not the model's own.

        Found when first needed: reading an encoding takes a second, and most prompts fit by
        their bytes alone.
        """
        return _tokenizer(self._model)

    def count(self, text: str) -> int:
        """Tokens of a text alone."""
        return _count(self.tokenizer, text)

    def count_message(self, message: Message) -> int:
        """Tokens of a message with its delimiters."""
        return self.count(message.content) + MESSAGE_OVERHEAD_TOKENS

    def count_messages(self, messages: Sequence[Message]) -> int:
        """Tokens of a whole prompt."""
        return sum(map(self.count_message, messages)) + REPLY_OVERHEAD_TOKENS

    def fits(self, messages: Sequence[Message], threshold: int) -> bool:
        """True when the prompt has at most `threshold` tokens.

        A token holds at least one byte, so that most prompts are let through without counting.
        """
        return upper_bound(messages) <= threshold or self.count_messages(messages) <= threshold


def count_tokens(text: str, model: str) -> int:
    """Tokens of a text alone, as `model` would count or the nearest estimate."""
    return _count(_tokenizer(model), text)


def upper_bound(messages: Sequence[Message]) -> int:
    """A number of tokens that the prompt cannot exceed: its bytes and the delimiters."""
    size = REPLY_OVERHEAD_TOKENS + MESSAGE_OVERHEAD_TOKENS * len(messages)
    for message in messages:
        text = message.content
        # isascii is free; only other texts have to be encoded to know their bytes.
        size += len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return size


def window_tokens(model: str) -> int | None:
    """Longest prompt of a model (tokens) by litellm's bundled table; None when unknown."""
    name = model.rpartition("/")[2]
    if name in _OWN_WINDOWS:
        return _OWN_WINDOWS[name]
    windows = _windows()
    return windows.get(model, windows.get(name))


@functools.lru_cache(maxsize=256)
def _tokenizer(model: str) -> str:
    name = model.rpartition("/")[2]
    own = next((encoding for start, encoding in _EXACT if name.startswith(start)), None)
    encoding = own or "o200k_base"
    if _encoder(encoding) is None:
        return BYTES_ESTIMATE
    return encoding if own else f"{encoding}~"


def _count(tokenizer: str, text: str) -> int:
    if len(text) <= _REMEMBERED_CHARS:
        return _remembered(tokenizer, text)
    return _tokenise(tokenizer, text)


def _tokenise(tokenizer: str, text: str) -> int:
    encode = _encoder(tokenizer.removesuffix("~")) if tokenizer != BYTES_ESTIMATE else None
    if encode is None:
        return -(-len(text.encode("utf-8", "surrogatepass")) // 3)
    return encode(text)


_remembered = functools.lru_cache(maxsize=4096)(_tokenise)


@functools.cache
def _encoder(encoding: str) -> Count | None:
    """Load an encoding from a folder that holds it; never from the network."""
    folder = next((x for x in _folders() if (x / _FILES[encoding]).is_file()), None)
    if folder is None or importlib.util.find_spec("tiktoken") is None:
        return None
    import tiktoken

    with _loading:
        before = os.environ.get(_ENV)
        os.environ[_ENV] = str(folder)
        try:
            loaded = tiktoken.get_encoding(encoding)
        finally:
            if before is None:
                del os.environ[_ENV]
            else:
                os.environ[_ENV] = before
    # Ordinary: a text that spells a special token is text.
    return lambda text: len(loaded.encode_ordinary(text))


def _folders() -> list[Path]:
    given = os.environ.get(_ENV)
    bundled = _litellm_folder()
    folders = [Path(given)] if given else []
    return folders + ([bundled / "litellm_core_utils" / "tokenizers"] if bundled else [])


def _litellm_folder() -> Path | None:
    spec = importlib.util.find_spec("litellm")  # finds, does not import
    places = spec.submodule_search_locations if spec else None
    return Path(places[0]) if places else None


class _Facts(msgspec.Struct, frozen=True):
    max_input_tokens: int | float | str | None = None


@functools.cache
def _windows() -> dict[str, int]:
    """Model -> longest prompt, as litellm's table of prices has it."""
    folder = _litellm_folder()
    table = folder / "model_prices_and_context_window_backup.json" if folder else None
    if table is None or not table.is_file():
        return {}
    facts = msgspec.json.decode(table.read_bytes(), type=dict[str, _Facts])
    return {
        name: int(fact.max_input_tokens)
        for name, fact in facts.items()
        if isinstance(fact.max_input_tokens, int | float) and fact.max_input_tokens > 0
    }
