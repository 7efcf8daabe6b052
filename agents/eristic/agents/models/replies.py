"""From litellm's response to a ModelReply: what the provider said, nothing made up."""

from __future__ import annotations

import re

from eristic.debate.errors import EristicError
from eristic.ports import ModelReply

__all__ = ["filtered", "read_reply", "without_surrogates", "without_thinking"]

_FINISH = {"content_filter": "filter", "tool_calls": "tool", "function_call": "tool"}
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_OPEN = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_CLOSE = re.compile(r"</think(?:ing)?>", re.IGNORECASE)


class ReplyUnreadable(EristicError):
    """An answer without a message in it."""


def read_reply(response: object, *, asked: str) -> ModelReply:
    """The first choice of a response, with tokens only where the provider counted them.

    asked: model id of the request, for a provider that does not name what it served. Raises
    ReplyUnreadable when there is no choice.
    """
    choices = getattr(response, "choices", None)
    if not isinstance(choices, list) or not choices:
        raise ReplyUnreadable("the answer holds no choice")
    message = getattr(choices[0], "message", None)
    refusal = _text(message, "refusal")
    finish = _text(choices[0], "finish_reason") or "unknown"
    finish = _FINISH.get(finish, finish)
    text = without_thinking(_text(message, "content")) or refusal
    clean = without_surrogates(text)
    usage = getattr(response, "usage", None)
    tokens_in, tokens_out = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    said = bool(tokens_in or tokens_out)  # litellm fills in zeros for a provider that is silent
    return ModelReply(
        text=clean,
        model=_text(response, "model") or asked,
        finish=finish,
        refusal=bool(refusal) or finish == "filter",
        tokens_in=tokens_in if said else None,
        tokens_out=tokens_out if said else None,
        tokens_cached=_count(getattr(usage, "prompt_tokens_details", None), "cached_tokens"),
        cleaned=clean != text,
    )


def filtered(asked: str) -> ModelReply:
    """The reply of a provider whose filter refused the prompt."""
    return ModelReply(text="", model=asked, finish="filter", refusal=True)


def without_surrogates(text: str) -> str:
    """The text with U+FFFD for every lone surrogate, which UTF-8 cannot hold."""
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def without_thinking(text: str) -> str:
    """The text after a leading block of reasoning, which some servers leave in the content.

    A block that is never closed is reasoning to the end; one that is never opened begins with
    the text (a server that put the opening tag into the prompt). Tags after other text are text.
    """
    opened = _OPEN.match(text.lstrip()) is not None
    closed = _CLOSE.search(text)
    if closed and (opened or not _OPEN.search(text, 0, closed.start())):
        return text[closed.end() :].lstrip()
    return "" if opened else text


def _text(holder: object, name: str) -> str:
    value = getattr(holder, name, None)
    return value if isinstance(value, str) else ""


def _count(holder: object, name: str) -> int | None:
    value = getattr(holder, name, None)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
