"""The scripts that a scripted model can play, and the options of each.

`script:NAME?option=value&...`, for example `script:steady?chars=200&delay_ms=5`. A script sees the
request and where in its episode the call stands; the same call always gives the same text.

Values are percent-decoded, for a model's name holds no blanks: `script:say?text=I%20disagree.`
"""

from __future__ import annotations

import functools
import json
import zlib
from collections.abc import Callable, Iterable
from urllib.parse import unquote

import msgspec

from eristic.agents.models.prose import prose
from eristic.debate import FailedAttempt
from eristic.debate.errors import ModelFailed, ModelUnknown, nearest
from eristic.debate.prompting import Message
from eristic.ports import ModelReply, ModelRequest

__all__ = ["SCRIPT_PREFIX", "Script", "parse_script", "prompt_tokens", "text_tokens"]

SCRIPT_PREFIX = "script:"
_CHARS_PER_TOKEN = 4
_LIMIT = 10_000_000
_FAILURES = ("timeout", "connect", "rate_limit", "server", "auth", "context", "bad_request")
_GARBAGE = ('{"a": [1, 2', "as as as as as", "</s><|im_end|>", "?!\u202e\u2028", "{{{")


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options that every script takes; it uses those that mean something to it."""

    chars: int = 1000
    """Length of a text (characters)."""
    delay_ms: float = 0.0
    """Latency of a call; 0 gives the reply without leaving the loop."""
    fail_first: int = 0
    """Failed attempts that are reported before the text."""
    turn: int = 6
    """yielding: first turn that yields; say: first turn that says `then`."""
    text: str = ""
    """say: what it says, whatever the form that is expected."""
    then: str = ""
    """say: what it says from `turn` on; empty: no turn is different."""
    error: str = "server"
    """failing: class of the failure."""
    calls: str = ""
    """File to which the id of every call is added as a line, before it is answered: what a
    provider would have charged for."""


class Place(msgspec.Struct, frozen=True):
    """Where a call stands, read from its id: run.episode.turn.role.attempt."""

    turn: int
    role: str
    attempt: int


class Script(msgspec.Struct, frozen=True):
    """A script with its options."""

    name: str
    play: Callable[[Options, ModelRequest], ModelReply]
    options: Options

    def reply(self, request: ModelRequest) -> ModelReply:
        """Raises ModelFailed when the script says so."""
        return self.play(self.options, request)


@functools.lru_cache(maxsize=256)
def parse_script(model: str) -> Script:
    """The script of a model id. Raises ModelUnknown with the nearest name of script or option."""
    name, _, query = model.removeprefix(SCRIPT_PREFIX).partition("?")
    if name not in _SCRIPTS:
        raise ModelUnknown(f"no script is named {name!r}.{nearest(name, _SCRIPTS)}")
    given: dict[str, str] = {}
    for pair in query.split("&") if query else ():
        option, _, value = pair.partition("=")
        if option not in Options.__struct_fields__:
            hint = nearest(option, Options.__struct_fields__)
            raise ModelUnknown(f"script {name} has no option {option!r}.{hint}")
        given[option] = _plain(name, option, value)
    try:
        options = msgspec.convert(given, Options, strict=False)
    except msgspec.ValidationError as error:
        raise ModelUnknown(f"script {name}, {query!r}: {error}") from error
    _check(name, options)
    return Script(name, _SCRIPTS[name], options)


def _plain(name: str, option: str, value: str) -> str:
    try:
        return unquote(value, errors="strict")
    except UnicodeDecodeError as error:
        raise ModelUnknown(
            f"script {name}: {option} is not percent-encoded UTF-8; write e.g. %C3%A9"
        ) from error


def _check(name: str, options: Options) -> None:
    numbers = (options.chars, options.delay_ms, options.fail_first, options.turn)
    if not all(0 <= number <= _LIMIT for number in numbers):
        raise ModelUnknown(f"script {name}: options count from 0 to {_LIMIT}, and one does not")
    if options.error not in _FAILURES:
        hint = nearest(options.error, _FAILURES)
        raise ModelUnknown(f"script {name}: no failure is of class {options.error!r}.{hint}")
    if name == "say" and not options.text:
        raise ModelUnknown("script say has no text; write script:say?text=..., or script:empty")


def _place(request: ModelRequest) -> Place:
    parts = request.call_id.rsplit(".", 3)
    if len(parts) == 4 and parts[1].isdecimal() and parts[3].isdecimal():
        return Place(int(parts[1]), parts[2], int(parts[3]))
    return Place(0, "", 0)


def _key(request: ModelRequest) -> int:
    # Not hash(): it differs from one process to the next.
    return zlib.crc32(request.call_id.encode("utf-8", "replace"), request.seed & 0xFFFFFFFF)


def prompt_tokens(messages: Iterable[Message]) -> int:
    """What a script says that it has read."""
    return sum(len(message.content) for message in messages) // _CHARS_PER_TOKEN + 1


def text_tokens(text: str) -> int:
    """What a script says that it has made."""
    return len(text) // _CHARS_PER_TOKEN + 1 if text else 0


def _reply(options: Options, request: ModelRequest, text: str, **facts: object) -> ModelReply:
    failed = _failures(options, options.fail_first) if options.fail_first else ()
    reply = ModelReply(
        text=text,
        model=request.model,
        tokens_in=prompt_tokens(request.messages),
        tokens_out=text_tokens(text),
        failed=failed,
    )
    return msgspec.structs.replace(reply, **facts) if facts else reply


def _failures(options: Options, count: int) -> tuple[FailedAttempt, ...]:
    attempt = FailedAttempt(error=options.error, latency_s=0.0, message="scripted failure")
    return (attempt,) * count


def _formed(options: Options, request: ModelRequest, token: int, words: str | None) -> str:
    """A text of the expected form; words: what it says, or prose when None."""
    expected = request.expected
    if expected.form == "token" and expected.tokens:
        return expected.tokens[token]
    if expected.form == "object":
        key = _key(request)
        size = options.chars // max(1, len(expected.keys))
        texts = {
            name: words or prose(size, key + place) for place, name in enumerate(expected.keys)
        }
        return json.dumps(texts, ensure_ascii=False)
    return prose(options.chars, _key(request)) if words is None else words


def _steady(options: Options, request: ModelRequest) -> ModelReply:
    """Prose; of tokens the last one, which by convention lets the debate go on."""
    return _reply(options, request, _formed(options, request, -1, None))


def _yielding(options: Options, request: ModelRequest) -> ModelReply:
    """As steady, but from a turn on the first token."""
    token = 0 if _place(request).turn >= options.turn else -1
    return _reply(options, request, _formed(options, request, token, None))


def _garbage(options: Options, request: ModelRequest) -> ModelReply:
    """Text that has no expected form."""
    return _reply(options, request, _GARBAGE[_key(request) % len(_GARBAGE)])


def _refusing(options: Options, request: ModelRequest) -> ModelReply:
    """A refusal that the provider marks as one."""
    return _reply(options, request, "I cannot help with that.", refusal=True, finish="filter")


def _empty(options: Options, request: ModelRequest) -> ModelReply:
    """No text, and no reason given."""
    return _reply(options, request, "")


def _failing(options: Options, request: ModelRequest) -> ModelReply:
    """No reply at all."""
    failed = _failures(options, max(1, options.fail_first))
    raise ModelFailed(
        f"{request.model}: failed with {options.error} as its script says; bind another model",
        error=options.error,
        failed=failed,
    )


def _echo(options: Options, request: ModelRequest) -> ModelReply:
    """Says which role and turn it was asked for."""
    place = _place(request)
    words = f"{place.role}, turn {place.turn}, attempt {place.attempt}"
    return _reply(options, request, _formed(options, request, -1, words))


def _say(options: Options, request: ModelRequest) -> ModelReply:
    """The text it was given."""
    is_later = options.then and _place(request).turn >= options.turn
    return _reply(options, request, options.then if is_later else options.text)


_SCRIPTS: dict[str, Callable[[Options, ModelRequest], ModelReply]] = {
    "echo": _echo,
    "empty": _empty,
    "failing": _failing,
    "garbage": _garbage,
    "refusing": _refusing,
    "say": _say,
    "steady": _steady,
    "yielding": _yielding,
}
